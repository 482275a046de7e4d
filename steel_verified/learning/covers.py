"""Which covers the rows leave: none, one, or several. A complete decision, by SAT where needed.

Whether a cover exists is NP-complete, so rule R, which is fast, leaves some questions open; a SAT
solver decides these. Variable f says that classifier f is in the cover. The clauses: each row has a
member, conflicting classifiers are not both members, and in a connected world:

    Lemma 2. Labels that were all left by every action, always into labels among them, are all
    labels. So they are shown on all rows; and there are at least two, since there are two states.

A cover that breaks Lemma 2 gives a clause, and the solver is asked again.

`hints` says how an independent checker can see quickly that there are no other covers.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from steel_verified.learning.graph import first_visits
from steel_verified.learning.knowledge import bits, the_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pysat.solvers import Solver

    from steel_verified.evidence.plans import Word
    from steel_verified.learning.knowledge import Bits, Knowledge, Table, Trajectory

Clause: TypeAlias = list[int]
"""Numbers f + 1 for "f is in the cover" and −f − 1 for "f is not"; one of them has to hold."""


def covers(
    known: Knowledge,
    here: Bits | None,
    *,
    most: int = 2,
    before: Iterable[Bits] = (),
    some_of: Bits | None = None,
) -> tuple[Bits, ...]:
    """Return the covers that the rows leave, up to `most`, no two of which have the same columns.

    `here` is the present row of a connected world; then only covers count that agree with Lemma 2.
    For a log it is None. A cover has one classifier for each of its columns. `before` are covers of
    fewer rows of the same run: those that still are covers are returned first, without a search.
    With `some_of` only covers count that have one of these classifiers.
    """
    if known.pending:
        raise ValueError("too many classifiers are in play")
    if known.is_contradicted:
        return ()
    columns = known.columns
    if known.is_resolved and some_of is None:
        return (columns,) if here is None or not impossible_part(known, columns, here) else ()
    found = [cover for cover in before if is_cover(known, cover, here)][:most]
    if len(found) == most:
        return tuple(found)
    from pysat.solvers import Solver  # noqa: PLC0415 (only runs that need it wait for it)

    with Solver(name="cadical195", bootstrap_with=clauses(known, columns)) as solver:
        if some_of is not None:
            solver.add_clause([f + 1 for f in bits(columns & some_of)])
        for cover in found:  # Another cover has another column; none is part of another.
            solver.add_clause([f + 1 for f in bits(columns & ~cover)])
        while len(found) < most and solver.solve():
            cover = _members(solver.get_model(), columns)
            impossible = 0 if here is None else impossible_part(known, cover, here)
            if impossible:
                solver.add_clause([-f - 1 for f in bits(impossible)])
            else:
                found.append(cover)
                solver.add_clause([f + 1 for f in bits(columns & ~cover)])
    return tuple(found)


def finest(known: Knowledge, here: Bits, left: Sequence[Bits]) -> Bits | None:
    """Return the cover of which all covers are quotients; None if there is none.

    All covers divide the rows more coarsely than this one, or in the same way, and every action was
    taken at each of its labels. `left` are some of the covers.
    """
    best = max(left, key=int.bit_count)
    while all(known.facts[f].is_taken for f in bits(best)):
        others = known.columns & dividing(known, best)
        if not others or not (found := covers(known, here, most=1, some_of=others)):
            return best
        if dividing(known, found[0]) & best:
            return None
        (best,) = found
    return None


def dividing(known: Knowledge, cover: Bits) -> Bits:
    """Return the classifiers that divide a label: they are 1 on some of its rows, and not on all.

    The first row of all is not looked at, for no transition leads to it. A cover that has a member
    which divides a label there only has another one that is 1 there, and 0 on its other rows.
    """
    everywhere = dict.fromkeys(bits(cover), -1)
    for f, line in known.table(cover).items():
        for to, (_, every) in zip(line, known.facts[f].after, strict=True):
            if to is not None:
                everywhere[to] &= every
    return reduce(or_, (known.facts[f].some_with & ~e for f, e in everywhere.items()), 0)


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two covers that are left part, if rows can show it."""

    word: tuple[int, ...]
    """After these actions they predict labels that no row has shown together."""
    is_untaken: bool
    """Whether it is not known what one of them predicts: its last action was never taken there."""


def parting(known: Knowledge, here: Bits, one: Bits, other: Bits) -> Parting | None:
    """Return the first word after which two covers part.

    None if there is none: then every word leads both to labels that were shown together.
    """
    tables = known.table(one), known.table(other)
    start = the_one(here & one), the_one(here & other)
    words: dict[tuple[int, int], tuple[int, ...]] = {start: ()}
    queue = deque([start])
    while queue:
        f, g = labels = queue.popleft()
        for action, (to, also) in enumerate(zip(tables[0][f], tables[1][g], strict=True)):
            longer = (*words[labels], action)
            if to is None or also is None:
                return Parting(longer, is_untaken=True)
            if not known.facts[to].some_with >> also & 1:
                return Parting(longer, is_untaken=False)
            if (to, also) not in words:
                words[to, also] = longer
                queue.append((to, also))
    return None


def is_cover(known: Knowledge, cover: Bits, here: Bits | None) -> bool:
    """Whether a cover of fewer rows of the same run still is one."""
    if cover & known.out or not all(members & cover for members in known.candidates):
        return False
    if any(known.conflicts[f] & cover for f in bits(cover)):
        return False
    return here is None or not impossible_part(known, cover, here)


def impossible_part(known: Knowledge, cover: Bits, here: Bits) -> Bits:
    """Return labels that cannot all be true, by Lemma 2; 0 if there are none.

    These are the labels that can be reached from the present one, if every action was taken in them
    and they are not the whole cover, or only one. If there is one label and an action that was not
    taken, a second state needs a classifier that is 0 on all rows.
    """
    table = known.table(cover)
    reached = nearest_first(table, the_one(here & cover))
    is_open = any(None in table[label] for label in reached)
    can_grow = cover.bit_count() >= 2 or known.seen.bit_count() < known.classifiers
    if (is_open and can_grow) or len(reached) == cover.bit_count() >= 2:
        return 0
    return sum(1 << label for label in reached)


def clauses(known: Knowledge, columns: Bits) -> Iterator[Clause]:
    """Yield what every cover satisfies: each row has a member, and no two members conflict.

    A column that is the only candidate of a row is in every cover. Rule R has removed all that
    conflicts with it, so nothing else has to be said of it.
    """
    rows = [members & columns for members in known.candidates]
    forced = reduce(or_, (row for row in rows if not row & row - 1), 0)
    for row in rows:
        yield [f + 1 for f in bits(row)]
    free = columns & ~forced
    for f in bits(free):
        yield from ([-f - 1, -g - 1] for g in bits(known.conflicts[f] & free & -(1 << f)))


def _members(model: Sequence[int], columns: Bits) -> Bits:
    """Return the columns that a model puts into the cover; each is a variable of some clause."""
    return sum(1 << f for f in bits(columns) if model[f] > 0)


Ways: TypeAlias = "Mapping[int, tuple[int, int] | None]"
"""For each label the label and the action before it on a shortest way; None at the start."""


def nearest_first(table: Table, start: int) -> Ways:
    """Return the labels that known transitions lead to, nearest first."""
    ways: dict[int, tuple[int, int] | None] = {start: None}
    for label, action, target in first_visits(table, (start,)):
        ways.setdefault(target, (label, action))
    return ways


def word_to(ways: Ways, label: int) -> Word:
    """Return a shortest word that leads to a label."""
    word = list[int]()
    while (way := ways[label]) is not None:
        label, action = way
        word.append(action)
    return tuple(reversed(word))


@dataclass(frozen=True, slots=True)
class Hints:
    """How to see that there are no other covers. A checker tests each step and trusts none."""

    removed: tuple[tuple[int, int], ...]
    """(f, t): all candidates of row t that are left conflict with classifier f (rule R)."""
    closed: tuple[tuple[int, ...], ...] = ()
    """Classifiers that are not all in one cover (Lemma 2)."""
    refutation: tuple[tuple[int, ...], ...] = ()
    """Clauses, each of which follows from those before by unit propagation (RUP)."""


def hints(
    trajectories: Sequence[Trajectory],
    known: Knowledge,
    only: Sequence[Bits],
    here: Bits | None,
    *,
    quotients: bool = False,
) -> Hints:
    """Return the hints for the only covers of these trajectories.

    `known` is what they say, where two states are supposed; `here` is as in `covers`. With
    `quotients` they are for a cover of which all covers are quotients.
    """
    columns = _Columns(trajectories, known, connected=here is not None)
    removed = tuple(columns.removals())
    excluded = [columns.dividing(cover) if quotients else ~cover for cover in only]
    others = [[f + 1 for f in bits(known.columns & each)] for each in excluded]
    if not all(others):
        return Hints(removed)
    from pysat.solvers import Solver  # noqa: PLC0415 (only runs that need it wait for it)

    formula, closed = [*clauses(known, known.columns), *others], list[tuple[int, ...]]()
    while True:
        with Solver(name="cadical195", bootstrap_with=formula, with_proof=True) as solver:
            if not solver.solve():
                proof = [[int(word) for word in line.split()[:-1]] for line in _added(solver)]
                return Hints(removed, tuple(closed), tuple(tuple(one) for one in proof if one))
            found = _members(solver.get_model(), known.columns)
        impossible = 0 if here is None else impossible_part(known, found, here)
        if not impossible:
            raise ValueError("the rows leave another cover")
        closed.append(tuple(bits(impossible)))
        formula.append([-f - 1 for f in bits(impossible)])


def _added(solver: Solver) -> Iterator[str]:
    """Yield the lines of the solver's proof that add a clause."""
    return (line for line in solver.get_proof() if not line.startswith("d"))


class _Columns:
    """The rows by columns: bit t of a column is row t. Used to find the order of removals."""

    def __init__(
        self, trajectories: Sequence[Trajectory], known: Knowledge, *, connected: bool
    ) -> None:
        rows = [row for trajectory in trajectories for row in trajectory.rows]
        actions = [a for trajectory in trajectories for a in (*trajectory.actions, None)]
        taken = [
            int("".join("01"[a == b] for a in reversed(actions)), 2) for b in range(known.actions)
        ]
        lowest: dict[int, int] = {}
        for f, column in enumerate(transposed(rows, known.classifiers)):
            lowest.setdefault(column, f)
        self.rows = rows
        self.known = known
        self.ways = {column: [(column & some) << 1 for some in taken] for column in lowest}
        self.lowest = {
            column: f
            for column, f in lowest.items()
            if column and not self._is_out(column, connected=connected)
        }

    def _is_out(self, column: int, *, connected: bool) -> bool:
        """Whether a column conflicts with itself, or would belong to the only state."""
        ways = self.ways[column]
        if any(way & column not in (0, way) for way in ways):
            return True
        if connected:
            return all(way and not way & ~column for way in ways)
        return column == (1 << len(self.rows)) - 1

    def conflict(self, one: int, other: int) -> bool:
        """Whether no cover has both of two different columns."""
        if one & other or any(way & other not in (0, way) for way in self.ways[one]):
            return True
        return any(way & one not in (0, way) for way in self.ways[other])

    def dividing(self, cover: Bits) -> Bits:
        """Return the classifiers that divide a label of a cover; of each column the lowest one."""
        labels = [column for column, f in self.lowest.items() if cover >> f & 1]
        return sum(
            1 << f
            for column, f in self.lowest.items()
            if any(column & label not in (0, label) for label in labels)
        )

    def removals(self) -> Iterator[tuple[int, int]]:
        """Yield which row removes which column, in an order in which each step is sound."""
        alive, stay = sum(1 << f for f in self.lowest.values()), self.known.columns
        compatible = {
            f: sum(1 << g for d, g in self.lowest.items() if f == g or not self.conflict(c, d))
            for c, f in self.lowest.items()
            if not stay >> f & 1
        }
        while compatible:
            before = len(compatible)
            for f, fits in list(compatible.items()):
                for t, row in enumerate(self.rows):
                    if not row & alive & fits:
                        yield f, t
                        alive ^= 1 << f
                        del compatible[f]
                        break
            if len(compatible) == before:
                raise ValueError("rule R does not remove all that it should")


def transposed(rows: Sequence[Bits], width: int) -> Iterator[int]:
    """Yield for each classifier the rows on which it is 1, as a set."""
    lines = [f"{row:0{width}b}" for row in reversed(rows)]
    return (int("".join(column), 2) for column in reversed([*zip(*lines, strict=True)]))
