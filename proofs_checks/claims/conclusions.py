"""What the steps add up to: the two lemmas, each from the claims that make up its proof."""

from __future__ import annotations

from functools import partial
from typing import Final

from proofs_checks.claim import Claim, Mutant, Strength
from proofs_checks.methods.derived import derived

_LEMMA_1: Final = ("F01", "F03", "F04.a", "F04.b")
_LEMMA_2: Final = (
    # operators, decomposition, matrix inequality, induction
    "G03", "G04.b", "G05", "G07", "G09", "G10", "G12.a", "G12.b", "G13", "G14", "G15.b", "G17",
    "G19",
    # the power of the matrix, and its constants
    "G20", "G21", "G22", "G23", "G24", "G25.corrected", "G26.corrected", "G27", "G28", "G29", "G30",
    # both intervals
    "G33", "G34", "G35", "G36.step", "G37", "G38", "G39.cover", "G39.monotone",
)  # fmt: skip


def _claim(identifier: str, lines: str, section: str, statement: str, *steps: str) -> Claim:
    return Claim(
        id=identifier,
        lines=lines,
        section=section,
        statement=f"{statement} [from {', '.join(steps)}]",
        strength=Strength.ENCLOSED,
        check=partial(derived, *steps),
        mutants=(Mutant("a step that is no claim", partial(derived, *steps, "Z99")),),
        assumptions=("the steps make up the proof, as the paper puts them together",),
    )


CLAIMS: Final = (
    _claim(
        "F01.assembled",
        "1067-1101",
        "Lemma 1",
        "p_s − 1/4 ≤ Pr(f(x_{t_2}) = 1 | x_{≤ t_1}, s_{t_2} = s) ≤ p_s + 1/4 for fixed times "
        "t_2 − t_1 ≥ max(t_mix, 1)",
        *_LEMMA_1,
    ),
    _claim(
        "G01.assembled",
        "1102-1526",
        "Lemma 2",
        "Pr(f = 1 at all of N fixed times, t_mix apart) ≤ 8·exp(−εN/3), for every chain",
        *_LEMMA_2,
    ),
)
