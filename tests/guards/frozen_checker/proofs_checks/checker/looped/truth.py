"""Replays an accepted certificate on the true dynamics, to find wrong verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.entries import Ran
from proofs_checks.checker.findings import Finding
from proofs_checks.checker.looped.entries import LabelsFound, PeriodFound
from proofs_checks.checker.planning import Work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.dynamics import Table
    from proofs_checks.checker.entries import Word
    from proofs_checks.checker.looped.entries import Certificate


def check_truth(c: Certificate, table: Table, start: int) -> Iterator[Finding]:
    """Yield a finding for each decision that contradicts the true dynamics."""
    meaning: dict[int, int] = {}
    work = Work(c.size + 8 * len(table))
    word: Word = ()
    here, loop, cycle = start, [start], 0
    for number, entry in enumerate(c.record):
        place = f"record[{number}]"
        match entry:
            case Ran():
                if entry.done == 0:
                    word = entry.word
                    loop, cycle = _loop(table, here, word, work)
                here = _at(loop, cycle, entry.done + entry.steps)
            case PeriodFound():
                period = (len(loop) - cycle) // len(word)
                if entry.period != period:
                    message = f"{entry.period}, but the true period is {period}"
                    yield Finding("truth", f"{place}.period", message)
            case LabelsFound():
                for i, (_, _, label) in enumerate(entry.positions):
                    # The state at a time when the loop is in its cycle, at this position.
                    true = loop[cycle + (i - cycle) % (len(loop) - cycle)]
                    if meaning.setdefault(label, true) != true:
                        at = f"{place}.positions[{i}]"
                        yield Finding("truth", at, f"label {label} stands for two states")
                        return
                if len(set(meaning.values())) < len(meaning):
                    yield Finding("truth", place, "two labels stand for one state")
                    return
    if len(meaning) != len(table):
        message = f"{len(meaning)} states were learned, but the true dynamics have {len(table)}"
        yield Finding("truth", "table", message)


def _loop(table: Table, start: int, word: Word, work: Work) -> tuple[list[int], int]:
    """Return the states while a word is repeated until a state recurs, and the recurring index."""
    seen: dict[int, int] = {}
    states: list[int] = []
    here = start
    while here not in seen:
        seen[here] = len(states)
        work.add(len(word))
        for action in word:
            states.append(here)
            here = table[here][action]
    return states, seen[here]


def _at(loop: list[int], cycle: int, time: int) -> int:
    return loop[time] if time < cycle else loop[cycle + (time - cycle) % (len(loop) - cycle)]
