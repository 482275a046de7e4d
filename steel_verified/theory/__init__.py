"""The numbers that the paper promises: exact, without arrays, without randomness."""
