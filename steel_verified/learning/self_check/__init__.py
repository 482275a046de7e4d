"""The self-check: tests a learned model with rows of its run before it is accepted."""
