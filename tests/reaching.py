"""Search for one value with a property, where which one it is does not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypothesis import Phase, find, settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value")


def reach(
    strategy: SearchStrategy[Value],
    condition: Callable[[Value], bool],
    *,
    max_examples: int = 2000,
) -> Value:
    """Return a value of the strategy that meets the condition, the first that is generated.

    `hypothesis.find` would go on to look for the simplest one, which takes most of its time.

    Raises:
        NoSuchExample: none of `max_examples` values meets the condition.
    """
    generated = settings(max_examples=max_examples, phases=[Phase.generate])
    return find(strategy, condition, settings=generated)
