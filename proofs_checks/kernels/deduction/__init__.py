"""A proof checker for statements about all integers, with uninterpreted functions.

A *statement* (`Assume`, `Lemma`) holds for all values of the variables it lists. A `Theory` is a
list of hypotheses, definitions and lemmas; each lemma names the instances of earlier statements
that it follows from. A *proof* is a theory with the lemmas to show. The kernel itself does
equality (congruence closure), linear arithmetic, case distinction and induction; if it cannot prove
a case, it refuses the lemma and prints the case.

`replay(proof)` checks every step that the lemmas depend on and returns the evidence, or raises
`NotEarned`. `tell(proof)` is the proof as text. `without(proof, hypothesis)` and
`restated(proof, name, …)` are proofs with a mistake, which a replay must refuse.
"""

from proofs_checks.kernels.deduction.mistakes import restated as restated
from proofs_checks.kernels.deduction.mistakes import without as without
from proofs_checks.kernels.deduction.replaying import replay as replay
from proofs_checks.kernels.deduction.statements import Apply as Apply
from proofs_checks.kernels.deduction.statements import Assume as Assume
from proofs_checks.kernels.deduction.statements import Indicator as Indicator
from proofs_checks.kernels.deduction.statements import Least as Least
from proofs_checks.kernels.deduction.statements import Lemma as Lemma
from proofs_checks.kernels.deduction.statements import Let as Let
from proofs_checks.kernels.deduction.statements import Proof as Proof
from proofs_checks.kernels.deduction.statements import Recursion as Recursion
from proofs_checks.kernels.deduction.statements import Theory as Theory
from proofs_checks.kernels.deduction.telling import tell as tell
