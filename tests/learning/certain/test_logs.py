"""A log decides what all of its rows decide; what is kept of it is evidence enough."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certifying import certificate_of_certain
from steel_verified.learning.deciding import Decided, Open, Refuted, decide
from steel_verified.learning.knowledge import Trajectory
from steel_verified.learning.logs import missing, places_that_refute, repairs, result_of
from steel_verified.learning.reading import (
    Place,
    Reading,
    nothing_read,
    rows_of,
    trajectories_of,
)
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from tests.learning.certain.worlds import (
    Definition,
    Hostile,
    hostile_worlds,
    is_right,
    judge,
    known_of,
)
from tests.reaching import reach

if TYPE_CHECKING:
    from collections.abc import Sequence


def reading_of(episodes: Sequence[Trajectory], classifiers: int, actions: int) -> Reading:
    rows = (row for episode in episodes for row in rows_of(episode))
    return nothing_read(classifiers, actions).of(rows)


@st.composite
def episodes(draw: st.DrawFn) -> tuple[Hostile, list[Trajectory]]:
    """Logs of a hostile world. Some states are terminal: no action leaves them."""
    world = draw(hostile_worlds(least=1))
    terminal = draw(st.sets(st.integers(0, len(world.table) - 1), max_size=2))
    for state in terminal:
        world.table[state] = [state] * world.actions
    found = []
    for start, word in draw(
        st.lists(
            st.tuples(
                st.integers(0, len(world.table) - 1),
                st.lists(st.integers(0, world.actions - 1), max_size=12),
            ),
            min_size=1,
            max_size=6,
        )
    ):
        states = [start]
        for action in word:
            if states[-1] in terminal:
                break
            states.append(world.table[states[-1]][action])
        path = world.record(start, word[: len(states) - 1])
        ends = states[-1] in terminal
        found.append(Trajectory(path.rows, path.actions, terminated=ends))
    return world, found


Drawn = tuple[Hostile, list[Trajectory]]


@given(episodes())
def test_log_never_gives_a_wrong_model_and_its_certificate_is_accepted(drawn: Drawn) -> None:
    world, log = drawn
    result = result_of(reading_of(log, world.size, world.actions))
    if len(set(world.visited)) < 2:
        return
    assert not isinstance(result, Contradicted)
    if isinstance(result, Accepted):
        assert result.decided is not None
        rows = [row for episode in log for row in episode.rows]
        assert is_right(result.decided, rows, world.visited, world.table)
        data = certificate_of_certain(result, result.decided, provenance("log", 0, 0))
        assert judged(data).findings == []


@given(episodes())
def test_log_decides_what_the_definition_decides(drawn: Drawn) -> None:
    world, log = drawn
    ends = [end for path in log for end in path.ends(world.actions)]
    definition = Definition.of([*log, *ends], world.size, world.actions, connected=False)
    result = result_of(reading_of(log, world.size, world.actions))
    assert isinstance(result, Accepted) == definition.is_decided()


def test_decided_logs_with_terminal_states_are_drawn() -> None:
    def is_decided(drawn: Drawn) -> bool:
        world, log = drawn
        kept = any(path.terminated for path in log)
        return kept and isinstance(judge(log, world.size, world.actions), Decided)

    reach(episodes(), is_decided)


@given(episodes())
def test_what_is_kept_of_a_log_says_all_that_it_says(drawn: Drawn) -> None:
    world, log = drawn
    reading = reading_of(log, world.size, world.actions)
    assert reading.known == known_of(log, world.size, world.actions)
    kept = trajectories_of(result_of(reading).ledger.entries)
    assert known_of(kept, world.size, world.actions) == reading.known
    assert reading.rows == sum(len(episode.rows) for episode in log)
    assert reading.episodes == len(log)


@given(episodes(), st.integers(0, 6), st.integers(0, 6))
def test_parts_can_be_read_apart_and_merged_in_any_way(drawn: Drawn, one: int, other: int) -> None:
    world, log = drawn
    first, second = sorted((one, other))
    parts = [log[:first], log[first:second], log[second:]]
    a, b, c = (reading_of(part, world.size, world.actions) for part in parts)
    whole = reading_of(log, world.size, world.actions)
    for merged in (a.merged(b).merged(c), a.merged(b.merged(c))):
        assert merged.known == whole.known
        assert (merged.episodes, merged.rows, merged.starts) == (
            whole.episodes,
            whole.rows,
            whole.starts,
        )
        assert merged.begun == whole.begun
        assert decide(merged.known, None) == decide(whole.known, None)
    assert c.merged(b).merged(a).known == whole.known
    assert whole.merged(whole).known == whole.known


@given(episodes(), st.data())
def test_log_may_be_cut_anywhere(drawn: Drawn, data: st.DataObject) -> None:
    """Cutting between rows loses what an action led to, and never makes an answer wrong."""
    world, log = drawn
    rows = [row for episode in log for row in rows_of(episode)]
    cut = data.draw(st.integers(0, len(rows)))
    parts = [nothing_read(world.size, world.actions).of(part) for part in (rows[:cut], rows[cut:])]
    merged = reduce(Reading.merged, parts)
    result = result_of(merged)
    assert merged.rows == len(rows)
    if isinstance(result, Accepted) and len(set(world.visited)) >= 2:
        assert result.decided is not None
        assert is_right(result.decided, [row.row for row in rows], world.visited, world.table)


def line_with_an_end(seed: int) -> list[Trajectory]:
    """Random walks on a line of three states, whose last state is terminal, with two noise bits."""
    random, found = Random(seed), list[Trajectory]()
    for _ in range(30):
        here, rows, actions = 0, list[int](), list[int]()
        while True:
            rows.append(1 << here | random.randrange(4) << 3)
            if here == 2 or len(actions) == 6:
                break
            actions.append(random.randrange(2))
            here = here + 1 if actions[-1] else max(0, here - 1)
        found.append(Trajectory(tuple(rows), tuple(actions), terminated=here == 2))
    return found


def test_terminal_states_are_a_convention_that_the_certificate_states() -> None:
    for seed in range(20):
        log = line_with_an_end(seed)
        result = result_of(reading_of(log, 5, 2))
        assert isinstance(result, Accepted)
        assert result.decided is not None
        assert result.model.table == ((0, 1), (0, 2), (2, 2))
        data = certificate_of_certain(result, result.decided, provenance("line", 0, 0))
        assert b'"terminal"' in data
        verdict = judged(data)
        assert not verdict.findings
        assert "connected" not in verdict.rules
        assert "can be reached from the starts of the log" in verdict.meaning.replace("\n", " ")
        lines = [line for line in data.split(b"\n") if line != b'{"kind":"terminated"}']
        assert {finding.rule for finding in judged(b"\n".join(lines)).findings} >= {"complete"}
        limits = [replace(path, terminated=False) for path in log]
        assert isinstance(result_of(reading_of(limits, 5, 2)), NotAccepted)


def test_end_by_a_limit_of_time_must_not_be_called_terminated() -> None:
    """The checker has to believe the convention, so a false one gives a wrong table."""
    for seed in range(20):
        called = line_with_an_end(seed)  # the world goes on from state 2 to state 0
        result = result_of(reading_of(called, 5, 2))
        assert isinstance(result, Accepted)
        more = Trajectory((1 << 2, 1 << 0), (1,))
        assert isinstance(result_of(reading_of([*called, more], 5, 2)), Contradicted)


def ring(states: int, steps: int, seed: int, *, length: int | None = None) -> list[Trajectory]:
    """A log of random walks on a ring with two actions, forward and stay, and three noise bits.

    With a length, every episode of so many steps begins in state 0.
    """
    random, here, found = Random(seed), 0, list[Trajectory]()
    rows, actions = list[int](), list[int]()

    def look() -> int:
        return 1 << here | random.randrange(8) << states

    rows.append(look())
    for _ in range(steps):
        if len(actions) == length:
            found.append(Trajectory(tuple(rows), tuple(actions)))
            here, actions = 0, []
            rows = [look()]
        actions.append(random.randrange(2))
        here = (here + actions[-1]) % states
        rows.append(look())
    return [*found, Trajectory(tuple(rows), tuple(actions))]


@pytest.mark.parametrize("seed", range(5))
def test_open_log_names_what_to_collect(seed: int) -> None:
    """The missing transitions are those that the words of the message lead to."""
    log = ring(6, 200, seed, length=4)
    reading = reading_of(log, 9, 2)
    decision = decide(reading.known, None)
    assert isinstance(decision, Open)
    (cover,) = decision.left
    wanted = missing(reading, cover)
    assert {(one.label, one.action) for one in wanted} == {(4, 0), (4, 1)}
    assert all(sum(one.word) == 4 == len(one.word) for one in wanted)
    because = result_of(reading)
    assert isinstance(because, NotAccepted)
    assert "state 4 was never left by action 0 (from the start of episode" in because.because


def test_shifted_actions_are_recognised() -> None:
    for seed in range(10):
        (path,) = ring(5, 300, seed)
        early = Trajectory(path.rows[1:], path.actions[:-1])
        late = Trajectory(path.rows[:-1], path.actions[1:])
        for shifted, said in ((late, "t + 1 to row t + 2"), (early, "t − 1 to row t")):
            reading = reading_of([shifted], 8, 2)
            assert isinstance(decide(reading.known, None), Refuted)
            assert [text for text in repairs(reading, ()) if said in text], (seed, said)
            result = result_of(reading)
            assert isinstance(result, Contradicted)
            assert said in result.because


def test_unmarked_resets_are_recognised() -> None:
    for seed in range(10):
        log = ring(5, 300, seed, length=7)
        rows = tuple(row for episode in log for row in episode.rows)
        actions = [a for episode in log for a in (*episode.actions, 0)][:-1]
        reading = reading_of([Trajectory(rows, tuple(actions))], 8, 2)
        assert "after every 7 actions" in next(repairs(reading, places_that_refute(reading)))


@pytest.mark.parametrize("seed", range(5))
def test_single_row_or_step_that_does_not_fit_is_named(seed: int) -> None:
    """A wrong observation in row 100; a reset after row 99; a time limit that is called an end."""
    (path,), (other,) = ring(5, 200, seed), ring(5, 100, seed + 50)
    wrong = Trajectory((*path.rows[:100], 1 << (seed + 2) % 5, *path.rows[101:]), path.actions)
    if path.rows[100] & 31 != wrong.rows[100] & 31:
        assert "without episode 0, row" in because([wrong])
    here = path.rows[99] & 31
    if other.rows[0] & 31 not in (here, here << 1, here >> 4):
        joined = (*path.rows[:100], *other.rows), (*path.actions[:99], 0, *other.actions)
        assert "without the step after episode 0, row 99" in because([Trajectory(*joined)])
    limited = replace(path, terminated=True)
    assert "that at episode 0, row 200 may have ended by a limit" in because([limited])


def because(log: Sequence[Trajectory]) -> str:
    result = result_of(reading_of(log, 8, 2))
    assert isinstance(result, Contradicted)
    return result.because


def test_episodes_of_two_worlds_are_recognised() -> None:
    """In the other world the ring is run through backwards."""
    for seed in range(10):
        one, other = ring(5, 60, seed), ring(5, 60, seed + 100)
        mirrored = [
            Trajectory(
                tuple(1 << (5 - row.bit_length() % 6) % 5 for row in (r & 31 for r in path.rows)),
                path.actions,
            )
            for path in other
        ]
        reading = reading_of([*one, *mirrored], 8, 2)
        assert isinstance(decide(reading.known, None), Refuted)
        assert "may come from different worlds" in " ".join(repairs(reading, ()))


def test_places_that_refute_are_few_and_refute() -> None:
    (path,) = ring(5, 200, 3)
    wrong = (*path.rows[:100], 1 << 7, *path.rows[101:])
    reading = reading_of([Trajectory(wrong, path.actions)], 8, 2)
    places = places_that_refute(reading)
    assert any(place.row in (99, 100) for place in places)
    assert len(places) < 30
    parts = [
        Trajectory(wrong[place.row : place.row + 2], path.actions[place.row : place.row + 1])
        for place in places
    ]
    assert isinstance(judge(parts, 8, 2), Refuted)


def test_empty_log_and_interrupted_log_are_not_accepted() -> None:
    empty = result_of(nothing_read(3, 2))
    assert isinstance(empty, NotAccepted)
    assert empty.because == "the log has no rows"
    stopped = result_of(reading_of(ring(4, 100, 0), 7, 2), interrupted=True)
    assert isinstance(stopped, NotAccepted)
    assert (stopped.model.states, len(stopped.model.transitions())) == (4, 8)
    assert stopped.interrupted
    assert "after 101 rows" in stopped.because


def test_place_reads_as_a_sentence_part() -> None:
    assert str(Place(3, 17)) == "episode 3, row 17"
