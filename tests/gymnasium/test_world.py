"""Gymnasium in and out: the same world through either door."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env

from proofs_checks.checker.judging import judged
from steel_verified.classes.finite import Components
from steel_verified.evidence.certificate import provenance
from steel_verified.evidence.plans import Plan
from steel_verified.gymnasium.envs import EndlessEnv
from steel_verified.gymnasium.world import from_gymnasium
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import accepted
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.theory.progressions import Level, Progression
from steel_verified.using.attempt import attempt
from steel_verified.worlds.catalogue import KINDS, setting
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.multi_maze import multi_maze
from steel_verified.worlds.prime_loops import prime_loops
from steel_verified.worlds.stepped import StoredLoop
from tests.bounds import bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

IDS = tuple(kind.gymnasium_id for kind in KINDS)
LOCK = Looped(
    replace(
        setting("combination-lock", states=3, components=12).parameters,
        max_states=3,
        max_diameter=2,
        mixing_time=25,
    )
)


def as_bits(row: NDArray[np.int8]) -> NDArray[np.bool_]:
    return row.astype(np.bool_)


def as_numbers(number: np.int64) -> NDArray[np.int64]:
    return np.array([number])


@pytest.mark.parametrize("name", IDS)
def test_registered_environments_pass_the_checker_without_a_warning(name: str) -> None:
    env = gymnasium.make(name, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    assert isinstance(env.unwrapped, EndlessEnv)
    env.reset(seed=1)
    picture = env.render()
    assert isinstance(picture, np.ndarray)
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert gymnasium.make(name).unwrapped.render() is None


@pytest.mark.parametrize("limit", [1 << 28, 0], ids=["in memory", "on disk"])
def test_gymnasium_run_and_direct_run_give_the_same_ledger(limit: int) -> None:
    """The same lock, the same noise seed, step by step and at once."""
    lock = combination_lock(7, states=3, components=12, least_noise=0.1)
    fast = accepted(attempt(lock.world(5), lock.oracle(), LOCK, first_action=lock.first_action))
    env = gymnasium.make("steel_verified/CombinationLock-v0", env_seed=7, states=3, components=12)
    world = from_gymnasium(env, as_bits, seed=5, memory_limit=limit)
    slow = accepted(attempt(world, Components(12), LOCK, first_action=lock.first_action))
    assert slow.ledger == fast.ledger
    assert slow.classifiers == fast.classifiers
    assert slow.model == fast.model


def test_a_located_run_through_gymnasium_is_certified() -> None:
    env = gymnasium.make("steel_verified/CombinationLock-v0", states=3, components=12)
    world = from_gymnasium(env, features=lambda bits: bits == 1, seed=7)
    parameters = bounds(2, 3, 25)
    oracle = Components(12)
    learned = accepted(attempt(world, oracle, Located(parameters)))
    assert learned.model.states == 3
    data = certificate_of_run(learned, oracle, provenance("a lock", 0, 7))
    assert judged(data).findings == []


def test_gymnasium_world_and_simulated_world_give_the_same_rows() -> None:
    """Row by row, also with numbers, and in the mazes."""
    times = (Progression(2, (Level(40, 3),)),)
    plan = Plan((0, 1, 1), 150, keeps=times)
    mazes = multi_maze(2, mazes=3)
    env = gymnasium.make("steel_verified/MultiMaze-v0", env_seed=2, mazes=3)
    (slow,) = from_gymnasium(env, as_bits, seed=9).run(plan).rows(times)
    (fast,) = mazes.world(9).run(plan).rows(times)
    assert Components(363).pack(slow) == fast.packed().tobytes()
    assert Components(363).summarise(slow) == Components(363).summarise(fast)
    loop = prime_loops(4, 1, p=3, q=5)
    env = gymnasium.make("steel_verified/SinglePrime-v0", env_seed=4, p=3, q=5)
    (numbers,) = from_gymnasium(env, as_numbers, seed=9).run(plan).rows(times)
    (expected,) = loop.world(9).run(plan).rows(times)
    assert numbers.tolist() == expected.tolist()


class Counting(gymnasium.Env[np.int64, np.int64]):
    """Counts resets, and ends when told to. Its actions start at 5."""

    def __init__(self, ends_at: int | None = None, *, truncates: bool = False) -> None:
        self.action_space = Discrete(2, start=5)
        self.observation_space = Discrete(2)
        self.ends_at, self.truncates = ends_at, truncates
        self.resets = self.steps = 0
        self.taken: list[int] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[np.int64, dict[str, object]]:
        super().reset(seed=seed, options=options)
        self.resets += 1
        return np.int64(0), {}

    def step(self, action: np.int64) -> tuple[np.int64, float, bool, bool, dict[str, object]]:
        self.steps += 1
        self.taken.append(int(action))
        end = self.steps == self.ends_at
        return np.int64(self.steps % 2), 0.0, end and not self.truncates, end and self.truncates, {}


def test_gymnasium_world_resets_once_and_maps_actions_to_zero_based() -> None:
    env = Counting()
    world = from_gymnasium(env, as_numbers)
    times = (Progression(1, (Level(4, 1),)),)
    (rows,) = world.run(Plan((0, 1), 4, keeps=times)).rows(times)
    world.run(Plan((1,), 3))
    assert env.resets == 1
    assert env.taken == [5, 6, 5, 6, 6, 6, 6]
    assert rows.tolist() == [1, 0, 1, 0]
    assert world.actions == 2


def test_float_observations_are_stored_unchanged() -> None:
    world = from_gymnasium(Counting(), lambda x: np.array([0.1 * x, 0.3], dtype=np.float32))
    times = (Progression(1, (Level(2, 1),)),)
    (rows,) = world.run(Plan((0,), 2, keeps=times)).rows(times)
    assert rows.dtype == np.float64
    assert rows.tolist() == [[np.float32(0.1), np.float32(0.3)], [0.0, np.float32(0.3)]]


@pytest.mark.parametrize(("truncates", "word"), [(False, "terminated"), (True, "was truncated")])
def test_ended_episode_raises_with_advice_to_use_continuing(*, truncates: bool, word: str) -> None:
    world = from_gymnasium(Counting(ends_at=3, truncates=truncates), as_numbers)
    with pytest.raises(AssumptionViolated, match=rf"{word} at step 3.*Continuing"):
        world.run(Plan((0,), 10))


@pytest.mark.parametrize("limit", [0, 1 << 18, 1 << 30])
def test_stored_rows_come_back_from_memory_and_disk(limit: int) -> None:
    """70,000 rows, every second one kept; several blocks, the last one open."""
    store = StoredLoop(limit)
    for start in (0, 35_000):
        kept = store.expect([Progression(2 * start + 2, (Level(35_000, 2),))])
        for time in kept:
            store.append(time)
    asked = np.array([139_998, 2, 70_002, 70_000, 100_000, 2])
    assert store.at(asked).tolist() == asked.tolist()
