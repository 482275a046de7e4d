"""Checks beside `period_tests.toml`: the samples of period tests, and what they show."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.kernels.finite import exact, exhausted
from proofs_checks.small_cases.chains import WHICH, all_mixed, passing, total
from proofs_checks.small_cases.loops import LOOPED_WORLDS, looped_worlds
from proofs_checks.small_cases.period_settings import on_settings
from steel_verified.theory.budget import period_charge
from steel_verified.theory.counts import initial_rollout
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.schedules import FixedByParameters, period_test, period_tests

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.small_cases.chains import Mixed
    from proofs_checks.small_cases.loops import LoopedWorld
    from proofs_checks.small_cases.period_settings import Setting
    from steel_verified.theory.schedules import PeriodTest


def samples_are_within_the_rollout(spare: int = 1) -> Evidence:
    """Check that all samples are taken from t̂_mix to c_init − spare·|â|."""

    def holds(setting: Setting) -> bool:
        last = initial_rollout(setting.recipe, setting.length) - spare * setting.length
        return all(
            setting.mixing <= times.first <= times.last <= last
            for test in period_tests(setting.recipe, setting.length, FixedByParameters())
            for times in (test.ones, test.zeros)
        )

    return on_settings(holds)


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


def rows_are_in_d_0(largest: int = -1) -> Evidence:
    """Check D_0^(j') ⊆ D_0 for every n_cyc ≤ n' + `largest`."""

    def holds(setting: Setting) -> bool:
        return all(
            set(_matching_row(test, setting.length, period)) <= set(test.zeros)
            for test in period_tests(setting.recipe, setting.length, FixedByParameters())
            for period in range(1, test.hypothesis + largest + 1)
        )

    return on_settings(holds)


def _on_tests(holds: Callable[[LoopedWorld, PeriodTest], bool]) -> Evidence:
    """Show something of every test of an n' ≥ n_cyc, in every small looped world."""

    def in_all_tests(case: LoopedWorld) -> bool:
        return all(
            holds(case, period_test(recipe, case.length, n, FixedByParameters()))
            for recipe in map(case.recipe, (1, 3))
            for n in range(max(case.period, 2), case.most + 1)
        )

    cases = (case for case in looped_worlds() if case.length < 3)
    return exhausted(cases, in_all_tests, f"{LOOPED_WORLDS}, but |â| ≤ 2, t̂_mix in {{1, 3}}")


def pairs_are_nearly_independent(within: Fraction = Fraction(1, 4)) -> Evidence:
    """Check Lemma 1's bounds on two pairs of samples, t_mix apart, from every start.

    A classifier is 1 on the first and 0 on the second sample of a pair. `classifiers` has its
    chance of 1 for each exogenous state, in the latent states of the two pairs.
    """

    def holds(mixed: Mixed) -> bool:
        starts = range(len(mixed.chain))
        pairs = product(mixed.events(), repeat=2)
        return all(fits(mixed, start, pair) for start, pair in product(starts, pairs))

    def fits(mixed: Mixed, start: int, classifiers: tuple[tuple[Fraction, ...], ...]) -> bool:
        measure, bound = mixed.unit(start), Fraction(1)
        for ones in classifiers:
            p = total(passing(mixed.law, ones))
            zeros = tuple(1 - one for one in ones)
            for wanted, chance in ((ones, p), (zeros, 1 - p)):
                seen, measure = total(measure), mixed.after(measure, mixed.t_mix)
                measure = passing(measure, wanted)
                bound *= chance + within
                if abs(total(measure) - chance * seen) > within * seen or total(measure) > bound:
                    return False
        return True

    return exact(all_mixed(), holds, f"{WHICH}, all starts, all classifiers, two pairs of samples")


def period_tests_are_within_their_share(fewer: int = 0) -> Evidence:
    """Check (N − 1)|F|(9/16)ⁿ ≤ δ/(4|A|N) as it is charged, with so many samples fewer."""

    def holds(setting: Setting) -> bool:
        p, rate = setting.recipe.parameters, setting.recipe.separation_rate
        charged = period_charge(setting.recipe, setting.most - 1).amount
        return charged / rate**fewer <= p.delta / (4 * p.actions * setting.most)

    return on_settings(holds)
