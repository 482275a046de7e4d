"""The plans that follow from a model, found a second time.

The paper leaves ties open; they are fixed, so that a plan is a function of the model alone:
shortest words are the lexicographically smallest, states are preferred by label.
"""

from __future__ import annotations

from proofs_checks.checker.reading import Malformed

Table = list[list[int | None]]
Word = tuple[int, ...]

MOST_WORK = 50_000_000


class Work:
    """Counts steps of work, and gives up on files that would take too many."""

    def __init__(self) -> None:
        self.done = 0

    def add(self, steps: int) -> None:
        self.done += steps
        if self.done > MOST_WORK:
            raise Malformed("", f"too large: more than {MOST_WORK:,} steps of work to check it")


def walk(table: Table, state: int | None, word: Word) -> int | None:
    for action in word:
        if state is None:
            return None
        state = table[state][action]
    return state


def escaping_word(table: Table, longest: int, work: Work) -> Word | None:
    """The word that takes an unknown transition from every state; None if none can be had, or if it
    gets longer than `longest`."""
    ways = [_way_out(table, state, work) for state in range(len(table))]
    word: Word = ()
    inside = set(range(len(table)))
    while inside:
        reachable = [(len(way), state) for state in inside if (way := ways[state]) is not None]
        if len(reachable) < len(inside):
            return None
        piece = ways[min(reachable)[1]]
        assert piece is not None
        word += piece
        if len(word) > longest:
            return None
        work.add(len(inside) * len(piece))
        inside = {s for state in inside if (s := walk(table, state, piece)) is not None}
    return word


def _way_out(table: Table, state: int, work: Work) -> Word | None:
    """The smallest of the shortest words from a state through an unknown transition."""
    words: dict[int, Word] = {state: ()}
    queue = [state]
    for here in queue:
        work.add(len(table[here]) + len(words[here]))
        if None in table[here]:
            return (*words[here], table[here].index(None))
        for action, to in enumerate(table[here]):
            if to is not None and to not in words:
                words[to] = (*words[here], action)
                queue.append(to)
    return None


def shortest_words(table: Table, state: int, work: Work) -> dict[int, Word]:
    """The smallest of the shortest words to every state, in at least one step."""
    words: dict[int, Word] = {}
    queue: list[tuple[int, Word]] = [(state, ())]
    for here, word in queue:
        work.add(len(table[here]) + len(word))
        for action, to in enumerate(table[here]):
            if to is not None and to not in words:
                words[to] = (*word, action)
                queue.append((to, words[to]))
    return words


def covering_cycle(table: Table, home: int, at_least: int, longest: int, work: Work) -> Word | None:
    """From home to the nearest state not yet visited, and so on, and home; then lengthened.

    None if a state cannot be reached, or if the cycle gets longer than `longest`.
    """
    word: Word = ()
    visited, here = [home], home
    missing = set(range(len(table))) - {home}
    while missing or here != home:
        words = shortest_words(table, here, work)
        goals = missing or {home}
        if not goals <= words.keys():
            return None
        goal = min(goals, key=lambda s: (len(words[s]), s))
        for action in words[goal]:
            to = table[here][action]
            assert to is not None
            here = to
            visited.append(here)
        word += words[goal]
        missing -= set(visited)
        if len(word) > longest:
            return None
    if len(word) < at_least:
        loops = [shortest_words(table, s, work)[s] for s in dict.fromkeys(visited)]
        best = min(loops, key=len)
        where = visited.index(list(dict.fromkeys(visited))[loops.index(best)])
        times = (at_least - len(word) + len(best) - 1) // len(best)
        if len(word) + times * len(best) > longest:
            return None
        word = word[:where] + best * times + word[where:]
    return word
