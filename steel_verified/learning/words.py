"""Words to run next: words that leave the known graph, and cycles that cover it.

The paper leaves ties open. Here a shortest word is the lexicographically smallest of its length,
and states with smaller labels are preferred. So the same dynamics always give the same plans.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.theory.conditions import AssumptionViolated, Condition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.evidence.plans import Word
    from steel_verified.learning.model import Model


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


def _distances_to_unknown(model: Model) -> list[int]:
    """Return the length of a shortest word from each state through an unknown transition."""
    before: list[list[int]] = [[] for _ in model.table]
    for transition in model.transitions():
        before[transition.to].append(transition.state)
    distance = [0] * model.states
    queue = deque(s for s, row in enumerate(model.table) if None in row)
    for state in queue:
        distance[state] = 1
    while queue:
        state = queue.popleft()
        for earlier in before[state]:
            if not distance[earlier]:
                distance[earlier] = distance[state] + 1
                queue.append(earlier)
    if 0 in distance:
        raise AssumptionViolated(
            f"state {distance.index(0)} cannot reach an unknown transition although there is one",
            Condition.CONNECTED,
            Condition.REALISABLE,
            Condition.DETERMINISTIC,
        )
    return distance


def _word_to_unknown(model: Model, distance: list[int], state: int) -> Word:
    word: list[int] = []
    while distance[state] > 1:
        for action, to in enumerate(model.table[state]):
            if to is not None and distance[to] == distance[state] - 1:
                word.append(action)
                state = to
                break
    return (*word, model.table[state].index(None))


def shortest_words(model: Model, state: int) -> dict[int, Word]:
    """Return a shortest word to each state that can be reached in at least one step, nearest first.

    This is a breadth-first search with actions in order, so each word is the lexicographically
    smallest.
    """
    words: dict[int, Word] = {}
    queue: deque[tuple[int, Word]] = deque([(state, ())])
    while queue:
        here, word = queue.popleft()
        for action, to in enumerate(model.table[here]):
            if to is not None and to not in words:
                words[to] = (*word, action)
                queue.append((to, words[to]))
    return words


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
