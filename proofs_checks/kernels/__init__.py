"""What must be trusted: ways to check a statement, each of which issues evidence or refuses.

`evidence` is what they issue, and `exactness` what may enter them. `deduction` and `sums` replay
proofs, whose lines `layout` reads. `algebra` shows identities, and says which formulas are
accepted; `slack` shows polynomial inequalities, `intervals` inequalities over a range, `finite`
what holds in finitely many cases.
"""
