"""Computes plans from a model, independently of the learner's planner.

The paper does not say how to break ties. Here ties are broken deterministically, so that a plan is
a function of the model alone: the lexicographically smallest of the shortest words, and the state
with the smallest label.

All loops here count their steps (see `Work`). The rest of the checker takes time linear in the size
of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.document import Malformed

if TYPE_CHECKING:
    from proofs_checks.checker.entries import Word

STEPS_PER_BYTE = 20
"""The checker refuses files that need more. Looped runs need fewer than 1."""
STATES_PER_SHARE, MOST_SHARES = 100, 10
"""Recomputing a located run takes rows × labels steps, so large tables get a larger limit: as many
steps again per 100 states. In the worlds of the paper, located runs take up to 8 steps per byte."""


class Work:
    """Counts steps of work, and raises `Malformed` when there are too many for the file's size."""

    def __init__(self, size: int, states: int = 0) -> None:
        self.per_byte = STEPS_PER_BYTE * min(1 + states // STATES_PER_SHARE, MOST_SHARES)
        self.most = self.per_byte * size
        self.done = 0

    def add(self, steps: int) -> None:
        """Add to the count; raise `Malformed` if it exceeds the limit."""
        self.done += steps
        if self.done > self.most:
            message = f"too costly: more than {self.per_byte} steps of work per byte of the file"
            raise Malformed("", message)


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
