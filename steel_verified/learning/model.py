"""The learned dynamics: an immutable, partial transition table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from steel_verified.errors import InvalidArgument
from steel_verified.theory.conditions import AssumptionViolated, Condition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.evidence.plans import Word


class Transition(NamedTuple):
    """T'(state, action) = to."""

    state: int
    action: int
    to: int


@dataclass(frozen=True, slots=True)
class Model:
    """T' on states 0, 1, …: `table[s][a]` is the next state, or None (⊥) while it is unknown."""

    actions: int
    table: tuple[tuple[int | None, ...], ...] = ()

    def __post_init__(self) -> None:
        for state, row in enumerate(self.table):
            if len(row) != self.actions:
                expected = f"an entry for each action, {self.actions} in all"
                raise InvalidArgument(f"table[{state}]", row, expected)
            for to in row:
                if to is not None and not 0 <= to < len(self.table):
                    expected = f"states from 0 to {len(self.table) - 1}, or None"
                    raise InvalidArgument(f"table[{state}]", row, expected)

    @property
    def states(self) -> int:
        return len(self.table)

    @property
    def is_total(self) -> bool:
        """Whether there is a state and every transition is known."""
        return bool(self.table) and all(to is not None for row in self.table for to in row)

    def step(self, state: int | None, action: int) -> int | None:
        """Return T'(state, action), where T'(⊥, action) = ⊥."""
        return None if state is None else self.table[state][action]

    def walk(self, state: int | None, word: Iterable[int]) -> int | None:
        """Return where a word leads, or None if it takes an unknown transition."""
        for action in word:
            state = self.step(state, action)
        return state

    def transitions(self) -> frozenset[Transition]:
        """Return all known transitions."""
        return frozenset(
            Transition(state, action, to)
            for state, row in enumerate(self.table)
            for action, to in enumerate(row)
            if to is not None
        )

    def with_cycle(self, states: tuple[int, ...], word: Word) -> Model:
        """Return the model with the transitions of a cycle, looped by `word` (Alg. 2, l. 437).

        New states are added. Raises `AssumptionViolated` for a transition that contradicts a known
        one.
        """
        grown = max(self.states, max(states) + 1)
        table = [list(row) for row in self.table]
        table += [[None] * self.actions for _ in range(grown - self.states)]
        for i, state in enumerate(states):
            action, to = word[i % len(word)], states[(i + 1) % len(states)]
            known = table[state][action]
            if known not in (None, to):
                raise AssumptionViolated(
                    f"T'({state}, {action}) = {known} is known, but position {i} of the cycle "
                    f"leads to {to}",
                    Condition.DETERMINISTIC,
                    Condition.REALISABLE,
                    Condition.MIXING,
                    Condition.MAX_STATES,
                    Condition.UNCHANGING,
                    Condition.EXOGENOUS,
                )
            table[state][action] = to
        return Model(self.actions, tuple(tuple(row) for row in table))


def matching(one: Model, here: int, other: Model, there: int) -> tuple[int, ...] | None:
    """Return the state of `other` for each state of `one` if the models are isomorphic, else None.

    Both models are followed together from `here` and `there`, which determines the only possible
    isomorphism. A model with unknown transitions is isomorphic to no model.
    """
    meaning = {here: there}
    open_ends = [here]
    while open_ends:
        label = open_ends.pop()
        for action in range(one.actions):
            to, meant = one.step(label, action), other.step(meaning[label], action)
            if to is None or meant is None:
                return None
            if to not in meaning:
                meaning[to] = meant
                open_ends.append(to)
            elif meaning[to] != meant:
                return None
    if not len(meaning) == one.states == other.states == len(set(meaning.values())):
        return None
    return tuple(meaning[label] for label in range(one.states))
