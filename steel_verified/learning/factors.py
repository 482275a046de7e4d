"""Factors: small models whose product stands for joint states that nobody lists.

A factor is a complete table with a present label. What several factors show together follows from
their tables, so all of this is decided exactly: whether one is a function of others from now on (a
quotient, a product, or another function, such as a sum), how many joint states can occur, and a
shortest word to given labels of some of them.

An action *acts* on a factor if it changes some label. Factors on which different actions act do not
meet in one word, so each of these *groups* is searched by itself, and the product is never made.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from steel_verified.evidence.plans import Word

Labels: TypeAlias = tuple[int, ...]
"""A label for each of several factors."""

MOST_SEARCHED: Final = 200_000
"""This many joint labels of a group are searched at most: a second or two."""


@dataclass(frozen=True, slots=True)
class Factor:
    """What moves by a table of its own: exactly this one, if it is a factor at all."""

    classifiers: tuple[tuple[int, ...], ...]
    """For each label the classifiers that fit it. The first one was tested by the coins."""
    table: tuple[tuple[int, ...], ...]
    current: int
    coins: int = 0
    """How many private coins it passed: with δ, it is no function of the noise."""

    @property
    def values(self) -> int:
        return len(self.table)

    @property
    def model(self) -> Model:
        return Model(len(self.table[0]), self.table)

    @property
    def is_autonomous(self) -> bool:
        """Whether all actions have the same effect at every label."""
        return all(len(set(line)) == 1 for line in self.table)

    @property
    def acting(self) -> frozenset[int]:
        """The actions that act on it."""
        return frozenset(
            action
            for label, line in enumerate(self.table)
            for action, to in enumerate(line)
            if to != label
        )


@dataclass(frozen=True, slots=True)
class Derived:
    """A factor is a function of others from now on, so it says nothing that they do not say."""

    how: Literal["quotient", "product", "function"]
    """A function of one other; of others that are functions of it; or of two others."""
    of: tuple[int, ...]
    """The numbers of the others."""


@dataclass(frozen=True, slots=True)
class JointStates:
    """How many joint labels can occur."""

    number: int
    is_exact: bool
    """False: they are at most so many, since some group is too large to be searched."""


@dataclass(frozen=True)
class Product:
    """Factors side by side, in the order of their numbers."""

    factors: tuple[Factor, ...]
    actions: int

    @property
    def current(self) -> Labels:
        return tuple(factor.current for factor in self.factors)

    def walk(self, labels: Labels, word: Iterable[int]) -> Iterator[Labels]:
        """Yield the labels after each action of a word."""
        for action in word:
            labels = tuple(
                factor.table[label][action]
                for factor, label in zip(self.factors, labels, strict=True)
            )
            yield labels

    @cached_property
    def derived(self) -> Mapping[int, Derived]:
        """The factors that are functions of others, each of others that determine it.

        Those that are left determine all. Products of what is coarser go first, from the largest
        one; then quotients; then functions of two others on which the same actions act.
        """
        found: dict[int, Derived] = {}

        def size(number: int) -> int:
            return self.factors[number].values

        def left(besides: int) -> list[int]:
            return [n for n in range(len(self.factors)) if n != besides and n not in found]

        for number in sorted(range(len(self.factors)), key=size, reverse=True):
            coarser = [n for n in left(number) if self._is_function(n, (number,))]
            coarser = [n for n in coarser if size(n) < size(number)]
            if len(coarser) > 1 and self._is_function(number, coarser):
                found[number] = Derived("product", self._needed(number, coarser))
        for number in sorted(left(-1), key=size):
            for other in left(number):
                if self._is_function(number, (other,)):
                    found[number] = Derived("quotient", (other,))
                    break
        for number in sorted(left(-1), key=size, reverse=True):
            acting = self.factors[number].acting
            met = [n for n in left(number) if acting & self.factors[n].acting]
            for pair in combinations(met, 2):
                if self._is_function(number, pair):
                    found[number] = Derived("function", pair)
                    break
        return found

    @property
    def independent(self) -> tuple[int, ...]:
        """The factors that are not derived from others. They determine all."""
        return tuple(n for n in range(len(self.factors)) if n not in self.derived)

    @cached_property
    def joint_states(self) -> JointStates:
        """How many joint labels the present ones lead to."""
        sizes, is_exact = [], True
        for group in self._groups(self.independent):
            reached = self._search(group, None)
            if reached is None:
                is_exact = False
                sizes.append(prod(self.factors[n].values for n in group))
            else:
                sizes.append(len(reached))
        return JointStates(prod(sizes), is_exact)

    def plan(self, goal: Mapping[int, int], start: Labels | None = None) -> Word:
        """Return a shortest word to these labels of these factors, whatever the others do.

        Raises `InvalidArgument` if there is none, or if a group is too large to be searched.
        """
        at = self.current if start is None else start
        for number, label in goal.items():
            if not 0 <= number < len(self.factors):
                raise InvalidArgument("to", number, f"factors from 0 to {len(self.factors) - 1}")
            if not 0 <= label < self.factors[number].values:
                expected = f"labels from 0 to {self.factors[number].values - 1}"
                raise InvalidArgument(f"to[{number}]", label, expected)
        words: list[int] = []
        for group in self._groups(tuple(sorted(goal))):
            aim = tuple(goal[n] for n in group)
            reached = self._search(group, aim, tuple(at[n] for n in group))
            if reached is None:
                expected = f"fewer factors at once: a search of {MOST_SEARCHED:,} is too small"
                raise InvalidArgument("to", dict(goal), expected)
            if aim not in reached:
                raise InvalidArgument("to", dict(goal), "labels that occur together")
            words += _word(reached, aim)
        return tuple(words)

    def _groups(self, numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Divide factors into groups on which different actions act."""
        groups: list[tuple[frozenset[int], tuple[int, ...]]] = []
        for number in numbers:
            acting = self.factors[number].acting
            members: tuple[int, ...] = (number,)
            apart = [group for group in groups if not group[0] & acting]
            for group in groups:
                if group[0] & acting:
                    acting, members = acting | group[0], group[1] + members
            groups = [*apart, (acting, members)]
        return [tuple(sorted(members)) for _, members in groups]

    def _search(
        self, group: Sequence[int], aim: Labels | None, start: Labels | None = None
    ) -> dict[Labels, tuple[Labels, int] | None] | None:
        """Return the joint labels of a group, nearest first, each with the one before it.

        The search ends at the aim. None if there are too many.
        """
        tables = [self.factors[n].table for n in group]
        acting = sorted(frozenset[int]().union(*(self.factors[n].acting for n in group)))
        first = start or tuple(self.factors[n].current for n in group)
        before: dict[Labels, tuple[Labels, int] | None] = {first: None}
        queue = deque([first])
        while queue and (aim is None or aim not in before):
            labels = queue.popleft()
            for action in acting:
                to = tuple(
                    table[label][action] for table, label in zip(tables, labels, strict=True)
                )
                if to not in before:
                    if len(before) == MOST_SEARCHED:
                        return None
                    before[to] = labels, action
                    queue.append(to)
        return before

    def _is_function(self, number: int, of: Sequence[int]) -> bool:
        """Whether a factor is a function of others, for all joint labels that can still occur."""
        if not self.factors[number].acting <= frozenset[int]().union(
            *(self.factors[n].acting for n in of)
        ):
            return False
        reached = self._search((number, *of), None)
        if reached is None:
            return False
        value: dict[Labels, int] = {}
        return all(value.setdefault(labels[1:], labels[0]) == labels[0] for labels in reached)

    def _needed(self, number: int, of: list[int]) -> tuple[int, ...]:
        """Return some of these factors of which it still is a function; each of them is needed."""
        for each in sorted(of, key=lambda n: self.factors[n].values):
            rest = [n for n in of if n != each]
            if rest and self._is_function(number, rest):
                return self._needed(number, rest)
        return tuple(of)


def _word(reached: Mapping[Labels, tuple[Labels, int] | None], aim: Labels) -> list[int]:
    word, step = list[int](), reached[aim]
    while step is not None:
        labels, action = step
        word.append(action)
        step = reached[labels]
    return word[::-1]
