"""Indices: members of finite sets, and natural numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.exactness import is_name
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TIME: Final = "time"
"""The natural numbers. Every other sort of index runs through a finite set with a member."""

_LIKE_BOUND: Final = re.compile("[a-z][₁-₉]")
"""How bound indices are shown."""
_LETTERS: Final = {"outcome": "opq", "classifier": "fgh", "observation": "ikl", "past": "cde"}
"""The letters for bound indices of a sort, by depth; those of other sorts are x, y and z."""


@dataclass(frozen=True, slots=True)
class Index:
    """A member of a finite set, or a natural number: any of them, or one if it is `fixed`.

    A fixed index is shown with a star: j* is one number, and j is any number.
    """

    sort: str
    name: str
    later: int = 0
    of: tuple[Index, ...] = ()
    """The arguments, if the index is a function: i in "the lag after sample i"."""
    fixed: bool = False

    def __post_init__(self) -> None:
        is_numeral = not self.name and self.sort == TIME and self.fixed and not self.of
        named = is_name(self.name) and not _LIKE_BOUND.fullmatch(self.name)
        if not is_name(self.sort) or not (is_numeral or named):
            raise InvalidArgument("name", (self.sort, self.name), "a name of a sort and an index")
        if type(self.later) is not int or self.later < 0 or (self.later and self.sort != TIME):
            raise InvalidArgument("later", self.later, "a number added to a natural number")
        if type(self.of) is not tuple or type(self.fixed) is not bool:
            raise InvalidArgument("of", (self.of, self.fixed), "a tuple, and a bool")

    def __add__(self, later: int) -> Index:
        if self.sort != TIME or later < 0:
            raise InvalidArgument("later", later, f"only natural numbers count up, not {self}")
        return replace(self, later=self.later + later)

    @property
    def base(self) -> Index:
        """The index without its offset: j for j + 1."""
        return replace(self, later=0) if self.later else self

    @property
    def is_variable(self) -> bool:
        """Whether it stands for all members of its sort."""
        return not self.fixed and not self.of

    def __str__(self) -> str:
        if not self.name:
            return str(self.later)
        name = self.name + "*" * self.fixed + f"({listed(self.of)})" * bool(self.of)
        return name + (f"+{self.later}" if self.later else "")


@dataclass(frozen=True, slots=True)
class Bound(Index):
    """An index that a sum runs over: made by the kernel only, and equal to no `Index`.

    Those of a term are numbered, as `depth.place`, and shown as x₁, x₂, …, and y₁, … and z₁, …
    further out, or by the letters of their sort; those of a term that is taken apart have a number
    that is used only once.
    """

    def __post_init__(self) -> None:
        """Accept any name, because an `Index` never equals a `Bound`."""

    def __str__(self) -> str:
        depth, _, place = self.name.partition(".")
        if not place:
            return f"?{depth}"
        letters = _LETTERS.get(self.sort, "xyz")
        return letters[min(int(depth), 2)] + "₁₂₃₄₅₆₇₈₉"[min(int(place), 8)]


_USED: Final = count()


def bound(sort: str, depth: int, place: int) -> Bound:
    """The bound index with this number in a term of this depth."""
    return Bound(sort, f"{depth}.{place}")


def fresh(sort: str) -> Bound:
    """A bound index that occurs nowhere else."""
    return Bound(sort, str(next(_USED)))


def numeral(value: int) -> Index:
    """The index that is this natural number."""
    return Index(TIME, "", value, fixed=True)


def moved_index(index: Index, to: Mapping[Index, Index]) -> Index:
    """The index with its variables replaced."""
    base = index.base
    if base in to:
        return to[base] + index.later if index.later else to[base]
    if not index.of:
        return index
    return replace(index, of=tuple(moved_index(inner, to) for inner in index.of))


def bases(index: Index) -> Iterator[Index]:
    """The index and all indices in its arguments, each without its offset."""
    yield index.base
    for inner in index.of:
        yield from bases(inner)


def listed(at: tuple[Index, ...]) -> str:
    """Indices as text."""
    return ", ".join(str(index) for index in at)
