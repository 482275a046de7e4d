"""The two listings: their loops end, their formulas are those of the proofs and of the code."""
