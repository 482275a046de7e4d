"""Checks beside `certain.toml`: all small logs, and all small worlds with every noise.

A row is a number whose bit f is the value of classifier f. Covers are found by trying all sets of
classifiers. Nothing here is shared with the learner or with its checker.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.checks.finite import exhausted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.checks.evidence import Evidence

Table = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Log:
    """Rows, and for each row the action that leads to the next one, None if there is none."""

    width: int
    actions: int
    rows: tuple[int, ...]
    taken: tuple[int | None, ...]

    def steps(self) -> Iterator[tuple[int, int, int]]:
        """Yield each row with its action and the row after it."""
        for row, action, after in zip(self.rows, self.taken, (*self.rows[1:], 0), strict=True):
            if action is not None:
                yield row, action, after


@dataclass(frozen=True, slots=True)
class Case:
    """A log, and the world that it comes from: classifier s is that of state s."""

    table: Table
    states: tuple[int, ...]
    log: Log

    @property
    def true(self) -> int:
        """The classifiers of the visited states."""
        return _set(set(self.states))


# --- rows -----------------------------------------------------------------------------------------


def _set(members: Iterable[int]) -> int:
    return sum(1 << each for each in members)


def _members(chosen: int) -> list[int]:
    return [f for f in range(chosen.bit_length()) if chosen >> f & 1]


def rows_after(log: Log, f: int, action: int) -> list[int]:
    """The rows that came after this action where f was 1."""
    return [after for row, taken, after in log.steps() if taken == action and row >> f & 1]


def _conflicts(log: Log, second: int = 1) -> list[int]:
    """For each classifier those that it conflicts with; `second`: with conflicts of both kinds."""
    found = [0] * log.width
    for f in range(log.width):
        for row in log.rows:
            if row >> f & 1:
                found[f] |= row & ~(1 << f)
        for action in range(log.actions if second else 0):
            if rows := rows_after(log, f, action):
                some, every = 0, -1
                for row in rows:
                    some, every = some | row, every & row
                found[f] |= some & ~every
    for f, g in product(range(log.width), repeat=2):
        if found[f] >> g & 1:
            found[g] |= 1 << f
    return found


def _covers(log: Log, second: int = 1) -> list[int]:
    """All covers, as sets of classifiers."""
    conflicts = _conflicts(log, second)
    seen = 0
    for row in log.rows:
        seen |= row
    return [
        chosen
        for chosen in range(1, 1 << log.width)
        if not chosen & ~seen
        and all(row & chosen for row in log.rows)
        and not any(conflicts[f] & chosen for f in _members(chosen))
    ]


def _labels(log: Log, cover: int) -> tuple[int, ...]:
    """The label that a cover gives to each row, numbered in the order of their first row."""
    shown = [row & cover for row in log.rows]
    names = {label: number for number, label in enumerate(dict.fromkeys(shown))}
    return tuple(names[label] for label in shown)


def _is_closed(log: Log, chosen: int) -> bool:
    """Whether every action was taken at each of these labels, always into one of them."""
    return all(
        (rows := rows_after(log, f, action))
        and any(all(row >> g & 1 for row in rows) for g in _members(chosen))
        for f in _members(chosen)
        for action in range(log.actions)
    )


def _is_excluded(log: Log, chosen: int, empty: int = 0) -> bool:
    """Whether Lemma 2 says that these labels are not all true; `empty`: also if there are none."""
    if not chosen and not empty:
        return False
    misses = any(not row & chosen for row in log.rows)
    return _is_closed(log, chosen) and (misses or chosen.bit_count() == 1)


def admissible(log: Log) -> list[int]:
    """The covers of which Lemma 2 excludes no part."""
    parts = range(1, 1 << log.width)
    excluded = [part for part in parts if _is_excluded(log, part)]
    return [each for each in _covers(log) if not any(part & ~each == 0 for part in excluded)]


def _rule_r(log: Log, *, out: int = 0, second: int = 1, own: int = 1) -> int:
    """What rule R removes, and `out`; `own`: a classifier is compatible with itself."""
    conflicts = _conflicts(log, second)
    if not own:
        conflicts = [each | 1 << f for f, each in enumerate(conflicts)]
    out |= _set(f for f, each in enumerate(conflicts) if own and each >> f & 1)
    while True:
        more = out | _set(
            f
            for f, each in enumerate(conflicts)
            if any(row >> f & 1 for row in log.rows)
            and any(not row & ~out & ~each for row in log.rows)
        )
        if more == out:
            return out
        out = more


# --- all small logs -------------------------------------------------------------------------------


@cache
def _logs() -> list[Log]:
    """All logs of 4 rows: 3 classifiers and one action, or 2 classifiers and two actions."""
    return [
        Log(width, actions, rows, (*taken, None))
        for width, actions in ((3, 1), (2, 2))
        for rows in product(range(1 << width), repeat=4)
        for taken in product(range(actions), repeat=3)
    ]


_LOGS = "logs of 4 rows, with 3 classifiers and 1 action or 2 and 2"


def covers_have_tables(second: int = 1) -> Evidence:
    """Check that equal actions at a label of a cover lead to equal labels."""

    def determined(log: Log) -> bool:
        return all(
            len({row & cover for row in rows_after(log, f, action)}) <= 1
            for cover in _covers(log, second)
            for f in _members(cover)
            for action in range(log.actions)
        )

    return exhausted(_logs(), determined, _LOGS)


def no_cover_loses_a_member(own: int = 1) -> Evidence:
    """Check that rule R removes no member of any cover."""
    return exhausted(
        _logs(), lambda log: not any(_rule_r(log, own=own) & one for one in _covers(log)), _LOGS
    )


def rule_r_contains(rule: str, second: int = 1) -> Evidence:
    """Check that rule R removes what another rule removes, given the same removals before."""

    def contained(log: Log) -> bool:
        out = _rule_r(log, second=second)
        if any(not row & ~out for row in log.rows):
            return True  # a contradiction: the rows have no cover
        return not any(_removes(log, rule, f, out) for f in _members(_seen(log) & ~out))

    return exhausted(_logs(), contained, f"{_LOGS}, rule {rule}")


def _seen(log: Log) -> int:
    seen = 0
    for row in log.rows:
        seen |= row
    return seen


def _removes(log: Log, rule: str, f: int, out: int) -> bool:
    """Whether rule U, D or C removes f, if `out` was removed before."""
    together = [row for row in log.rows if row >> f & 1]
    never = ~_set(g for g in range(log.width) if g != f and any(row >> g & 1 for row in together))
    match rule:
        case "U":  # another row has one candidate left, which was 1 together with f
            left = [row & ~out for row in log.rows]
            return any(
                row.bit_count() == 1 and not row >> f & 1 and not row & never for row in left
            )
        case "D":  # no candidate is 1 after all steps of one action from f
            steps = [rows for a in range(log.actions) if (rows := rows_after(log, f, a))]
            return any(
                not any(all(row >> g & 1 for row in rows) for g in _members(rows[0] & never & ~out))
                for rows in steps
            )
        case _:  # C: every candidate of some row was 1 together with f
            return any(not row >> f & 1 and not row & ~out & never for row in log.rows)


# --- all small worlds -----------------------------------------------------------------------------


def _reached(table: Table, start: int) -> set[int]:
    found, new = {start}, [start]
    while new:
        for to in table[new.pop()]:
            if to not in found:
                found.add(to)
                new.append(to)
    return found


@cache
def _cases(sizes: tuple[tuple[int, int, int, int], ...], connected: int = 1) -> list[Case]:
    """Each world with every start, all actions and all noise.

    A size has the numbers of states, actions, classifiers of noise (any value on any row), rows.
    """
    found: list[Case] = []
    for states, actions, noise, length in sizes:
        for table in product(product(range(states), repeat=actions), repeat=states):
            if connected and any(len(_reached(table, s)) < states for s in range(states)):
                continue
            for start, taken in product(range(states), product(range(actions), repeat=length - 1)):
                path = [start]
                for action in taken:
                    path.append(table[path[-1]][action])
                for lit in product(range(1 << noise), repeat=length):
                    rows = tuple(1 << s | n << states for s, n in zip(path, lit, strict=True))
                    log = Log(states + noise, actions, rows, (*taken, None))
                    found.append(Case(table, tuple(path), log))
    return found


_SIZES = ((2, 1, 2, 4), (2, 2, 1, 5), (3, 1, 1, 5), (3, 1, 1, 3))
_WORLDS = "connected worlds of 2 states and 2 actions, or 3 and 1; up to 5 rows, any noise"


def true_classifiers_cover(slips: int = 0) -> Evidence:
    """Check that the classifiers of the visited states are a cover that has the true table.

    `slips`: the last step may lead anywhere.
    """

    def is_cover(case: Case) -> bool:
        log = case.log
        if slips:
            row = 1 << (case.states[-1] + 1) % len(case.table)
            log = Log(log.width, log.actions, (*log.rows[:-1], row), log.taken)
        labels = [(row & case.true).bit_length() - 1 for row in log.rows]
        return case.true in _covers(log) and all(
            after == case.table[before][action]
            for before, action, after in zip(labels, log.taken, labels[1:], strict=False)
            if action is not None
        )

    return exhausted(_cases(_SIZES), is_cover, _WORLDS)


def closed_sets_are_false(empty: int = 0, connected: int = 1) -> Evidence:
    """Check that what Lemma 2 excludes has a member that is not true."""
    sizes = _SIZES if connected else ((2, 1, 1, 3),)

    def has_a_false_member(case: Case) -> bool:
        parts = (part for part in range(1 << case.log.width) if not part & ~case.true)
        return not any(_is_excluded(case.log, part, empty) for part in parts)

    return exhausted(_cases(sizes, connected), has_a_false_member, _WORLDS)


def _is_right(case: Case, cover: int) -> bool:
    """Whether a cover divides the rows as the states do, and all states were visited."""
    shown = {s: n for n, s in enumerate(dict.fromkeys(case.states))}
    states = tuple(shown[s] for s in case.states)
    return _labels(case.log, cover) == states and len(shown) == len(case.table)


def _is_taken(log: Log, f: int, action: int, last: int = 0) -> bool:
    return bool(rows_after(log, f, action)) or bool(last and log.rows[-1] >> f & 1)


def accepted_is_right(last: int = 0, several: int = 0, two: int = 1) -> Evidence:
    """Check Theorem 6. Mistakes: the last row counts as left, any cover will do, one state."""
    sizes = _SIZES if two else ((1, 1, 2, 4),)

    def is_right(case: Case) -> bool:
        found = admissible(case.log)
        if len({_labels(case.log, cover) for cover in found}) > 1 and not several:
            return True
        return all(
            _is_right(case, cover)
            for cover in found
            if all(
                _is_taken(case.log, f, action, last)
                for f in _members(cover)
                for action in range(case.log.actions)
            )
        )

    return exhausted(_cases(sizes), is_right, _WORLDS)


# --- several trajectories -------------------------------------------------------------------------


def logs_are_right(absorbs: int = 0, lemma2: int = 0, merged: int = 0) -> Evidence:
    """Check Theorem 11 on two trajectories in worlds that need not be connected.

    Mistakes: the last row of a trajectory counts as a state that all actions fix (a time limit as
    the end of an episode); Lemma 2 is used; a classifier that is 1 on all rows of the first
    trajectory stays removed when the second one is added.
    """

    def is_right(pair: tuple[Case, Case]) -> bool:
        one, other = pair
        log = _joined(one.log, other.log, absorbs)
        states = tuple(s for each in pair for s in each.states + each.states[-1:] * absorbs)
        gone = _set(f for f in range(log.width) if all(row >> f & 1 for row in one.log.rows))
        found = [
            cover
            for cover in (admissible(log) if lemma2 else _covers(log))
            if cover.bit_count() > 1 and not (merged and cover & gone)
        ]
        if len({_labels(log, cover) for cover in found}) != 1 or len(set(states)) == 1:
            return True
        if not all(rows_after(log, f, a) for f in _members(found[0]) for a in range(log.actions)):
            return True
        shown = {s: n for n, s in enumerate(dict.fromkeys(states))}
        closed = all(to in shown for s in shown for to in one.table[s])
        return closed and _labels(log, found[0]) == tuple(shown[s] for s in states)

    pairs = [
        (one, other)
        for noise in (1, 2)
        for one, other in product(_cases(((2, 1, noise, 2),), 0), _cases(((2, 1, noise, 3),), 0))
        if one.table == other.table
    ]
    return exhausted(pairs, is_right, "2 states, trajectories of 2 and 3 rows, any noise")


def _joined(one: Log, other: Log, absorbs: int) -> Log:
    """Both trajectories; with `absorbs`, each is continued by an action that changes nothing."""
    rows = tuple(row for log in (one, other) for row in log.rows + log.rows[-1:] * absorbs)
    taken = (a for log in (one, other) for a in (*log.taken[:-1], *(0,) * absorbs, None))
    return Log(one.width, one.actions, rows, tuple(taken))
