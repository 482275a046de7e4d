"""Checks beside `encoder.toml`: chains of noise states with what they show."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.small_cases.chains import Mixed, Weights, on_chains
from steel_verified.worlds.chains import Chain, mixing_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence


def pairs_mix_later(by: int) -> Evidence:
    """Check that the mixing time of states with the bits they show is t_mix + by."""

    def choices(mixed: Mixed) -> Iterator[Weights]:
        return product((Fraction(1, 2), Fraction(1)), repeat=len(mixed.chain))

    def holds(mixed: Mixed, shows: Weights) -> bool:
        pairs = [(e, chance) for e, one in enumerate(shows) for chance in (one, 1 - one) if chance]
        rows = tuple(
            tuple(mixed.chain.rows[e][f] * chance for f, chance in pairs) for e, _ in pairs
        )
        return mixing_time(Chain(rows)) == mixed.t_mix + by

    return on_chains(choices, holds, "a bit that is 1 with chance ½ or 1 in each state")


def no_function_of_noise_fits() -> bool:
    """With one noise state and a fair coin as observation, no function of e equals f'(x) = x."""
    law = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    return not any(all(g == x for x, weight in law.items() if weight) for g in (0, 1))
