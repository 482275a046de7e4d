"""What certificates of both methods have: words of actions, and plans that were run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Word: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ran:
    """A plan was run: `steps` steps of the loop of `word`, after `done` steps of it."""

    start: int
    word: Word
    done: int
    steps: int
