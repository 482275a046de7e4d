"""Rows as a tree that grows at its root. What was asked of a part is remembered there.

A dataset grows by a row at a time, and the same question is asked of it again after each. So a
question costs as much as what has been added since it was asked before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.checker.planning import Work

Row = TypeVar("Row")


class Tree(Generic[Row]):
    """One row, or two trees, or nothing."""

    __slots__ = ("known", "parts", "row")

    def __init__(self, row: Row | None = None, parts: tuple[Tree[Row], ...] = ()) -> None:
        self.row = row
        self.parts = parts
        self.known: dict[object, bool] = {}
        """The questions that were asked, and their answers."""

    def has(self, question: object, holds: Callable[[Row], bool], work: Work) -> bool:
        """Whether `holds` is true of some row. Equal questions have equal answers."""
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
        """All rows."""
        waiting = [self]
        while waiting:
            work.add(1)
            tree = waiting.pop()
            waiting += tree.parts
            if tree.row is not None:
                yield tree.row
