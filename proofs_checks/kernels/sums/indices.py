"""Indices: members of finite sets, and natural numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TIME: Final = "time"
"""The natural numbers. Every other sort of index runs through a finite set with a member."""


@dataclass(frozen=True, slots=True)
class Index:
    """A member of a set, or a natural number: a name (for all), or `fixed` (for one)."""

    sort: str
    name: str
    later: int = 0
    of: tuple[Index, ...] = ()
    """What it is a function of, such as i in "the lag after sample i"."""
    fixed: bool = False

    def __add__(self, later: int) -> Index:
        if self.sort != TIME or later < 0:
            raise InvalidArgument("later", later, f"only natural numbers count up, not {self}")
        return replace(self, later=self.later + later)

    @property
    def is_variable(self) -> bool:
        """Whether it stands for all members of its sort."""
        return not self.fixed and not self.of

    def __str__(self) -> str:
        name = f"{shown_name(self.name)}({listed(self.of)})" if self.of else self.name
        if not self.name:
            return str(self.later)
        return shown_name(name) + (f"+{self.later}" if self.later else "")


def numeral(value: int) -> Index:
    """The natural number itself."""
    return Index(TIME, "", value, fixed=True)


def moved_index(index: Index, to: Mapping[Index, Index]) -> Index:
    """An index with others in the place of its variables."""
    base = replace(index, later=0)
    if base in to:
        return to[base] + index.later if index.later else to[base]
    return replace(index, of=tuple(moved_index(inner, to) for inner in index.of))


def bases(index: Index) -> Iterator[Index]:
    """The index without what is added to it, and all that it is a function of."""
    yield replace(index, later=0)
    for inner in index.of:
        yield from bases(inner)


def listed(at: tuple[Index, ...]) -> str:
    """Indices as text."""
    return ", ".join(str(index) for index in at)


def shown_name(name: str) -> str:
    """Bound names are shown as x₁, x₂, …, and y₁, … and z₁, … further out."""
    if not name.startswith("@"):
        return name
    depth, place = name[1:].split(".")
    return "xyz"[min(int(depth), 2)] + "₁₂₃₄₅₆₇₈₉"[min(int(place), 8)]
