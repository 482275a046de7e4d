"""Reads rows, and keeps those that said something new: they are the evidence for what is known.

Rows come in episodes: action t of an episode leads from its row t to its row t + 1, and no action
leads from one episode to the next. Trajectories may be cut anywhere, so those transitions that said
something new when they were read are trajectories of their own. They decide the same, because what
is known is the same value. Only these are kept: a few hundred of a million.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.entries import Row as Packed
from steel_verified.evidence.entries import Steps, Terminated
from steel_verified.evidence.entries import Trajectory as Begun
from steel_verified.learning.knowledge import Knowledge, Trajectory, nothing_known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from steel_verified.learning.knowledge import Bits, Transition

MOST_STARTS: Final = 1000
"""The first rows of so many episodes are remembered, to say which way leads to a state."""
SAMPLE: Final = 2000
"""So many rows from the beginning of a log are kept, to look for mistakes of the recording."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A row of a log: the number of its episode, and its number in the episode."""

    episode: int
    row: int

    def __str__(self) -> str:
        return f"episode {self.episode}, row {self.row}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a log, and the action that was taken there; None at the end of an episode."""

    row: Bits
    action: int | None
    terminated: bool = False
    """Whether the episode ends here because the world ended it, not a limit of time."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A transition that said something new. The first row of an episode has no action.

    If the episode terminated in the row `after`, this stands for all actions, which stay there.
    """

    place: Place
    """The place of the row `before`."""
    before: Bits
    action: int | None
    after: Bits
    terminated: bool = False

    def transitions(self, actions: int) -> Iterator[Transition]:
        """Yield what it says."""
        if self.terminated:
            yield from ((self.after, action, self.after) for action in range(actions))
        else:
            yield self.before, self.action, self.after


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known after some rows of a log. It is a value, and two of them can be merged."""

    known: Knowledge
    kept: tuple[Kept, ...] = ()
    """What said something new, in the order in which it was read."""
    episodes: int = 0
    rows: int = 0
    starts: tuple[tuple[int, Bits], ...] = ()
    """The first rows of some episodes, with the numbers of these."""
    begun: tuple[Row, ...] = ()
    """The first rows of the log."""
    last: Row | None = None
    """The last row read."""
    at: int = 0
    """Its number in its episode."""

    def of(self, rows: Iterable[Row]) -> Reading:
        """Read more rows."""
        known, kept, number, count = self.known, [*self.kept], self.episodes - 1, self.rows
        starts, begun, last, at = [*self.starts], [*self.begun], self.last, self.at
        for row in rows:
            if last is None or last.action is None:
                number, at, before, action = number + 1, 0, row.row, None
                if number < MOST_STARTS:
                    starts.append((number, row.row))
            else:
                at, before, action = at + 1, last.row, last.action
            heard = list[Kept]()
            if not known.has((before, action, row.row)):
                place = Place(number, at - (action is not None))
                heard.append(Kept(place, before, action, row.row))
            if row.terminated:
                heard.append(Kept(Place(number, at), row.row, None, row.row, terminated=True))
            if heard:
                known, new = _heard(known, heard)
                kept += new
            if count < SAMPLE:
                begun.append(row)
            count, last = count + 1, row
        return Reading(known, tuple(kept), number + 1, count, tuple(starts), tuple(begun), last, at)

    @property
    def parts(self) -> tuple[Trajectory, ...]:
        """What said something new, as trajectories; neighbours are one."""
        found, next_place = list[_Path](), Place(-1, 0)
        for kept in self.kept:
            if not found or kept.place != next_place or found[-1].terminated:
                found.append(_Path([kept.before], []))
            if kept.action is not None:
                found[-1].rows.append(kept.after)
                found[-1].actions.append(kept.action)
            found[-1].terminated = kept.terminated
            next_place = Place(kept.place.episode, kept.place.row + (kept.action is not None))
        return tuple(path.closed() for path in found)

    def merged(self, other: Reading) -> Reading:
        """Return what two parts of a log say together; the episodes of the other one come last.

        An action at the end of either part, after which no row was read, says nothing.
        """
        known, new = _heard(self.known, (_later(kept, self.episodes) for kept in other.kept))
        starts = (*self.starts, *((n + self.episodes, row) for n, row in other.starts))
        begun = (*ended(self.begun), *other.begun)
        return Reading(
            known,
            (*self.kept, *new),
            self.episodes + other.episodes,
            self.rows + other.rows,
            starts[:MOST_STARTS],
            begun[:SAMPLE],
            other.last or self.last,
            other.at if other.last else self.at,
        )


def nothing_read(classifiers: int, actions: int) -> Reading:
    """Return what is known of an empty log."""
    return Reading(nothing_known(classifiers, actions))


def _heard(known: Knowledge, kept: Iterable[Kept]) -> tuple[Knowledge, list[Kept]]:
    """Return what is known after this, and the part of it that said something new."""
    new: list[Kept] = []
    for one in kept:
        after = reduce(type(known).with_transition, one.transitions(known.actions), known)
        if after is not known and after != known:
            known = after
            new.append(one)
    return known, new


def _later(kept: Kept, episodes: int) -> Kept:
    return replace(kept, place=Place(kept.place.episode + episodes, kept.place.row))


def ended(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows of which the last one ends an episode: an action after it says nothing."""
    return (*rows[:-1], *(replace(row, action=None) for row in rows[-1:]))


def rows_of(path: Trajectory) -> Iterator[Row]:
    """Yield the rows of an episode."""
    for row, action in zip(path.rows, path.actions, strict=False):
        yield Row(row, action)
    yield Row(path.rows[-1], None, path.terminated)


@dataclass(slots=True)
class _Path:
    """A trajectory that is being read."""

    rows: list[Bits]
    actions: list[int]
    terminated: bool = False

    def closed(self) -> Trajectory:
        return Trajectory(tuple(self.rows), tuple(self.actions), self.terminated)


def trajectories_of(entries: Iterable[object]) -> tuple[Trajectory, ...]:
    """Return the rows of a certain run or of a log, and the actions between them."""
    found = list[_Path]()
    for entry in entries:
        match entry:
            case Begun(row):
                found.append(_Path([int.from_bytes(row, "little")], []))
            case Steps(taken, after):
                found[-1].rows += (int.from_bytes(row, "little") for row in after)
                found[-1].actions += taken
            case Terminated():
                found[-1].terminated = True
            case _:
                pass
    return tuple(path.closed() for path in found)


def entries_of(
    paths: Iterable[Trajectory], classifiers: int
) -> Iterator[Begun | Steps | Terminated]:
    """Yield the entries of which these are the trajectories."""
    size = -(-classifiers // 8)
    for path in paths:
        first, *later = (Packed(row.to_bytes(size, "little")) for row in path.rows)
        yield Begun(first)
        if later:
            yield Steps(path.actions, tuple(later))
        if path.terminated:
            yield Terminated()
