"""Checks that are not proofs in Coq: each returns evidence, or raises `NotEarned`.

`formulas` reads formulas and says which are accepted. `algebra` shows identities and polynomial
inequalities for all values, `intervals` inequalities over a range, and `finite` statements about
finitely many cases.
"""
