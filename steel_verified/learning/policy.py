"""The exploration policy of located STEEL. It affects the speed, never the correctness.

An unknown action should be tried from a label that was seen often, because then its target is
recognised more often: states that were seen rarely look like new ones. So the policy is:

1. Go to the nearest unknown action of a label that was seen `ENOUGH` times, and take it.
2. If there is none, go to the nearest other label with an unknown action from which the learner can
   return, to see this label more often.
3. If there is none either, take the nearest unknown action, and continue until a state is
   recognised (the learner loops an action if that takes too long).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from steel_verified.learning.labels import Labels

ENOUGH: Final = 8
"""How often a label must be seen before its unknown actions are tried and before a validation."""


def next_action(labels: Labels, seen: Mapping[int, int], current: int) -> int:
    """Return the next action; an unknown transition must be reachable from the current label."""
    unfinished = {label for label, row in labels.rows.items() if None in row}

    def is_known_well(label: int) -> bool:
        return label in unfinished and seen[label] >= ENOUGH

    def returns(label: int) -> bool:
        return label != current and label in unfinished and current in labels.reached(label)

    way = shortest_way(labels, current, is_known_well)
    if way is None and (way := shortest_way(labels, current, returns)) is None:
        way = shortest_way(labels, current, unfinished.__contains__)
    assert way is not None, "an unknown transition can be reached"
    return way[0] if way else labels.rows[current].index(None)


def shortest_way(
    labels: Labels, current: int, wanted: Callable[[int], bool]
) -> tuple[int, ...] | None:
    """Return the lexicographically first shortest word to a wanted label, or None.

    It is empty if the current label is wanted. This is a breadth-first search.
    """
    words: dict[int, tuple[int, ...]] = {current: ()}
    queue = [current]
    for here in queue:
        if wanted(here):
            return words[here]
        for action, to in enumerate(labels.rows[here]):
            if to is not None and to not in words:
                words[to] = (*words[here], action)
                queue.append(to)
    return None
