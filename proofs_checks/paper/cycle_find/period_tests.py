"""Checks beside `period_tests.toml`: which states the samples of period tests show."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.loops import LOOPED_WORLDS, looped_worlds
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.schedules import period_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.checks.evidence import Evidence
    from proofs_checks.small_cases.loops import LoopedWorld
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.schedules import PeriodTest


def true_period_separates(shift: int = 0) -> Evidence:
    """Check that D_1 holds one state and D_0, some words later, others, for n' = n_cyc."""

    def holds(case: LoopedWorld, test: PeriodTest) -> bool:
        ones = case.loop.within(test.ones)
        zeros = case.loop.within(test.zeros.shifted(shift * case.length))
        return test.hypothesis > case.period or (len(ones) == 1 and not ones & zeros)

    return _on_tests(holds)


def larger_periods_share_states(shift: int = 0) -> Evidence:
    """Check that D_0^(j'), some words later, shows the states of D_1, for n' > n_cyc."""

    def holds(case: LoopedWorld, test: PeriodTest) -> bool:
        if test.hypothesis == case.period:
            return True
        loop, row = case.loop, _matching_row(test, case.length, case.period)
        ones = [loop.at(time) for time in test.ones]
        return ones == [loop.at(time + shift * case.length) for time in row]

    return _on_tests(holds)


def _matching_row(test: PeriodTest, length: int, period: int) -> tuple[int, ...]:
    """D_0^(j') for j' = (−r − 1) % n_cyc + 1, as it is printed."""
    h, start = test.hypothesis, test.ones.first
    r = ceil_div(test.apart, h * length) * h
    j = (-r - 1) % period + 1
    repetitions = range(test.ones.levels[0].count)
    return tuple(start + (r + (2 * r + h) * i + j) * length for i in repetitions)


@cache
def _test(parameters: Parameters, length: int, hypothesis: int) -> PeriodTest:
    return period_test(parameters, length, hypothesis)


def _on_tests(holds: Callable[[LoopedWorld, PeriodTest], bool]) -> Evidence:
    """Show something of every test of an n' ≥ n_cyc, in every small looped world."""

    def in_all_tests(case: LoopedWorld) -> bool:
        return all(
            holds(case, _test(parameters, case.length, n))
            for parameters in map(case.parameters, (1, 3))
            for n in range(max(case.period, 2), case.most + 1)
        )

    cases = (case for case in looped_worlds() if case.length < 3)
    return exhausted(cases, in_all_tests, f"{LOOPED_WORLDS}, but |â| ≤ 2, t̂_mix in {{1, 3}}")
