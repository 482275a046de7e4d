"""Small worlds, chains and runs, all of them up to a size."""
