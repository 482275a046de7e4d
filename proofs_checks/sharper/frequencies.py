"""Checks beside `frequencies.toml`: how many ones there are in all small chains, exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import accumulate, product
from math import comb
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.finite import equal, exhausted
from proofs_checks.small_cases.chains import WHICH, Vector, all_mixed, passing, total
from steel_verified.theory.tails import weighted_bound
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence

_SAMPLES: Final = 4
_SIZE: Final = f"{WHICH}; every start, chances 0, ½, 1 of a one, {_SAMPLES} samples"
_WEIGHTS: Final = (Fraction(1, 4), Fraction(1), Fraction(4), Fraction(64))


def sandwich_holds(far: Fraction) -> Evidence:
    """Check P(k ones or more) ≤ P(Binomial(n, p + far) ≥ k) from the worst start."""

    def holds(case: tuple[Fraction, Vector]) -> bool:
        p, tails = case
        above = _binomial_tails(_SAMPLES, min(Fraction(1), p + far))
        return all(tail <= most for tail, most in zip(tails, above, strict=True))

    return exhausted(_worst_tails(), holds, _SIZE)


def ones_are_rare(mixing_times: int, fewer: int) -> Evidence:
    """Check P(k ones or more) ≤ (b_n + η·d_n)/z^(k + fewer) from the worst start, for some s."""
    far = distance_after(mixing_times)

    @cache
    def bounds(p: Fraction) -> tuple[Fraction, ...]:
        return tuple(
            min(weighted_bound(_SAMPLES, k + fewer, p, far, weight) for weight in _WEIGHTS)
            for k in range(_SAMPLES + 1)
        )

    def holds(case: tuple[Fraction, Vector]) -> bool:
        p, tails = case
        return all(tail <= most for tail, most in zip(tails, bounds(p), strict=True))

    return exhausted(_worst_tails(), holds, _SIZE)


def weights_bound_selected_trials() -> Evidence:
    """Check whether the bound by weights holds for 40 trials that each follow a one.

    The noise has two states, each kept with chance 3/4, and the first shows a one. So p = 1/2 and
    t_mix = 1, but each of these trials is a one with chance 3/4. This asks for 30 ones.
    """
    chance = sum((_chance(40, k, Fraction(3, 4)) for k in range(30, 41)), Fraction(0))
    bounds = (weighted_bound(40, 30, Fraction(1, 2), distance_after(1), s) for s in _WEIGHTS)
    return equal(chance <= min(bounds), stated=True)


@cache
def _worst_tails() -> tuple[tuple[Fraction, Vector], ...]:
    """p of each chain and its chances of a one, and P(k ones or more) from the worst start.

    Samples are t_mix and t_mix + 1 steps apart by turns; the first is t_mix after the start.
    """
    found = []
    for mixed in all_mixed():
        for ones in product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=len(mixed.chain)):
            laws: tuple[Vector, ...] = tuple((Fraction(1),) for _ in mixed.chain.rows)
            for count in range(_SAMPLES):
                here = tuple(
                    tuple(
                        (1 - one) * stay + one * up
                        for stay, up in zip((*law, Fraction(0)), (Fraction(0), *law), strict=True)
                    )
                    for one, law in zip(ones, laws, strict=True)
                )
                rows = mixed.powers[mixed.t_mix + (_SAMPLES - 1 - count) % 2]
                laws = tuple(
                    tuple(total(passing(row, column)) for column in zip(*here, strict=True))
                    for row in rows
                )
            tails = [tuple(accumulate(reversed(law)))[::-1] for law in laws]
            worst = tuple(max(column) for column in zip(*tails, strict=True))
            found.append((total(passing(mixed.law, ones)), worst))
    return tuple(found)


def _binomial_tails(samples: int, chance: Fraction) -> Vector:
    law = [_chance(samples, k, chance) for k in range(samples + 1)]
    return tuple(accumulate(reversed(law)))[::-1]


def _chance(samples: int, ones: int, chance: Fraction) -> Fraction:
    return comb(samples, ones) * chance**ones * (1 - chance) ** (samples - ones)
