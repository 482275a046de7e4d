"""What must be trusted: ways to check a statement, each of which issues evidence or refuses.

`evidence` is what they issue, and `exactness` what may enter them. `deduction` and `sums` replay
proofs. `symbolic` shows identities, `slack` polynomial inequalities, `intervals` inequalities over
a range, `finite` what holds in finitely many cases; `algebra` says which formulas these accept.
`together` joins evidence.
"""
