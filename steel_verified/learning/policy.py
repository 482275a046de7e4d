"""Where located STEEL goes next. This affects how fast it learns, and never whether it is right.

An unknown action is tried from a label that was seen often, since then what it leads to is more
often recognised: states that were seen rarely look like new ones. So:

1. go to the nearest unknown action of a label that was seen `ENOUGH` times, and take it;
2. if there is none, go to the nearest label with an unknown action from which there is a way back,
   to see it more often;
3. if there is none either, take the nearest unknown action, and walk on until a state is
   recognised (the learner loops an action if that takes too long).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from steel_verified.learning.labels import Labels

ENOUGH: Final = 8
"""How often a label is seen before its unknown actions are tried, and before it is validated."""


def next_action(labels: Labels, seen: Mapping[int, int], current: int) -> int:
    """The next action from the current label, from which an unknown transition can be reached."""
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
    """The smallest of the shortest words to a label that is wanted; empty if we are there."""
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
