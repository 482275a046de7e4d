"""The two listings: their loops end, their formulas are those of the proofs and of the code.

What a listing leaves open (which state is taken first, which of two shortest words) is left open in
the checks where that is possible: every order of the states is tried.
"""
