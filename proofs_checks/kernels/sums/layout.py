"""Reads the layout of a file of proofs: the indent decides which lines belong to which."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.layout import Unreadable, code_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES: Final = ("let", "step", "induction", "cases")
_REASONS: Final = ("and", "by", "using", "between", "from")
INNER: Final = {
    "": ("index", "fixed", "symbols", "let", "facts", "proof"),
    "facts": ("fact",),
    "proof": ("given", "define", "meaning", "goal", *_LINES),
    "step": _REASONS,
    "goal": (*_REASONS, "first", "next"),
    "induction": ("claim", "goal"),
    "claim": ("first", "next"),
    "cases": ("if",),
    "if": _LINES,
}
"""For each keyword, the keywords that may begin the lines indented below it"""


@dataclass(frozen=True, slots=True)
class Node:
    """A line with the lines that continue it, and the lines indented below it."""

    place: str
    keyword: str
    rest: str
    inner: tuple[Node, ...]

    def refused(self, why: str) -> Unreadable:
        """An error with file and line."""
        return Unreadable(f"{self.place}: {why}")

    def matched(self, pattern: str) -> tuple[str, ...]:
        """The groups of the pattern in the text after the keyword; missing groups are empty."""
        found = re.fullmatch(pattern, self.rest)
        if found is None:
            raise self.refused(f"not the syntax of {self.keyword}: {self.rest!r}")
        return found.groups("")

    def below(self) -> Iterator[Node]:
        """All lines indented below this one, at any depth."""
        for node in self.inner:
            yield node
            yield from node.below()


def read_nodes(file: str, text: str) -> tuple[Node, ...]:
    """The lines of a text that are not indented, each with the lines below it."""
    lines: list[tuple[str, int, str]] = []
    for place, indent, words in code_lines(file, text):
        above = lines[-1][1] if lines else -2
        if lines and indent >= above + 4:
            lines[-1] = (lines[-1][0], above, f"{lines[-1][2]} {words}")
        elif indent % 2 or indent > above + 2:
            raise Unreadable(f"{place}: an indent of {indent} spaces after one of {above}")
        else:
            lines.append((place, indent, words))
    return _nested("", lines, 0)


def _nested(keyword: str, lines: list[tuple[str, int, str]], depth: int) -> tuple[Node, ...]:
    """The lines below a line with this keyword."""
    starts = [at for at, (_, indent, _) in enumerate(lines) if indent == depth]
    found = []
    for start, end in zip(starts, [*starts, len(lines)][1:], strict=True):
        place, _, words = lines[start]
        word, _, rest = words.partition(" ")
        if word not in INNER.get(keyword, ()):
            raise Unreadable(f"{place}: {word!r} cannot stand here")
        node = Node(place, word, rest, _nested(word, lines[start + 1 : end], depth + 2))
        if word in INNER and not node.inner and keyword != "induction":
            raise node.refused(f"nothing stands below {word}")
        found.append(node)
    return tuple(found)
