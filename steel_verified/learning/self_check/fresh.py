"""The fresh walk: steps after a run that take what was learned again, in another order.

No promise rests on these steps: they can only refuse a model. Their power is computed where it can
be. A walk that was not cut short

- takes every two actions in a row from every state. So it notices, with certainty, a world that has
  changed, and one with an unseen memory of the action before: some two actions then lead elsewhere,
  each time, and F can read the place to which they lead;
- visits every state v times, `visits_for(q)` in `theory/self_check.py`. So it notices with
  probability 0.99 a fault that shows with chance q or more on each visit of some state, whatever
  happened on the visits before.

Neither holds for a fault that shows only after three actions or more, or rarely, or only if the
noise is as it seldom is.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.learning.graph import shortest_words

if TYPE_CHECKING:
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.model import Model
    from steel_verified.theory.self_check import FreshSteps


def fresh_walk(model: Model, home: int, steps: FreshSteps, seed: int) -> Word:
    """Return a closed walk from `home`; empty if there is no room for a step and the way back.

    First it takes every two actions in a row, then it goes to the states that it has visited least,
    until there are enough visits, or as many steps as are wanted.
    """
    table = [[to for to in row if to is not None] for row in model.table]
    walk = _Walk(table, home, np.random.default_rng(seed))
    ways = [shortest_words(model, state) for state in range(model.states)]
    longest_way = max((len(word) for to_others in ways for word in to_others.values()), default=0)
    room = steps.most - longest_way

    def is_cut() -> bool:
        return len(walk.taken) >= (room if steps.wanted is None else min(room, steps.wanted))

    while walk.untaken and not is_cut():
        for action in walk.to_untaken():
            if not is_cut():
                walk.step(action)
    while not is_cut() and not steps.are_enough(len(walk.taken), min(walk.visits.values())):
        least = min(walk.visits.values())
        goals = [state for state, many in walk.visits.items() if many == least]
        goal = goals[int(walk.draw.integers(len(goals)))]
        way = () if goal == walk.here else ways[walk.here][goal]
        for action in (*way, int(walk.draw.integers(model.actions))):
            if not is_cut():
                walk.step(action)
    back = () if walk.here == home else ways[walk.here][home]
    return (*walk.taken, *back)


class _Walk:
    """A walk so far, and the pairs of actions in a row that it has not taken."""

    def __init__(self, table: list[list[int]], home: int, draw: np.random.Generator) -> None:
        self.table, self.here, self.draw = table, home, draw
        self.taken: list[int] = []
        self.visits = Counter(dict.fromkeys(range(len(table)), 0))
        every = range(len(table[0]))
        self.untaken = {
            (state, first): [int(each) for each in draw.permutation(len(every))]
            for state in range(len(table))
            for first in every
        }
        """For each state and action, the actions that were not yet taken after it."""
        self.last: tuple[int, int] | None = None

    def step(self, action: int) -> None:
        """Take an action."""
        if self.last in self.untaken and action in (left := self.untaken[self.last]):
            left.remove(action)
            if not left:
                del self.untaken[self.last]
        self.last = self.here, action
        self.here = self.table[self.here][action]
        self.visits[self.here] += 1
        self.taken.append(action)

    def to_untaken(self) -> Word:
        """Return the next action of a pair, or a shortest way to a pair that was not taken."""
        if self.last in self.untaken:
            return (self.untaken[self.last][-1],)
        ways, seen = {self.here: ()}, [self.here]
        way: dict[int, Word] = dict(ways)
        for state in seen:
            actions = self.draw.permutation(len(self.table[0])).tolist()
            for action in actions:
                if left := self.untaken.get((state, action)):
                    return (*way[state], action, left[-1])
            for action in actions:
                if (to := self.table[state][action]) not in way:
                    way[to] = (*way[state], action)
                    seen.append(to)
        raise AssertionError("every state of a learned model can be reached")
