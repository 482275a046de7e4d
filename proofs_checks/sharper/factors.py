"""Checks beside `factors.toml`: all small worlds of two factors, with every noise.

A row is a number: classifier f is its bit f. Those of the first factor come first, then those of
the second one, then those of noise. Covers are found by trying all sets of classifiers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.checks.finite import exhausted
from proofs_checks.sharper.certain import Log, admissible, rows_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence

Table = tuple[tuple[int, ...], ...]
VALUES = 2
_WORLDS = "two factors of 2 values, 1 or 2 actions, a bit of noise with any values, up to 4 rows"


@dataclass(frozen=True, slots=True)
class Case:
    """A record, and the values of the two factors that it comes from."""

    tables: tuple[Table, Table]
    values: tuple[tuple[int, ...], tuple[int, ...]]
    log: Log

    def true(self, factor: int) -> int:
        """The classifiers of the visited values of a factor."""
        return sum(1 << VALUES * factor + value for value in set(self.values[factor]))


def _tables(actions: int, connected: int) -> Iterator[Table]:
    for table in product(product(range(VALUES), repeat=actions), repeat=VALUES):
        if not connected or all(any(to != v for to in table[v]) for v in range(VALUES)):
            yield table


@cache
def _cases(connected: int = 1, slips: int = 0) -> list[Case]:
    """All of them. With `slips`, the last step may lead anywhere."""
    found: list[Case] = []
    for actions, length in ((1, 4), (2, 3)):
        for one, other in product(_tables(actions, connected), repeat=2):
            for taken in product(range(actions), repeat=length - 1):
                first, second = [0], [0]
                for action in taken:
                    first.append(one[first[-1]][action])
                    second.append(other[second[-1]][action])
                for last in range(VALUES) if slips else (first[-1],):
                    values = (*first[:-1], last), tuple(second)
                    for lit in product((0, 1), repeat=length):
                        shown = zip(*values, lit, strict=True)
                        rows = tuple(
                            1 << v | 1 << VALUES + w | n << 2 * VALUES for v, w, n in shown
                        )
                        log = Log(2 * VALUES + 1, actions, rows, (*taken, None))
                        found.append(Case((one, other), values, log))
    return found


def factors_are_covers(connected: int = 1, slips: int = 0, mixed: int = 0) -> Evidence:
    """Check Theorem 10. `mixed`: of a value of one factor and one of the other, instead."""

    def are_covers(case: Case) -> bool:
        covers = admissible(case.log)
        if mixed:
            return 1 << case.values[0][0] | 1 << VALUES + case.values[1][-1] in covers
        return all(case.true(n) in covers and _moves(case, n) for n in range(2))

    return exhausted(_cases(connected, slips), are_covers, _WORLDS)


def _moves(case: Case, factor: int) -> bool:
    """Whether the table of the cover is that of the factor, where an action was taken."""
    return all(
        after >> VALUES * factor + case.tables[factor][value][action] & 1
        for value in set(case.values[factor])
        for action in range(case.log.actions)
        for after in rows_after(case.log, VALUES * factor + value, action)
    )


def complete_covers_are_whole(connected: int = 1, last: int = 0) -> Evidence:
    """Check that a complete cover of a factor has all its values."""

    def is_whole(case: Case) -> bool:
        return all(
            len(set(values)) == VALUES
            for n, values in enumerate(case.values)
            if _is_complete(case.log, case.true(n), last)
        )

    return exhausted(_cases(connected), is_whole, _WORLDS)


def _is_complete(log: Log, cover: int, last: int = 0) -> bool:
    """Whether every action was taken at every label; `last`: the last row counts for all."""
    return all(
        rows_after(log, f, action) or (last and log.rows[-1] >> f & 1)
        for f in range(log.width)
        if cover >> f & 1
        for action in range(log.actions)
    )


def complete_lists_stay_complete(complete: int = 1) -> Evidence:
    """Check that one row more adds no label to a list of complete covers."""

    def stays(rows: tuple[int, ...]) -> bool:
        before = Log(_WIDTH, 1, rows[:-1], (*(0,) * (len(rows) - 2), None))
        after = Log(_WIDTH, 1, rows, (*(0,) * (len(rows) - 1), None))
        listed = admissible(before)
        if complete and not all(_is_complete(before, cover) for cover in listed):
            return True
        known = {_columns(before, cover) for cover in listed}
        return all(_columns(before, cover) in known for cover in admissible(after))

    logs = [rows for length in (3, 4) for rows in product(range(1 << _WIDTH), repeat=length)]
    return exhausted(logs, stays, f"all trajectories of up to 4 rows, {_WIDTH} classifiers")


_WIDTH = 3


def _columns(log: Log, cover: int) -> frozenset[int]:
    """The columns of a cover on the rows of a record; a label that is not shown is the column 0."""
    members = (f for f in range(log.width) if cover >> f & 1)
    return frozenset(sum((row >> f & 1) << t for t, row in enumerate(log.rows)) for f in members)
