"""Worlds whose steps slip."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.strategies import ex_bmdps
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.slipping import SlipLaw, SlippingWorld, slipping
from steel_verified.worlds.tabular import ExBmdp, tabular_world

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.worlds.simulated import SimulatedWorld


def seen(
    world: SimulatedWorld[NDArray[np.int64]] | SlippingWorld[NDArray[np.int64]],
    cuts: list[int],
    word: tuple[int, ...],
) -> list[int]:
    """All rows of one loop that is run in these parts."""
    first, *others = cuts
    trajectory, done = world.run(Plan(word, first)), first
    for part in others:
        trajectory = world.run(Plan(word, part, done))
        done += part
    (rows,) = trajectory.rows((Progression(1, (Level(done, 1),)),))
    return [int(row) for row in rows]


@given(
    world=ex_bmdps().filter(lambda world: world.dynamics.states > 1),
    seed=st.integers(0, 99),
    cuts=st.lists(st.integers(1, 9), min_size=1, max_size=4),
)
def test_slips_do_not_depend_on_how_plans_are_cut(
    world: ExBmdp, seed: int, cuts: list[int]
) -> None:
    law = SlipLaw(Fraction(1, 2), seed)
    whole, parts = (slipping(tabular_world(world, seed), law) for _ in range(2))
    assert seen(whole, [sum(cuts)], (0,)) == seen(parts, cuts, (0,))
    assert whole.slips == parts.slips
    assert whole.state == parts.state


def test_slipped_step_changes_the_target_and_other_steps_do_not() -> None:
    law = SlipLaw(Fraction(1, 3), 7)
    for states in (2, 3, 8):
        targets = {law.target(time, 1, states) for time in range(1, 400)}
        assert targets == set(range(states)) - {1}


def test_number_of_slips_is_near_its_expectation() -> None:
    """Of a million steps, 10,000 should slip: six standard deviations are 597."""
    slipped = SlipLaw(Fraction(1, 100), 3).slipped(np.arange(1, 10**6 + 1))
    assert abs(int(slipped.sum()) - 10_000) < 597


@pytest.mark.parametrize("rate", [Fraction(-1, 10), Fraction(1)])
def test_slip_rate_outside_zero_to_one_raises(rate: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="rate"):
        SlipLaw(rate, 0)
