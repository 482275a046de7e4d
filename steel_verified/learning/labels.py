"""Labels for states, several of which may stand for one state until they are merged.

A union-find and a partial transition table, both values. Merging two labels merges what each action
leads to as well (congruence closure), so that the table stays a function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Labels:
    """`parent[ℓ]` leads to the label that ℓ was merged into; `table[ℓ][a]` is where a leads.

    Only the rows of roots are used, and their entries may be labels that were merged since.
    """

    actions: int
    parent: tuple[int, ...] = ()
    table: tuple[tuple[int | None, ...], ...] = ()

    @property
    def roots(self) -> tuple[int, ...]:
        """The labels that stand for themselves, in order."""
        return tuple(label for label, parent in enumerate(self.parent) if label == parent)

    def root(self, label: int) -> int:
        """The label that this one was merged into."""
        while self.parent[label] != label:
            label = self.parent[label]
        return label

    def step(self, label: int, action: int) -> int | None:
        """Where an action leads, or None while it is unknown."""
        to = self.table[self.root(label)][action]
        return None if to is None else self.root(to)

    def with_label(self) -> tuple[int, Labels]:
        """A new label, of which nothing is known."""
        new = len(self.parent)
        row = (None,) * self.actions
        return new, Labels(self.actions, (*self.parent, new), (*self.table, row))

    def with_transition(self, label: int, action: int, to: int) -> Labels:
        """Add a transition that is not known yet."""
        label = self.root(label)
        if self.table[label][action] is not None:
            raise InvalidArgument("transition", (label, action), "one that is not known yet")
        row = self.table[label]
        changed = (*row[:action], self.root(to), *row[action + 1 :])
        return self._with_rows({label: changed})

    def merged(self, one: int, other: int) -> Labels:
        """The same with two labels for one state made one, and all that follows from it.

        Every round of the loop makes one root fewer, or shortens the list of pairs: it ends.
        """
        parent, rows = list(self.parent), [list(row) for row in self.table]

        def root(label: int) -> int:
            while parent[label] != label:
                label = parent[label]
            return label

        pairs = [(one, other)]
        while pairs:
            low, high = sorted(map(root, pairs.pop()))
            if low == high:
                continue
            parent[high] = low
            for action, to in enumerate(rows[high]):
                known = rows[low][action]
                if known is None:
                    rows[low][action] = to
                elif to is not None:
                    pairs.append((known, to))
        return Labels(self.actions, tuple(parent), tuple(tuple(row) for row in rows))

    def reached(self, label: int) -> frozenset[int]:
        """The roots that can be reached from a label through known transitions, itself included."""
        found, waiting = {self.root(label)}, [self.root(label)]
        while waiting:
            here = waiting.pop()
            for action in range(self.actions):
                to = self.step(here, action)
                if to is not None and to not in found:
                    found.add(to)
                    waiting.append(to)
        return frozenset(found)

    def model_of(self, labels: Iterable[int]) -> tuple[Model, dict[int, int]]:
        """The model on labels that lead only to each other, and the state that each becomes."""
        states = {label: number for number, label in enumerate(sorted(labels))}
        rows = []
        for label in states:
            row = [self.step(label, action) for action in range(self.actions)]
            if any(to is None or to not in states for to in row):
                raise InvalidArgument("labels", label, "labels that lead only to each other")
            rows.append(tuple(states[to] for to in row if to is not None))
        return Model(self.actions, tuple(rows)), states

    def _with_rows(self, rows: dict[int, tuple[int | None, ...]]) -> Labels:
        table = tuple(rows.get(label, row) for label, row in enumerate(self.table))
        return Labels(self.actions, self.parent, table)
