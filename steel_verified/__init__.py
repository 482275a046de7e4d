"""STEEL for exogenous block MDPs: exact numbers, and evidence that anyone can recheck."""
