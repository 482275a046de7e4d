"""Checks beside `cycle_find.toml`: what is printed against what is in use, and whole runs."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

import numpy as np

from proofs_checks.kernels.finite import exhausted
from proofs_checks.small_cases.chains import WHICH, all_mixed, minus, norm
from proofs_checks.small_cases.worlds import parameters, recipes, small_worlds, words_and_periods
from steel_verified.learning import classes
from steel_verified.theory import counts
from steel_verified.theory.exact import ball, ceil_div, ceiling
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, period_test
from steel_verified.worlds.driver import learn
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.small_cases.chains import Mixed
    from steel_verified.theory.recipe import Recipe
    from steel_verified.worlds.dynamics import Dynamics

_GRID: Final = "N ≤ 4, t̂_mix in {1,2,3,5,8}, |F| in {1,7,100}, δ in {1/20,1/3}"
_RATE: Final = Fraction(9, 16)


def period_samples_are_those_printed(fewer: int = 1) -> Evidence:
    """Check ⌈ln(δ/(4|A|N(N − fewer)|F|))/ln(9/16)⌉ against n_samp.cyc. in use."""

    def holds(recipe: Recipe) -> bool:
        most = recipe.parameters.max_states
        return counts.period_test_samples(recipe) == _printed(recipe, most * (most - fewer))

    return exhausted(recipes(2), holds, f"{_GRID}, N ≥ 2")


def position_samples_are_those_printed(power: int = 4) -> Evidence:
    """Check ⌈ln(δ/(4|A|N^power(D̂ + 1)|F|))/ln(9/16)⌉ against n_samp. in use."""

    def holds(recipe: Recipe) -> bool:
        p = recipe.parameters
        tests = p.max_states**power * (p.max_diameter + 1)
        return counts.position_samples(recipe) == _printed(recipe, tests)

    return exhausted(recipes(), holds, _GRID)


def there_is_no_quotient() -> bool:
    """Evaluate the counterexample to P11: for N = 1 the printed denominator is 0."""
    try:
        _printed(paper(parameters(1, 1)), 1 * (1 - 1))
    except ZeroDivisionError:
        return True
    return False


def _printed(recipe: Recipe, tests: int) -> int:
    """⌈ln(δ/(4|A|·tests·|F|))/ln(9/16)⌉."""
    p = recipe.parameters
    share = p.delta / (4 * p.actions * tests * p.class_size)
    return ceiling(lambda: ball(share).log() / ball(_RATE).log())


def period_tests_are_those_printed(first_row: int = 1, rounding: int = 1) -> Evidence:
    """Check c_init, q, r, k, D_0 and D_1 as printed against what is in use.

    D_0 is printed with j from 1, which is `first_row`, and c_init with + 1, which is `rounding`.
    """

    def holds(case: tuple[Recipe, int, int]) -> bool:
        recipe, a, h = case
        p, n = recipe.parameters, counts.period_test_samples(recipe)
        settled = max((p.max_states - 1) * a, p.mixing_time)
        longest = (2 * p.mixing_time + 3 * p.max_states * a - 2) * n
        c_init = longest - p.mixing_time - p.max_states * a + rounding + settled
        r = ceil_div(p.mixing_time, h * a) * h
        k = (c_init + r * a - settled) // (2 * r * a + h * a)
        begins = [(2 * r + h) * i for i in range(k)]
        rows = range(first_row, h)
        used = period_test(recipe, a, h, FixedByParameters())
        return (
            counts.initial_rollout(recipe, a) == c_init
            and counts.period_test_repetitions(recipe, a, h) == k >= n
            and set(used.zeros) == {(r + i + j) * a + settled for i in begins for j in rows}
            and set(used.ones) == {i * a + settled for i in begins}
        )

    cases = (case for case in words_and_periods() if case[2] >= 2)
    return exhausted(cases, holds, f"{_GRID}, |â| ≤ 3, every n'_cyc")


# --- verdicts and runs ----------------------------------------------------------------------------

_Values = tuple[tuple[bool, ...], tuple[bool, ...]]
"""Of a classifier, on D_0 and on D_1."""


def _values() -> list[_Values]:
    values = [v for size in range(1, 4) for v in product((False, True), repeat=size)]
    return list(product(values, values))


def _passes(values: _Values, ones: str) -> bool:
    """Whether f is 0 on D_0, and 1 on D_1 (or, as printed, on D_0)."""
    return not any(values[0]) and all(values[1 if ones == "D_1" else 0])


def tests_are_those_printed(ones: str) -> Evidence:
    """Check the condition of a test against the answer of the oracle to this classifier alone."""

    def holds(values: _Values) -> bool:
        sizes = len(values[0]), len(values[0]) + len(values[1])
        oracle = classes.tables([[*values[0], *values[1]]])
        low, high = oracle.summarise(np.arange(sizes[0])), oracle.summarise(np.arange(*sizes))
        return (oracle.separating(low, high) is not None) == _passes(values, ones)

    return exhausted(_values(), holds, "1 to 3 samples in each of D_0 and D_1, every classifier")


def no_classifier_passes_as_printed() -> bool:
    """Evaluate the counterexample to P13.test: no values on D_0 are both 0 and 1."""
    return not any(_passes(v, "D_0") for v in _values()) and any(
        _passes(v, "D_1") for v in _values()
    )


def runs_learn_the_truth(moved: int = 0) -> Evidence:
    """Check what runs without a wrong verdict learn, and that they know where they are.

    The state with a number larger by `moved` is taken for s_curr.
    """

    def holds(world: Dynamics) -> bool:
        at = IdealWorld(world, 0)
        learned = learn(at, PerfectOracle(), parameters(world.states + 1, 3, actions=world.actions))
        names = learned.classifiers
        if names is None or sorted(names) != list(range(world.states)):
            return False
        current = names[(learned.current + moved) % world.states]
        return current == at.state and all(
            to is not None and names[to] == world.table[names[label]][action]
            for label, row in enumerate(learned.model.table)
            for action, to in enumerate(row)
        )

    size = "every world with |S| ≤ 3, |A| ≤ 2, every start, N = |S| + 1, t̂_mix = 3"
    return exhausted(small_worlds(), holds, size)


def distances_never_grow(strictly: str = "no") -> Evidence:
    """Check that the distance from equilibrium, from the worst start, never grows or falls."""

    def holds(mixed: Mixed) -> bool:
        distances = [max(norm(minus(row, mixed.law)) for row in power) for power in mixed.powers]
        return all(
            later < earlier if strictly == "yes" else later <= earlier
            for earlier, later in pairwise(distances)
        )

    return exhausted(all_mixed(), holds, WHICH)
