"""How many samples, and how many steps to get them. Each function is one line of the paper.

Our words for the paper's letters: â is the *word*, |â| its `word_length`; n_cyc is the *period*,
counted in words, so that the cycle of latent states has period·|â| positions.

Claims are named by their numbers in the index of the paper's claims, with lines of the source.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ball, ceil_div, ceiling, least_power

if TYPE_CHECKING:
    from flint import arb

    from steel_verified.theory.recipe import Recipe


@lru_cache(maxsize=64)
def period_test_samples(recipe: Recipe) -> int:
    """n_samp.cyc.: the least n with (N−1)·|F|·(9/16)ⁿ ≤ δ/(4|A|N). Claims P11, A27 (l. 369, 653).

    With N = 1 there is no period to test, and no sample is needed.
    """
    p = recipe.parameters
    if p.max_states == 1:
        return 0
    share = p.delta / (4 * p.actions * p.max_states * (p.max_states - 1) * p.class_size)
    return least_power(recipe.separation_rate, share)


@lru_cache(maxsize=64)
def position_samples(recipe: Recipe) -> int:
    """n_samp.: the least n with N³(D̂+1)·|F|·(9/16)ⁿ ≤ δ/(4|A|N). Claims P11, B22 (l. 395, 799)."""
    p = recipe.parameters
    share = p.delta / (4 * p.actions * p.max_states**4 * (p.max_diameter + 1) * p.class_size)
    return least_power(recipe.separation_rate, share)


def encoder_samples(recipe: Recipe, states: int) -> int:
    """d(|S'|) = ⌈3|S'|·ln(16|S'|²|F|/δ)/ε⌉. Claims P05, E12 (l. 328, 1025).

    The logarithm of a rational other than 1 is irrational, so the ceiling can always be decided.
    """
    return ceiling(lambda: encoder_samples_before_rounding(recipe, states))


def encoder_samples_before_rounding(recipe: Recipe, states: int) -> arb:
    """3|S'|·ln(16|S'|²|F|/δ)/ε, as a ball at the working precision."""
    p = recipe.parameters
    _require_positive("states", states)
    failures = 2 * recipe.encoder_factor * states**2 * p.class_size / p.delta
    return ball(states / (recipe.encoder_rate * p.epsilon)) * ball(failures).log()


def settling_time(recipe: Recipe, word_length: int) -> int:
    """max((N−1)|â|, t̂_mix): the loop has surely been entered, the noise has mixed.

    The offset of the period tests. Claim A11 (l. 375, 554).
    """
    _require_positive("word_length", word_length)
    return max((recipe.parameters.max_states - 1) * word_length, recipe.parameters.mixing_time)


def settling_time_of_period(recipe: Recipe, word_length: int, period: int) -> int:
    """n_0 = max((N−n_cyc)|â|, t̂_mix): the same, once the period is known. Claim B03 (l. 401)."""
    _require_period(recipe, period)
    _require_positive("word_length", word_length)
    return max((recipe.parameters.max_states - period) * word_length, recipe.parameters.mixing_time)


def whole_cycles(recipe: Recipe, cycle_length: int) -> int:
    """⌈t̂_mix / L⌉·L: the mixing time rounded up to whole cycles of length L.

    It is r·|â| in the period test for L = n'_cyc|â|, and the stride of each D'_i for L = n_cyc|â|.
    """
    return ceil_div(recipe.parameters.mixing_time, cycle_length) * cycle_length


def late_start(recipe: Recipe, word_length: int, period: int) -> int:
    """n_0': the late halves begin a cycle and t̂_mix after the early ones. Claim B04 (l. 401)."""
    cycle_length = period * word_length
    early = settling_time_of_period(recipe, word_length, period)
    lasting = (position_samples(recipe) - 1) * whole_cycles(recipe, cycle_length)
    return early + lasting + cycle_length + recipe.parameters.mixing_time


def initial_rollout(recipe: Recipe, word_length: int) -> int:
    """c_init(|â|): the steps from which the period is found. Claim A05 (l. 371, 538).

    With N = 1 there is nothing to find, and the printed formula is not positive: no step.
    """
    p, n = recipe.parameters, period_test_samples(recipe)
    settling = settling_time(recipe, word_length)
    if n == 0:
        return 0
    return (
        (2 * p.mixing_time + 3 * p.max_states * word_length - 2) * n
        - p.mixing_time
        - p.max_states * word_length
        + 1
        + settling
    )


def period_test_repetitions(recipe: Recipe, word_length: int, period: int) -> int:
    """k(n'_cyc, |â|): how often c_init steps repeat the pattern of a period test.

    Claim P13 (l. 380); it is at least n_samp.cyc. for every hypothesis, claim A26 (l. 643).
    """
    _require_period(recipe, period, at_least=2)
    cycle_length = period * word_length
    wait = whole_cycles(recipe, cycle_length)
    usable = initial_rollout(recipe, word_length) - settling_time(recipe, word_length)
    return (usable + wait) // (2 * wait + cycle_length)


def full_rollout(recipe: Recipe, word_length: int, period: int) -> int:
    """c(|â|, n_cyc): the steps that hold every sample of every cycle position.

    Claims P16, B01 (l. 397, 663).
    """
    n = position_samples(recipe)
    cycle_length = period * word_length
    settling = settling_time_of_period(recipe, word_length, period)
    stride = whole_cycles(recipe, cycle_length)
    return 2 * ((n - 1) * stride + cycle_length) + recipe.parameters.mixing_time + settling


def cycle_find_steps(recipe: Recipe, word_length: int, period: int) -> int:
    """max(c, c_init): exactly the steps that a call of CycleFind takes. Claim P23 (l. 399, 440)."""
    return max(full_rollout(recipe, word_length, period), initial_rollout(recipe, word_length))


def sampling_passes(recipe: Recipe, states: int) -> int:
    """How often phase 2 goes through ā: once in silence, then d − 2·n_samp. times with samples.

    Each D(s) enters phase 2 with 2·n_samp. samples, because datasets are never merged; if that is
    enough already, phase 2 is not needed. Claims P06, P08, D08 (l. 331–345, 947).
    """
    missing = encoder_samples(recipe, states) - 2 * position_samples(recipe)
    return missing + 1 if missing > 0 else 0


def _require_positive(argument: str, value: int) -> None:
    if value < 1:
        raise InvalidArgument(argument, value, "at least 1")


def _require_period(recipe: Recipe, period: int, *, at_least: int = 1) -> None:
    if not at_least <= period <= recipe.parameters.max_states:
        allowed = f"{at_least} to max_states = {recipe.parameters.max_states}"
        raise InvalidArgument("period", period, allowed)
