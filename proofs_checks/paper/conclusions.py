"""What the steps add up to: both lemmas from the definition of a mixing time, every joint checked.

Each step names those it follows from, and the last is the lemma; a proof that lacks a step, or in
which a step claims more than it shows, is refused.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.proofs.chains.closed_form import all_pass_as_printed
from proofs_checks.proofs.chains.lemma1 import nearly_independent
from proofs_checks.proofs.chains.vocabulary import FINITE
from proofs_checks.replays import (
    shown_by,
    shown_with_nudge,
    shown_without,
    shown_without_line,
)
from proofs_checks.sections import LEMMA_1, LEMMA_2

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.sums.statements import Proof


def _spoiled(proof: Callable[[], Proof], *places: int) -> tuple[Mutant, ...]:
    return tuple(
        Mutant(f"{what} line {place + 1}", partial(shown, place, proof))
        for place in places
        for what, shown in (("without", shown_without_line), ("more in", shown_with_nudge))
    )


CLAIMS: Final = (
    LEMMA_1.proved(
        "F01.assembled",
        "1067-1101",
        "p_s − 1/4 ≤ Pr(f(x_{t_2}) = 1 | x_{≤ t_1}, s_{t_2} = s) ≤ p_s + 1/4 for fixed times "
        "t_2 − t_1 ≥ max(t_mix, 1), from the definition of t_mix",
        partial(shown_by, nearly_independent),
        *_spoiled(nearly_independent, 0, 1, 2, 3, 6),
        Mutant("chances below 0", partial(shown_without, "P ≥ 0", nearly_independent)),
        assumptions=(FINITE,),
    ),
    LEMMA_2.enclosed(
        "G01.assembled",
        "1102-1526",
        "Pr(f = 1 at all of N fixed times, t_mix apart) ≤ 8·exp(−εN/3), step by step as the paper "
        "has it: operators, matrix, closed form of its powers, both intervals",
        partial(shown_by, all_pass_as_printed),
        *_spoiled(all_pass_as_printed, 0, 8, 12, 17),
        Mutant("5·exp(−εN/3)", partial(shown_by, all_pass_as_printed, Fraction(5))),
        Mutant("8·exp(−εN/2)", partial(shown_by, all_pass_as_printed, rate=Fraction(1, 2))),
        assumptions=(FINITE,),
    ),
)
