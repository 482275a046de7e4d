"""Names that a user gives to the actions and the states of a learned model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Names:
    """The name of each action and of each state; none, if they are just numbers."""

    actions: tuple[str, ...] = ()
    states: tuple[str, ...] = ()

    def action(self, number: int) -> str:
        """Return the name of an action, or its number."""
        return self.actions[number] if self.actions else str(number)

    def state(self, label: int) -> str:
        """Return the name of a state, or its label."""
        return self.states[label] if self.states else str(label)

    def word(self, actions: Iterable[int]) -> str:
        """Return a plan as text, such as "left, right"."""
        return ", ".join(map(self.action, actions))


NO_NAMES = Names()


def names_of(actions: Sequence[str], states: Sequence[str], *, how_many: tuple[int, int]) -> Names:
    """Return names for so many actions and states; raise `InvalidArgument` unless they fit.

    Either may be left out. Names are different texts with at least one letter.
    """
    for argument, given, count in zip(
        ("actions", "states"), (actions, states), how_many, strict=True
    ):
        texts = not isinstance(given, str) and all(type(each) is str for each in given)
        fits = texts and len(given) in (0, count) and len(set(given)) == len(given)
        if not fits or not all(each.strip() for each in given):
            expected = f"{count} different names, one for each of the {argument}, or none"
            raise InvalidArgument(argument, given, expected)
    return Names(tuple(actions), tuple(states))
