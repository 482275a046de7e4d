"""Datasets as binary trees that grow at the root. Each subtree caches the answers to questions.

A dataset grows row by row, and the same question is asked again after each row. With the cache, a
question takes time proportional to the rows added since it was last asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.checker.planning import Work

Row = TypeVar("Row")


class Tree(Generic[Row]):
    """One row, or two subtrees, or nothing."""

    __slots__ = ("known", "parts", "row")

    def __init__(self, row: Row | None = None, parts: tuple[Tree[Row], ...] = ()) -> None:
        self.row = row
        self.parts = parts
        self.known: dict[object, bool] = {}
        """Cached answers."""

    def has(self, question: object, holds: Callable[[Row], bool], work: Work) -> bool:
        """Return whether `holds` is true for some row. `question` is the cache key for `holds`."""
        waiting = [self]
        while waiting:
            work.add(1)
            tree = waiting[-1]
            missing = [part for part in tree.parts if question not in part.known]
            if missing:
                waiting += missing
                continue
            if tree.row is not None:
                work.add(4)
                tree.known[question] = holds(tree.row)
            else:
                tree.known[question] = any(part.known[question] for part in tree.parts)
            waiting.pop()
        return self.known[question]

    def rows(self, work: Work) -> Iterator[Row]:
        """Yield all rows."""
        waiting = [self]
        while waiting:
            work.add(1)
            tree = waiting.pop()
            waiting += tree.parts
            if tree.row is not None:
                yield tree.row
