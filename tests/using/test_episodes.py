"""Environments with episodes are learned as they are, by one actor or many."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from distributed import Client, LocalCluster
from hypothesis import given
from hypothesis import strategies as st

from steel_verified import (
    Boxes,
    Components,
    InvalidArgument,
    Learned,
    NotLearned,
    learn_episodes,
    learn_from,
)
from steel_verified.gymnasium import RecordEpisodes
from tests.gymnasium.small_envs import Small, is_right
from tests.learning.certain.worlds import tables

if TYPE_CHECKING:
    from collections.abc import Callable


@given(tables(), st.data())
def test_what_is_learned_is_what_the_starts_lead_to(
    table: list[list[int]], data: st.DataObject
) -> None:
    """Worlds need not be connected, starts are random, and some states end the episode.

    Only starts that occurred count.
    """
    some = st.sets(st.integers(0, len(table) - 1), min_size=1)
    starts = tuple(sorted(data.draw(some)))
    ends = frozenset(data.draw(st.sets(st.integers(0, len(table) - 1), max_size=2))) - {*starts}
    for state in ends:
        table[state] = [state] * len(table[state])
    env = Small(table, starts, ends, limit=data.draw(st.integers(2, 10)))
    actors = data.draw(st.integers(1, 3))
    try:
        learned = learn_episodes(
            lambda: env, Components(len(table) + 3), actors=actors, max_steps=300, check_steps=20
        )
    except NotLearned as error:
        assert "the limit of 300 steps was reached" in str(error) or "one state" in str(error)  # noqa: PT017
        return
    assert is_right(learned, table, tuple(env.begun))


RING = [[state, (state + 1) % 6, 5] for state in range(6)]


@pytest.mark.parametrize("actors", [1, 2, 5])
def test_result_does_not_depend_on_timing(actors: int) -> None:
    make = partial(Small, RING, slow=0.0003)
    learn = partial(learn_episodes, make, Components(9), actors=actors, seed=3)
    alone = learn()
    with ThreadPoolExecutor(4) as pool:
        shared = [learn(executor=pool) for _ in range(2)]
    assert is_right(alone, RING, (0,))
    for other in shared:
        assert (other.model, other.steps) == (alone.model, alone.steps)
        assert other.certificate() == alone.certificate()


def test_actors_on_processes_and_on_a_cluster_learn_the_same() -> None:
    """Two real processes, and a real local cluster of dask with two workers."""
    learn = partial(learn_episodes, partial(Small, RING), Components(9), actors=3, seed=3)
    alone = learn()
    with ProcessPoolExecutor(2) as pool:
        assert learn(executor=pool).certificate() == alone.certificate()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster.scheduler_address, timeout=30, set_as_default=False) as client,
        client.get_executor(pure=False) as executor,
    ):
        there = learn(executor=executor)
    assert there.certificate() == alone.certificate()
    assert there.check().accepted


def test_actors_share_the_work_out() -> None:
    """Steps of each actor until 30 states with 5 actions are known: fewer with more actors."""
    random = Random(1)
    table = [[random.randrange(30) for _ in range(5)] for _ in range(30)]
    rounds = {}
    for actors in (1, 4):
        learned = learn_episodes(
            partial(Small, table, limit=60), Components(33), actors=actors, check_steps=0
        )
        assert is_right(learned, table, (0,))
        rounds[actors] = learned.steps / actors
    assert rounds[4] < 0.6 * rounds[1]


def test_states_that_are_far_from_the_start_are_reached() -> None:
    """A line of 60 states: a round of 30 steps does not reach its end."""
    line = [[min(59, state + 1), 0] for state in range(60)]
    learned = learn_episodes(Small(line, limit=1000), Components(63), check_steps=0)
    assert is_right(learned, line, (0,))


def test_environment_of_the_user_is_used_as_it_is() -> None:
    env = Small(RING)
    learned = learn_episodes(env, Components(9), check_steps=50)
    assert is_right(learned, RING, (0,))
    assert 50 <= env.taken <= learned.steps
    assert learned.check().accepted


def test_log_that_is_open_is_completed_in_the_environment() -> None:
    """What the log shows is not explored again."""
    random = Random(5)
    table = [[random.randrange(20) for _ in range(4)] for _ in range(20)]
    recorded = RecordEpisodes(Small(table, limit=300))
    recorded.reset(seed=0)
    for _ in range(150):
        recorded.step(np.int64(random.randrange(4)))
    with pytest.raises(NotLearned, match="never occurred"):
        learn_from(recorded.log, Components(23), actions=4)
    alone, after = Small(table, limit=60), Small(table, limit=60)
    learn_episodes(alone, Components(23), check_steps=0)
    learned = learn_episodes(after, Components(23), log=recorded.log, check_steps=0)
    assert is_right(learned, table, (0,))
    assert after.taken < 0.7 * alone.taken


def test_limit_says_what_is_missing() -> None:
    with pytest.raises(NotLearned, match=r"limit of 20 steps was reached; .*") as caught:
        learn_episodes(Small([[(s + 1) % 40, 0] for s in range(40)]), Components(43), max_steps=20)
    assert caught.value.result.ledger is not None


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("actors = 0", lambda: learn_episodes(Small(RING), Components(9), actors=0)),
        ("a function that makes", lambda: learn_episodes(Small(RING), Components(9), actors=2)),
        ("seed = -1", lambda: learn_episodes(Small(RING), Components(9), seed=-1)),
        ("max_steps = 0", lambda: learn_episodes(Small(RING), Components(9), max_steps=0)),
        ("check_steps = -5", lambda: learn_episodes(Small(RING), Components(9), check_steps=-5)),
    ],
)
def test_nonsense_is_refused_by_name(message: str, call: Callable[[], Learned]) -> None:
    with pytest.raises(InvalidArgument, match=message):
        call()


def test_class_must_be_finite() -> None:
    with pytest.raises(InvalidArgument, match="F = Boxes"):
        learn_episodes(Small(RING), Boxes(9))
