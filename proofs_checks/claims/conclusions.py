"""What the steps add up to: the two lemmas, each from the claims that make up its proof."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.methods.derived import derived
from proofs_checks.sections import LEMMA_1, LEMMA_2

if TYPE_CHECKING:
    from proofs_checks.claim import Claim
    from proofs_checks.entries import Section

_STEPS_OF_LEMMA_1: Final = ("F01", "F03", "F04.a", "F04.b")
_STEPS_OF_LEMMA_2: Final = (
    # operators, decomposition, matrix inequality, induction
    "G03", "G04.b", "G05", "G07", "G09", "G10", "G12.a", "G12.b", "G13", "G14", "G15.b", "G17",
    "G19",
    # the power of the matrix, and its constants
    "G20", "G21", "G22", "G23", "G24", "G25.corrected", "G26.corrected", "G27", "G28", "G29", "G30",
    # both intervals
    "G33", "G34", "G35", "G36.step", "G37", "G38", "G39.cover", "G39.monotone",
)  # fmt: skip


def _derived(section: Section, identifier: str, lines: str, statement: str, *steps: str) -> Claim:
    return section.enclosed(
        identifier,
        lines,
        f"{statement} [from {', '.join(steps)}]",
        partial(derived, *steps),
        Mutant("a step that is no claim", partial(derived, *steps, "Z99")),
        assumptions=("the steps make up the proof, as the paper puts them together",),
    )


CLAIMS: Final = (
    _derived(
        LEMMA_1,
        "F01.assembled",
        "1067-1101",
        "p_s − 1/4 ≤ Pr(f(x_{t_2}) = 1 | x_{≤ t_1}, s_{t_2} = s) ≤ p_s + 1/4 for fixed times "
        "t_2 − t_1 ≥ max(t_mix, 1)",
        *_STEPS_OF_LEMMA_1,
    ),
    _derived(
        LEMMA_2,
        "G01.assembled",
        "1102-1526",
        "Pr(f = 1 at all of N fixed times, t_mix apart) ≤ 8·exp(−εN/3), for every chain",
        *_STEPS_OF_LEMMA_2,
    ),
)
