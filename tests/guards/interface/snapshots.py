"""The stored interface, and how that of today differs from it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .shapes import claims, names, options, outcomes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

HERE: Final = Path(__file__).parent
CHANGES: Final = HERE / "changes.toml"

SNAPSHOTS: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "options": options,
    "names": names,
    "outcomes": outcomes,
    "claims": claims,
}
"""The functions that make the lines of each snapshot."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change that is meant: the names that it changes (with * for any text), what and why."""

    name: str
    what: str
    why: str


@cache
def lines_of(snapshot: str) -> tuple[str, ...]:
    """The lines of today."""
    return tuple(sorted(set(SNAPSHOTS[snapshot]())))


def stored_lines(snapshot: str) -> list[str]:
    return file_of(snapshot).read_text(encoding="utf-8").splitlines()


def file_of(snapshot: str) -> Path:
    return HERE / f"{snapshot}.txt"


def changes() -> list[Change]:
    """The changes that are listed; each must say what it changes and why."""
    listed = tomllib.loads(CHANGES.read_text(encoding="utf-8")).get("change", [])
    return [Change(**change) for change in listed]


def difference(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """The lines that went, with −, and those that came, with +, sorted by name."""
    old, new = set(before), set(after)
    marked = [*((line, "−") for line in old - new), *((line, "+") for line in new - old)]
    return [f"{mark} {line}" for line, mark in sorted(marked)]


def unlisted(different: Iterable[str], listed: Iterable[Change]) -> list[str]:
    """The differences that no change names."""
    patterns = [change.name for change in listed]
    return [
        line
        for line in different
        if not any(fnmatchcase(name_in(line), pattern) for pattern in patterns)
    ]


def name_in(line: str) -> str:
    """The name that a line of a difference is about."""
    return line[2:].partition(": ")[0]
