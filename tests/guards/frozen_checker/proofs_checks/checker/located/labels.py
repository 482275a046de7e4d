"""Labels and their known transitions. Several labels may stand for one state."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.checker.planning import Work


class Labels:
    """`rows[ℓ][a]` is the label after action a in label ℓ, if it is known.

    A merge keeps the lower of two labels. Only kept labels have a row.
    """

    def __init__(self, actions: int, work: Work) -> None:
        self.actions = actions
        self.work = work
        self.into: list[int] = []
        """For each label, the label that it was merged into, or itself."""
        self.rows: dict[int, dict[int, int]] = {}

    def root(self, label: int) -> int:
        while self.into[label] != label:
            self.work.add(1)
            label = self.into[label]
        return label

    def add(self) -> int:
        new = len(self.into)
        self.into.append(new)
        self.rows[new] = {}
        return new

    def merge(self, one: int, other: int) -> None:
        """Merge two labels and, by congruence closure, their successors under each action."""
        waiting = [(one, other)]
        while waiting:
            low, high = sorted(map(self.root, waiting.pop()))
            if low == high:
                continue
            self.into[high] = low
            known, more = self.rows[low], self.rows.pop(high)
            self.work.add(len(more) + 1)
            for action, to in more.items():
                waiting.append((known.setdefault(action, to), to))
        for row in self.rows.values():
            self.work.add(len(row) + 1)
            for action, to in row.items():
                row[action] = self.root(to)

    def reached(self, label: int) -> set[int]:
        """Return the labels reachable through known transitions, including the label itself."""
        found, waiting = {label}, [label]
        while waiting:
            row = self.rows[waiting.pop()]
            self.work.add(len(row) + 1)
            for to in row.values():
                if to not in found:
                    found.add(to)
                    waiting.append(to)
        return found

    def has_unknown(self, label: int) -> bool:
        return len(self.rows[label]) < self.actions

    def way(self, start: int, wanted: Callable[[int], bool]) -> tuple[int, ...] | None:
        """Return the smallest shortest word to a wanted label (empty if `start` is), or None."""
        came: dict[int, tuple[int, int]] = {}
        queue, met = [start], {start}
        for here in queue:
            if wanted(here):
                word: list[int] = []
                while here != start:
                    here, action = came[here]  # noqa: PLW2901 (walked back)
                    word.append(action)
                return tuple(reversed(word))
            row = self.rows[here]
            self.work.add(2 * len(row) + 1)
            for action in sorted(row):
                if (to := row[action]) not in met:
                    met.add(to)
                    came[to] = here, action
                    queue.append(to)
        return None

    def next_action(self, current: int, seen: Callable[[int], int], enough: int) -> int | None:
        """Return the next action (three cases in CERTIFICATE.md); None if nothing is unknown."""

        def known_well(label: int) -> bool:
            return self.has_unknown(label) and seen(label) >= enough

        def returns(label: int) -> bool:
            return label in back and label != current and self.has_unknown(label)

        back: set[int] = set()
        for wanted in (known_well, returns, self.has_unknown):
            if wanted is returns:
                back = self._leading_to(current)
            word = self.way(current, wanted)
            if word:
                return word[0]
            if word is not None:
                return next(a for a in count() if a not in self.rows[current])
        return None

    def _leading_to(self, label: int) -> set[int]:
        """Return the labels from which a label can be reached through known transitions."""
        before: dict[int, set[int]] = {}
        for here, row in self.rows.items():
            self.work.add(len(row) + 1)
            for to in row.values():
                before.setdefault(to, set()).add(here)
        found, waiting = {label}, [label]
        while waiting:
            for here in before.get(waiting.pop(), set()) - found:
                found.add(here)
                waiting.append(here)
        return found

    def kept(self, label: int) -> list[int]:
        """Return the smallest reachable strongly connected component that cannot be left."""
        found = self.reached(label)
        if not found <= self._leading_to(label):
            found = min(map(self.reached, found), key=lambda labels: (len(labels), min(labels)))
        return sorted(found)
