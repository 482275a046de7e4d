"""What rows say about a finite class F, for every noise: conflicts, and rule R.

Assumed is only that each observation shows one state, that an action has one effect in each state,
and that F has a classifier for each state that was visited. A *cover* is a set of classifiers that
could then be those of the visited states: on each row exactly one of them is 1, and equal actions
have equal effects. Two classifiers *conflict* if no cover has both:

1. both are 1 on one row; or
2. an action at one of them leads to the other one in some cases and not in others.

    Rule R. A classifier that conflicts with all candidates of one row belongs to no cover.

The candidates of a row are the classifiers that are 1 on it and not removed yet. The true
classifiers are a cover, so they are never removed, whatever the noise does.

`Knowledge` is a value. It depends on the set of transitions only, and grows in one way: by merging,
which is commutative, associative and idempotent. So rows, trajectories, logs and actors are all
added by one operation. No row is kept, except while most of a large class is still in play.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Value = TypeVar("Value")

Bits: TypeAlias = int
"""A set of classifiers: bit f stands for classifier f. A row is the set of those that are 1."""

Transition: TypeAlias = "tuple[Bits, int | None, Bits]"
"""A row, an action and the next row; a row without an action is (row, None, row)."""

Table: TypeAlias = "Mapping[int, tuple[int | None, ...]]"
"""For each label and action the next label, or None if the action was never taken there."""

MOST_AT_ONCE: Final = 4096
"""With more classifiers in play only those are removed that conflict with themselves.

Rule R needs a few sets of classifiers for each classifier: 10 MB for this many with two actions.
"""


def bits(members: Bits) -> Iterator[int]:
    """Yield the members of a set of classifiers, lowest first."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def the_one(members: Bits) -> int:
    """Return the only member of a set of classifiers."""
    return members.bit_length() - 1


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Consecutive rows and the actions between them: action t leads from row t to row t + 1."""

    rows: tuple[Bits, ...]
    actions: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.actions) + 1:
            raise ValueError(f"{len(self.actions)} actions are not between {len(self.rows)} rows")

    def transitions(self) -> Iterator[Transition]:
        """Yield the first row, and then each row with the action and the row after it."""
        yield self.rows[0], None, self.rows[0]
        yield from zip(self.rows, self.actions, self.rows[1:], strict=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """What the rows say about one classifier f."""

    some_with: Bits
    """The classifiers that are 1 on some row where f is 1."""
    all_with: Bits
    """The classifiers that are 1 on all of these rows."""
    after: tuple[tuple[Bits, Bits], ...]
    """For each action, the same two sets for the rows that came after f and the action."""

    def joined(self, other: Fact) -> Fact:
        """Return what two facts about the same classifier say together."""
        return Fact(
            self.some_with | other.some_with,
            self.all_with & other.all_with,
            tuple((s | t, e & d) for (s, e), (t, d) in zip(self.after, other.after, strict=True)),
        )

    def conflicts(self, f: int) -> Bits:
        """Return the classifiers that conflict with f, as far as the rows of f show it.

        If f itself is among them, it conflicts with all candidates of its own rows.
        """
        found = self.some_with & ~(1 << f)
        for some, every in self.after:
            found |= some & ~every
        return found

    @property
    def is_taken(self) -> bool:
        """Whether every action was taken where f is 1."""
        return all(some for some, _ in self.after)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a set of transitions says. Facts are kept only for classifiers that can be true."""

    classifiers: int
    actions: int
    seen: Bits
    """The classifiers that are 1 on some row."""
    every: Bits
    """The classifiers that are 1 on all rows."""
    stayed: tuple[Bits, ...]
    """For each action, the classifiers that were once 1 before it and 1 after it."""
    ended: tuple[Bits, ...]
    """For each action, the classifiers that were once 1 before it and 0 after it."""
    out: Bits
    """The classifiers that were removed; all of them if the rows contradict the assumptions."""
    candidates: frozenset[Bits]
    """For each row its candidates; of these sets only the ⊆-minimal ones."""
    facts: Mapping[int, Fact]
    pending: frozenset[Transition]
    """The transitions that rule R has not used yet, since too many classifiers are in play."""
    conflicts: Mapping[int, Bits] = field(compare=False)
    """Derived from the facts: symmetric, and complete among the classifiers that are left."""

    @property
    def left(self) -> Bits:
        """The classifiers that were seen and can still be true."""
        return self.seen & ~self.out

    @property
    def is_contradicted(self) -> bool:
        """Whether some row has no candidate."""
        return 0 in self.candidates

    @property
    def is_resolved(self) -> bool:
        """Whether, for each row, its candidates have equal columns.

        If g is 1 on a row of f and both are left, then g must be 1 on all rows of f, and f on all
        rows of g.
        """
        alone = (fact.some_with & ~self.out & ~fact.all_with == 0 for fact in self.facts.values())
        return not self.pending and all(alone)

    def of(self, trajectory: Trajectory) -> Knowledge:
        """Add a trajectory."""
        return reduce(Knowledge.told, trajectory.transitions(), self)

    def told(self, transition: Transition) -> Knowledge:
        """Add a transition."""
        return self.merged(self._of_one(transition))

    def without(self, removed: Bits) -> Knowledge:
        """Remove classifiers for a reason outside the rows. Never merge the value returned."""
        return self.merged(replace(nothing_known(self.classifiers, self.actions), out=removed))

    def merged(self, other: Knowledge) -> Knowledge:
        """Return what both say together, with all that follows by rule R."""
        stayed = tuple(map(or_, self.stayed, other.stayed))
        ended = tuple(map(or_, self.ended, other.ended))
        out = reduce(or_, map(and_, stayed, ended), self.out | other.out)
        both = replace(
            self,
            seen=self.seen | other.seen,
            every=self.every & other.every,
            stayed=stayed,
            ended=ended,
            out=out,
            pending=self.pending | other.pending,
        )
        if self.classifiers - out.bit_count() > MOST_AT_ONCE:
            return both
        told = [other.facts.items(), *(_facts_of(one, out, self) for one in both.pending)]
        facts = _joined(self.facts, told, out)
        rows = {row for before, _, after in both.pending for row in (before, after)}
        candidates = self.candidates if out == self.out else minimal(self.candidates, out)
        candidates = minimal(other.candidates | rows, out, candidates)
        if not facts and candidates == self.candidates and out == self.out:
            return replace(both, pending=frozenset())
        conflicts = dict(self.conflicts)
        for f, fact in facts.items():
            found = fact.conflicts(f) & ~conflicts.setdefault(f, 0)
            conflicts[f] |= found
            for g in bits(found & ~out):
                conflicts[g] = conflicts.get(g, 0) | 1 << f
        while True:
            more = out
            for members in candidates:
                conflicting = (conflicts[f] for f in bits(members))
                more |= reduce(and_, conflicting, (1 << self.classifiers) - 1)
            if more == out:
                break
            out, candidates = more, minimal(candidates, more)
        return replace(
            both,
            out=out,
            candidates=candidates,
            facts=_without({**self.facts, **facts}, out),
            conflicts=_without(conflicts, out),
            pending=frozenset(),
        )

    def same_column(self, f: int) -> Bits:
        """Return the classifiers that are left and equal f on all rows."""
        within = self.facts[f].all_with & self.left
        return sum(1 << g for g in bits(within) if self.facts[g].all_with >> f & 1)

    def columns(self) -> Bits:
        """Return the lowest classifier of each column that is left."""
        return sum(1 << f for f in bits(self.left) if self.same_column(f) & ((1 << f) - 1) == 0)

    def table(self, cover: Bits) -> Table:
        """Return the transitions of a cover."""
        return {
            f: tuple(
                the_one(every & cover) if some else None for some, every in self.facts[f].after
            )
            for f in bits(cover)
        }

    def _of_one(self, transition: Transition) -> Knowledge:
        """Return what one transition says, before rule R is used."""
        before, action, row = transition
        none = (0,) * self.actions
        stayed, ended = list(none), list(none)
        if action is not None:
            stayed[action], ended[action] = before & row, before & ~row
        return Knowledge(
            self.classifiers,
            self.actions,
            seen=before | row,
            every=before & row,
            stayed=tuple(stayed),
            ended=tuple(ended),
            out=0,
            candidates=frozenset(),
            facts={},
            pending=frozenset((transition,)),
            conflicts={},
        )


def nothing_known(classifiers: int, actions: int) -> Knowledge:
    """Return the knowledge before the first row."""
    none = (0,) * actions
    every = (1 << classifiers) - 1
    return Knowledge(
        classifiers,
        actions,
        seen=0,
        every=every,
        stayed=none,
        ended=none,
        out=0,
        candidates=frozenset(),
        facts={},
        pending=frozenset(),
        conflicts={},
    )


def minimal(
    sets: Iterable[Bits], out: Bits, kept: frozenset[Bits] = frozenset()
) -> frozenset[Bits]:
    """Add the sets, without the members in `out`, to a family that keeps the ⊆-minimal ones."""
    for members in sets:
        new = members & ~out
        if all(old & ~new for old in kept):
            kept = frozenset(old for old in kept if new & ~old) | {new}
    return kept


def _facts_of(transition: Transition, out: Bits, known: Knowledge) -> Iterator[tuple[int, Fact]]:
    """Yield what a transition says about each classifier that is 1 before or after it."""
    before, action, row = transition
    untaken = ((0, (1 << known.classifiers) - 1),) * known.actions
    on_row = Fact(row, row, untaken)
    yield from ((f, on_row) for f in bits(row & ~out))
    if action is not None:
        after = (*untaken[:action], (row, row), *untaken[action + 1 :])
        on_before = Fact(before, before, after)
        yield from ((f, on_before) for f in bits(before & ~out))


def _joined(
    known: Mapping[int, Fact], told: Iterable[Iterable[tuple[int, Fact]]], out: Bits
) -> dict[int, Fact]:
    """Return the facts that are new or say more than before, of classifiers that are left."""
    facts: dict[int, Fact] = {}
    for f, new in (pair for pairs in told for pair in pairs):
        if not out >> f & 1:
            old = facts.get(f) or known.get(f)
            fact = new if old is None else old.joined(new)
            if fact != old:
                facts[f] = fact
    return facts


def _without(values: dict[int, Value], out: Bits) -> dict[int, Value]:
    """Return the values of the classifiers that are left."""
    return {f: value for f, value in values.items() if not out >> f & 1}
