"""STEEL learns Gymnasium environments with noise: the dynamics, and the encoder."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import gymnasium
import minigrid  # noqa: F401 (registers its environments)
import numpy as np
import pytest
from minigrid.wrappers import FullyObsWrapper

from steel_verified.classes.finite import Components
from steel_verified.classes.intervals import Thresholds
from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium import (
    Continuing,
    NoisyPixels,
    SomeActions,
    WithNoise,
    explored,
    flickering,
    from_gymnasium,
)
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.strategies import check_world_laws
from steel_verified.using.attempt import attempt
from steel_verified.using.learned import Learned
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.ideal import ideal_run
from tests.bounds import bounds, with_class
from tests.gymnasium.small_envs import Picture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class

Observation = TypeVar("Observation")

Transitions = dict[int, dict[int, list[tuple[float, int, float, bool]]]]
"""The chance, the next state, the reward and the end flag of each outcome."""

NOISE = flickering(6, Fraction(1, 3))


def learned(
    env: gymnasium.Env[Observation, np.int64],
    oracle: Class[Numbers],
    *,
    states: int,
    mixing: int,
) -> Learned:
    """Run located STEEL on an environment, with N two larger than the number of states."""
    world = from_gymnasium(env, seed=3)
    parameters = bounds(world.actions, states + 2, mixing, epsilon=Fraction(1, 10))
    return Learned.of(attempt(world, oracle, Located(parameters)), oracle)


def toy_text(name: str) -> Continuing[np.int64]:
    if name == "FrozenLake-v1":
        return Continuing(gymnasium.make(name, is_slippery=False))
    return Continuing(gymnasium.make(name), start_seed=0 if name == "Taxi-v4" else None)


def declared(env: Continuing[np.int64], start: int) -> Mapping[int, list[int]]:
    """Return the reachable part of the environment's own table of transitions."""
    chances: Transitions = env.get_wrapper_attr("P")
    table: dict[int, list[int]] = {}
    open_ends, ends = [start], set[int]()
    while open_ends:
        if (state := open_ends.pop()) in table:
            continue
        outcomes = [chances[state][action] for action in range(len(chances[state]))]
        assert all(len({to for _, to, _, _ in found}) == 1 for found in outcomes)
        table[state] = [start] * len(outcomes)
        if state not in ends:
            ends |= {to for ((_, to, _, end),) in outcomes if end}
            table[state] = [to for ((_, to, _, _),) in outcomes]
        open_ends += table[state]
    return table


@pytest.mark.parametrize(
    ("name", "states"), [("FrozenLake-v1", 16), ("CliffWalking-v1", 38), ("Taxi-v4", 101)]
)
def test_located_steel_learns_toy_text_environments(name: str, states: int) -> None:
    """The explored dynamics agree with the table of the environment, and STEEL learns them."""
    env = toy_text(name)
    truth = explored(env)
    assert truth.dynamics.states == states
    table = declared(env, int(truth.observations[0]))
    meaning = [int(seen) for seen in truth.observations]
    assert {
        meaning[s]: [meaning[to] for to in row] for s, row in enumerate(truth.dynamics.table)
    } == table
    # From the end of an episode every action leads to the start.
    assert truth.ends
    assert all(set(truth.dynamics.table[end]) == {0} for end in truth.ends)
    if name == "FrozenLake-v1":
        assert {meaning[end] for end in truth.ends} == {5, 7, 11, 12, 15}  # four holes, the goal

    noisy = WithNoise(env, NOISE)
    width = int(env.observation_space.n) + 6  # type: ignore[attr-defined]  # it is Discrete
    found = learned(noisy, Components(width), states=states, mixing=NOISE.mixing_time)
    assert found.renaming(truth.dynamics, truth.seen_in(noisy))


@pytest.mark.slow
def test_looped_steel_learns_frozen_lake_in_the_predicted_steps() -> None:
    """The run takes the number of steps predicted from the explored table: 670,128."""
    env = toy_text("FrozenLake-v1")
    truth = explored(env)
    oracle = Components(16 + 6)
    parameters = with_class(bounds(4, 16, NOISE.mixing_time), 22, truth.dynamics.diameter)
    noisy = WithNoise(env, NOISE)
    result = attempt(from_gymnasium(noisy, seed=3), oracle, Looped(parameters))
    found = Learned.of(result, oracle)
    assert found.renaming(truth.dynamics, truth.seen_in(noisy))
    assert found.steps == ideal_run(truth.dynamics, 0, Looped(parameters)).ledger.steps


def test_noisy_images_are_learned_with_thresholds() -> None:
    env = WithNoise(Picture(), NoisyPixels(30))
    found = learned(env, Thresholds(4), states=4, mixing=env.noise.mixing_time)
    assert relabelling(found.model, found.current, explored(Continuing(Picture())).dynamics, 0)
    first, _ = env.reset(seed=1)
    again, _ = env.reset(seed=1)
    later, _ = env.reset()
    assert np.array_equal(first, again)
    assert not np.array_equal(first, later)


def fully_observed() -> Continuing[dict[str, NDArray[np.uint8]]]:
    grid = gymnasium.make("MiniGrid-Empty-5x5-v0", max_steps=10**9)
    whole = FullyObsWrapper(grid)  # type: ignore[no-untyped-call]  # minigrid is typed in part
    return Continuing(SomeActions(whole, (0, 1, 2)))


def cell_and_direction(seen: Mapping[str, NDArray[np.uint8]]) -> NDArray[np.bool_]:
    """Return one bit for each pair of a cell and a direction."""
    agent = seen["image"][:, :, 0].ravel() == 10
    return np.outer(agent, np.arange(4) == int(seen["direction"])).ravel()


def test_located_steel_learns_minigrid() -> None:
    env = fully_observed()
    truth = explored(env)
    assert truth.dynamics.states == 8 * 4 + 2
    with pytest.raises(InvalidArgument, match=r"a function.*MissionSpace"):
        from_gymnasium(env)
    oracle = Components(25 * 4 + 6)
    noisy = WithNoise(env, NOISE, cell_and_direction)
    found = learned(noisy, oracle, states=34, mixing=NOISE.mixing_time)
    assert found.renaming(truth.dynamics, truth.seen_in(noisy))


def test_gymnasium_worlds_satisfy_the_world_laws() -> None:
    env = WithNoise(toy_text("FrozenLake-v1"), NOISE)
    check_world_laws(lambda: from_gymnasium(env, seed=4), Components(22), tries=8)
