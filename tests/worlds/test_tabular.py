"""Ω is a value: noise depends on the seed and the time alone, and has exactly the law it should."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.strategies import ex_bmdps
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics, orbit, times_of
from steel_verified.worlds.tabular import ExBmdp, TabularNoise, tabular_world

from .counts_against_laws import too_far

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)


@given(world=ex_bmdps(), seed=st.integers(0, 99), data=st.data())
def test_the_noise_does_not_depend_on_cuts_actions_or_order(
    world: ExBmdp, seed: int, data: st.DataObject
) -> None:
    """Asked at once or bit by bit, backwards or forwards: the noise at a time is the same."""
    times = np.array(data.draw(st.lists(st.integers(0, 40_000), min_size=1, max_size=20)))
    at_once = TabularNoise(world, seed).states(times)
    one_by_one = TabularNoise(world, seed)
    assert [int(one_by_one.states(np.array([t]))[0]) for t in times] == at_once.tolist()
    acting = tabular_world(world, seed)
    for steps in data.draw(st.lists(st.integers(1, 5000), max_size=4)):
        word = tuple(
            data.draw(st.lists(st.integers(0, acting.actions - 1), min_size=1, max_size=3))
        )
        acting.run(Plan(word, steps)).rows((Progression(1, (Level(steps, 1),)),))
    assert TabularNoise(world, seed).states(times).tolist() == at_once.tolist()


@given(world=ex_bmdps(), seed=st.integers(0, 99))
def test_observations_come_from_the_latent_state(world: ExBmdp, seed: int) -> None:
    """Block property: every observation is owned by the latent state at its time."""
    word = tuple(range(world.dynamics.actions))
    times = Progression(1, (Level(300, 1),))
    seen = tabular_world(world, seed).run(Plan(word, 300)).rows((times,))[0]
    loop = orbit(world.dynamics, world.start, word)
    owners = world.encoder()
    assert [owners[x] for x in seen] == [loop.at(t) for t in times]


def weather() -> ExBmdp:
    """One latent state; a chain of three noise states, seen through a coin."""
    rows = (
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
        (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
        (Fraction(2, 3), Fraction(0), Fraction(1, 3)),
    )
    coins = ((HALF, HALF, ZERO), (ZERO, HALF, HALF), (HALF, ZERO, HALF))
    return ExBmdp(
        dynamics=Dynamics(((0,),)),
        noise=Chain(rows),
        initial_noise=(Fraction(1, 12), Fraction(2, 12), Fraction(9, 12)),
        emission=(coins,),
        start=0,
    )


def kernel(steps: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = np.array([[float(p) for p in row] for row in weather().noise.rows])
    return np.linalg.matrix_power(rows, steps)


def runs_of_weather(time: int, runs: int) -> list[list[int]]:
    """The noise states up to a time, in many runs that differ in their seed."""
    world = weather()
    return [TabularNoise(world, seed).states(np.arange(time + 1)).tolist() for seed in range(runs)]


def test_noise_follows_the_initial_law_and_the_law_after_some_steps() -> None:
    """False alarm below 10⁻⁶ each; a shift of 0.09 in a weight is seen with 99 %."""
    runs = runs_of_weather(3, 2000)
    initial = np.array([float(p) for p in weather().initial_noise])
    for time in (0, 1, 3):
        counted = [sum(run[time] == e for run in runs) for e in range(3)]
        assert not too_far(counted, (initial @ kernel(time)).tolist(), alarm=1e-6)
        shifted = (initial @ kernel(time) + np.array([0.09, -0.09, 0])).tolist()
        assert too_far(counted, shifted, alarm=1e-6)


@pytest.mark.parametrize("lag", [1, 2, 7])
def test_noise_transitions_at_several_lags_follow_the_chain(lag: int) -> None:
    """Transitions of one long run, given where they start; around a block's border, too."""
    states = TabularNoise(weather(), 5).states(np.arange(60_000))
    border = TabularNoise(weather(), 5).states(np.arange(4096 - lag, 4096 + 1))
    assert border.tolist() == states[4096 - lag : 4097].tolist()
    for e in range(3):
        # Starts at least 20 steps apart are all but independent (TV below 10⁻⁸).
        starts = np.flatnonzero(states[: -lag - 20 : 20] == e) * 20
        arrivals = states[starts + lag].tolist()
        counted = [arrivals.count(f) for f in range(3)]
        assert not too_far(counted, kernel(lag)[e].tolist(), alarm=1e-6)


def test_emissions_have_their_law_and_are_independent_of_moves() -> None:
    noise = TabularNoise(weather(), 8)
    times = np.arange(40_000)
    states = noise.states(times)
    seen = noise.observations(times, np.zeros(len(times), dtype=np.int64))
    for e in range(3):
        for after in range(3):
            here = (states[:-1] == e) & (states[1:] == after)
            if here.sum() > 100:
                counted = [int((seen[:-1][here] == x).sum()) for x in range(3)]
                law = [float(p) for p in weather().emission[0][e]]
                assert not too_far(counted, law, alarm=1e-6)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"start": 1}, "start"),
        ({"initial_noise": (ONE,)}, "initial_noise"),
        ({"emission": ()}, "emission"),
        ({"emission": (((ONE,),),)}, r"emission\[0\]"),
    ],
)
def test_worlds_that_do_not_fit_together_are_refused(change: dict[str, object], why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        replace(weather(), **change)  # type: ignore[arg-type]  # wrong on purpose


def test_emission_shared_by_two_states_is_refused() -> None:
    """Both states emit observation 0."""
    with pytest.raises(InvalidArgument, match="observation 0: expected only observations"):
        ExBmdp(
            dynamics=Dynamics(((1,), (0,))),
            noise=Chain(((ONE,),)),
            initial_noise=(ONE,),
            emission=(((ONE, ZERO),), ((HALF, HALF),)),
            start=0,
        )


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ((), "at least one state"),
        (((),), "at least one"),
        (((0, 0), (0,)), r"table\[1\]"),
        (((0, 2), (0, 1)), "states from 0 to 1"),
        (((0,), (0,)), "every state to reach every other"),
    ],
)
def test_dynamics_that_steel_cannot_learn_are_refused(
    table: tuple[tuple[int, ...], ...], why: str
) -> None:
    with pytest.raises(InvalidArgument, match=why):
        Dynamics(table)


@given(data=st.data(), world=ex_bmdps())
def test_orbit_agrees_with_walking_step_by_step(data: st.DataObject, world: ExBmdp) -> None:
    truth = world.dynamics
    word = tuple(data.draw(st.lists(st.integers(0, truth.actions - 1), min_size=1, max_size=5)))
    loop = orbit(truth, world.start, word)
    states, here = [], world.start
    for t in range(120):
        states.append(here)
        here = truth.table[here][word[t % len(word)]]
    assert [loop.at(t) for t in range(120)] == states
    assert loop.at_each(np.arange(120)).tolist() == states
    assert loop.transient % len(word) == 0
    levels = (Level(data.draw(st.integers(1, 4)), 25), Level(3, data.draw(st.integers(1, 8))))
    times = Progression(data.draw(st.integers(0, 9)), levels)
    assert loop.within(times) == {states[t] for t in times}
    assert times_of([times, times]).tolist() == [*times, *times]
