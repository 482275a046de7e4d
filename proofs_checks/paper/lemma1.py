"""Checks beside `lemma1.toml`: all small chains, and two examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.finite import equal
from proofs_checks.small_cases.chains import (
    Mixed,
    Weights,
    change,
    on_chains,
    passing,
    total,
    with_powers,
)
from steel_verified.worlds.chains import MIXED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.evidence import Evidence

_CHANCES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))
_Seen = tuple[int, Weights, tuple[int, ...]]
"""The start, how likely each state shows a 1 at t_2, the bits that are seen until t_1"""


def nearly_independent_of_what_was_seen(less: int = 0) -> Evidence:
    """Check |Pr(f(x_{t_2}) = 1 | what was seen) − p_s| ≤ 1/4 at the lag t_mix − less."""

    def choices(mixed: Mixed) -> Iterator[_Seen]:
        states = len(mixed.chain)
        late = product(_CHANCES, repeat=states)
        yield from product(range(states), late, product((0, 1), repeat=2))

    def holds(mixed: Mixed, case: _Seen) -> bool:
        start, late, seen = case
        # Until t_1 the endogenous state differs, so the chances of a 1 are others.
        early = (Fraction(1), Fraction(1, 2), Fraction(0))[: len(mixed.chain)]
        joint = mixed.unit(start)
        for time, bit in enumerate(seen):
            joint = mixed.after(joint, 1) if time else joint
            joint = passing(joint, early if bit else tuple(1 - chance for chance in early))
        if not total(joint):
            return True
        shown = total(passing(mixed.after(joint, mixed.t_mix - less), late)) / total(joint)
        return abs(shown - total(passing(mixed.law, late))) <= MIXED

    return on_chains(choices, holds, "every start, chances 0, ½, 1 of a 1, two bits seen")


def events_are_nearly_as_likely(less: int = 0) -> Evidence:
    """Check |Pr(e_{t_2} ∈ A | e_{t_1}) − π(A)| ≤ 1/4 at the lags t_mix − less and up to 3 more."""

    def choices(mixed: Mixed) -> Iterator[tuple[int, Weights, int]]:
        yield from product(range(len(mixed.chain)), mixed.events(), range(4))

    def holds(mixed: Mixed, case: tuple[int, Weights, int]) -> bool:
        start, event, later = case
        lag = mixed.t_mix + later - less
        return abs(total(passing(change(mixed, mixed.unit(start), lag), event))) <= MIXED

    return on_chains(choices, holds, "every start and event, lags to t_mix + 3")


def some_event_is_too_likely(less: int) -> Evidence:
    """Check that at the lag t_mix − less some event differs by more than 1/4, if t_mix ≥ 2."""

    def choices(mixed: Mixed) -> range:
        return range(mixed.t_mix >= 2)

    def holds(mixed: Mixed, _: int) -> bool:
        return any(
            total(passing(change(mixed, mixed.unit(start), mixed.t_mix - less), event)) > MIXED
            for start, event in product(range(len(mixed.chain)), mixed.events())
        )

    return on_chains(choices, holds, "if t_mix ≥ 2")


def chance_of_a_one(wait: int, stated: Fraction) -> Evidence:
    """Compute how likely a 1 is if one takes the first 0 of so many fair bits, or the last bit."""
    ones = sum(all(bits) for bits in product((0, 1), repeat=wait))
    return equal(Fraction(ones, 2**wait), stated)


def one_noise_state_with_two_observations() -> bool:
    """|E| = 1, t_mix = 0, t_2 = t_1, a fair bit: what is seen fixes f, yet p_s = 1/2."""
    alone = with_powers(((Fraction(1),),))
    bits = (0, 1)
    p_s = Fraction(sum(bits), len(bits))
    seen = [bit for bit in bits if bit == 1]
    given_a_one = Fraction(sum(seen), len(seen))
    return not any(change(alone, alone.unit(0), 0)) and given_a_one > p_s + MIXED
