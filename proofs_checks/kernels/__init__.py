"""The trusted kernels: each checks a kind of statement and returns evidence, or raises `NotEarned`.

`evidence` defines the evidence, and `exactness` the types of input that kernels accept. `deduction`
and `sums` replay proofs, whose lines `layout` reads. `algebra` proves identities and defines the
accepted formulas; `slack` proves polynomial inequalities, `intervals` inequalities over a range,
`finite` statements about finitely many cases.
"""
