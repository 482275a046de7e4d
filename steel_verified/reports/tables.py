"""Tables as values: columns and rows, with a JSON form and a Markdown form.

`layout.as_text` writes them for a terminal. The kind of a column says how its cells may be broken
into lines: a number never, a code only below its row, a text at spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json


class Kind(Enum):
    """What a column holds."""

    NUMBER = "number"
    """Aligned to the right and never broken."""
    CODE = "code"
    """An identifier or a formula: one line in its column; below its row it breaks at spaces."""
    TEXT = "text"
    """Words, broken at spaces if the column is narrow."""


class Style(Enum):
    """The colour of a cell on a terminal, as an ANSI code ("select graphic rendition")."""

    PLAIN = ""
    STRONG = "1"
    NAME = "36"
    FAINT = "2"
    GOOD = "32"
    ODD = "33"
    BAD = "1;31"


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    `name` is its key in JSON. `heading` is shown above it; it defaults to the name. If the screen
    is too narrow, the column with the highest `priority` moves below its row first.
    """

    name: str
    kind: Kind = Kind.TEXT
    priority: int = 0
    style: Style = Style.PLAIN
    heading: str | None = None

    @property
    def shown_heading(self) -> str:
        return self.name.replace("_", " ") if self.heading is None else self.heading

    @property
    def label(self) -> str:
        """The text before a value that is shown below its row."""
        return self.heading or self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell whose text differs from its JSON value, or which has its own style."""

    text: str
    value: Json
    style: Style = Style.PLAIN


Value: TypeAlias = "Cell | str | int | None"


def cell(value: Value) -> Cell:
    """The cell that shows a value: digits in groups of three, an empty text for None."""
    match value:
        case Cell():
            return value
        case None:
            return Cell("", None)
        case int():
            return Cell(f"{value:,}", value)
        case str():
            return Cell(value, value)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    If `grouped`, the first column is a heading above the rows that share it. Raises
    `InvalidArgument` if a row does not have one value for each column, or if two columns have the
    same name.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()
    grouped: bool = False

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(self.columns) < 1 + self.grouped or len(set(names)) < len(names):
            raise InvalidArgument("columns", names, "different names, at least one to show")
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                expected = f"{len(self.columns)} values, one for each column"
                raise InvalidArgument(f"rows[{number}]", row, expected)


@dataclass(frozen=True, slots=True)
class Prose:
    """Text between tables. Its line breaks are kept, and longer lines are wrapped at spaces."""

    text: str
    style: Style = Style.PLAIN


Part: TypeAlias = Table | Prose


def records(table: Table) -> list[Json]:
    """The rows as JSON: one object per row, with the names of the columns as keys."""
    names = [column.name for column in table.columns]
    return [
        dict(zip(names, (cell(value).value for value in row), strict=True)) for row in table.rows
    ]


def as_markdown(table: Table) -> str:
    """The rows as a Markdown table, without title and notes."""
    rules = ["---:" if column.kind is Kind.NUMBER else "---" for column in table.columns]
    lines = [_markdown_row([column.shown_heading for column in table.columns])]
    lines.append(f"|{'|'.join(rules)}|")
    lines += [_markdown_row([cell(value).text for value in row]) for row in table.rows]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: list[str]) -> str:
    escaped = [text.replace("|", r"\|").replace("\N{NO-BREAK SPACE}", " ") for text in cells]
    return f"| {' | '.join(escaped)} |"
