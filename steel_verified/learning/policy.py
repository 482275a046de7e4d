"""Where located STEEL goes next. This affects how fast it learns, and never whether it is right.

An unknown action is tried from a label that was seen often, since then what it leads to is more
often recognised: states that were seen rarely look like new ones. So:

1. go to the nearest unknown action of a label that was seen `ENOUGH` times, and take it;
2. if there is none, go to the nearest label that was seen too rarely and from which there is a way
   back, to see it more often;
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


def next_move(labels: Labels, seen: Mapping[int, int], current: int) -> int:
    """The next action from the current label, on which an unknown transition can be reached."""

    def is_open(label: int) -> bool:
        return _unknown(labels, label) is not None

    def is_known_well(label: int) -> bool:
        return is_open(label) and seen[label] >= ENOUGH

    def can_be_revisited(label: int) -> bool:
        return is_open(label) and label != current and current in labels.reached(label)

    for wanted in (is_known_well, can_be_revisited, is_open):
        way = shortest_way(labels, current, wanted)
        if way:
            return way[0]
        if way is not None and wanted is not can_be_revisited:
            action = _unknown(labels, current)
            assert action is not None, "the label is open"
            return action
    # A closed component: any known action goes on.
    return 0


def _unknown(labels: Labels, label: int) -> int | None:
    """The first action of a label that is not known yet."""
    actions = range(labels.actions)
    return next((action for action in actions if labels.step(label, action) is None), None)


def shortest_way(
    labels: Labels, current: int, wanted: Callable[[int], bool]
) -> tuple[int, ...] | None:
    """The smallest of the shortest words to a label that is wanted; empty if we are there."""
    words: dict[int, tuple[int, ...]] = {current: ()}
    queue = [current]
    for here in queue:
        if wanted(here):
            return words[here]
        for action in range(labels.actions):
            to = labels.step(here, action)
            if to is not None and to not in words:
                words[to] = (*words[here], action)
                queue.append(to)
    return None
