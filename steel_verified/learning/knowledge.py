"""What rows say about a finite class F, for every noise: conflicts, and rule R.

Assumed is only that each observation shows one state, that an action has one effect in each state,
and that F has a classifier for each state that was visited. A *cover* is a set of classifiers that
could then be those of the visited states: on each row exactly one of them is 1, and equal actions
have equal effects. Two classifiers *conflict* if no cover has both:

1. both are 1 on one row; or
2. an action at one of them leads to the other one in some cases and not in others.

    Rule R. A classifier that conflicts with all candidates of one row belongs to no cover.

The candidates of a row are the classifiers that are 1 on it and not removed yet. The true
classifiers are a cover, so they are never removed, whatever the noise does. Classifiers with the
same values on all rows, a *column*, are treated as one: the rows do not tell them apart.

`Knowledge` is a value. It depends on the set of transitions only, and grows in one way: by merging,
which is commutative, associative and idempotent. So rows, trajectories, logs and actors are all
added by one operation. No row is kept, except while a large class has too many columns: then new
transitions wait, and which of them wait may depend on the order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Bits: TypeAlias = int
"""A set of classifiers: bit f stands for classifier f. A row is the set of those that are 1."""

Transition: TypeAlias = "tuple[Bits, int | None, Bits]"
"""A row, an action and the next row; a row without an action is (row, None, row)."""

Table: TypeAlias = "Mapping[int, tuple[int | None, ...]]"
"""For each label and action the next label, or None if the action was never taken there."""

MOST_AT_ONCE: Final = 4096
"""With more columns left, new transitions wait, and only what conflicts with itself is removed.

Rule R needs a few sets of classifiers for each column: 10 MB for this many, if that is all of F and
there are two actions.
"""


def bits(members: Bits) -> Iterator[int]:
    """Yield the members of a set of classifiers, lowest first."""
    digits = bin(members)[:1:-1]  # As text: the cost is that of one look at each classifier.
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def the_one(members: Bits) -> int:
    """Return the only member of a set of classifiers."""
    return members.bit_length() - 1


def with_parts(members: Bits, parts: Mapping[int, int]) -> Bits:
    """Return a set of classifiers with the new ones that had the column of a member.

    `parts` has the new one for each classifier that splits.
    """
    if members < 0:  # all of them
        return members
    return reduce(or_, (1 << parts[f] for f in bits(members) if f in parts), members)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Consecutive rows and the actions between them: action t leads from row t to row t + 1."""

    rows: tuple[Bits, ...]
    actions: tuple[int, ...] = ()
    terminated: bool = False
    """Whether the world ended it. By convention, every action then stays in its last state."""

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.actions) + 1:
            raise ValueError(f"{len(self.actions)} actions are not between {len(self.rows)} rows")

    def transitions(self) -> Iterator[Transition]:
        """Yield the first row, and then each row with the action and the row after it."""
        yield self.rows[0], None, self.rows[0]
        yield from zip(self.rows, self.actions, self.rows[1:], strict=False)

    def ends(self, actions: int) -> Iterator[Trajectory]:
        """Yield what the convention about its end says, if it terminated."""
        if self.terminated:
            end = self.rows[-1:] * 2
            yield from (Trajectory(end, (action,)) for action in range(actions))


@dataclass(frozen=True, slots=True)
class Fact:
    """What the rows say about the classifiers of one column; removed ones are not mentioned."""

    column: Bits
    """The classifiers that have this column."""
    some_with: Bits
    """The classifiers that are 1 on some row of the column."""
    after: tuple[tuple[Bits, Bits], ...]
    """For each action, the classifiers that are 1 on some and on all rows that came after it.

    They are 0 and −1, none and all, if it was never taken.
    """

    def joined(self, other: Fact) -> Fact:
        """Return what two facts say together about the classifiers that they share."""
        return Fact(
            self.column & other.column,
            self.some_with | other.some_with,
            tuple((s | t, e & d) for (s, e), (t, d) in zip(self.after, other.after, strict=True)),
        )

    def without(self, out: Bits) -> Fact:
        """Return what is left if these classifiers are removed."""
        if not self.some_with & out and not any(some & out for some, _ in self.after):
            return self
        after = tuple((some & ~out, every & ~out if some else every) for some, every in self.after)
        return Fact(self.column & ~out, self.some_with & ~out, after)

    def conflicts(self) -> Bits:
        """Return the classifiers that conflict with these, as far as the rows of these show it.

        If they are themselves among them, they conflict with all candidates of their own rows.
        """
        found = self.some_with & ~self.column
        for some, every in self.after:
            found |= some & ~every
        return found

    @property
    def is_taken(self) -> bool:
        """Whether every action was taken on a row of the column."""
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
    """For each action, the classifiers left that were once 1 before it and 1 after it."""
    ended: tuple[Bits, ...]
    """For each action, the classifiers left that were once 1 before it and 0 after it."""
    out: Bits
    """The classifiers that were removed; all of them if the rows contradict the assumptions."""
    candidates: frozenset[Bits]
    """For each row its candidates; of these sets only the ⊆-minimal ones."""
    facts: Mapping[int, Fact]
    """For each column that is left, by the lowest classifier that has it."""
    pending: frozenset[Transition]
    """The transitions that rule R has not used yet, since too many columns are left."""
    conflicts: Mapping[int, Bits] = field(compare=False)
    """Derived from the facts: symmetric, and complete among the classifiers that are left."""
    columns: Bits = field(default=0, compare=False)
    """The lowest classifier of each column that is left, those of the facts."""

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
        """Whether the candidates of each row have one column."""
        return not self.pending and all(f.some_with == f.column for f in self.facts.values())

    def of(self, trajectory: Trajectory) -> Knowledge:
        """Add a trajectory."""
        known = reduce(Knowledge.with_transition, trajectory.transitions(), self)
        return reduce(Knowledge.of, trajectory.ends(self.actions), known)

    def with_transition(self, transition: Transition) -> Knowledge:
        """Add a transition. The value returned is the same object if it says nothing new."""
        return self if self.has(transition) else self.merged(self._of_one(transition))

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
        wait = both.left.bit_count() > MOST_AT_ONCE and _are_many(both, other.facts.values())
        if wait and not other.facts:
            return _masked(both, out)
        added = frozenset[Transition]() if wait else both.pending
        new = [*other.facts.values(), *(fact for one in added for fact in self._facts(one))]
        gone = out if self.pending else out & ~self.out  # The facts of a value that waits are old.
        facts, part_of = _refined(self.facts, gone, (one.without(out) for one in new))
        changed = {f: fact for f, fact in facts.items() if self.facts.get(f) is not fact}
        rows = {row for before, _, after in added for row in (before, after)}
        candidates = minimal(self.candidates, out, other.candidates | rows)
        both = replace(both, pending=both.pending - added)
        if not changed and candidates == self.candidates and len(facts) == len(self.facts):
            return _masked(both, out)
        conflicts = {f: self.conflicts.get(g, 0) for f, g in part_of.items()}
        columns = _set_of(facts)
        more = _add_conflicts(conflicts, changed, columns)
        before, heard = self.candidates, out
        while True:
            again = (row for row in candidates if row & more or row not in before)
            refuted = refuted_by_rows(again, conflicts, columns)
            newly = reduce(or_, (facts[f].column for f in bits(refuted)), out) ^ out
            if 0 in candidates:
                newly = (1 << self.classifiers) - 1 ^ out
            if not newly:
                break
            before, out, more = candidates, out | newly, 0
            candidates = minimal(candidates, out)
            facts = {f: fact for f, fact in facts.items() if not out >> f & 1}
            conflicts = {f: conflicts[f] for f in facts}
            columns = _set_of(facts)
        if out != heard:
            facts = {f: fact.without(out ^ heard) for f, fact in facts.items()}
        known = replace(
            both, candidates=candidates, facts=facts, conflicts=conflicts, columns=columns
        )
        return _masked(known, out)

    def has(self, transition: Transition) -> bool:
        """Whether a transition says nothing new: a few operations if its rows are resolved.

        It is enough to look at columns, at candidates, and at what was 1 on some row. A classifier
        that was 1 on all rows of some kind, and is 0 on this one, was together with each candidate
        of this row: so it conflicts with all of them, and was removed.
        """
        before, action, row = transition
        after = row & ~self.out
        if self.pending or not self._has_row(after, None, 0):
            return False
        return action is None or self._has_row(before & ~self.out, action, after)

    def _has_row(self, left: Bits, action: int | None, after: Bits) -> bool:
        """Whether a row of these candidates, and those after an action there, say nothing new."""
        columns, members = 0, left & self.columns
        while members:  # Mostly there is one.
            fact = self.facts[f := members.bit_length() - 1]
            members ^= 1 << f
            columns |= fact.column
            if left & ~fact.some_with or (action is not None and after & ~fact.after[action][0]):
                return False
        return columns == left and (
            left in self.candidates or any(row & left == row for row in self.candidates)
        )

    def split(self, parts: Mapping[int, int]) -> Knowledge:
        """Return the same for more classifiers, each of which had the column of another so far.

        `parts` has the new one for each classifier that splits.
        """

        def on(members: Bits) -> Bits:
            return with_parts(members, parts)

        def on_each(several: Iterable[Bits]) -> tuple[Bits, ...]:
            return tuple(map(on, several))

        return replace(
            self,
            classifiers=self.classifiers + len(parts),
            seen=on(self.seen),
            every=on(self.every),
            stayed=on_each(self.stayed),
            ended=on_each(self.ended),
            out=on(self.out),
            candidates=frozenset(map(on, self.candidates)),
            facts={
                f: Fact(
                    on(fact.column),
                    on(fact.some_with),
                    tuple((on(some), on(every)) for some, every in fact.after),
                )
                for f, fact in self.facts.items()
            },
            pending=frozenset((on(before), a, on(row)) for before, a, row in self.pending),
            conflicts={f: on(members) for f, members in self.conflicts.items()},
        )

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
        stayed, ended = [0] * self.actions, [0] * self.actions
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

    def _facts(self, transition: Transition) -> Iterator[Fact]:
        """Yield what a transition says about the classifiers that are 1 before and after it."""
        before, action, row = transition
        untaken = ((0, -1),) * self.actions
        yield Fact(row, row, untaken)
        if action is not None:
            after = (*untaken[:action], (row, row), *untaken[action + 1 :])
            yield Fact(before, before, after)


def nothing_known(classifiers: int, actions: int) -> Knowledge:
    """Return the knowledge before the first row."""
    none = (0,) * actions
    return Knowledge(
        classifiers,
        actions,
        seen=0,
        every=(1 << classifiers) - 1,
        stayed=none,
        ended=none,
        out=0,
        candidates=frozenset(),
        facts={},
        pending=frozenset(),
        conflicts={},
    )


def _masked(known: Knowledge, out: Bits) -> Knowledge:
    """Return it with these classifiers removed, which the facts mention no more."""
    stayed, ended = (tuple(one & ~out for one in each) for each in (known.stayed, known.ended))
    return replace(known, stayed=stayed, ended=ended, out=out)


def minimal(family: frozenset[Bits], out: Bits, more: Iterable[Bits] = ()) -> frozenset[Bits]:
    """Return the ⊆-minimal ones of these sets without the members in `out`.

    In the family no set contains another. So only those of its sets that lose members, and `more`,
    have to be compared with the rest.
    """
    kept = {old for old in family if not old & out}
    for new in sorted({some & ~out for some in (*(family - kept), *more)}, key=int.bit_count):
        if not any(old & new == old for old in kept):
            kept = {old for old in kept if old & new != new}
            kept.add(new)
    return frozenset(kept)


def _are_many(known: Knowledge, others: Iterable[Fact]) -> bool:
    """Whether more columns are left than rule R can treat at once, with other facts as well."""
    parts = [part for fact in known.facts.values() if (part := fact.column & known.left)]
    if rest := reduce(and_, (~part for part in parts), known.left):
        parts.append(rest)
    rows = {row for before, _, after in known.pending for row in (before, after)}
    for members in (*(fact.column for fact in others), *rows):
        if len(parts) > MOST_AT_ONCE:
            return True
        parts = [part for old in parts for part in (old & members, old & ~members) if part]
    return len(parts) > MOST_AT_ONCE


def _refined(
    known: Mapping[int, Fact], gone: Bits, others: Iterable[Fact]
) -> tuple[dict[int, Fact], dict[int, int]]:
    """Return the facts after hearing others: columns are split where the others tell them apart.

    The classifiers in `gone` are removed. Also for each column the one of which it was a part, or
    itself.
    """
    facts, part_of = dict(known), {f: f for f in known}
    for f, fact in known.items() if gone else ():
        if (less := fact.without(gone)) is not fact:
            del facts[f], part_of[f]
            if less.column:
                g = _lowest(less.column)
                facts[g], part_of[g] = less, f
    for new in others:
        rest = new.column
        for f, fact in list(facts.items()):
            if not (shared := fact.column & rest):
                continue
            rest ^= shared
            if shared != fact.column:
                whole = part_of.pop(f)
                del facts[f]
                apart = fact.column ^ shared
                facts[_lowest(apart)] = replace(fact, column=apart)
                part_of[_lowest(apart)] = part_of[_lowest(shared)] = whole
            said = fact.joined(new)
            facts[_lowest(shared)] = fact if said == fact else said
            if not rest:
                break
        if rest:
            facts[_lowest(rest)] = replace(new, column=rest)
            part_of[_lowest(rest)] = _lowest(rest)
    return facts, part_of


def _add_conflicts(conflicts: dict[int, Bits], changed: Mapping[int, Fact], columns: Bits) -> Bits:
    """Add those of the facts that changed, for both classifiers of each conflict.

    Classifiers that are 1 together say so in the facts of both. Returns the columns that have more
    conflicts than before.
    """
    more = 0
    for f, fact in changed.items():
        if found := fact.conflicts() & ~conflicts[f]:
            conflicts[f] |= found
            more |= 1 << f
            for g in bits(found & columns & ~fact.some_with):
                conflicts[g] |= fact.column
                more |= 1 << g
    return more


def refuted_by_rows(
    candidates: Iterable[Bits], conflicts: Mapping[int, Bits], columns: Bits
) -> Bits:
    """Return the columns that rule R removes: on some row all candidates conflict with them."""
    refuted = 0
    for members in candidates:
        left = columns & ~refuted
        for f in bits(members & columns):
            left &= conflicts[f]
            if not left:
                break
        refuted |= left
    return refuted


def _lowest(members: Bits) -> int:
    return (members & -members).bit_length() - 1


def _set_of(members: Iterable[int]) -> Bits:
    return reduce(or_, (1 << member for member in members), 0)
