"""Checks beside `cycle_find.toml`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from proofs_checks.kernels.finite import equal
from proofs_checks.small_cases.period_settings import on_settings, recipe_for
from steel_verified.theory.bounds import cycle_find_bound
from steel_verified.theory.counts import cycle_find_steps
from steel_verified.theory.schedules import FixedByParameters, period_test

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.small_cases.period_settings import Setting


def bound_is_exceeded(states: int = 1) -> Evidence:
    """Check that c is above the bound for |S| = `states` if N = |â| = 10 and the period found is N.

    The other parameters are t̂_mix = |A| = 1, |F| = 2, δ = 1/2.
    """
    recipe = recipe_for(10, 1, 1, 2, Fraction(1, 2))
    exceeded = cycle_find_steps(recipe, 10, 10) > cycle_find_bound(recipe, states, 10)
    return equal(exceeded, stated=True)


def rows_are_apart(words: int = 1) -> Evidence:
    """Check that the samples of D_1 ⊎ D_0^(j) are t̂_mix and so many words apart, for every j."""

    def holds(setting: Setting) -> bool:
        tests = (
            period_test(setting.recipe, setting.length, hypothesis, FixedByParameters())
            for hypothesis in range(2, setting.most + 1)
        )
        return all(
            later - earlier >= setting.mixing + words * setting.length
            for test in tests
            for j in range(1, test.hypothesis)
            for earlier, later in pairwise(sorted(test.pooled(j)))
        )

    return on_settings(holds)
