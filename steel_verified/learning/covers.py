"""Which covers the rows leave: none, one, or several. A complete decision, by SAT where needed.

Whether a cover exists is NP-complete, so rule R, which is fast, leaves some questions open; a SAT
solver decides these. Variable f says that classifier f is in the cover. The clauses: each row has a
member, conflicting classifiers are not both members, and in a connected world:

    Lemma 2. Labels that were all left by every action, always into labels among them, are all
    labels. So they are shown on all rows; and there are at least two, since there are two states.

A cover that breaks Lemma 2 gives a clause, and the solver is asked again.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from steel_verified.learning.knowledge import bits, the_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from steel_verified.learning.knowledge import Bits, Knowledge, Table

Clause: TypeAlias = list[int]
"""Numbers f + 1 for "f is in the cover" and −f − 1 for "f is not"; one of them has to hold."""


def covers(
    known: Knowledge, here: Bits | None, *, most: int = 2, before: Iterable[Bits] = ()
) -> tuple[Bits, ...]:
    """Return the covers that the rows leave, up to `most`, no two of which have the same columns.

    `here` is the present row of a connected world; then only covers count that agree with Lemma 2.
    For a log it is None. A cover has one classifier for each of its columns. `before` are covers of
    fewer rows of the same run: those that still are covers are returned first, without a search.
    """
    if known.pending:
        raise ValueError("too many classifiers are in play")
    if known.is_contradicted:
        return ()
    columns = known.columns
    if known.is_resolved:
        return (columns,) if here is None or not impossible_part(known, columns, here) else ()
    found = [cover for cover in before if is_cover(known, cover, here)][:most]
    if len(found) == most:
        return tuple(found)
    from pysat.solvers import Solver  # noqa: PLC0415 (only runs that need it wait for it)

    with Solver(name="cadical195", bootstrap_with=clauses(known, columns)) as solver:
        for cover in found:  # Another cover has another column; none is part of another.
            solver.add_clause([f + 1 for f in bits(columns & ~cover)])
        while len(found) < most and solver.solve():
            cover = sum(1 << v - 1 for v in solver.get_model() if v > 0) & columns
            impossible = 0 if here is None else impossible_part(known, cover, here)
            if impossible:
                solver.add_clause([-f - 1 for f in bits(impossible)])
            else:
                found.append(cover)
                solver.add_clause([f + 1 for f in bits(columns & ~cover)])
    return tuple(found)


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
    """Yield what every cover satisfies: each row has a member, and no two members conflict."""
    for members in known.candidates:
        yield [f + 1 for f in bits(members & columns)]
    for f in bits(columns):
        yield from ([-f - 1, -g - 1] for g in bits(known.conflicts[f] & columns & -(1 << f)))


def nearest_first(table: Table, start: int) -> dict[int, tuple[int, ...]]:
    """Return the labels that known transitions lead to, nearest first, with a shortest word."""
    words: dict[int, tuple[int, ...]] = {start: ()}
    queue = deque([start])
    while queue:
        label = queue.popleft()
        for action, target in enumerate(table[label]):
            if target is not None and target not in words:
                words[target] = (*words[label], action)
                queue.append(target)
    return words
