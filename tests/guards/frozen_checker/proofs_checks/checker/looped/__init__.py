"""The rules for runs of the paper's algorithm. Their record contains no observations."""
