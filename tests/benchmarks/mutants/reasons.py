"""Why some mutants survive: written down beside them, and checked to be about survivors."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Name = tuple[str, str, str]
"""A file, a function in it, and a mistake."""

_FILE: Final = Path(__file__).parent / "reasons.toml"


def reasons() -> dict[Name, str]:
    """The reason for each mutant that is known to survive."""
    read = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        (path, function, mistake): reason
        for path, functions in read.items()
        for function, mistakes in functions.items()
        for mistake, reason in mistakes.items()
    }


def complaints(
    survivors: Iterable[Name], killed: Iterable[Name], known: Mapping[Name, str]
) -> list[str]:
    """Survivors without a reason, and reasons for what does not survive."""
    unexplained = [
        f"survives, and no reason is given: {_line(name)}"
        for name in survivors
        if name not in known
    ]
    outdated = [f"has a reason, yet is killed: {_line(name)}" for name in killed if name in known]
    return unexplained + outdated


def _line(name: Name) -> str:
    return ", ".join(part for part in name if part)
