"""The numbers of samples, and of steps to collect them. Each function is one line of the paper.

Names for the paper's symbols: â is the *word* and |â| its `word_length`; n_cyc is the *period*. The
period is counted in words: the cycle of latent states has period·|â| positions.

A claim such as P11 is an entry of the index of the paper's claims; "l." gives lines of its source.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ball, ceil_div, ceiling, least_power

if TYPE_CHECKING:
    from flint import arb

    from steel_verified.theory.parameters import Parameters


SEPARATION_RATE: Final = Fraction(9, 16)
"""A fixed classifier separates two samples of one state, one from each dataset, with at most this
chance: (p + 1/4)(5/4 − p) ≤ 9/16 for every p. Claims A24, B17 (l. 625, 765)."""
ENCODER_FACTOR: Final = 8
ENCODER_RATE: Final = Fraction(1, 3)
"""A classifier that errs with chance η on a state fits n of its samples with chance at most
ENCODER_FACTOR · exp(−ENCODER_RATE · η · n). Lemma 2, claim G01 (l. 1105)."""


@lru_cache(maxsize=64)
def period_test_samples(parameters: Parameters) -> int:
    """Return n_samp.cyc.: the least n with (N−1)·|F|·(9/16)ⁿ ≤ δ/(4|A|N).

    If N = 1 there is no period to test, and it is 0. Claims P11, A27 (l. 369, 653).
    """
    p = parameters
    if p.max_states == 1:
        return 0
    share = p.delta / (4 * p.actions * p.max_states * (p.max_states - 1) * p.class_size)
    return least_power(SEPARATION_RATE, share)


@lru_cache(maxsize=64)
def position_samples(parameters: Parameters) -> int:
    """Return n_samp.: the least n with N³(D̂+1)·|F|·(9/16)ⁿ ≤ δ/(4|A|N).

    Claims P11, B22 (l. 395, 799).
    """
    p = parameters
    share = p.delta / (4 * p.actions * p.max_states**4 * (p.max_diameter + 1) * p.class_size)
    return least_power(SEPARATION_RATE, share)


def encoder_samples(parameters: Parameters, states: int) -> int:
    """Return d(|S'|) = ⌈3|S'|·ln(16|S'|²|F|/δ)/ε⌉. Claims P05, E12 (l. 328, 1025).

    The logarithm of a rational number other than 1 is irrational, so the value is never an integer
    and interval arithmetic decides the ceiling at some precision.
    """
    return ceiling(lambda: encoder_samples_before_rounding(parameters, states))


def encoder_samples_before_rounding(parameters: Parameters, states: int) -> arb:
    """Return 3|S'|·ln(16|S'|²|F|/δ)/ε as a ball (an interval) at the working precision."""
    p = parameters
    _require_positive("states", states)
    failures = 2 * ENCODER_FACTOR * states**2 * p.class_size / p.delta
    return ball(states / (ENCODER_RATE * p.epsilon)) * ball(failures).log()


def settling_time(parameters: Parameters, word_length: int) -> int:
    """Return max((N−1)|â|, t̂_mix): by then the loop is in its cycle, and the noise has mixed.

    The period tests start at this time. Claim A11 (l. 375, 554).
    """
    _require_positive("word_length", word_length)
    return max((parameters.max_states - 1) * word_length, parameters.mixing_time)


def settling_time_of_period(parameters: Parameters, word_length: int, period: int) -> int:
    """Return n_0 = max((N−n_cyc)|â|, t̂_mix), the settling time once the period is known.

    Claim B03 (l. 401).
    """
    _require_period(parameters, period)
    _require_positive("word_length", word_length)
    return max((parameters.max_states - period) * word_length, parameters.mixing_time)


def whole_cycles(parameters: Parameters, cycle_length: int) -> int:
    """Return ⌈t̂_mix / L⌉·L: the mixing time, rounded up to whole cycles of length L.

    With L = n'_cyc|â| it is r·|â| in the period test; with L = n_cyc|â| it is the stride of D'_i.
    """
    return ceil_div(parameters.mixing_time, cycle_length) * cycle_length


def late_start(parameters: Parameters, word_length: int, period: int) -> int:
    """Return n_0': the late halves start one cycle and t̂_mix after the early halves end.

    Claim B04 (l. 401).
    """
    cycle_length = period * word_length
    early = settling_time_of_period(parameters, word_length, period)
    lasting = (position_samples(parameters) - 1) * whole_cycles(parameters, cycle_length)
    return early + lasting + cycle_length + parameters.mixing_time


def initial_rollout(parameters: Parameters, word_length: int) -> int:
    """Return c_init(|â|): the number of steps for the period tests. Claim A05 (l. 371, 538).

    If N = 1 there is no period to find. The printed formula is not positive then; this returns 0.
    """
    p, n = parameters, period_test_samples(parameters)
    settling = settling_time(parameters, word_length)
    if n == 0:
        return 0
    return (
        (2 * p.mixing_time + 3 * p.max_states * word_length - 2) * n
        - p.mixing_time
        - p.max_states * word_length
        + 1
        + settling
    )


def period_test_repetitions(parameters: Parameters, word_length: int, period: int) -> int:
    """Return k(n'_cyc, |â|): how often the pattern of a period test fits in c_init steps.

    Claim P13 (l. 380). It is at least n_samp.cyc. for every hypothesis: claim A26 (l. 643).
    """
    _require_period(parameters, period, at_least=2)
    cycle_length = period * word_length
    wait = whole_cycles(parameters, cycle_length)
    usable = initial_rollout(parameters, word_length) - settling_time(parameters, word_length)
    return (usable + wait) // (2 * wait + cycle_length)


def full_rollout(parameters: Parameters, word_length: int, period: int) -> int:
    """Return c(|â|, n_cyc): the steps after which all samples of all cycle positions are taken.

    Claims P16, B01 (l. 397, 663).
    """
    n = position_samples(parameters)
    cycle_length = period * word_length
    settling = settling_time_of_period(parameters, word_length, period)
    stride = whole_cycles(parameters, cycle_length)
    return 2 * ((n - 1) * stride + cycle_length) + parameters.mixing_time + settling


def cycle_find_steps(parameters: Parameters, word_length: int, period: int) -> int:
    """Return max(c, c_init), exactly the steps of a call of CycleFind. Claim P23 (l. 399, 440)."""
    return max(
        full_rollout(parameters, word_length, period), initial_rollout(parameters, word_length)
    )


def sampling_passes(parameters: Parameters, states: int) -> int:
    """Return how often phase 2 goes through ā; 0 if phase 2 is not needed.

    The first pass keeps no samples; d − 2·n_samp. passes with samples follow. Each D(s) already has
    2·n_samp. samples when phase 2 starts, because datasets are never merged. If that is enough,
    phase 2 is not needed. Claims P06, P08, D08 (l. 331–345, 947).
    """
    missing = encoder_samples(parameters, states) - 2 * position_samples(parameters)
    return missing + 1 if missing > 0 else 0


def _require_positive(argument: str, value: int) -> None:
    if value < 1:
        raise InvalidArgument(argument, value, "at least 1")


def _require_period(parameters: Parameters, period: int, *, at_least: int = 1) -> None:
    if not at_least <= period <= parameters.max_states:
        allowed = f"{at_least} to max_states = {parameters.max_states}"
        raise InvalidArgument("period", period, allowed)
