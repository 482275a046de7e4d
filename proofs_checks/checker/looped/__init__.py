"""The rules for runs of the paper's algorithm, whose record holds no observation."""
