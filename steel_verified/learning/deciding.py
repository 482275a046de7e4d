"""What rows decide about a finite class F, for every noise.

    Theorem 6. Suppose that all covers that agree with Lemma 2 divide the rows in the same way, and
    that in one of them every action was taken at every label. Then the labels are the states of the
    world and the table of the cover is T, up to names.
    Theorem 11. The same holds for the visited states of a log, without connectedness.

`knowledge` (rule R) and `covers` (SAT) find the covers. No probability enters.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, TypeAlias

from steel_verified.learning.covers import covers, finest
from steel_verified.learning.knowledge import bits, the_one
from steel_verified.learning.model import Model
from steel_verified.learning.reading import Reading, rows_of
from steel_verified.theory.conditions import Condition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from steel_verified.learning.knowledge import Bits, Knowledge, Trajectory, Transition

_NEVER_LEFT: Final = (
    "the classifiers of F that explain the rows would belong to one state, or to states that are "
    "never left"
)


Counts: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""For each label and action, how often each label came next."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The rows leave one model, and every transition was taken: it is the world's.

    If `chance` is not 0, they leave quotients of it too, and only coins speak against these.
    """

    labels: tuple[tuple[int, ...], ...]
    """For each label all classifiers that fit it. If there is one, it is that of the state."""
    table: tuple[tuple[int, ...], ...]
    current: int | None
    """The present label; None for a log."""
    supposes_two: bool
    """Whether |S| ≥ 2 was used: some classifier is 1 on all rows."""
    chance: Fraction = Fraction(0)
    """The chance that it is wrong is at most this: 0 if it is certain, else δ."""
    counts: Counts | None = None
    """If steps may slip: what was seen after each label and action."""
    of_columns: bool = False
    """Whether `labels` has columns, each of which may be that of many classifiers."""
    supposes_at_most: int | None = None
    """N, if it was used that there are at most so many states."""

    @property
    def exact(self) -> int:
        """For how many labels the classifier is that of the state: no other one fits."""
        return 0 if self.of_columns else sum(len(fits) == 1 for fits in self.labels)

    @property
    def slipped(self) -> int:
        """How many steps were seen to slip."""
        return 0 if self.counts is None else slipped(self.counts, self.table)


@dataclass(frozen=True, slots=True)
class Open:
    """The rows do not decide yet. `left` are covers; if there is one, it is the only one."""

    left: tuple[Bits, ...]


@dataclass(frozen=True, slots=True)
class Quotients:
    """The rows leave several models: one in which every transition was taken, and quotients of it.

    A run without δ does not ask whether this is so.
    """

    left: tuple[Bits, ...]
    """Some of the covers."""
    cover: Bits
    """The finest one."""
    model: Decided
    """What is true if the finest one is."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """No model explains the rows, so an assumption is false."""

    supposes_connected: bool
    """Whether the rows alone have a cover, and only (Connected) or |S| ≥ 2 excludes it."""
    max_states: int | None = None
    """N, if a model with more states may explain them."""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of which one does not hold, the most likely one first."""
        rows = (
            Condition.REALISABLE,
            Condition.DETERMINISTIC,
            Condition.UNCHANGING,
            Condition.UNBROKEN,
        )
        if self.max_states is not None:
            return (Condition.MAX_STATES, *rows, Condition.CONNECTED)
        return (Condition.CONNECTED, *rows) if self.supposes_connected else rows

    @property
    def because(self) -> str:
        """What was found."""
        if self.max_states is not None:
            return f"no model with at most {self.max_states} states in F explains the rows"
        return _NEVER_LEFT if self.supposes_connected else "no classifiers of F explain the rows"


Decision: TypeAlias = Decided | Open | Refuted
UNDECIDED: Final = Open(())
"""Nothing was searched for yet."""


def slipped(counts: Counts, table: Sequence[Sequence[int | None]]) -> int:
    """Return how many steps led elsewhere than a table says."""
    return sum(
        sum(after) - (0 if to is None else after[to])
        for line, row in zip(counts, table, strict=True)
        for after, to in zip(line, row, strict=True)
    )


def decide(known: Knowledge, here: Bits | None, before: Iterable[Bits] = ()) -> Decision:
    """Apply Theorem 6 at the present row of a connected world, or Theorem 11 to a log (None).

    `before` are covers of earlier rows of the run, which may save a search.
    """
    if known.pending:
        return UNDECIDED
    supposed = without_lone_labels(known, connected=here is not None)
    left = covers(supposed, here, before=before)
    if not left:
        return Refuted(supposes_connected=bool(covers(known, None, most=1)))
    if len(left) > 1 or not all(supposed.facts[f].is_taken for f in bits(left[0])):
        return Open(left)
    return _decided(known, supposed, left[0], here)


def model_of(known: Knowledge, cover: Bits) -> Model:
    """Return the model of a cover, as far as its transitions were taken."""
    table = known.table(cover)
    name = {f: label for label, f in enumerate(table)}
    rows = (tuple(None if f is None else name[f] for f in row) for row in table.values())
    return Model(known.actions, tuple(rows))


def _decided(known: Knowledge, supposed: Knowledge, cover: Bits, here: Bits | None) -> Decided:
    """Return the labels and the table of a cover in which every transition was taken."""
    name = {f: label for label, f in enumerate(bits(cover))}
    table = supposed.table(cover).values()
    return Decided(
        labels=tuple(tuple(bits(supposed.facts[f].column)) for f in name),
        table=tuple(tuple(name[f] for f in row if f is not None) for row in table),
        current=None if here is None else name[the_one(here & cover)],
        supposes_two=bool(known.every),
    )


def quotients(known: Knowledge, here: Bits, left: tuple[Bits, ...]) -> Quotients | None:
    """Return the model of which all that the rows of a connected world leave are quotients.

    `left` are some of the covers. None if there is no such model, or if some of its transitions
    were never taken.
    """
    supposed = without_lone_labels(known, connected=True)
    cover = finest(supposed, here, left)
    if cover is None:
        return None
    return Quotients(left, cover, _decided(known, supposed, cover, here))


def without_lone_labels(known: Knowledge, *, connected: bool) -> Knowledge:
    """Remove what would be the only label: there are two states, or two among the rows of a log.

    In a connected world this is a classifier that every action leads back to (Lemma 2); if it is 1
    on all rows, |S| ≥ 2 is used. In a log it is one that is 1 on all rows (Theorem 11); a later row
    can change this, so the value that is returned is never merged.
    """
    if connected:
        stays = (
            fact.column
            for fact in known.facts.values()
            if all(some and every & fact.column for some, every in fact.after)
        )
        lone = reduce(or_, stays, 0)
    else:
        lone = known.every & known.left
    return known.without(lone) if lone else known


def rows_that_refute(transitions: Sequence[Transition], nothing: Knowledge) -> list[Transition]:
    """Return some of these transitions that no cover explains, none of which can be left out.

    The transitions together must have no cover. Halves are searched in turn, so that few of them
    are tested (QuickXplain).
    """

    def least(known: Knowledge, parts: Sequence[Transition], *, grown: bool) -> list[Transition]:
        if grown and not covers(known, None, most=1):
            return []
        if len(parts) == 1:
            return list(parts)
        first, second = parts[: len(parts) // 2], parts[len(parts) // 2 :]
        needed = least(_told(known, first), second, grown=True)
        return [*least(_told(known, needed), first, grown=bool(needed)), *needed]

    return least(nothing, transitions, grown=False)


def steps_that_refute(path: Trajectory, nothing: Knowledge) -> tuple[int, ...]:
    """Return steps of a run whose rows no cover explains, each with the row and action before it.

    A classifier that would be the only label, judged by all rows, is removed beforehand. None of
    the steps can be left out. There are none if only (Connected) excludes the covers.
    """
    reading = Reading(nothing).of(rows_of(path))
    lone = reading.known.left & ~without_lone_labels(reading.known, connected=True).left
    begun = nothing.without(lone) if lone else nothing
    number = {
        transition: kept.place.row + 1 + (kept.action is not None)
        for kept in reading.kept
        for transition in kept.transitions(nothing.actions)
    }
    if covers(_told(begun, number), None, most=1):
        return ()
    return tuple(sorted(number[each] for each in rows_that_refute(list(number), begun)))


def _told(known: Knowledge, transitions: Iterable[Transition]) -> Knowledge:
    for transition in transitions:
        known = known.with_transition(transition)
    return known
