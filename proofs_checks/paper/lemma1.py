"""Checks beside `lemma1.toml`: all small chains, and two examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import equal
from proofs_checks.small_cases.chains import Mixed, on_chains, passing, total
from steel_verified.worlds.chains import MIXED, Chain, distance_from_stationarity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence

_CHANCES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))
_Seen = tuple[int, tuple[int, ...]]
"""The start, and the bits that are seen until t_1"""


def nearly_independent_of_what_was_seen(less: int = 0) -> Evidence:
    """Check |Pr(f(x_{t_2}) = 1 | what was seen) − p_s| ≤ 1/4 at the lag t_mix − less."""

    def choices(mixed: Mixed) -> Iterator[_Seen]:
        yield from product(range(len(mixed.chain)), product((0, 1), repeat=2))

    def holds(mixed: Mixed, case: _Seen) -> bool:
        start, seen = case
        # Until t_1 the endogenous state differs, so the chances of a 1 are others.
        early = (Fraction(1), Fraction(1, 2), Fraction(0))[: len(mixed.chain)]
        joint = mixed.unit(start)
        for time, bit in enumerate(seen):
            joint = mixed.after(joint, 1) if time else joint
            joint = passing(joint, early if bit else tuple(1 - chance for chance in early))
        chance, later = total(joint), mixed.after(joint, mixed.t_mix - less)
        return all(
            abs(total(passing(later, late)) - chance * total(passing(mixed.law, late)))
            <= MIXED * chance
            for late in product(_CHANCES, repeat=len(mixed.chain))
        )

    return on_chains(choices, holds, "every start, two bits seen; chances 0, ½, 1 of a 1 at t_2")


def chance_of_a_one(wait: int, stated: Fraction) -> Evidence:
    """Compute how likely a 1 is if one takes the first 0 of so many fair bits, or the last bit."""
    ones = sum(all(bits) for bits in product((0, 1), repeat=wait))
    return equal(Fraction(ones, 2**wait), stated)


def one_noise_state_with_two_observations() -> bool:
    """|E| = 1, t_mix = 0, t_2 = t_1, a fair bit: what is seen fixes f, yet p_s = 1/2."""
    alone = Chain(((Fraction(1),),))
    bits = (0, 1)
    p_s = Fraction(sum(bits), len(bits))
    seen = [bit for bit in bits if bit == 1]
    given_a_one = Fraction(sum(seen), len(seen))
    return not distance_from_stationarity(alone, 0) and given_a_one > p_s + MIXED
