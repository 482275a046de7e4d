"""Labels for states: several labels may denote the same state until they are merged.

This is an immutable union-find structure with a partial transition table. Merging two labels also
merges the labels to which each action leads from them (congruence closure), so the table stays a
function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Row = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """`parent[ℓ]` is the label into which ℓ was merged; `rows[ℓ][a]` is where action a leads.

    Only *roots* (labels that were not merged into another) have rows, and they lead to roots.
    """

    actions: int
    parent: tuple[int, ...] = ()
    rows: Mapping[int, Row] = field(default_factory=dict)

    def root(self, label: int) -> int:
        """Return the root into which this label was merged."""
        while self.parent[label] != label:
            label = self.parent[label]
        return label

    def with_label(self) -> tuple[int, Labels]:
        """Return a new label without known transitions, and the labels with it."""
        new = len(self.parent)
        rows = {**self.rows, new: (None,) * self.actions}
        return new, Labels(self.actions, (*self.parent, new), rows)

    def with_transition(self, label: int, action: int, to: int) -> Labels:
        """Add a transition between roots; raise `InvalidArgument` if it is known already."""
        row = self.rows[label]
        if row[action] is not None or to not in self.rows:
            raise InvalidArgument("transition", (label, action, to), "one that is not known yet")
        rows = {**self.rows, label: (*row[:action], to, *row[action + 1 :])}
        return Labels(self.actions, self.parent, rows)

    def merged(self, one: int, other: int) -> Labels:
        """Return the labels after merging two labels of one state, with all consequences.

        Each iteration removes a root or shortens the list of pairs, so the loop terminates.
        """
        parent, rows = list(self.parent), {label: list(row) for label, row in self.rows.items()}

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
            for action, to in enumerate(rows.pop(high)):
                known = rows[low][action]
                if known is None:
                    rows[low][action] = to
                elif to is not None:
                    pairs.append((known, to))
        whole = {
            label: tuple(None if to is None else root(to) for to in row)
            for label, row in rows.items()
        }
        return Labels(self.actions, tuple(parent), whole)

    def reached(self, label: int) -> frozenset[int]:
        """Return the roots that can be reached from a root by known transitions, with itself."""
        found, waiting = {label}, [label]
        while waiting:
            for to in self.rows[waiting.pop()]:
                if to is not None and to not in found:
                    found.add(to)
                    waiting.append(to)
        return frozenset(found)

    def terminal(self, label: int) -> frozenset[int]:
        """Return a strongly connected component, reachable from a root, that cannot be left."""
        there = {to: self.reached(to) for to in self.reached(label)}
        return min(there.values(), key=lambda labels: (len(labels), min(labels)))

    def model_of(self, labels: Iterable[int]) -> tuple[Model, dict[int, int]]:
        """Return the model on roots that lead only to each other, and the state of each root."""
        states = {label: number for number, label in enumerate(sorted(labels))}
        rows = []
        for label in states:
            known = [to for to in self.rows[label] if to is not None and to in states]
            if len(known) < self.actions:
                raise InvalidArgument("labels", label, "labels that lead only to each other")
            rows.append(tuple(states[to] for to in known))
        return Model(self.actions, tuple(rows)), states

    def model_so_far(self) -> Model:
        """Return the partial model on all roots, in order."""
        states = {label: number for number, label in enumerate(sorted(self.rows))}
        return Model(
            self.actions,
            tuple(
                tuple(None if to is None else states[to] for to in self.rows[label])
                for label in states
            ),
        )
