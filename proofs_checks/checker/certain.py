"""Checks a record of certain STEEL: rows and actions, and hints that it need not believe.

A classifier is handled as its column: the set of the rows on which it is 1. A *cover* is a set of
columns that could belong to the visited states: each row has one member, and equal actions have
equal effects. The checker removes columns that belong to no cover. It accepts if only the claimed
cover is left and every action was taken at each of its labels.

    Then, in every world that fits the record and the assumptions, the labels are the states, the
    table is the dynamics, and the classifiers listed for a label are those that fit its state. No
    probability enters: an adversary may have chosen the noise.

The hints are the claimed cover, pairs (classifier, row) by which a row removes a classifier, and
the steps of a proof for what these leave open. Whatever they say, what is accepted is right.
`proofs_checks/coq/certain/Checker.v` is the same program in Coq, and `certain_is_sound` the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.checker.reading import Finding, Malformed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

Column: TypeAlias = int
"""A set of rows: bit t is row t."""
Members: TypeAlias = int
"""A set of classifiers: bit f is classifier f."""
Step: TypeAlias = "Learned | Closed"

MOST_WORK = 10**8
"""Sets compared with each other, in words of 64 bits; a certificate that takes more is refused."""

RULES = {
    "rows": "all bits and actions are within the declared numbers",
    "cover": "there are two labels or more, each row shows one of them, and equal actions have "
    "equal effects",
    "complete": "every action was taken at every label",
    "connected": "in the claimed table every label reaches every other",
    "only": "no other classifiers explain the rows: the others are removed by rows, or excluded by "
    "a proof",
    "claim": "the claimed table, present label and classifiers are those of the record",
}

EXPLANATION = """\
Accepted means: in every world that fits the recorded rows and actions and the assumptions below,
the labels are the states and the table is the dynamics, up to names. The classifiers listed for a
label are all that fit its rows; if there is one, it is exactly that of the state. This holds for
every noise. No probability is involved."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Rows, each as the set of the classifiers that are 1, and the actions between them."""

    rows: tuple[Members, ...]
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """Some classifier of `yes` is in the cover, or some of `no` is not (by unit propagation)."""

    yes: Members
    no: Members


@dataclass(frozen=True, slots=True)
class Closed:
    """Not all of these classifiers are in the cover, since they could never be left (Lemma 2)."""

    classifiers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What was seen, with the hints."""

    classifiers: int
    actions: int
    connected: bool
    """Whether it is assumed that every state of the world can be reached from every state."""
    trajectories: tuple[Trajectory, ...]
    claim: tuple[int, ...]
    """One classifier for each label."""
    removals: tuple[tuple[int, int], ...] = ()
    """(f, t): row t shows that classifier f belongs to no cover."""
    proof: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What is accepted."""

    table: tuple[tuple[int, ...], ...]
    encoders: tuple[tuple[int, ...], ...]
    """For each label all classifiers that fit it."""
    current: int
    """The label of the last row."""
    supposes_two: bool
    """Whether some classifier is 1 on all rows, so that two states are an assumption."""


def assumptions(record: Record, answer: Answer) -> tuple[str, ...]:
    """Return what no record can show."""
    found = [
        "the record was written as it happened",
        "each observation shows one state",
        "the next state depends on the state and the action only",
        "F has a classifier for each visited state",
    ]
    if record.connected:
        found.append("every state can be reached from every state")
    if answer.supposes_two:
        found.append(f"there are two {'' if record.connected else 'visited '}states")
    return tuple(found)


def check(record: Record) -> Answer | Finding:
    """Return the answer that the record proves, or the first rule that it breaks."""
    for number, trajectory in enumerate(record.trajectories):
        if any(row >> record.classifiers for row in trajectory.rows):
            return _finding("rows", f"trajectory {number}", "a row has a bit that is no classifier")
        if any(not 0 <= action < record.actions for action in trajectory.actions):
            return _finding("rows", f"trajectory {number}", "an action is not one of the world")
        if len(trajectory.rows) != len(trajectory.actions) + 1:
            return _finding("rows", f"trajectory {number}", "actions are not between rows")
    for f in (*record.claim, *(f for f, _ in record.removals)):
        if not 0 <= f < record.classifiers:
            return _finding("rows", "hints", f"there is no classifier {f}")
    view = _View.of(record)
    claimed = [view.columns[f] for f in record.claim]
    fitting: dict[Column, list[int]] = {}
    for f, column in enumerate(view.columns):
        fitting.setdefault(column, []).append(f)
    return (
        view.broken(claimed)
        or view.other_cover(claimed, record)
        or Answer(
            table=tuple(
                tuple(_index_within(way, claimed) for way in view.ways(column))
                for column in claimed
            ),
            encoders=tuple(tuple(fitting[column]) for column in claimed),
            current=_index_within(1 << view.height - 1, claimed),
            supposes_two=view.everywhere in view.columns,
        )
    )


class _View:
    """A record by columns. The names are those of Checker.v."""

    def __init__(
        self, height: int, taken: Sequence[Column], columns: Sequence[Column], *, connected: bool
    ) -> None:
        self.height = height
        self.everywhere: Column = (1 << height) - 1
        self.taken = taken
        self.columns = columns
        self.connected = connected
        self.words = height // 64 + 1
        self.work = 0
        self._ways: dict[Column, tuple[Column, ...]] = {}

    @classmethod
    def of(cls, record: Record) -> _View:
        rows, taken, start = list[Members](), [0] * record.actions, 0
        for trajectory in record.trajectories:
            for t, action in enumerate(trajectory.actions, start):
                taken[action] |= 1 << t
            rows += trajectory.rows
            start = len(rows)
        return cls(
            len(rows), taken, _transposed(rows, record.classifiers), connected=record.connected
        )

    def count(self, comparisons: int) -> None:
        self.work += comparisons * self.words
        if self.work > MOST_WORK:
            raise Malformed("", "too costly: the hints leave too much to be searched")

    # --- conflicts

    def ways(self, column: Column) -> tuple[Column, ...]:
        """Return for each action the rows that came after the column and the action."""
        if column not in self._ways:
            self.count(len(self.taken))
            self._ways[column] = tuple((column & taken) << 1 for taken in self.taken)
        return self._ways[column]

    def conflict(self, one: Column, other: Column) -> bool:
        """Whether both cannot belong to states; with equal columns, whether one cannot."""
        if one != other and one & other:
            return True
        for way in self.ways(one):
            if way & other not in (0, way):
                return True
        return one != other and any(way & one not in (0, way) for way in self.ways(other))

    def hits(self, columns: Iterable[Column]) -> bool:
        """Whether each row has a column that is 1."""
        return reduce(or_, columns, 0) == self.everywhere

    def closed(self, columns: Sequence[Column]) -> bool:
        """Whether every action was taken at every column and led into one of the columns."""
        self.count(len(columns) ** 2)
        return all(
            way and any(way & ~to == 0 for to in columns)
            for column in columns
            for way in self.ways(column)
        )

    def alone(self, column: Column) -> bool:
        """Whether the column would belong to the only state."""
        return self.closed([column]) if self.connected else column == self.everywhere

    # --- columns that belong to no cover

    def left(self, removals: Iterable[tuple[int, int]]) -> list[Column]:
        """Return the columns that rule R leaves; the hints only make it faster."""
        left = {
            column: None
            for column in self.columns
            if column and not self.conflict(column, column) and not self.alone(column)
        }
        for f, t in removals:
            column = self.columns[f]
            if column in left and self.refutes(t, column, left):
                del left[column]
        while True:
            kept = [column for column in left if self.hits(self.compatible(column, left))]
            if len(kept) == len(left):
                return kept
            left = dict.fromkeys(kept)

    def refutes(self, t: int, column: Column, left: Iterable[Column]) -> bool:
        """Whether row t shows that a column belongs to no cover: all its candidates conflict."""
        if not 0 <= t < self.height:
            return False
        candidates = [other for other in left if other >> t & 1]
        self.count(len(candidates))
        return all(self.conflict(column, other) for other in candidates)

    def compatible(self, column: Column, left: Collection[Column]) -> list[Column]:
        self.count(len(left))
        return [other for other in left if not self.conflict(column, other)]

    # --- what rule R leaves open

    def other_cover(self, claimed: Sequence[Column], record: Record) -> Finding | None:
        """Return a finding unless it is shown that no cover has a member outside the claim."""
        left = self.left(record.removals)
        first = {column: f for f, column in reversed(list(enumerate(self.columns)))}
        others = _set_of(first[column] for column in left if column not in claimed)
        if not others:
            return None
        clauses = [Learned(others, 0)]
        clauses += dict.fromkeys(
            Learned(_set_of(first[column] for column in left if column >> t & 1), 0)
            for t in range(self.height)
        )
        excludes = [
            (1 << first[column], _set_of(first[c] for c in left if self.conflict(column, c)))
            for column in left
        ]
        for number, step in enumerate(record.proof):
            place = f"proof[{number}]"
            if isinstance(step, Closed):
                if not all(0 <= f < record.classifiers for f in step.classifiers):
                    return _finding("only", place, "there is no such classifier")
                columns = [self.columns[f] for f in step.classifiers]
                if not (self.connected and columns and self.closed(columns)) or self.hits(columns):
                    return _finding("only", place, "these labels can be left, or are all labels")
                clauses.append(Learned(0, _set_of(step.classifiers)))
            elif not self.follows(clauses, excludes, step):
                return _finding("only", place, "the clause does not follow from those before it")
            else:
                clauses.append(step)
        if self.follows(clauses, excludes, Learned(0, 0)):
            return None
        return _finding("only", "claim", "the hints do not show that no other cover exists")

    def follows(
        self,
        clauses: Sequence[Learned],
        excludes: Sequence[tuple[Members, Members]],
        clause: Learned,
    ) -> bool:
        """Whether a clause follows by reverse unit propagation: its negation leads nowhere."""
        yes, no = clause.no, clause.yes
        while True:
            before = yes, no
            self.count(len(clauses) + len(excludes))
            for own, others in excludes:
                if yes & own:
                    if yes & others:
                        return True
                    no |= others
            for one in clauses:
                can, cannot = one.yes & ~no, one.no & ~yes
                if not cannot:
                    if not can:
                        return True
                    if not can & can - 1:
                        yes |= can
                elif not can and not cannot & cannot - 1:
                    no |= cannot
            if (yes, no) == before:
                return False

    # --- the claimed cover

    def broken(self, claimed: Sequence[Column]) -> Finding | None:
        """Return the first rule that the claimed columns break as a complete cover."""
        if len(claimed) < 2 or not all(claimed):
            return _finding("cover", "claim", "fewer than two labels, or one that is never shown")
        if sum(column.bit_count() for column in claimed) != self.height or not self.hits(claimed):
            return _finding("cover", "claim", "some row does not show exactly one label")
        for label, column in enumerate(claimed):
            for action, way in enumerate(self.ways(column)):
                if not way:
                    return _finding(
                        "complete", f"label {label}", f"action {action} was never taken there"
                    )
                if all(way & ~to for to in claimed):
                    return _finding(
                        "cover", f"label {label}", f"action {action} leads to several labels"
                    )
        if self.connected and not all(self.reaches_all(column, claimed) for column in claimed):
            return _finding("connected", "claim", "some label does not reach every label")
        return None

    def reaches_all(self, start: Column, claimed: Sequence[Column]) -> bool:
        reached, new = start, [start]
        while new:
            found = reduce(or_, (way for column in new for way in self.ways(column)))
            new = [column for column in claimed if column & found and not column & reached]
            reached = reduce(or_, new, reached)
            self.count(len(claimed))
        return reached == self.everywhere


def _transposed(rows: Sequence[Members], width: int) -> list[Column]:
    """Return for each classifier the rows on which it is 1."""
    if not rows or not width:
        return [0] * width
    lines = [f"{row:0{width}b}" for row in reversed(rows)]
    return [int("".join(column), 2) for column in zip(*lines, strict=True)][::-1]


def _set_of(members: Iterable[int]) -> Members:
    return reduce(or_, (1 << member for member in members), 0)


def _index_within(rows: Column, columns: Sequence[Column]) -> int:
    """Return the number of the column that has all these rows."""
    return next(label for label, column in enumerate(columns) if not rows & ~column)


def _finding(rule: str, place: str, message: str) -> Finding:
    return Finding(rule, place, message)
