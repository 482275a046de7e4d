"""Turns a solver's proof into steps that name the clauses from which they follow.

A solver proves that clauses contradict each other by a list of clauses, each of which follows from
those before by unit propagation (RUP). To see this, a checker has to search. Here the search is
done once: each step gets the numbers of the clauses that it follows from, in the order of their
use, and steps that nothing needs are left out. A checker then looks at each named clause once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Derived: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...]]"
"""A clause, and the numbers of the clauses that it follows from: with its literals false, each of
them leaves one literal, which is then true, and the last one leaves none."""


def derivation(clauses: Sequence[Sequence[int]], proof: Iterable[str]) -> tuple[Derived, ...]:
    """Return the steps from clauses, numbered from 0, to the empty clause.

    `proof` has the lines of a solver: a clause that ends with 0, or "d" and one that it forgets.
    """
    known = _Clauses(clauses)
    for line in proof:
        if known.contradiction is not None:
            break
        if not line.startswith("d"):
            known.derive([int(word) for word in line.split()[:-1]])
    return tuple(known.needed(len(clauses)))


@dataclass(frozen=True, slots=True)
class _Conflict:
    """A clause whose literals are all false."""

    number: int


class _Clauses:
    """Clauses with two watched literals each, and the literals that are true for ever."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self.clauses = [[*dict.fromkeys(clause)] for clause in clauses]
        self.watching = dict[int, list[int]]()
        """For each literal the clauses to look at when it becomes true."""
        self.true = dict[int, int]()
        """The true literals, each with its clause of one literal; −1 if it is only assumed."""
        self.follows = dict[int, list[int]]()
        """For each derived clause, what it follows from."""
        self.contradiction: list[int] | None = None
        for number in range(len(self.clauses)):
            self._watch(number)

    def derive(self, clause: Sequence[int]) -> None:
        """Add a clause that follows by unit propagation."""
        if any(literal in self.true for literal in clause):
            return
        trail = [-literal for literal in dict.fromkeys(clause) if -literal not in self.true]
        self.true |= dict.fromkeys(trail, -1)
        because, head, conflict = dict[int, int](), 0, None
        while conflict is None and head < len(trail):
            head += 1
            for found in self._visited(trail[head - 1]):
                if isinstance(found, _Conflict):
                    conflict = found.number
                    break
                literal, number = found
                if literal not in self.true:
                    self.true[literal], because[literal] = -1, number
                    trail.append(literal)
        if conflict is None:
            raise ValueError(f"the clause {clause} does not follow")
        used, needed = [conflict], {-literal for literal in self.clauses[conflict]}
        for literal in reversed(trail):
            if literal in needed and literal in because:
                used.append(because[literal])
                needed |= {-each for each in self.clauses[because[literal]] if each != literal}
        for literal in trail:
            del self.true[literal]
        units = [self.true[literal] for literal in needed if literal in self.true]
        self.follows[len(self.clauses)] = [*units, *reversed(used)]
        self.clauses.append([*dict.fromkeys(clause)])
        self._watch(len(self.clauses) - 1)

    def needed(self, first: int) -> Iterator[Derived]:
        """Yield the derived clauses that the contradiction needs, and then the contradiction.

        They are numbered anew, from `first` on.
        """
        if self.contradiction is None:
            raise ValueError("the proof does not end in a contradiction")
        kept, waiting = set[int](), list(self.contradiction)
        while waiting:
            number = waiting.pop()
            if number in self.follows and number not in kept:
                kept.add(number)
                waiting += self.follows[number]
        name = {number: place for place, number in enumerate(sorted(kept), first)}
        for number in name:
            used = (name.get(each, each) for each in self.follows[number])
            yield tuple(self.clauses[number]), tuple(used)
        yield (), tuple(name.get(each, each) for each in self.contradiction)

    def _watch(self, number: int) -> None:
        """Use a clause from now on, and find all that it makes true for ever."""
        literals = self.clauses[number]
        if self.contradiction is not None or any(each in self.true for each in literals):
            return
        free = [each for each in literals if -each not in self.true]
        if len(free) > 1:
            literals.sort(key=lambda each: -each in self.true)
            for each in literals[:2]:
                self.watching.setdefault(-each, []).append(number)
        elif free:
            self._settle(free[0], number)
        else:
            self._contradict(number)

    def _settle(self, literal: int, number: int) -> None:
        """Make a literal true for ever: all others of this clause are false."""
        waiting = [(literal, number)]
        while waiting and self.contradiction is None:
            literal, number = waiting.pop()
            if literal in self.true:
                continue
            if -literal in self.true:
                self._contradict(number)
                continue
            if len(self.clauses[number]) > 1:
                units = [self.true[-each] for each in self.clauses[number] if each != literal]
                self.follows[len(self.clauses)] = [*units, number]
                number = len(self.clauses)
                self.clauses.append([literal])
            self.true[literal] = number
            for found in self._visited(literal):
                if isinstance(found, _Conflict):
                    self._contradict(found.number)
                    break
                waiting.append(found)

    def _contradict(self, number: int) -> None:
        self.contradiction = [*(self.true[-each] for each in self.clauses[number]), number]

    def _visited(self, literal: int) -> list[tuple[int, int] | _Conflict]:
        """Return what follows at once from a literal that became true: literals and their clauses.

        A conflict is the last one.
        """
        false, true, clauses = -literal, self.true, self.clauses
        kept, found = list[int](), list[tuple[int, int] | _Conflict]()
        watching = self.watching.pop(literal, [])
        for place, number in enumerate(watching):
            clause = clauses[number]
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if first in true:
                kept.append(number)
                continue
            for i in range(2, len(clause)):
                if -clause[i] not in true:
                    clause[1], clause[i] = clause[i], false
                    self.watching.setdefault(-clause[1], []).append(number)
                    break
            else:
                kept.append(number)
                if -first in true:
                    kept += watching[place + 1 :]
                    found.append(_Conflict(number))
                    break
                found.append((first, number))
        self.watching[literal] = kept
        return found
