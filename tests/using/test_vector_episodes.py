"""Vector environments are explored by actors that step together, whenever they reset themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from hypothesis import given
from hypothesis import strategies as st

from steel_verified import Components, InvalidArgument, Learned, NotLearned, learn_episodes
from steel_verified.gymnasium import RecordVectorEpisodes
from steel_verified.gymnasium.recording import VectorReader
from steel_verified.gymnasium.world import features_of
from steel_verified.learning.knowledge import nothing_known
from steel_verified.using.actors import Actor, VectorActors
from tests.gymnasium.small_envs import Small, is_right
from tests.learning.certain.worlds import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from steel_verified.gymnasium.recording import Vector
    from steel_verified.learning.reading import Row

RING = [[state, (state + 1) % 6, 5] for state in range(6)]
TREE = [[3 * s + k if s < 13 else s for k in (1, 2, 3)] for s in range(40)]
"""Each of 27 leaves is never left."""
modes = pytest.mark.parametrize("mode", list(AutoresetMode))


def several(
    mode: AutoresetMode, count: int, table: list[list[int]], *, limit: int = 10
) -> Vector[NDArray[np.int8]]:
    return SyncVectorEnv([partial(Small, table, limit=limit)] * count, autoreset_mode=mode)


def explored(
    envs: Vector[NDArray[np.int8]], table: list[list[int]], steps: int, seed: int = 0
) -> tuple[tuple[Row, ...], ...]:
    """The rows of each actor in a first round."""
    width = len(table) + 3
    features = features_of(envs.single_observation_space)
    group = VectorActors(VectorReader.of(envs), Components(width), features, seed)
    return group.explore(nothing_known(width, len(table[0])), steps, 0)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[list[int]], tuple[int, ...], frozenset[int]]:
    """A table, the states in which episodes begin, and those in which they end."""
    table = draw(tables())
    some = st.sets(st.integers(0, len(table) - 1), min_size=1)
    starts = tuple(sorted(draw(some)))
    ends = frozenset(draw(st.sets(st.integers(0, len(table) - 1), max_size=2))) - {*starts}
    for state in ends:
        table[state] = [state] * len(table[state])
    return table, starts, ends


@given(
    worlds(),
    st.sampled_from(AutoresetMode),
    st.integers(1, 3),
    st.integers(1, 6),
    st.integers(1, 25),
    st.integers(0, 1000),
)
def test_rows_are_true_transitions(
    world: tuple[list[list[int]], tuple[int, ...], frozenset[int]],
    mode: AutoresetMode,
    count: int,
    limit: int,
    steps: int,
    seed: int,
) -> None:
    """No row joins two episodes, and only the world terminates one, never a limit of time."""
    table, starts, ends = world
    envs = SyncVectorEnv([partial(Small, table, starts, ends, limit)] * count, autoreset_mode=mode)
    found = explored(envs, table, steps, seed)
    assert len(found) == count
    for rows in found:
        states = [(row.row & ((1 << len(table)) - 1)).bit_length() - 1 for row in rows]
        begins, length, resets = True, 0, 0
        for i, (row, state) in enumerate(zip(rows, states, strict=True)):
            assert not begins or state in starts
            assert row.terminated == (row.action is None and state in ends)
            begins = row.action is None
            if row.action is not None:
                assert states[i + 1] == table[state][row.action]
                length += 1
            else:
                assert length <= limit
                resets += i + 1 < len(rows)
                length = 0
        taken = sum(row.action is not None for row in rows)
        assert taken == steps - (resets if mode is AutoresetMode.NEXT_STEP else 0)
        assert rows[-1].action is None


@given(worlds(), st.sampled_from(AutoresetMode), st.integers(1, 3), st.integers(2, 10))
def test_what_is_learned_is_what_the_starts_lead_to(
    world: tuple[list[list[int]], tuple[int, ...], frozenset[int]],
    mode: AutoresetMode,
    count: int,
    limit: int,
) -> None:
    table, starts, ends = world
    envs = SyncVectorEnv([partial(Small, table, starts, ends, limit)] * count, autoreset_mode=mode)
    try:
        learned = learn_episodes(envs, Components(len(table) + 3), max_steps=300, check_steps=20)
    except NotLearned as error:
        assert "the limit of 300 steps was reached" in str(error) or "one state" in str(error)  # noqa: PT017
        return
    begun = set[int]().union(*envs.get_attr("begun"))
    assert is_right(learned, table, tuple(begun))


@modes
def test_result_is_the_same_in_processes(mode: AutoresetMode) -> None:
    """Also if the environments are not equally fast."""
    make = partial(Small, RING, slow=0.0003)
    both = list[Learned]()
    for kind in (SyncVectorEnv, AsyncVectorEnv):
        envs = kind([make] * 3, autoreset_mode=mode)
        both.append(learn_episodes(envs, Components(9), seed=3, check_steps=50))
        envs.close()
    one, other = both
    assert is_right(one, RING, (0,))
    assert (one.model, one.steps) == (other.model, other.steps)
    assert one.certificate() == other.certificate()
    assert one.check().accepted


@modes
def test_actor_does_not_depend_on_the_others(mode: AutoresetMode) -> None:
    alone, three = (explored(several(mode, count, TREE), TREE, 40) for count in (1, 3))
    assert alone == three[:1]
    assert len({tuple(row.action for row in rows) for rows in three}) == 3


def test_reset_drops_the_actions_that_were_chosen() -> None:
    actor = Actor.of(nothing_known(9, 3), 0, 0, 0).begun(1)
    assert replace(actor, word=(2, 1), has_acted=True).begun(1) == actor


@modes
def test_frozen_lake_is_learned_in_copies(mode: AutoresetMode) -> None:
    envs = gymnasium.make_vec(
        "FrozenLake-v1",
        num_envs=4,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        is_slippery=False,
    )
    learned = learn_episodes(envs, Components(16))
    assert learned.model.states == 16
    assert sum(set(row) == {s} for s, row in enumerate(learned.model.table)) == 5
    assert learned.check().accepted


def test_actors_reset_in_the_middle_of_an_episode_where_they_can() -> None:
    """A tree whose leaves are never left, without a limit of time."""
    steps = {}
    for mode in AutoresetMode:
        envs = several(mode, 2, TREE, limit=1_000_000)
        learned = learn_episodes(envs, Components(43), check_steps=0)
        assert is_right(learned, TREE, (0,))
        steps[mode] = learned.steps
    assert 2 * steps[AutoresetMode.DISABLED] < steps[AutoresetMode.NEXT_STEP]
    assert steps[AutoresetMode.NEXT_STEP] == steps[AutoresetMode.SAME_STEP]


class Named(gymnasium.Env["Mapping[str, NDArray[np.float32]]", np.int64]):
    """A ring of three cells, whose observations are dictionaries; actions begin at 5."""

    def __init__(self) -> None:
        self.action_space = Discrete(2, start=5)
        space = Dict({"cell": Box(0, 2, (1,))})
        self.observation_space = space  # type: ignore[assignment]  # typed as a space of spaces

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Mapping[str, NDArray[np.float32]], dict[str, object]]:
        super().reset(seed=seed, options=options)
        self._cell = self._steps = 0
        return self._seen(), {}

    def step(
        self, action: np.int64
    ) -> tuple[Mapping[str, NDArray[np.float32]], float, bool, bool, dict[str, object]]:
        self._cell = (self._cell + int(action) - 5) % 3
        self._steps += 1
        return self._seen(), 0.0, False, self._steps >= 7, {}

    def _seen(self) -> dict[str, NDArray[np.float32]]:
        return {"cell": np.array([self._cell], np.float32)}


@modes
def test_features_read_one_observation(mode: AutoresetMode) -> None:
    envs = SyncVectorEnv([Named] * 2, autoreset_mode=mode)
    learned = learn_episodes(
        envs, Components(3), features=lambda one: np.arange(3) == one["cell"][0], check_steps=10
    )
    cells = [learned.state_of({"cell": np.array([cell])}) for cell in range(3)]
    assert [learned.model.table[s] for s in cells] == [
        (cells[s], cells[(s + 1) % 3]) for s in range(3)
    ]


def test_recorded_rows_are_copies() -> None:
    """Without `copy`, a vector environment writes over what it returned."""
    envs = SyncVectorEnv([partial(Small, RING)] * 2, copy=False)
    recording = RecordVectorEpisodes(envs, features=lambda seen: seen)
    recording.reset(seed=0)
    for _ in range(5):
        recording.step(np.array([1, 1]))
    assert [int(np.argmax(row[:6])) for row in recording.log[0].observations] == [0, 1, 2, 3, 4, 5]


def wrong_mode() -> Vector[NDArray[np.int8]]:
    envs = several(AutoresetMode.NEXT_STEP, 2, RING)
    envs.metadata = {**envs.metadata, "autoreset_mode": "Sometimes"}
    return envs


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            "actors = 2: expected 1 .* whose environments are the actors",
            lambda: learn_episodes(
                several(AutoresetMode.DISABLED, 2, RING), Components(9), actors=2
            ),
        ),
        ("autoreset_mode.*Sometimes", lambda: learn_episodes(wrong_mode(), Components(9))),
        (
            "single_action_space",
            lambda: learn_episodes(gymnasium.make_vec("Pendulum-v1", num_envs=2), Components(3)),
        ),
    ],
)
def test_nonsense_is_refused_by_name(message: str, call: Callable[[], Learned]) -> None:
    with pytest.raises(InvalidArgument, match=message):
        call()


def test_last_observation_must_be_given() -> None:
    reader = VectorReader.of(several(AutoresetMode.SAME_STEP, 2, RING))
    seen, no, yes = np.zeros((2, 9), np.int8), np.zeros(2, np.bool_), np.ones(2, np.bool_)
    with pytest.raises(InvalidArgument, match="final_obs"):
        reader.events(no, (seen, no, no, yes, {}))
