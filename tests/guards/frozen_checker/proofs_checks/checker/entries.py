"""Entries shared by certificates of both methods: words of actions, and executed plans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Word: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ran:
    """A plan was executed: `word` was repeated for `steps` steps, after `done` steps of it."""

    start: int
    word: Word
    done: int
    steps: int
