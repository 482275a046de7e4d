"""The checker of certain STEEL that is extracted from Coq decides what brute force decides.

A log is drawn in which an adversary chooses every bit that does not depend on the state. Brute
force tries every set of classifiers as the classifiers of the visited states. With a proof that
tries all cases, the program accepts a log exactly if one set is left and every action was taken in
each of its states; and then the table is the true one.

Where the program is not built, this file has one test instead, whose name says so.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.strategies import dynamics
from tests.reaching import reach

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = Path(__file__).parents[2] / "proofs_checks/coq/build/steel-check-certain"
ACCEPTED, REJECTED, MALFORMED = 0, 4, 3
Columns = frozenset[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Log:
    """Trajectories of rows, each row as the set of classifiers that are 1, with the true states."""

    width: int
    actions: int
    table: tuple[tuple[int, ...], ...]
    rows: tuple[frozenset[int], ...]
    states: tuple[int, ...]
    taken: tuple[int | None, ...]
    """The action after each row; None at the end of a trajectory."""

    def column(self, classifier: int) -> frozenset[int]:
        return frozenset(t for t, row in enumerate(self.rows) if classifier in row)

    def after(self, column: frozenset[int], action: int) -> frozenset[int]:
        return frozenset(t + 1 for t in column if self.taken[t] == action)


@st.composite
def logs(draw: st.DrawFn) -> Log:
    """Some trajectories in a small world, with a class that realises it."""
    world = draw(dynamics(max_states=3, max_actions=2))
    width = world.states + draw(st.integers(0, 3))
    own = draw(st.permutations(range(width)))
    rows, states, taken = list[frozenset[int]](), list[int](), list[int | None]()
    for _ in range(draw(st.integers(1, 3))):
        here = draw(st.integers(0, world.states - 1))
        actions = draw(st.lists(st.integers(0, world.actions - 1), max_size=12))
        for action in (*actions, None):
            lit = (
                draw(st.sets(st.sampled_from(own[world.states :])))
                if width > world.states
                else set()
            )
            rows.append(frozenset({own[here], *lit}))
            states.append(here)
            taken.append(action)
            here = here if action is None else world.table[here][action]
    return Log(width, world.actions, world.table, tuple(rows), tuple(states), tuple(taken))


def explanations(log: Log) -> list[Columns]:
    """All sets of at least two columns that could belong to the states."""
    columns = {log.column(each) for each in range(log.width)} - {frozenset()}
    found = []
    for size in range(2, len(columns) + 1):
        for some in combinations(sorted(columns, key=sorted), size):
            once = sum(map(len, some)) == len(log.rows) == len(frozenset().union(*some))
            ways = [log.after(column, a) for column in some for a in range(log.actions)]
            if once and all(any(way <= to for to in some) for way in ways):
                found.append(frozenset(some))
    return found


def is_decided(log: Log) -> bool:
    found = explanations(log)
    return len(found) == 1 and all(
        log.after(column, a) for column in found[0] for a in range(log.actions)
    )


def lines(log: Log, claim: Columns) -> Iterator[str]:
    """The log, a claim, and a proof by all cases that there is no other cover."""
    yield f"certain {log.width} {log.actions} log"
    begins = True
    for t, row in enumerate(log.rows):
        bits = f"{sum(1 << each for each in row):x}"
        yield f"start {bits}" if begins else f"{log.taken[t - 1]} {bits}"
        begins = log.taken[t] is None
    first = {log.column(each): each for each in reversed(range(log.width))}
    yield "claim " + " ".join(str(first[column]) for column in sorted(claim, key=sorted))
    yield from cases(tuple(first.values()), ())


def cases(left: tuple[int, ...], chosen: tuple[str, ...]) -> Iterator[str]:
    """Every choice leads to a contradiction; those of a part come before those of the whole."""
    if left:
        yield from cases(left[1:], (*chosen, f"-{left[0]}"))
        yield from cases(left[1:], (*chosen, f"+{left[0]}"))
    if chosen:
        yield "clause " + " ".join(chosen)


def checked(text: str) -> tuple[int, list[str]]:
    done = subprocess.run([PROGRAM], input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


if PROGRAM.exists():

    @given(logs())
    def test_log_is_accepted_exactly_if_brute_force_decides_it(log: Log) -> None:
        claims = explanations(log) or [frozenset({log.column(0)})]
        for claim in claims[:3]:
            code, _ = checked("\n".join(lines(log, claim)) + "\n")
            assert code == (ACCEPTED if is_decided(log) else REJECTED)

    @given(logs())
    def test_accepted_table_is_the_true_one(log: Log) -> None:
        for claim in explanations(log):
            code, printed = checked("\n".join(lines(log, claim)) + "\n")
            if code == ACCEPTED and len(set(log.states)) > 1:
                true = [log.states[min(column)] for column in sorted(claim, key=sorted)]
                table = [
                    [int(word) for word in each.split(":")[0].split()] for each in printed[:-1]
                ]
                assert [[true[to] for to in row] for row in table] == [
                    list(log.table[state]) for state in true
                ]

    def test_logs_that_are_decided_and_logs_that_are_not_are_drawn() -> None:
        reach(logs(), is_decided)
        reach(logs(), lambda log: len(explanations(log)) > 1)

    @pytest.mark.parametrize("text", ["", "certain 2 2 maybe\n", "certain 2 2 log\n0 1\n"])
    def test_text_that_is_no_record_is_malformed(text: str) -> None:
        assert checked(text) == (MALFORMED, [])

else:

    def test_extracted_checker_of_certain_steel_is_not_built_and_was_not_compared() -> None:
        assert not PROGRAM.exists()
