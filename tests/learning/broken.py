"""Broken learners as data: the change that breaks each one, and how its run ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Attempt = TypeVar("Attempt")


@dataclass(frozen=True)
class Broken(Generic[Attempt]):
    """A broken learner, and how its run ends."""

    name: str
    change: Callable[[Attempt], None]
    ends: str


def listed_in(
    learners: list[Broken[Attempt]],
) -> Callable[[str], Callable[[Callable[[Attempt], None]], Callable[[Attempt], None]]]:
    """Return a decorator that adds a change to the list, with how its run ends."""

    def broken(ends: str) -> Callable[[Callable[[Attempt], None]], Callable[[Attempt], None]]:
        def listed(change: Callable[[Attempt], None]) -> Callable[[Attempt], None]:
            learners.append(Broken(change.__name__.replace("_", " "), change, ends))
            return change

        return listed

    return broken
