"""What a file of entries abbreviates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Notation:
    """What a file of entries abbreviates, the module with its checks, and the leaves it names."""

    let: Mapping[str, str]
    where: Mapping[str, str]
    module: str
    leaves: Mapping[str, str] = field(default_factory=dict)
    quoted: Mapping[str, tuple[str, Notation]] = field(default_factory=dict)
    """Claims that joins of the file quote: the join of each, and what its own file abbreviates"""


def conditions(text: str, notation: Notation) -> tuple[str, list[str]]:
    """A statement, and what stands after its `where`; names stand for lists of conditions."""
    statement, _, listed = text.partition(" where ")
    found: list[str] = []
    for part in filter(None, map(str.strip, listed.split(","))):
        named = notation.where.get(part)
        found += [part] if named is None else conditions(f"… where {named}", notation)[1]
    return statement, found
