"""Table 1 as a measurement: a small world for each column, and every method run on it."""
