"""What fails if the validation is weakened, at rates that are computed exactly.

In each world, one path of the learner leads to a wrong result, because the rows that it reads never
contradict it. The chance of this path is computed from the times that are read on it. Nothing is
drawn, so these tests have no chance of a false alarm.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.classes.finite import Tables, tables
from steel_verified.evidence import observed
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, accepted
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld
from tests.bounds import bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


def world_of(
    dynamics: Dynamics, noise: Callable[[int], int], asked_for: list[int]
) -> SimulatedWorld[NDArray[np.int64]]:
    """State s with noise e shows 2s + e; the times at which state 0 is read are recorded."""

    def observe(asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
        found = []
        for each in asked:
            times, states = each.times, each.states
            asked_for.extend(int(t) for t, s in zip(times, states, strict=True) if s == 0)
            found.append(
                np.array([2 * s + noise(int(t)) for t, s in zip(times, states, strict=True)])
            )
        return found

    return SimulatedWorld(dynamics, 0, observe)


def chance_of(
    chain: Chain, start: Sequence[Fraction], allowed: Callable[[int], set[int]], times: list[int]
) -> Fraction:
    """Return the chance that the noise is in the allowed set at each of these times."""
    law, chosen = list(start), set(times)
    for time in range(max(times) + 1):
        if time:
            law = [
                sum((p * row[f] for p, row in zip(law, chain.rows, strict=True)), Fraction(0))
                for f in range(len(law))
            ]
        if time in chosen:
            law = [p if e in allowed(time) else Fraction(0) for e, p in enumerate(law)]
    return sum(law, Fraction(0))


# --- too few samples ------------------------------------------------------------------------------

TURN = Dynamics(((1,), (0,)))
RARE = Chain(((Fraction(11, 12), Fraction(1, 12)), (Fraction(1), Fraction(0))))
"""Noise 1 has the chance 1/13; the chain mixes in one step."""
STATIONARY = (Fraction(12, 13), Fraction(1, 13))
HASTY: Tables = tables(
    [[True, False, False, False], [True, True, False, False], [False, False, True, True]]
)
"""First a classifier that recognises state 0 only without noise, then the encoder."""
CAREFUL = Located(bounds(1, 2, mixing_time(RARE)))


def times_read_without_noise() -> tuple[list[int], Accepted]:
    """Return when state 0 is read if the noise is always 0; the encoder is then wrong."""
    times: list[int] = []
    result = checked_run(world_of(TURN, lambda _: 0, times), HASTY, CAREFUL)
    return times, accepted(result)


@pytest.mark.parametrize("samples", [0, 3])
def test_too_few_samples_accept_a_wrong_encoder_often(
    monkeypatch: pytest.MonkeyPatch, samples: int
) -> None:
    monkeypatch.setattr(observed, "validation_samples", lambda *_: samples)
    times, blind = times_read_without_noise()
    assert blind.classifiers is not None
    assert 0 in blind.classifiers
    exact = chance_of(RARE, STATIONARY, lambda _: {0}, times)
    assert exact > Fraction(1, 5)


def test_correct_number_of_samples_keeps_the_error_rate_below_delta() -> None:
    times, _ = times_read_without_noise()
    assert chance_of(RARE, STATIONARY, lambda _: {0}, times) <= Fraction(1, 40)


# --- a mixing time that is too small --------------------------------------------------------------

ALONE = Dynamics(((0,),))
KEEP = Fraction(1, 50)
TURNING = Chain(((KEEP, 1 - KEEP), (1 - KEEP, KEEP)))
"""Noise that alternates and rarely stays: two noise states look like two states."""
EVEN = (Fraction(1, 2), Fraction(1, 2))
NOISY = tables([[True, False], [False, True], [True, True]])
"""The two noise states, then the encoder of the only state."""


def times_read_while_alternating(mixing_time: int) -> tuple[list[int], int]:
    """Return when the state is read if the noise alternates, and how many states are accepted."""
    times: list[int] = []
    rules = Located(bounds(1, 2, mixing_time, epsilon=Fraction(1, 2)))
    result = checked_run(world_of(ALONE, lambda time: time % 2, times), NOISY, rules)
    return times, result.model.states


def chance_of_a_duplicate(mixing_time: int) -> Fraction:
    """Return the chance that the noise alternates at all times that are read, from either side."""
    times, states = times_read_while_alternating(mixing_time)
    assert states == 2
    even = chance_of(TURNING, EVEN, lambda time: {time % 2}, times)
    odd = chance_of(TURNING, EVEN, lambda time: {(time + 1) % 2}, times)
    return even + odd


def test_too_small_mixing_time_accepts_duplicates_often() -> None:
    assert mixing_time(TURNING) > 10
    assert chance_of_a_duplicate(1) > Fraction(1, 3)


def test_true_mixing_time_keeps_the_duplicate_rate_below_delta() -> None:
    assert chance_of_a_duplicate(mixing_time(TURNING)) <= Fraction(1, 40)
