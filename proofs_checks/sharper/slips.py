"""Checks beside `slips.toml`: scores that walk, exactly, and the votes that the code asks for."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import exhausted
from steel_verified.theory.slips import votes_needed
from steel_verified.theory.validation import round_share

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence

_BAD: Final = tuple(Fraction(n, 20) for n in range(1, 10))
_ATTEMPTS: Final = 24


def _reaches(bad: Fraction, score: int) -> Fraction:
    """The chance that a walk of +1 with chance θ, else −1, reaches a score in so many attempts."""
    walking, reached = {0: Fraction(1)}, Fraction(0)
    for _ in range(_ATTEMPTS):
        after: dict[int, Fraction] = {}
        for at, chance in walking.items():
            after[at + 1] = after.get(at + 1, Fraction(0)) + chance * bad
            after[at - 1] = after.get(at - 1, Fraction(0)) + chance * (1 - bad)
        reached += after.pop(score, Fraction(0))
        walking = after
    return reached


def scores_rarely_grow(more: int) -> Evidence:
    """Check that a score grows by m with chance at most ρ^(m + more)."""

    def holds(case: tuple[Fraction, int]) -> bool:
        bad, score = case
        return _reaches(bad, score) <= (bad / (1 - bad)) ** (score + more)

    size = f"θ = 1/20 to 9/20, m up to 5, {_ATTEMPTS} attempts"
    return exhausted(list(product(_BAD, range(1, 6))), holds, size)


def votes_are_enough(fewer: int) -> Evidence:
    """Check that with the votes that are asked for, less so many, a wrong candidate is as rare."""

    def holds(case: tuple[Fraction, Fraction, int]) -> bool:
        bad, delta, number = case
        votes = votes_needed(bad, delta, number) - fewer
        return (bad / (1 - bad)) ** votes <= round_share(delta, number)

    cases = list(product(_BAD[:5], (Fraction(1, 20), Fraction(1, 1000)), range(1, 9)))
    return exhausted(cases, holds, "θ = 1/20 to 1/4, two δ, the first 8 candidates")
