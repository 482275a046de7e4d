"""Searches in the dynamics, independent of the learner's: plans, labels, and congruences.

The paper does not say how to break ties. Here ties are broken deterministically, so that a plan is
a function of the model alone: the lexicographically smallest of the shortest words, and the state
with the smallest label. All searches count their steps.
"""

from __future__ import annotations

from collections import deque
from itertools import combinations, count
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from proofs_checks.checker.reading import Word, Work


def breadth_first(
    starts: Iterable[int], edges: Callable[[int], list[tuple[int, int]]], work: Work
) -> Iterator[tuple[int, int, int, int]]:
    """Yield (depth, from, action, to) when a node is first reached by an edge, nearest first.

    `edges` gives the pairs (action, to) of a node. The starts have depth 0; they are reached, too,
    if an edge leads back to them.
    """
    reached = set[int]()
    queue = [(0, start) for start in starts]
    for depth, here in queue:
        out = edges(here)
        work.add(3 + len(out))
        for action, to in out:
            if to not in reached:
                reached.add(to)
                queue.append((depth + 1, to))
                yield depth + 1, here, action, to


def reversed_edges(
    nodes: Iterable[int], edges: Callable[[int], list[tuple[int, int]]], work: Work
) -> Callable[[int], list[tuple[int, int]]]:
    """Return the edges in the other direction."""
    found: dict[int, list[tuple[int, int]]] = {}
    for here in nodes:
        out = edges(here)
        work.add(1 + len(out))
        for action, to in out:
            found.setdefault(to, []).append((action, here))
    return lambda node: found.get(node, [])


def word_to(goal: int, came: dict[int, tuple[int, int]], length: int) -> Word:
    """Return the word of the last `length` edges to a node; `came` has (from, action) for each."""
    word: list[int] = []
    for _ in range(length):
        goal, action = came[goal]
        word.append(action)
    return tuple(reversed(word))


# --- models ---------------------------------------------------------------------------------------


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

    def edges(self, state: int) -> list[tuple[int, int]]:
        """Return the smallest action to each successor, and the successor, by action."""
        return sorted((action, to) for to, action in self.ways[state].items())

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
    before = reversed_edges(range(len(model.rows)), model.edges, work)
    distance = {s: 1 for s, action in enumerate(model.unknown) if action < model.actions}
    for depth, _, _, state in breadth_first([*distance], before, work):
        distance.setdefault(state, depth + 1)
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
    found: tuple[int, int] | None = None
    for depth, here, action, to in breadth_first([start], model.edges, work):
        if found is not None and depth > found[0]:
            break
        came[to] = here, action
        if to in goals:
            found = min(found or (depth, to), (depth, to))
    return None if found is None else word_to(found[1], came, found[0])


def farthest(model: Model, start: int, work: Work) -> int | None:
    """Return the distance of the farthest state; None if some state cannot be reached."""
    depths = {start: 0}
    for depth, _, _, to in breadth_first([start], model.edges, work):
        depths.setdefault(to, depth)
    return max(depths.values()) if len(depths) == len(model.rows) else None


# --- labels ---------------------------------------------------------------------------------------

MOST_SEARCHES: Final = 8
"""The results of so many searches are held, which bounds the memory that they take."""


class Search:
    """The distances to the nearest of some goals; the search goes on only as far as it is asked."""

    def __init__(
        self, goals: Iterable[int], before: Callable[[int], list[tuple[int, int]]], work: Work
    ) -> None:
        self.found = dict.fromkeys(goals, 0)
        self._waiting = deque(self.found)
        self._before = before
        self._work = work
        work.add(len(self.found) >> 2)

    def distance(self, label: int) -> int | None:
        """Return the distance from a label, None if no goal can be reached."""
        while label not in self.found and self._waiting:
            here = self._waiting.popleft()
            edges = self._before(here)
            self._work.add(3 + len(edges))
            for _, earlier in edges:
                if earlier not in self.found:
                    self.found[earlier] = self.found[here] + 1
                    self._waiting.append(earlier)
        return self.found.get(label)


class Labels:
    """Labels and their known transitions; several labels may stand for one state.

    `rows[ℓ][a]` is the label after action a in label ℓ, if it is known.

    A merge keeps the lower of two labels. Only kept labels have a row. Searches are kept until the
    table changes.
    """

    def __init__(self, actions: int, work: Work) -> None:
        self.actions = actions
        self.work = work
        self.into: list[int] = []
        """For each label, the label that it was merged into, or itself."""
        self.rows: dict[int, dict[int, int]] = {}
        self.unfinished: set[int] = set()
        """The labels with an unknown transition."""
        self._changed()

    def _changed(self) -> None:
        self._before: Callable[[int], list[tuple[int, int]]] | None = None
        self._searches: dict[frozenset[int], Search] = {}
        self._components: dict[int, frozenset[int]] = {}

    def root(self, label: int) -> int:
        while self.into[label] != label:
            self.work.add(1)
            label = self.into[label]
        return label

    def add(self) -> int:
        new = len(self.into)
        self.into.append(new)
        self.rows[new] = {}
        self.unfinished.add(new)
        self._changed()
        return new

    def lead(self, label: int, action: int, to: int) -> None:
        """Add a transition that is not known yet."""
        self.rows[label][action] = to
        if not self.has_unknown(label):
            self.unfinished.discard(label)
        self._changed()

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
        self.unfinished = set(filter(self.has_unknown, self.rows))
        self._changed()

    def edges(self, label: int) -> list[tuple[int, int]]:
        return sorted(self.rows[label].items())

    def reached(self, label: int) -> set[int]:
        """Return the labels reachable through known transitions, including the label itself."""
        return {label, *(to for _, _, _, to in breadth_first([label], self.edges, self.work))}

    def has_unknown(self, label: int) -> bool:
        return len(self.rows[label]) < self.actions

    def way(self, start: int, wanted: Callable[[int], bool]) -> Word | None:
        """Return the smallest shortest word to a wanted label (empty if `start` is), or None."""
        if wanted(start):
            return ()
        came: dict[int, tuple[int, int]] = {}
        for depth, here, action, to in breadth_first([start], self.edges, self.work):
            came[to] = here, action
            if wanted(to):
                return word_to(to, came, depth)
        return None

    def towards(self, goals: set[int] | frozenset[int]) -> Search:
        """Return the search for the nearest of these labels."""
        key = frozenset(goals)
        if key not in self._searches:
            if self._before is None:
                self._before = reversed_edges(self.rows, self.edges, self.work)
            if len(self._searches) == MOST_SEARCHES:
                del self._searches[next(iter(self._searches))]
            self._searches[key] = Search(key, self._before, self.work)
        return self._searches[key]

    def unknown_ahead(self, label: int) -> bool:
        """Return whether an unknown transition can be reached from a label."""
        return label in self.unfinished or self.towards(self.unfinished).distance(label) is not None

    def component(self, label: int) -> frozenset[int]:
        """Return the labels that reach a label and are reached from it."""
        if label not in self._components:
            back = self.towards({label})
            found = frozenset(to for to in self.reached(label) if back.distance(to) is not None)
            self._components.update(dict.fromkeys(found, found))
        return self._components[label]

    def next_action(self, current: int, often: set[int]) -> int | None:
        """Return the next action (three cases in certificate.md); None if nothing is unknown.

        `often` are the labels that were seen often enough.
        """
        row = self.rows[current]
        self.work.add(1 + (len(self.unfinished) >> 2))
        for goals in self._goals(current, often):
            if current in goals:
                return next(a for a in count() if a not in row)
            search = self.towards(goals)
            away = search.distance(current)
            if away is not None:
                self.work.add(2 * len(row))
                return min(a for a, to in row.items() if search.found.get(to) == away - 1)
        return None

    def _goals(self, current: int, often: set[int]) -> Iterator[set[int] | frozenset[int]]:
        """Yield the labels to which the next action may lead, case by case, if there are any."""
        if known_well := self.unfinished & often:
            yield known_well
        if returning := (self.component(current) & self.unfinished) - {current}:
            yield returning
        if self.unfinished:
            yield self.unfinished

    def kept(self, label: int) -> list[int]:
        """Return the smallest reachable strongly connected component that cannot be left."""
        found = self.reached(label)
        if found != self.component(label):
            found = min(map(self.reached, found), key=lambda labels: (len(labels), min(labels)))
        return sorted(found)


# --- congruences ----------------------------------------------------------------------------------
# The ways in which the labels of a complete table could be fewer states. A *congruence* is a
# partition of the labels such that every action leads from labels of one block into one block. If
# labels stand for states and the table is true, the labels of equal states are the blocks of one.

Lines: TypeAlias = "Sequence[Sequence[int]]"
"""A complete table: for each label, the label that each action leads to."""
Congruence: TypeAlias = tuple[int, ...]
"""For each label the lowest one of its block. The *trivial* one has a block for each label, the
*total* one has a single block."""

MOST_CONGRUENCES = 1000
"""If a table has more congruences, they exclude nothing."""


def generated(table: Lines, pairs: Iterable[tuple[int, int]], work: Work) -> Congruence:
    """Return the least congruence that joins the labels of each pair."""
    block = list(range(len(table)))
    members = [[label] for label in block]
    waiting = list(pairs)
    work.add(len(table))
    while waiting:
        one, other = sorted(block[label] for label in waiting.pop())
        work.add(1)
        if one == other:
            continue
        work.add(len(members[other]) + len(table[one]))
        for label in members[other]:
            block[label] = one
        members[one] += members[other]
        waiting += zip(table[one], table[other], strict=True)
    lowest: dict[int, int] = {}
    return tuple(lowest.setdefault(name, label) for label, name in enumerate(block))


def principal(table: Lines, work: Work) -> set[Congruence]:
    """Return the congruences that are generated by one pair of labels."""
    total, found = (0,) * len(table), set[Congruence]()
    known = set[tuple[int, int]]()
    for pair in combinations(range(len(table)), 2):
        after = zip(*(table[label] for label in pair), strict=True)
        work.add(len(table[0]))
        # A congruence that joins a pair joins what it leads to, too.
        least = total if any(each in known for each in after) else generated(table, [pair], work)
        found.add(least)
        if least == total:
            known |= {pair, pair[::-1]}
    return found


def atoms(table: Lines, work: Work) -> list[Congruence]:
    """Return the least congruences that are not trivial: each other one contains one of these."""
    found = principal(table, work)
    work.add(len(found) ** 2 * len(table))
    return sorted(one for one in found if not any(_below(two, one) for two in found))


def proper(table: Lines, most: int, work: Work) -> list[Congruence] | None:
    """Return all congruences that are neither trivial nor total, in order.

    None if the table has more than `most` congruences.
    """
    labels = tuple(range(len(table)))
    generators = principal(table, work)
    found, new = {labels}, [labels]
    while new:
        one = new.pop()
        for other in generators:
            pairs = [(i, low) for each in (one, other) for i, low in enumerate(each) if i != low]
            joined = generated(table, pairs, work)
            if joined not in found:
                found.add(joined)
                new.append(joined)
                if len(found) > most:
                    return None
    return sorted(one for one in found if 1 < len(set(one)) < len(table))


def excluded_joins(
    table: Lines, has_classifier: Callable[[tuple[int, ...]], bool], work: Work
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Return the first block without a classifier of each proper congruence, up to one with none.

    Also whether all proper congruences have one. If there are too many, nothing is excluded.
    """
    joins = proper(table, MOST_CONGRUENCES, work)
    excluded, fits = list[tuple[int, ...]](), dict[tuple[int, ...], bool]()
    for join in joins or ():
        for low in sorted(set(join)):
            block = tuple(label for label, name in enumerate(join) if name == low)
            if block not in fits:
                fits[block] = has_classifier(block)
            if not fits[block]:
                excluded.append(block)
                break
        else:
            return tuple(excluded), False
    return tuple(excluded), joins is not None


def _below(one: Congruence, other: Congruence) -> bool:
    """Whether all that the first congruence joins is joined by the other one, and more."""
    return one != other and all(other[low] == other[i] for i, low in enumerate(one))
