"""Logs in memory and in files: the same answer from each, and clear errors for damaged ones."""

from __future__ import annotations

import csv
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from steel_verified import (
    Accepted,
    Boxes,
    Components,
    Episode,
    InvalidArgument,
    Learned,
    NotAccepted,
    NotLearned,
    learn_from,
)
from steel_verified.classes import predicates
from steel_verified.errors import Unreadable
from steel_verified.using import logs
from steel_verified.using.logs import StackedFrames, attempt_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Recorded = Episode[NDArray[np.bool_]]

STATES = 5
BITS = 12
F = Components(BITS)
RING = tuple((state, (state + 1) % STATES) for state in range(STATES))


def ring(seed: int, episodes: int = 12, steps: int = 20) -> list[Recorded]:
    """Random walks on a ring: action 1 goes on, action 0 stays; seven bits are noise."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(episodes):
        actions = rng.integers(0, 2, steps)
        states = np.concatenate([[0], np.cumsum(actions)]) % STATES
        seen = rng.random((steps + 1, BITS)) < 0.5
        seen[:, :STATES] = states[:, None] == np.arange(STATES)
        found.append(Episode(seen, actions))
    return found


def table(log: Sequence[Recorded]) -> tuple[tuple[int | None, ...], ...]:
    return learn_from(log, F).model.table


def flat(log: Sequence[Recorded]) -> dict[str, NDArray[np.generic[object]]]:
    """The arrays of a file."""
    return {
        "observations": np.concatenate([episode.observations for episode in log]),
        "actions": np.concatenate([[*episode.actions, -1] for episode in log]),
    }


def as_npz(file: Path, **arrays: NDArray[np.generic[object]]) -> Path:
    with file.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)
    return file


def as_csv(file: Path, log: Sequence[Recorded]) -> Path:
    with file.open("w", newline="") as stream:
        lines = csv.writer(stream)
        lines.writerow(["episode", "action", *(f"bit {i}" for i in range(BITS))])
        for number, episode in enumerate(log):
            actions = [*map(int, episode.actions), ""]
            for seen, action in zip(episode.observations, actions, strict=True):
                lines.writerow([number, action, *map(int, seen)])
    return file


@pytest.mark.parametrize("seed", range(3))
def test_memory_generator_files_and_shards_give_one_answer(seed: int, tmp_path: Path) -> None:
    log = ring(seed)
    assert table(log) == RING
    npz = as_npz(tmp_path / "walk.npz", **flat(log))
    text = as_csv(tmp_path / "walk.csv", log)

    def one_by_one() -> Iterator[Recorded]:
        yield from log

    with ThreadPoolExecutor(2) as pool:
        results = [
            attempt_from(npz, F),
            attempt_from(str(text), F),
            attempt_from(one_by_one(), F, actions=2),
            attempt_from([npz, text], F),
            attempt_from([npz, text], F, executor=pool),
        ]
    assert all(isinstance(each, Accepted) and each.model.table == RING for each in results)


def test_learned_from_a_log_says_what_it_is_about_and_is_checked(tmp_path: Path) -> None:
    learned = learn_from(ring(0), F)
    assert learned.check().accepted
    assert learned.encode(ring(1)[0].observations).tolist() == [
        int(np.argmax(row[:STATES])) for row in ring(1)[0].observations
    ]
    said = str(learned).replace("\n", " ")
    assert "learned from episodes with 252 rows" in said
    assert "the dynamics that its starts lead to are right" in said
    learned.save(tmp_path / "model.json")
    assert str(Learned.load(tmp_path / "model.json")).replace("\n", " ") == said


def test_two_states_are_named_where_they_are_supposed() -> None:
    """Bit 12 is 1 on all rows, so a world of one state would explain them."""
    log = [
        Episode(np.column_stack([e.observations, np.ones(len(e.observations), bool)]), e.actions)
        for e in ring(0)
    ]
    learned = learn_from(log, Components(BITS + 1))
    assert "hold and two states were visited," in str(learned).replace("\n", " ")
    assert learned.check().accepted


def test_open_log_says_what_to_collect() -> None:
    log = ring(0, episodes=30, steps=3)
    with pytest.raises(NotLearned, match=r"state 3 was never left by action 0") as caught:
        learn_from(log, F)
    assert caught.value.model.states == 4
    assert "after 120 rows" in str(caught.value.result)


def test_actions_of_a_log_can_be_stated() -> None:
    """An action that never occurs leaves transitions open; without it the log decides."""
    with pytest.raises(NotLearned, match="5 transitions never occurred"):
        learn_from(ring(0), F, actions=3)


def test_last_observation_may_be_missing_unless_the_episode_terminated() -> None:
    log = [Episode(e.observations[:-1], e.actions) for e in ring(0)]
    assert table(log) == RING
    with pytest.raises(InvalidArgument, match="episode 0 = 20 observations: expected its last"):
        learn_from([Episode(log[0].observations, log[0].actions, terminated=True)], F)


def test_shifted_actions_are_explained() -> None:
    late = [Episode(e.observations[1:], e.actions[:-1]) for e in ring(0)]
    with pytest.raises(NotLearned, match=r"shifted: action t leads from row t − 1 to row t"):
        learn_from(late, F)


def test_other_observations_than_arrays_are_read() -> None:
    words = ["dark", "bright"]
    log: list[Episode[Sequence[str]]] = [Episode([words[i % 2] for i in range(11)], [0] * 10)]

    def is_dark(word: str) -> bool:
        return word == "dark"

    def is_bright(word: str) -> bool:
        return word == "bright"

    learned = learn_from(log, predicates(is_dark, is_bright))
    assert learned.model.table == ((1,), (0,))


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ([], "log = list without episodes"),
        (17, "log = int without episodes"),
        ([ring(0)[0], 3], "episode 1 = int: expected an Episode"),
        ([Episode(ring(0)[0].observations[:5], [0] * 9)], "5 observations and 9 actions"),
        ([Episode(np.zeros((0, BITS), bool), [])], "0 observations and 0 actions"),
        (
            [Episode(ring(0)[0].observations, np.full(20, 0.5).tolist())],
            "episode 0, actions = float64",
        ),
        ([Episode(ring(0)[0].observations, [0] * 19 + [-1])], "episode 0, action 19 = -1"),
        ([Episode(ring(0)[0].observations[:, 1:], [0] * 20)], "episode 0, row 0 = bool of shape"),
    ],
)
def test_what_is_no_log_is_refused_by_name(log: object, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        learn_from(cast("list[Recorded]", log), F)  # what a user may give


def test_first_invalid_row_is_named() -> None:
    seen = ring(0)[0].observations.astype(np.int64)
    seen[7, 3] = 2
    with pytest.raises(InvalidArgument, match="episode 0, row 7 = rows with 2"):
        learn_from([Episode(seen, [0] * 20)], F)


def test_generator_needs_the_number_of_actions_and_a_class_must_be_finite() -> None:
    with pytest.raises(InvalidArgument, match="actions = None"):
        learn_from(iter(ring(0)), F)
    with pytest.raises(InvalidArgument, match="F = Boxes: expected a finite class"):
        learn_from([Episode(np.zeros((2, 3)), [0])], Boxes(3))
    with pytest.raises(InvalidArgument, match="an action from 0 to 0"):
        learn_from(ring(0), F, actions=1)


def test_file_may_mark_episodes_by_number_or_by_missing_actions(tmp_path: Path) -> None:
    log, arrays = ring(0), flat(ring(0))
    numbers = np.repeat(np.arange(len(log)), 21)
    never = np.where(arrays["actions"] == -1, 0, arrays["actions"])
    marked = as_npz(tmp_path / "a.npz", **{**arrays, "actions": never, "episode": numbers})
    assert learn_from(marked, F).model.table == RING
    unmarked = as_npz(tmp_path / "b.npz", **{**arrays, "actions": never})
    with pytest.raises(NotLearned, match="reset seems to happen after every 20 actions"):
        learn_from(unmarked, F)


def test_last_action_of_a_file_does_not_lead_into_the_next_file(tmp_path: Path) -> None:
    log = ring(0)
    shards = []
    for number, part in enumerate((log[:6], log[6:])):
        arrays = flat(part)
        arrays["actions"][-1] = 0
        shards.append(as_npz(tmp_path / f"{number}.npz", **arrays))
    assert learn_from(shards, F).model.table == RING


def test_terminated_rows_of_a_file_stay_where_they_are(tmp_path: Path) -> None:
    """State 1 ends the episode: no action leaves it."""
    rows = np.array([[1, 0], [1, 0], [0, 1]] * 2, bool)
    actions = np.array([0, 1, -1] * 2)
    ends = np.array([False, False, True] * 2)
    arrays = {"observations": rows, "actions": actions, "terminated": ends}
    assert learn_from(as_npz(tmp_path / "a.npz", **arrays), Components(2)).model.table == (
        (0, 1),
        (1, 1),
    )
    wrong = as_npz(tmp_path / "b.npz", **{**arrays, "terminated": np.roll(ends, 1)})
    with pytest.raises(Unreadable, match=r"b\.npz: row 0 is terminated, but has an action"):
        learn_from(wrong, Components(2))


def test_damaged_npz_files_get_a_clear_error(tmp_path: Path) -> None:
    arrays = flat(ring(0))
    whole = as_npz(tmp_path / "whole.npz", **arrays).read_bytes()
    damaged = {
        "half.npz": whole[: len(whole) // 2],
        "empty.npz": b"",
        "text.npz": b"no archive at all",
    }
    for name, data in damaged.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(Unreadable, match=name):
            learn_from(tmp_path / name, F)
    fortran = np.asfortranarray(arrays["observations"])
    for name, given, said in (
        ("names.npz", {"obs": arrays["actions"]}, "has the arrays obs"),
        ("ragged.npz", {**arrays, "actions": arrays["actions"][1:]}, "actions has shape"),
        (
            "float.npz",
            {**arrays, "actions": arrays["actions"].astype(np.float64)},
            "actions is float64",
        ),
        ("fortran.npz", {**arrays, "observations": fortran}, "Fortran order"),
        ("minus.npz", {**arrays, "actions": arrays["actions"] - 1}, "row .* has action -2"),
    ):
        with pytest.raises(Unreadable, match=said):
            learn_from(as_npz(tmp_path / name, **given), F)
    with pytest.raises(Unreadable, match="is neither"):
        learn_from(tmp_path / "walk.json", F)
    with pytest.raises(Unreadable, match="is not a file"):
        learn_from(tmp_path / "absent.npz", F)


def test_damaged_csv_files_name_the_line(tmp_path: Path) -> None:
    good = as_csv(tmp_path / "good.csv", ring(0)).read_text()
    lines = good.splitlines()
    for name, change, said in (
        ("short", lines[5].rsplit(",", 1)[0], "line 6 has 13 values for 14 columns"),
        ("word", lines[5].rsplit(",", 1)[0] + ",x", "line 6 has 'x' for a number"),
        ("action", "0,left" + lines[5][3:], "line 6 has the action 'left'"),
    ):
        file = tmp_path / f"{name}.csv"
        file.write_text("\n".join([*lines[:5], change, *lines[6:]]))
        with pytest.raises(Unreadable, match=said):
            learn_from(file, F)
    for name, text, said in (
        ("empty", "", "has the columns none"),
        ("header", "a,b\n1,2\n", "has the columns a, b"),
        ("bare", "action\n1\n", "has no column of observations"),
    ):
        file = tmp_path / f"{name}.csv"
        file.write_text(text)
        with pytest.raises(Unreadable, match=said):
            learn_from(file, F)


def test_stacked_frames_get_a_warning_and_single_frames_do_not() -> None:
    frames = ring(0)[0].observations
    stacked = np.column_stack([frames[:-1], frames[1:]])
    with pytest.warns(StackedFrames, match="moved by 12 of 24 entries"):
        attempt_from([Episode(stacked, ring(0)[0].actions[1:])], Components(2 * BITS))
    attempt_from(ring(0), F)  # warnings are errors


def test_interrupted_reading_keeps_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_AT_ONCE", 50)

    def interrupted() -> Iterator[Recorded]:
        yield from ring(0)
        raise KeyboardInterrupt

    result = attempt_from(interrupted(), F, actions=2)
    assert isinstance(result, NotAccepted)
    assert result.interrupted
    assert "interrupted after 250 rows" in result.because
    with pytest.raises(KeyboardInterrupt):
        learn_from(interrupted(), F, actions=2)
