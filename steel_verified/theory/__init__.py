"""The sample counts, schedules and bounds of the paper: exact numbers, no arrays, no randomness."""
