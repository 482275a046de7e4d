"""Transition graphs: one breadth-first search, the words made from it, and labels that merge.

The paper leaves ties open. Here a shortest word is the lexicographically smallest of its length,
and the lowest state comes first. With these choices, equal models give equal plans.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model
from steel_verified.theory.conditions import AssumptionViolated, Condition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from steel_verified.evidence.plans import Word

Row = tuple[int | None, ...]
"""Where each action leads from a state, or None if that is not known."""


def first_visits(
    rows: Mapping[int, Sequence[int | None]] | Sequence[Sequence[int | None]],
    starts: Iterable[int],
) -> Iterator[tuple[int, int, int]]:
    """Yield (state, action, next state) for each state when it is first reached, nearest first.

    This is the breadth-first search. Actions are tried in order. A start is yielded only if it is
    reached again in one step or more.
    """
    waiting, seen = deque(starts), set[int]()
    while waiting:
        state = waiting.popleft()
        for action, to in enumerate(rows[state]):
            if to is not None and to not in seen:
                seen.add(to)
                waiting.append(to)
                yield state, action, to


def shortest_words(model: Model, state: int) -> dict[int, Word]:
    """Return a shortest word to each state that can be reached in at least one step, nearest first.

    Actions are tried in order, so each word is the lexicographically smallest.
    """
    words: dict[int, Word] = {}
    for before, action, to in first_visits(model.table, (state,)):
        words[to] = (*(words[before] if before != state else ()), action)
    return words


def escaping_word(model: Model) -> Word:
    """Return â, which takes an unknown transition from every known state (Alg. 1, l. 312–324).

    Among the states in which the learner may still be, the one nearest to an unknown transition is
    treated first. Raises `AssumptionViolated` if a state cannot reach an unknown transition.
    """
    distance = _distances_to_unknown(model)
    word: Word = ()
    inside = set(range(model.states))
    while inside:
        state = min(inside, key=lambda s: (distance[s], s))
        piece = _word_to_unknown(model, distance, state)
        word += piece
        reached = {model.walk(s, piece) for s in inside}
        inside = {s for s in reached if s is not None}
    return word


def _distances_to_unknown(model: Model) -> dict[int, int]:
    """Return the length of a shortest word from each state through an unknown transition."""
    before: list[list[int]] = [[] for _ in model.table]
    for transition in model.transitions():
        before[transition.to].append(transition.state)
    distance = {state: 1 for state, row in enumerate(model.table) if None in row}
    for state, _, earlier in first_visits(before, tuple(distance)):
        distance.setdefault(earlier, distance[state] + 1)
    for state in range(model.states):
        if state not in distance:
            raise AssumptionViolated(
                f"state {state} cannot reach an unknown transition although there is one",
                Condition.CONNECTED,
                Condition.REALISABLE,
                Condition.DETERMINISTIC,
            )
    return distance


def _word_to_unknown(model: Model, distance: Mapping[int, int], state: int) -> Word:
    word: list[int] = []
    while distance[state] > 1:
        for action, to in enumerate(model.table[state]):
            if to is not None and distance[to] == distance[state] - 1:
                word.append(action)
                state = to
                break
    return (*word, model.table[state].index(None))


def covering_cycle(
    model: Model, home: int, at_least: int, through: Iterable[int] | None = None
) -> Word:
    """Return ā: a closed walk from `home` through states, `at_least` steps long (l. 333–335).

    It visits every state, or those of `through`: the states that need samples (C, l. 331). Raises
    `AssumptionViolated` if one of them cannot be reached.
    """
    word: Word = ()
    here = home
    missing = set(range(model.states) if through is None else through) - {home}
    while missing:
        words = _words_to(model, here, missing)
        nearest = min(missing, key=lambda s: (len(words[s]), s))
        missing -= set(visits(model, here, words[nearest]))
        word += words[nearest]
        here = nearest
    if here != home:
        word += _words_to(model, here, {home})[home]
    return _lengthened(model, home, word, at_least)


def _words_to(model: Model, here: int, needed: set[int]) -> dict[int, Word]:
    """Return the shortest words from a state; raise `AssumptionViolated` if a needed one lacks."""
    words = shortest_words(model, here)
    if missing := needed - words.keys():
        message = f"state {here} does not reach {sorted(missing)}"
        raise AssumptionViolated(message, Condition.CONNECTED, Condition.REALISABLE)
    return words


def visits(model: Model, state: int, word: Word) -> tuple[int, ...]:
    """Return the states after each action of a word; raise `InvalidArgument` if one is unknown."""
    states = []
    for action in word:
        to = model.table[state][action]
        if to is None:
            raise InvalidArgument("word", word, f"known transitions; T'({state}, {action}) is not")
        state = to
        states.append(to)
    return tuple(states)


def _lengthened(model: Model, home: int, word: Word, at_least: int) -> Word:
    """Repeat the shortest cycle on the way as often as needed, at its first place."""
    missing = at_least - len(word)
    if missing <= 0:
        return word
    on_the_way = (home, *visits(model, home, word))
    loops = {state: shortest_words(model, state)[state] for state in on_the_way}
    where = min(range(len(on_the_way)), key=lambda i: (len(loops[on_the_way[i]]), i))
    loop = loops[on_the_way[where]]
    return word[:where] + loop * -(-missing // len(loop)) + word[where:]


MOST_SEARCHES: Final = 8
"""So many searches in one table are held, which bounds the memory that they take."""


class Search:
    """The distances to the nearest of some labels; it goes on only as far as it is asked."""

    def __init__(self, wanted: frozenset[int], before: Mapping[int, Sequence[int]]) -> None:
        self.found = dict.fromkeys(wanted, 0)
        """The distance of each label that was reached so far."""
        self._waiting = deque(wanted)
        self._before = before

    def distance(self, label: int) -> int | None:
        """Return how many steps a label is from the nearest wanted one; None if it reaches none."""
        while label not in self.found and self._waiting:
            here = self._waiting.popleft()
            for earlier in self._before[here]:
                if earlier not in self.found:
                    self.found[earlier] = self.found[here] + 1
                    self._waiting.append(earlier)
        return self.found.get(label)


class Ways:
    """Searches in a table that does not change: each is made once, when it is needed."""

    def __init__(self, rows: Mapping[int, Row]) -> None:
        self._rows = rows
        self._searches: dict[frozenset[int], Search] = {}
        self._components: dict[int, frozenset[int]] = {}

    @cached_property
    def unfinished(self) -> frozenset[int]:
        """The labels with an unknown transition."""
        return frozenset([label for label, row in self._rows.items() if None in row])

    @cached_property
    def _before(self) -> Mapping[int, Sequence[int]]:
        before: dict[int, list[int]] = {label: [] for label in self._rows}
        for label, row in self._rows.items():
            for to in row:
                if to is not None:
                    before[to].append(label)
        return before

    def towards(self, wanted: frozenset[int]) -> Search:
        """Return the search for the nearest of these labels."""
        if wanted not in self._searches:
            if len(self._searches) == MOST_SEARCHES:
                del self._searches[next(iter(self._searches))]
            self._searches[wanted] = Search(wanted, self._before)
        return self._searches[wanted]

    def lead_on(self, label: int) -> bool:
        """Return whether an unknown transition can be reached from a label."""
        if label in self.unfinished:
            return True
        return self.towards(self.unfinished).distance(label) is not None

    def component(self, label: int) -> frozenset[int]:
        """Return the labels that reach this label and are reached from it."""
        if label not in self._components:
            back = self.towards(frozenset((label,)))
            reached = (label, *(to for _, _, to in first_visits(self._rows, (label,))))
            component = frozenset([to for to in reached if back.distance(to) is not None])
            self._components.update(dict.fromkeys(component, component))
        return self._components[label]


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels for states: several labels may denote the same state until they are merged.

    This is an immutable union-find structure with a partial transition table. `parent[ℓ]` is the
    label into which ℓ was merged; `rows[ℓ][a]` is where action a leads. Only *roots* (labels that
    were not merged into another) have rows, and they lead to roots.
    """

    actions: int
    parent: tuple[int, ...] = ()
    rows: Mapping[int, Row] = field(default_factory=dict)
    ways: Ways = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ways", Ways(self.rows))

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

        The labels to which an action leads from both are merged, too (congruence closure), so the
        table stays a function.
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
        return frozenset((label, *(to for _, _, to in first_visits(self.rows, (label,)))))

    def shortest_way(self, label: int, wanted: Callable[[int], bool]) -> Word | None:
        """Return the lexicographically first shortest word to a wanted label, or None.

        It is empty if the label itself is wanted.
        """
        words: dict[int, Word] = {label: ()}
        if wanted(label):
            return ()
        for before, action, to in first_visits(self.rows, (label,)):
            word = (*words[before], action)
            if wanted(to):
                return word
            words.setdefault(to, word)
        return None

    def first_action(self, label: int, wanted: frozenset[int]) -> int | None:
        """Return the first action of `shortest_way` to one of several labels.

        At a wanted label it is the first unknown action. None if there is no way.
        """
        row = self.rows[label]
        if label in wanted:
            return row.index(None)
        search = self.ways.towards(wanted)
        distance = search.distance(label)
        if distance is None:
            return None
        found = search.found
        return next(
            action
            for action, to in enumerate(row)
            if to is not None and found.get(to) == distance - 1
        )

    def terminal(self, label: int) -> frozenset[int]:
        """Return a strongly connected component, reachable from a root, that cannot be left."""
        reached = self.reached(label)
        if reached == self.ways.component(label):
            return reached
        return min(map(self.reached, reached), key=lambda labels: (len(labels), min(labels)))

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
