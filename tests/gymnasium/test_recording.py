"""Recorded episodes are what happened, also where vector environments reset themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gymnasium
import minari
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from minari.data_collector import EpisodeBuffer

from steel_verified import Components, InvalidArgument, Learned, learn_from
from steel_verified.gymnasium import RecordEpisodes, RecordVectorEpisodes, episodes_of, explored
from steel_verified.gymnasium.continuing import Continuing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from steel_verified import Episode
    from steel_verified.classes.rows import Numbers

ENDS = {5, 7, 11, 12, 15}


def lake(most: int = 12) -> gymnasium.Env[np.int64, np.int64]:
    return gymnasium.make("FrozenLake-v1", is_slippery=False, max_episode_steps=most)


def is_right(learned: Learned) -> bool:
    """Whether the model is the lake: its holes and its goal stay where they are."""
    found = explored(Continuing(gymnasium.make("FrozenLake-v1", is_slippery=False)))
    cells = [int(cell) for cell in found.observations]
    table = dict(zip(cells, found.dynamics.table, strict=True))
    label_of = {cell: learned.state_of(np.arange(16) == cell) for cell in cells}
    return sorted(label_of.values()) == list(range(learned.model.states)) and all(
        learned.model.table[label_of[cell]]
        == tuple(label_of[cell if cell in ENDS else cells[to]] for to in row)
        for cell, row in table.items()
    )


def require_rewards(learned: Learned, log: Iterable[Episode[Numbers]]) -> None:
    """The recorded rewards are 1 for the steps that reach the goal, and 0 for all others."""
    goal = learned.state_of(np.arange(16) == 15)
    for (label, action), mean in learned.mean_rewards(log).items():
        assert mean == (learned.model.table[label][action] == goal != label)


def test_frozen_lake_with_resets_is_learned_as_it_is() -> None:
    """Its holes and its goal cannot be left, so it is not strongly connected."""
    env, rng = RecordEpisodes(lake()), np.random.default_rng(0)
    for _ in range(400):
        env.reset(seed=0)
        ended = False
        while not ended:
            _, _, terminated, truncated, _ = env.step(np.int64(rng.integers(4)))
            ended = terminated or truncated
    log = env.log
    assert {len(e.observations) - len(e.actions) for e in log} == {1}
    assert any(e.terminated for e in log)
    assert any(not e.terminated and len(e.actions) == 12 for e in log)
    learned = learn_from(log, Components(env.features), actions=4)
    assert learned.check().accepted
    assert is_right(learned)
    require_rewards(learned, log)
    with pytest.raises(InvalidArgument, match="a reset first"):
        env.step(np.int64(0))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_environments_record_true_transitions_only(mode: AutoresetMode) -> None:
    envs = SyncVectorEnv([lake for _ in range(3)], autoreset_mode=mode)
    recording, rng = RecordVectorEpisodes(envs), np.random.default_rng(1)
    recording.reset(seed=0)
    ended = np.zeros(3, np.bool_)
    for _ in range(900):
        if mode is AutoresetMode.DISABLED and ended.any():
            recording.reset(options={"reset_mask": ended})
            ended = np.zeros(3, np.bool_)
        _, _, terminated, truncated, _ = recording.step(rng.integers(0, 4, 3))
        ended = np.logical_or(terminated, truncated)
    learned = learn_from(recording.log, Components(16), actions=4)
    assert is_right(learned)
    require_rewards(learned, recording.log)
    assert all(int(np.argmax(e.observations[0])) == 0 for e in recording.log)


@pytest.mark.filterwarnings("ignore::UserWarning:minari")
def test_minari_dataset_is_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    env, rng, buffers = lake(), np.random.default_rng(2), list[EpisodeBuffer]()
    for seed in range(400):
        episode = EpisodeBuffer(observations=[env.reset(seed=seed)[0]], actions=[], infos={})
        while not (buffers and buffers[-1] is episode):
            action = np.int64(rng.integers(4))
            seen, reward, terminated, truncated, _ = env.step(action)
            episode.observations.append(seen)
            episode.actions.append(action)
            episode.rewards.append(float(reward))
            episode.terminations.append(terminated)
            episode.truncations.append(truncated)
            if terminated or truncated:
                buffers.append(episode)
    minari.create_dataset_from_buffers("lake/random-v0", buffers, env=env, data_format="hdf5")
    dataset = minari.load_dataset("lake/random-v0")
    learned = learn_from(episodes_of(dataset), Components(16), actions=4)
    assert is_right(learned)
    require_rewards(learned, episodes_of(dataset))
    assert learned.check().accepted


def test_recording_needs_discrete_actions() -> None:
    with pytest.raises(InvalidArgument, match="action_space"):
        RecordEpisodes(gymnasium.make("Pendulum-v1"))
    with pytest.raises(InvalidArgument, match="single_action_space"):
        RecordVectorEpisodes(gymnasium.make_vec("Pendulum-v1", num_envs=2))
    with pytest.raises(InvalidArgument, match="call reset first"):
        _ = RecordEpisodes(lake()).features
