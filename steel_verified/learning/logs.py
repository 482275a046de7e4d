"""What a log decides, whatever chose its actions, starts and resets.

    Theorem 11. Suppose that at least two states occur in the rows, that all covers with at least
    two labels divide the rows in the same way, and that in one of them every action was taken at
    every label. Then the labels are the states that occur, its table is T on them, and every state
    that can be reached from a start that occurred is among them.

The world need not be connected. `reading` keeps what said something new as evidence.

    Terminal states. If an episode terminated, its last state is taken to stay where it is under
    every action. This is a convention, not an observation, and the certificate says so. The end of
    an episode by a time limit says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial, reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.ledger import recorded
from steel_verified.learning.certain import Certain
from steel_verified.learning.covers import covers, nearest_first, word_to
from steel_verified.learning.deciding import Decided, Open, Refuted, decide, model_of
from steel_verified.learning.deciding import rows_that_refute as transitions_that_refute
from steel_verified.learning.knowledge import Knowledge, Trajectory, bits, nothing_known, the_one
from steel_verified.learning.listed import accepted
from steel_verified.learning.model import Model
from steel_verified.learning.reading import Place, ended, entries_of
from steel_verified.learning.results import Contradicted, NotAccepted
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from steel_verified.learning.deciding import Decision
    from steel_verified.learning.knowledge import Bits
    from steel_verified.learning.reading import Reading, Row
    from steel_verified.learning.results import Result
    from steel_verified.theory.conditions import Cause

LONGEST_EPISODE: Final = 200
"""Unmarked resets after a fixed number of steps are looked for up to this number."""
SHOWN: Final = 3
"""So many places or transitions are named in a message."""


# --- the result -----------------------------------------------------------------------------------


def result_of(reading: Reading, *, interrupted: bool = False) -> Result:
    """Return what a log decides. All of it has to be read before."""
    known = reading.known
    method = Certain(known.classifiers, known.actions)
    kept = entries_of(reading.parts, known.classifiers)
    ledger = recorded(known.classifiers, known.actions, reading.rows, kept)
    if reading.last is None:
        return NotAccepted(method, Model(known.actions), ledger, "the log has no rows")
    decision = decide(known, None)
    if interrupted and not isinstance(decision, Refuted):
        said = _open(reading, decision.left) if isinstance(decision, Open) else "these rows decide"
        because = f"interrupted after {counted(reading.rows, 'row')}; {said}"
        return NotAccepted(method, _model(known, decision), ledger, because, interrupted=True)
    match decision:
        case Decided(labels, table):
            shown = (label for label, fits in enumerate(labels) if reading.last.row >> fits[0] & 1)
            return accepted(method, decision, next(shown), Model(known.actions, table), ledger)
        case Refuted():
            because, causes = _contradiction(reading)
            return Contradicted(method, Model(known.actions), ledger, causes, because)
        case Open(left):
            because = _open(reading, left)
            return NotAccepted(method, _model(known, decision), ledger, because)


def _model(known: Knowledge, decision: Decision) -> Model:
    """Return the model so far: that of the only cover that is left, if there is one."""
    match decision:
        case Decided(table=table):
            return Model(known.actions, table)
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
        text = f"state {self.label} was never left by action {self.action}"
        if self.episode is None:
            return text
        if not self.word:
            return f"{text} (episode {self.episode} begins there)"
        word = " ".join(map(str, self.word))
        return f"{text} (from the start of episode {self.episode}, the actions {word} lead there)"


def missing(reading: Reading, cover: Bits) -> tuple[Missing, ...]:
    """Return the transitions of a cover that were never taken, those with a short way first."""
    table = reading.known.table(cover)
    names = {f: label for label, f in enumerate(table)}
    words: dict[int, tuple[int, tuple[int, ...]]] = {}
    begun = set[int]()
    for episode, row in reading.starts:
        if (start := the_one(row & cover)) in begun:
            continue
        begun.add(start)
        ways = nearest_first(table, start)
        for label in (label for label in ways if None in table[label]):
            word = word_to(ways, label)
            if label not in words or len(word) < len(words[label][1]):
                words[label] = episode, word
    found = (
        Missing(names[f], action, *words.get(f, (None,)))
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
    kept = next(kept for kept in reading.kept if kept.after & one != kept.after & other)
    row = kept.place.row + (kept.action is not None)
    sizes = sorted((one.bit_count(), other.bit_count()))
    return (
        f"several models explain the rows, for example with {counted(sizes[0], 'state')} and with "
        f"{counted(sizes[1], 'state')}: row {row} of episode {kept.place.episode} may show the "
        f"state of classifier {the_one(kept.after & one)} or that of classifier "
        f"{the_one(kept.after & other)}. More rows, with other actions, are needed"
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
    repair = next(repairs(reading, shown), None)
    return f"{because}. {repair}" if repair else because, listed(rows)


def places_that_refute(reading: Reading) -> tuple[Place, ...]:
    """Return where the transitions are that no classifiers explain; none can be left out."""
    actions = reading.known.actions
    place_of = {
        transition: kept.place
        for kept in reversed(reading.kept)
        for transition in kept.transitions(actions)
    }
    nothing = nothing_known(reading.known.classifiers, actions)
    needed = transitions_that_refute(list(reversed(place_of)), nothing)
    return tuple(sorted({place_of[one] for one in needed}))


def repairs(reading: Reading, shown: Sequence[Place]) -> Iterator[str]:
    """Yield likely mistakes of the recording without which the first rows are explained.

    These are ends by a limit of time that are called terminations, actions shifted by one, a row or
    a step among those shown that does not fit, resets that are not marked as the end of an episode,
    and episodes of different worlds.
    """
    first = tuple(_episodes(ended(reading.begun)))
    nothing = nothing_known(reading.known.classifiers, reading.known.actions)

    def fits(
        change: Callable[[Trajectory], Iterable[Trajectory]], paths: Sequence[Trajectory] = first
    ) -> bool:
        known = nothing
        for path in paths:
            for transition in (one for part in change(path) for one in part.transitions()):
                known = known.with_transition(transition)
                if known.is_contradicted:
                    return False
        return bool(covers(known, None, most=1))

    ends = [kept.place for kept in reading.kept if kept.terminated]
    others = (kept for kept in reading.kept if not kept.terminated)
    stated = (one for kept in others for one in kept.transitions(nothing.actions))
    if ends and covers(reduce(Knowledge.with_transition, stated, nothing), None, most=1):
        yield (
            f"This is explained if no episode terminated: that at {ends[-1]} may have ended by a "
            "limit of time, which is not a termination"
        )
    if fits(_as_it_is):
        return
    if fits(_later_rows):
        yield "The actions seem to be shifted: action t leads from row t − 1 to row t"
    if fits(_later_actions):
        yield "The actions seem to be shifted: action t leads from row t + 1 to row t + 2"
    these = f"The first {counted(len(reading.begun), 'row')}"
    for place in (place for place in shown if place.episode < len(first)):
        t = place.row
        if fits(_as_it_is, [*_cut(first, place.episode, t + 1, t + 1)]):
            yield f"{these} are explained without the step after {place}: an unmarked reset?"
            break
        for row in (t, t + 1):
            if fits(_as_it_is, [*_cut(first, place.episode, row, row + 1)]):
                wrong = Place(place.episode, row)
                yield f"{these} are explained without {wrong}: its observation may be wrong"
                return
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
    if len(first) > 1 and all(fits(_as_it_is, [path]) for path in first):
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


def _as_it_is(path: Trajectory) -> Iterator[Trajectory]:
    yield path


def _later_rows(path: Trajectory) -> Iterator[Trajectory]:
    """Yield the path if action t leads from row t − 1 to row t."""
    if path.actions:
        yield Trajectory(path.rows[:-1], path.actions[1:])


def _later_actions(path: Trajectory) -> Iterator[Trajectory]:
    """Yield the path if action t leads from row t + 1 to row t + 2."""
    if path.actions:
        yield Trajectory(path.rows[1:], path.actions[:-1])


def _cut(paths: Sequence[Trajectory], episode: int, ends: int, begins: int) -> Iterator[Trajectory]:
    """Yield the paths; one of them ends before a row, and a new one begins at another."""
    for number, path in enumerate(paths):
        if number != episode:
            yield path
            continue
        if ends:
            yield Trajectory(path.rows[:ends], path.actions[: ends - 1])
        if begins < len(path.rows):
            yield Trajectory(path.rows[begins:], path.actions[begins:])


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
