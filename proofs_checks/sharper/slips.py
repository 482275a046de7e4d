"""Checks beside `slips.toml`: walks and sums of slips, exactly, and rules on all tiny runs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import exhausted
from steel_verified.learning.tallies import nothing_counted
from steel_verified.theory.slips import Slips, epoch, last_step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofs_checks.checks.evidence import Evidence
    from steel_verified.learning.tallies import Tallies

_RATES: Final = tuple(Fraction(n, 20) for n in range(1, 10))
_VISITS: Final = 24
_STEPS: Final = {1: 7, 2: 3}
"""Of the tiny runs, for each number of actions."""


def _reaches(rate: Fraction, lead: int) -> Fraction:
    """The chance that a walk of +1 with chance p, else −1, reaches a lead in so many visits."""
    walking, reached = {0: Fraction(1)}, Fraction(0)
    for _ in range(_VISITS):
        after: dict[int, Fraction] = {}
        for at, chance in walking.items():
            after[at + 1] = after.get(at + 1, Fraction(0)) + chance * rate
            after[at - 1] = after.get(at - 1, Fraction(0)) + chance * (1 - rate)
        reached += after.pop(lead, Fraction(0))
        walking = after
    return reached


def slips_rarely_lead(more: int) -> Evidence:
    """Check that slips lead by L with chance at most (p/(1−p))^(L + more)."""

    def holds(case: tuple[Fraction, int]) -> bool:
        rate, lead = case
        return _reaches(rate, lead) <= (rate / (1 - rate)) ** (lead + more)

    size = f"p = 1/20 to 9/20, L up to 5, {_VISITS} visits"
    return exhausted(list(product(_RATES, range(1, 6))), holds, size)


def leads_are_enough(fewer: int) -> Evidence:
    """Check that with the lead that is asked for, less so much, δ/2 pays for all pairs."""

    def holds(case: tuple[Fraction, Fraction, int]) -> bool:
        rate, delta, pairs = case
        lead = Slips(rate, delta).lead(pairs) - fewer
        return pairs * (rate / (1 - rate)) ** lead <= delta / 2

    cases = list(product(_RATES, (Fraction(1, 20), Fraction(1, 1000)), (2, 40, 1024, 10**5)))
    return exhausted(cases, holds, "p = 1/20 to 9/20, two δ, 2 to 100,000 pairs")


def slips_keep_their_bounds(fewer: int) -> Evidence:
    """Check that k, less so many, is exceeded with at most the share of its epoch."""

    def holds(case: tuple[Fraction, Fraction, int]) -> bool:
        rate, delta, number = case
        steps = last_step(number)
        most = Slips(rate, delta).most(steps) - fewer
        kept = sum(_of_binomial(steps, rate, k) for k in range(most + 1))
        return epoch(steps) == number and 1 - kept <= delta / (2 * number * (number + 1))

    rates = (Fraction(1, 100), Fraction(1, 20), Fraction(3, 10))
    cases = list(product(rates, (Fraction(1, 20), Fraction(1, 3)), (1, 2, 3)))
    return exhausted(cases, holds, "three p, two δ, epochs 1 to 3")


def _of_binomial(steps: int, rate: Fraction, slips: int) -> Fraction:
    return comb(steps, slips) * rate**slips * (1 - rate) ** (steps - slips)


def adaptive_slips_are_binomial(larger: int) -> Evidence:
    """Check that no choice of chances up to p, or 3p/2, makes many slips likelier than Bin(n, p).

    The best choice is found by going backwards: it may depend on all that happened.
    """

    def holds(case: tuple[Fraction, int, int]) -> bool:
        rate, steps, most = case
        chances = [Fraction(0), rate / 2, rate] + [rate * 3 / 2] * larger

        @cache
        def likeliest(left: int, slipped: int) -> Fraction:
            """The largest chance that more than `most` steps slip in the end."""
            if not left:
                return Fraction(slipped > most)
            slip, stay = likeliest(left - 1, slipped + 1), likeliest(left - 1, slipped)
            return max(c * slip + (1 - c) * stay for c in chances)

        tail = 1 - sum(_of_binomial(steps, rate, k) for k in range(most + 1))
        return likeliest(steps, 0) <= tail

    rates = (Fraction(1, 10), Fraction(1, 3), Fraction(49, 100))
    cases = [(p, n, k) for p, n in product(rates, range(1, 7)) for k in range(n + 1)]
    return exhausted(cases, holds, "three p, up to 6 steps, every k")


def true_classifiers_stay(allowed: int) -> Evidence:
    """Check the rules on all tiny runs; `allowed`: so many more steps slip than k."""
    tables = [
        (rows[:actions], rows[actions:])
        for actions in (1, 2)
        for rows in product((0, 1), repeat=2 * actions)
        if 1 in rows[:actions] and 0 in rows[actions:]
    ]

    def holds(case: tuple[Sequence[Sequence[int]], int]) -> bool:
        table, bits = case
        actions = len(table[0])

        def row(state: int, time: int) -> int:
            return 1 << state | (bits >> 2 * state + time % 2 & 1) << 2

        def stay(known: Tallies, states: tuple[int, ...], slips: int) -> bool:
            if any(known.out >> state & 1 for state in states):
                return False
            if len(states) > _STEPS[actions]:
                return True
            state, time = states[-1], len(states)
            return all(
                stay(
                    known.with_row(row(state, time - 1), action, row(to, time), most, 9),
                    (*states, to),
                    slips + slip,
                )
                for action, slip in product(range(actions), (0, 1))
                for to in (table[state][action] ^ slip,)
                for most in (max(0, slips + slip - allowed),)
            )

        return stay(nothing_counted(3, actions).with_row(0, None, row(0, 0), 0, 9), (0,), 0)

    return exhausted(list(product(tables, range(16))), holds, "every run of these worlds")
