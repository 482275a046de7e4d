"""What a log decides, whatever chose its actions, starts and resets.

    Theorem 11. Suppose that at least two states occur in the rows, that all covers with at least
    two labels divide the rows in the same way, and that in one of them every action was taken at
    every label. Then the labels are the states that occur, its table is T on them, and every state
    that can be reached from a start that occurred is among them.

Rows come in episodes: action t of an episode leads from its row t to its row t + 1, and no action
leads from one episode to the next. The world need not be connected.

A log may be cut anywhere, so those transitions that said something new when they were read are a
log of their own. They decide the same, because what is known is the same value. Only these are kept
as evidence: a few hundred of a million.

    Terminal states. If an episode terminated, its last state is taken to stay where it is under
    every action. This is a convention, not an observation, and the certificate says so. The end of
    an episode by a time limit says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.observed import recorded
from steel_verified.learning.certain import Certain
from steel_verified.learning.covers import covers, nearest_first
from steel_verified.learning.deciding import Decided, Open, Refuted, decide, model_of
from steel_verified.learning.deciding import rows_that_refute as transitions_that_refute
from steel_verified.learning.knowledge import Trajectory, bits, nothing_known, the_one
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from steel_verified.learning.deciding import Decision
    from steel_verified.learning.knowledge import Bits, Knowledge, Transition
    from steel_verified.learning.results import Result
    from steel_verified.theory.conditions import Cause

MOST_STARTS: Final = 1000
"""The first rows of so many episodes are remembered, to say which way leads to a state."""
SAMPLE: Final = 2000
"""So many rows from the beginning of a log are kept, to look for mistakes of the recording."""
LONGEST_EPISODE: Final = 200
"""Unmarked resets after a fixed number of steps are looked for up to this number."""
SHOWN: Final = 3
"""So many places or transitions are named in a message."""


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
class Told:
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
    told: tuple[Told, ...] = ()
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
        return reduce(Reading.then, rows, self)

    def then(self, row: Row) -> Reading:
        """Read the next row."""
        last = self.last
        begins = last is None or last.action is None
        number, at = self.episodes - 1 + begins, 0 if begins else self.at + 1
        said: list[Told] = []
        if last is None or last.action is None:
            said.append(Told(Place(number, 0), row.row, None, row.row))
        else:
            said.append(Told(Place(number, at - 1), last.row, last.action, row.row))
        if row.terminated:
            said.append(Told(Place(number, at), row.row, None, row.row, terminated=True))
        known, new = _heard(self.known, said)
        return Reading(
            known,
            (*self.told, *new) if new else self.told,
            number + 1,
            self.rows + 1,
            (*self.starts, (number, row.row)) if begins and number < MOST_STARTS else self.starts,
            (*self.begun, row) if self.rows < SAMPLE else self.begun,
            row,
            at,
        )

    def merged(self, other: Reading) -> Reading:
        """Return what two parts of a log say together; the episodes of the other one come last.

        An action at the end of either part, after which no row was read, says nothing.
        """
        known, new = _heard(self.known, (_later(told, self.episodes) for told in other.told))
        starts = (*self.starts, *((n + self.episodes, row) for n, row in other.starts))
        begun = (*self.begun[:-1], *_ended(self.begun[-1:]), *other.begun)
        return Reading(
            known,
            (*self.told, *new),
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


def _heard(known: Knowledge, told: Iterable[Told]) -> tuple[Knowledge, list[Told]]:
    """Return what is known after this, and the part of it that said something new."""
    new: list[Told] = []
    for one in told:
        after = reduce(type(known).told, one.transitions(known.actions), known)
        if after != known:
            known = after
            new.append(one)
    return known, new


def _later(told: Told, episodes: int) -> Told:
    return replace(told, place=Place(told.place.episode + episodes, told.place.row))


def _ended(rows: Iterable[Row]) -> Iterator[Row]:
    return (replace(row, action=None) for row in rows)


# --- the result -----------------------------------------------------------------------------------


def result_of(reading: Reading, *, interrupted: bool = False) -> Result:
    """Return what a log decides. All of it has to be read before."""
    known = reading.known
    method = Certain(known.classifiers, known.actions)
    ledger = recorded(known.classifiers, known.actions, reading.rows, _as_trajectories(reading))
    if reading.last is None:
        return NotAccepted(method, Model(known.actions), ledger, "the log has no rows")
    decision = decide(known, None)
    if interrupted:
        because = f"interrupted after {counted(reading.rows, 'row')}"
        return NotAccepted(method, _model(known, decision), ledger, because, interrupted=True)
    match decision:
        case Decided(labels, table):
            chosen = tuple(fits[0] for fits in labels)
            current = next(label for label, f in enumerate(chosen) if reading.last.row >> f & 1)
            model = Model(known.actions, table)
            return Accepted(method, model, current, chosen, ledger, decided=decision)
        case Refuted():
            because, causes = _contradiction(reading)
            return Contradicted(method, Model(known.actions), ledger, causes, because)
        case Open(left):
            because = _open(reading, left)
            return NotAccepted(method, _model(known, decision), ledger, because)


def _as_trajectories(reading: Reading) -> Iterator[tuple[list[int], list[int], bool]]:
    """Yield what was kept as rows and actions, and whether they terminated; neighbours are one."""
    rows, actions, next_place = list[int](), list[int](), Place(-1, 0)
    for told in reading.told:
        if rows and told.place != next_place:
            yield rows, actions, False
            rows, actions = [], []
        if not rows:
            rows = [told.before]
        if told.action is not None:
            rows.append(told.after)
            actions.append(told.action)
        next_place = Place(told.place.episode, told.place.row + (told.action is not None))
        if told.terminated:
            yield rows, actions, True
            rows, actions = [], []
    if rows:
        yield rows, actions, False


def _model(known: Knowledge, decision: Decision) -> Model:
    """Return the model so far: that of the only cover that is left, if there is one."""
    match decision:
        case Open((only,)):
            return model_of(known, only)
        case _:
            return Model(known.actions)


# --- what is missing ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Missing:
    """An action that was never taken in a state, and a way to it from the start of an episode."""

    label: int
    action: int
    episode: int | None
    """An episode from whose start the word leads there; None if no start is known to."""
    word: tuple[int, ...] = ()

    def __str__(self) -> str:
        told = f"state {self.label} was never left by action {self.action}"
        if self.episode is None:
            return told
        if not self.word:
            return f"{told} (episode {self.episode} begins there)"
        word = " ".join(map(str, self.word))
        return f"{told} (from the start of episode {self.episode}, the actions {word} lead there)"


def missing(reading: Reading, cover: Bits) -> tuple[Missing, ...]:
    """Return the transitions of a cover that were never taken, those with a short way first."""
    table = reading.known.table(cover)
    names = {f: label for label, f in enumerate(table)}
    ways: dict[int, tuple[int, tuple[int, ...]]] = {}
    for episode, row in reading.starts:
        start = the_one(row & cover)
        if start in ways and not ways[start][1]:
            continue  # an earlier episode began in the same state
        for label, word in nearest_first(table, start).items():
            if label not in ways or len(word) < len(ways[label][1]):
                ways[label] = episode, word
    found = (
        Missing(names[f], action, *ways.get(f, (None,)))
        for f, row in table.items()
        for action, to in enumerate(row)
        if to is None
    )
    return tuple(sorted(found, key=lambda one: (one.episode is None, len(one.word), one.label)))


def _open(reading: Reading, left: Sequence[Bits]) -> str:
    """Return what the rows leave open, and what to collect."""
    if not left:
        return "too many classifiers explain the rows: more rows are needed"
    if len(left) == 1:
        wanted = missing(reading, left[0])
        return (
            f"one model with {counted(left[0].bit_count(), 'state')} explains the rows, but "
            f"{counted(len(wanted), 'transition')} never occurred: {_listed(wanted)}"
        )
    one, other = left[:2]
    told = next(told for told in reading.told if told.after & one != told.after & other)
    row = told.place.row + (told.action is not None)
    sizes = sorted((one.bit_count(), other.bit_count()))
    return (
        f"several models explain the rows, for example with {counted(sizes[0], 'state')} and with "
        f"{counted(sizes[1], 'state')}: row {row} of episode {told.place.episode} may show the "
        f"state of classifier {the_one(told.after & one)} or that of classifier "
        f"{the_one(told.after & other)}. More rows, with other actions, are needed"
    )


def _listed(found: Sequence[Missing | Place]) -> str:
    more = f"; and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    return "; ".join(map(str, found[:SHOWN])) + more


# --- what is wrong --------------------------------------------------------------------------------


def _contradiction(reading: Reading) -> tuple[str, tuple[Cause, ...]]:
    """Return what contradicts the assumptions and where, and what may be wrong."""
    known = reading.known
    if covers(known, None, most=1):
        because = "all rows may show one state, and nothing else explains them"
        return because, listed((Condition.REALISABLE,))
    rows = (Condition.REALISABLE, Condition.DETERMINISTIC, Condition.UNCHANGING)
    shown = places_that_refute(reading)
    because = f"no classifiers of F explain what follows after these rows: {_listed(shown)}"
    repair = next(repairs(reading), None)
    return f"{because}. {repair}" if repair else because, listed(rows)


def places_that_refute(reading: Reading) -> tuple[Place, ...]:
    """Return where the transitions are that no classifiers explain; none can be left out."""
    actions = reading.known.actions
    place_of = {
        transition: told.place
        for told in reversed(reading.told)
        for transition in told.transitions(actions)
    }
    nothing = nothing_known(reading.known.classifiers, actions)
    needed = transitions_that_refute(list(reversed(place_of)), nothing)
    return tuple(sorted({place_of[one] for one in needed}))


def repairs(reading: Reading) -> Iterator[str]:
    """Yield likely mistakes of the recording without which the first rows are explained.

    These are actions shifted by one, resets that are not marked as the end of an episode, and
    episodes of different worlds.
    """
    first = tuple(_episodes((*reading.begun[:-1], *_ended(reading.begun[-1:]))))
    nothing = nothing_known(reading.known.classifiers, reading.known.actions)

    def fits(
        change: Callable[[Trajectory], Iterable[Trajectory]], paths: Sequence[Trajectory] = first
    ) -> bool:
        known = nothing
        for path in paths:
            for transition in (one for part in change(path) for one in part.transitions()):
                known = known.told(transition)
                if known.is_contradicted:
                    return False
        return bool(covers(known, None, most=1))

    if fits(lambda path: (path,)):
        return
    if fits(_later_rows):
        yield "The actions seem to be shifted: action t leads from row t − 1 to row t"
    if fits(_later_actions):
        yield "The actions seem to be shifted: action t leads from row t + 1 to row t + 2"
    for length in range(LONGEST_EPISODE, 0, -1):  # few cuts first: all divisors fit as well
        if fits(partial(_cut_after, length)):
            yield f"A reset seems to happen after every {counted(length, 'action')}, unmarked"
            break
    for f in bits(first[0].rows[0]):
        if fits(partial(_cut_before, f)):
            yield (
                "Resets seem to be unmarked: the rows are explained if an episode begins wherever "
                f"classifier {f} is 1, as in episode 0, row 0"
            )
            break
    if len(first) > 1 and all(fits(lambda path: (path,), [path]) for path in first):
        yield (
            "Each of the first episodes alone is explained, but not all of them together: they may "
            "come from different worlds"
        )


def _episodes(rows: Sequence[Row]) -> Iterator[Trajectory]:
    ends = [t for t, row in enumerate(rows) if row.action is None]
    for before, end in pairwise((-1, *ends)):
        part = rows[before + 1 : end + 1]
        actions = tuple(row.action for row in part if row.action is not None)
        yield Trajectory(tuple(row.row for row in part), actions)


def _later_rows(path: Trajectory) -> Iterator[Trajectory]:
    """Yield the path if action t leads from row t − 1 to row t."""
    if path.actions:
        yield Trajectory(path.rows[:-1], path.actions[1:])


def _later_actions(path: Trajectory) -> Iterator[Trajectory]:
    """Yield the path if action t leads from row t + 1 to row t + 2."""
    if path.actions:
        yield Trajectory(path.rows[1:], path.actions[:-1])


def _cut_after(length: int, path: Trajectory) -> Iterator[Trajectory]:
    """Yield parts of so many actions; the action between two of them led to a reset."""
    for t in range(0, len(path.rows), length + 1):
        rows = path.rows[t : t + length + 1]
        yield Trajectory(rows, path.actions[t : t + len(rows) - 1])


def _cut_before(f: int, path: Trajectory) -> Iterator[Trajectory]:
    """Yield the parts that begin where a classifier is 1."""
    starts = [t for t in range(1, len(path.rows)) if path.rows[t] >> f & 1]
    for t, end in pairwise((0, *starts, len(path.rows))):
        yield Trajectory(path.rows[t:end], path.actions[t : end - 1])
