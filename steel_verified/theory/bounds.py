"""The paper's bounds on the number of steps, and the exact step counts that they bound.

The bounds depend on the true |S| and D (an `Extent`), which the learner does not know.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory import counts
from steel_verified.theory.exact import ball, ceil_div, floor

if TYPE_CHECKING:
    from fractions import Fraction

    from flint import arb

    from steel_verified.theory.parameters import Extent, Parameters


_MOST_PERIODS: Final = 100_000
"""Most periods that `worst_period` tries, which takes half a second."""


def most_calls(parameters: Parameters, extent: Extent) -> int:
    """Return |S||A|: each call of CycleFind adds a transition. Claim C08 (l. 188, 921)."""
    return extent.states * parameters.actions


def longest_word(extent: Extent) -> int:
    """Return |S|(D+1), an upper bound on |â|. Claim C03 (l. 190, 921)."""
    return extent.states * (extent.diameter + 1)


def longest_covering_cycle(parameters: Parameters, extent: Extent) -> int:
    """Return max(|S|D, t̂_mix + D), an upper bound on |ā|. Claim D01 (l. 939)."""
    return max(extent.states * extent.diameter, parameters.mixing_time + extent.diameter)


def cycle_find_bound(parameters: Parameters, states: int, word_length: int) -> int:
    """Return the Proposition's bound on the actions of one call. Claims A04, B02 (l. 525, 670)."""
    p = parameters
    period_branch = (
        2 * p.mixing_time + 3 * p.max_states * word_length - 2
    ) * counts.period_test_samples(parameters) - p.max_states * word_length
    position_branch = (
        2 * (p.mixing_time + states * word_length - 1) * counts.position_samples(parameters) + 1
    )
    transient = max((p.max_states - 1) * word_length - p.mixing_time, 0)
    return max(period_branch, position_branch) + transient + 1


def worst_period(parameters: Parameters, states: int, word_length: int) -> int:
    """Return the n_cyc ≤ |S| at which a call takes the most steps; the largest one if several do.

    Among periods with the same ⌈t̂_mix/(n_cyc·|â|)⌉ a longer one takes more steps, so only the last
    period of each such range is tried.
    """
    mixing_time = parameters.mixing_time
    # Up to √(t̂_mix/|â|), every period may be the last of its range; above it, ⌈t̂_mix/L⌉ has at most
    # as many different values.
    looked_at = min(states, 2 * isqrt(mixing_time // word_length) + 2)
    if looked_at > _MOST_PERIODS:
        raise InvalidArgument(
            "mixing_time",
            mixing_time,
            f"at most {(_MOST_PERIODS // 2 - 1) ** 2 * word_length:,} for words of {word_length:,} "
            f"actions: the worst period would be searched among {looked_at:,} candidates, and at "
            f"most {_MOST_PERIODS:,} are tried",
        )
    candidates = []
    period = 1
    while period <= states:
        rounds = ceil_div(mixing_time, period * word_length)
        period = states if rounds == 1 else (mixing_time - 1) // (word_length * (rounds - 1))
        candidates.append(min(period, states))
        period += 1
    return max(candidates, key=lambda n: (counts.cycle_find_steps(parameters, word_length, n), n))


def exploration_steps(parameters: Parameters, extent: Extent) -> int:
    """Return the steps of |S||A| calls with |â| = |S|(D+1), each with its worst period."""
    word_length = longest_word(extent)
    period = worst_period(parameters, extent.states, word_length)
    per_call = counts.cycle_find_steps(parameters, word_length, period)
    return most_calls(parameters, extent) * per_call


def exploration_bound(parameters: Parameters, extent: Extent) -> int:
    """Return the Proposition's bound for |S||A| calls, |â| = |S|(D+1). Claim E09 (l. 1002)."""
    per_call = cycle_find_bound(parameters, extent.states, longest_word(extent))
    return most_calls(parameters, extent) * per_call


def simplified_exploration_bound(parameters: Parameters, extent: Extent) -> int:
    """Return `exploration_bound` after +1 and −N|â| are absorbed. Claim E10 (l. 1011)."""
    per_period_sample, per_position_sample, transient = _branches(parameters, extent)
    return most_calls(parameters, extent) * max(
        per_period_sample * counts.period_test_samples(parameters),
        per_position_sample * counts.position_samples(parameters) + transient,
    )


def exploration_bound_from_mixing(parameters: Parameters, extent: Extent) -> int:
    """Return the part of `simplified_exploration_bound` that is proportional to t̂_mix."""
    per_period_sample, per_position_sample, transient = _branches(parameters, extent)
    n_period, n_position = (
        counts.period_test_samples(parameters),
        counts.position_samples(parameters),
    )
    by_period = per_period_sample * n_period >= per_position_sample * n_position + transient
    samples = n_period if by_period else n_position
    return most_calls(parameters, extent) * 2 * parameters.mixing_time * samples


def sampling_steps(parameters: Parameters, extent: Extent) -> int:
    """Return the steps of phase 2 with the longest covering cycle."""
    passes = counts.sampling_passes(parameters, extent.states)
    return passes * longest_covering_cycle(parameters, extent)


def sampling_bound(parameters: Parameters, extent: Extent) -> int:
    """Return (d − 1 + |S|)·max(D + t̂_mix, |S|D). Claims D10, E13 (l. 953, 1031)."""
    passes = counts.encoder_samples(parameters, extent.states) - 1 + extent.states
    return passes * longest_covering_cycle(parameters, extent)


def sampling_bound_from_mixing(parameters: Parameters, extent: Extent) -> int:
    """Return the part of `sampling_bound` that is proportional to t̂_mix: the fourth term."""
    if extent.states * extent.diameter >= parameters.mixing_time + extent.diameter:
        return 0
    passes = counts.encoder_samples(parameters, extent.states) - 1 + extent.states
    return passes * parameters.mixing_time


def total_bound(parameters: Parameters, extent: Extent) -> int:
    """Return the closed form that ends the theorem's proof, rounded down. Claim E14 (l. 1036)."""
    return floor(lambda: _closed_form(parameters, extent))


def _closed_form(parameters: Parameters, extent: Extent) -> arb:
    p = parameters
    per_period_sample, per_position_sample, transient = _branches(parameters, extent)
    tests = 4 * p.actions * p.max_states * p.class_size / p.delta
    per_call = per_position_sample * _samples_rounded_up(
        tests * p.max_states**3 * (p.max_diameter + 1)
    )
    per_call += transient
    if p.max_states > 1:
        per_call = per_call.max(per_period_sample * _samples_rounded_up(tests * (p.max_states - 1)))
    passes = counts.encoder_samples_before_rounding(parameters, extent.states) + extent.states
    sampling = longest_covering_cycle(parameters, extent) * passes
    return sampling + most_calls(parameters, extent) * per_call


def _samples_rounded_up(tests: Fraction) -> arb:
    """Return ln(tests)/ln(16/9) + 1, which is at least the quotient rounded up."""
    return ball(tests).log() / ball(1 / counts.SEPARATION_RATE).log() + 1


def _branches(parameters: Parameters, extent: Extent) -> tuple[int, int, int]:
    """Return the coefficients of n_samp.cyc. and n_samp. in the bound of a call, and the rest."""
    p, word_length = parameters, longest_word(extent)
    per_period_sample = 2 * p.mixing_time + 3 * p.max_states * word_length - 2
    per_position_sample = 2 * (p.mixing_time + extent.states * word_length - 1)
    transient = 2 + max((p.max_states - 1) * word_length - p.mixing_time, 0)
    return per_period_sample, per_position_sample, transient
