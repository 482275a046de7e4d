"""Checks beside `cycle_find.toml`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from proofs_checks.kernels.finite import equal
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory.bounds import cycle_find_bound
from steel_verified.theory.counts import cycle_find_steps
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence


def bound_is_exceeded(states: int = 1) -> Evidence:
    """Check that c is above the bound for |S| = `states` if N = |â| = 10 and the period found is N.

    The other parameters are t̂_mix = |A| = 1, |F| = 2, δ = 1/2.
    """
    recipe = paper(parameters(10, 1, actions=1, class_size=2, delta=Fraction(1, 2)))
    exceeded = cycle_find_steps(recipe, 10, 10) > cycle_find_bound(recipe, states, 10)
    return equal(exceeded, stated=True)
