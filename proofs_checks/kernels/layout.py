"""The lines of a file of proofs; both kernels that replay proofs read their files with this."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Unreadable(ValueError):
    """A text that is not in the syntax of a kernel. The message begins with file and line."""


def code_lines(file: str, text: str) -> Iterator[tuple[str, int, str]]:
    """Each line that is not empty without its comment: its place, its indent, and its words."""
    for number, line in enumerate(text.split("\n"), 1):
        place = f"{file}:{number}"
        if not line.isprintable():
            raise Unreadable(f"{place}: a tab or another invisible character")
        code = line.partition("#")[0].rstrip()
        words = code.lstrip(" ")
        if words:
            yield place, len(code) - len(words), words
