"""A proof checker for statements about finite sums over sets of any size.

A *statement*, left ≤ right or left = right, holds for all members that its free indices can stand
for. A *proof* leads from hypotheses to goals by lines, each with a reason. The kernel brings both
sides of a line into a normal form, and checks that their difference is the stated sum of products
of nonnegative expressions. Induction, two cases, and citing another proof are lines as well.

`replay(proof)` checks every line and returns the evidence, or raises `NotEarned`; a line or a
hypothesis that nothing uses is refused too. `tell(proof)` is the proof as text.
`without(proof, hypothesis)`, `without_line(proof, place)` and `nudged(proof, place)` are proofs
with a mistake, which a replay must refuse.
"""

from proofs_checks.kernels.sums.mistakes import nudged as nudged
from proofs_checks.kernels.sums.mistakes import without as without
from proofs_checks.kernels.sums.mistakes import without_line as without_line
from proofs_checks.kernels.sums.replaying import replay as replay
from proofs_checks.kernels.sums.statements import Proof as Proof
from proofs_checks.kernels.sums.telling import tell as tell
