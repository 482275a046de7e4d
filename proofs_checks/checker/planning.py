"""Searches in the known part of the dynamics, independent of the learner's planner.

The paper does not say how to break ties. Here ties are broken deterministically, so that a plan is
a function of the model alone: the lexicographically smallest of the shortest words, and the state
with the smallest label. All searches count their steps.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.checker.reading import Word, Work


class Model:
    """The known part of T': `rows[s][a]` is the state after action a in state s."""

    def __init__(self, actions: int) -> None:
        self.actions = actions
        self.rows: list[dict[int, int]] = []
        self.ways: list[dict[int, int]] = []
        """For each state and each successor, the smallest action that leads there."""
        self.unknown: list[int] = []
        """The smallest action of each state whose transition is unknown; |A| if all are known."""

    @property
    def is_total(self) -> bool:
        return bool(self.rows) and all(action == self.actions for action in self.unknown)

    def add_state(self) -> None:
        self.rows.append({})
        self.ways.append({})
        self.unknown.append(0)

    def add(self, state: int, action: int, to: int) -> None:
        self.rows[state][action] = to
        self.ways[state][to] = min(action, self.ways[state].get(to, action))
        while self.unknown[state] in self.rows[state]:
            self.unknown[state] += 1


def escaping_word(model: Model, longest: int, work: Work) -> Word | None:
    """Return the word that takes an unknown transition from every state (l. 312–324).

    Returns None if no such word exists, or if it gets longer than `longest`.
    """
    distance = _distances_to_unknown(model, work)
    if len(distance) < len(model.rows):
        return None
    word: list[int] = []
    inside = set(range(len(model.rows)))
    while inside:
        work.add(2 * len(inside) + 5)
        here = min(inside, key=lambda state: (distance[state], state))
        piece: list[int] = []
        while distance[here] > 1:
            ways = model.ways[here]
            work.add(len(ways) + 5)
            piece.append(min(a for to, a in ways.items() if distance[to] < distance[here]))
            here = model.rows[here][piece[-1]]
        piece.append(model.unknown[here])
        word += piece
        if len(word) > longest:
            return None
        for action in piece:
            work.add(len(inside) + 5)
            inside = {to for s in inside if (to := model.rows[s].get(action)) is not None}
    return tuple(word)


def _distances_to_unknown(model: Model, work: Work) -> dict[int, int]:
    """Return the length of a shortest word through an unknown transition, for states with one."""
    before: list[list[int]] = [[] for _ in model.rows]
    for state, ways in enumerate(model.ways):
        work.add(2 * len(ways) + 2)
        for to in ways:
            before[to].append(state)
    distance = {s: 1 for s, action in enumerate(model.unknown) if action < model.actions}
    queue = list(distance)
    for here in queue:
        for state in before[here]:
            if state not in distance:
                distance[state] = distance[here] + 1
                queue.append(state)
    return distance


def covering_cycle(model: Model, home: int, at_least: int, longest: int, work: Work) -> Word | None:
    """Return the greedy tour: always to the nearest unvisited state, then home (l. 333–335).

    The tour is then repeated until it is long enough. Returns None if a state cannot be reached, or
    if the tour gets longer than `longest`.
    """
    word: list[int] = []
    visited = [home]
    missing = set(range(len(model.rows))) - {home}
    while missing or visited[-1] != home:
        piece = nearest(model, visited[-1], missing or {home}, work)
        if piece is None or len(word) + len(piece) > longest:
            return None
        for action in piece:
            visited.append(model.rows[visited[-1]][action])
            missing.discard(visited[-1])
        word += piece
    if len(word) >= at_least:
        return tuple(word)
    first_visit = {state: time for time, state in reversed(list(enumerate(visited)))}
    loops = {state: nearest(model, state, {state}, work) for state in first_visit}
    found = [(len(loop), first_visit[state], loop) for state, loop in loops.items() if loop]
    if not found:
        return None
    length, where, loop = min(found)
    times = -(-(at_least - len(word)) // length)
    if len(word) + times * length > longest:
        return None
    work.add(times * length)
    return (*word[:where], *loop * times, *word[where:])


def nearest(model: Model, start: int, goals: set[int], work: Work) -> Word | None:
    """Return the smallest shortest word to the nearest goal, of at least one step; None if none."""
    came: dict[int, tuple[int, int]] = {}
    layer, depth = [start], 0
    while layer:
        depth += 1
        following = []
        for here in layer:
            work.add(4 * len(model.ways[here]) + 10)
            for action, to in sorted((a, to) for to, a in model.ways[here].items()):
                if to not in came:
                    came[to] = here, action
                    following.append(to)
        reached = goals.intersection(following)
        if reached:
            state, word = min(reached), []
            for _ in range(depth):
                state, action = came[state]
                word.append(action)
            return tuple(reversed(word))
        layer = following
    return None


def farthest(model: Model, start: int) -> int | None:
    """Return the distance of the farthest state; None if some state cannot be reached."""
    depth, queue = {start: 0}, [start]
    for here in queue:
        for to in model.ways[here]:
            if to not in depth:
                depth[to] = depth[here] + 1
                queue.append(to)
    return depth[queue[-1]] if len(queue) == len(model.rows) else None


# --- labels ---------------------------------------------------------------------------------------


class Labels:
    """Labels and their known transitions; several labels may stand for one state.

    `rows[ℓ][a]` is the label after action a in label ℓ, if it is known.

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
