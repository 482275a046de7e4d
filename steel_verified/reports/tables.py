"""Tables as values, with a form for a terminal, for JSON and for Markdown.

Every cell is shown completely at every width: cells that do not fit into the row move below it, as
"name: value". (Tables of rich cut or break them.)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby, zip_longest
from math import inf
from typing import TYPE_CHECKING, Final, TypeAlias
from unicodedata import category, east_asian_width

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from steel_verified.evidence.codec import Json

    Paint = Callable[[str, "Style"], str]


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
    """A column, with its key in JSON and the heading above it, which defaults to the name.

    If the screen is too narrow, the column with the highest `priority` moves below its row first.
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
    """Rows under columns; if `grouped`, the first column has headings above the rows."""

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
    return f"| {' | '.join(text.replace('|', chr(92) + '|') for text in cells)} |"


_GAP: Final = "  "
_INDENT: Final = "  "
_READABLE: Final = 12
"""The smallest width of a text column; narrower text is hard to read."""
_PROSE: Final = 100
"""Lines of prose longer than this are hard to follow, even on a wider screen."""


def as_text(parts: Iterable[Part], width: int | None = None, *, colored: bool = False) -> str:
    """All parts, separated by blank lines. Without a width, no line is broken."""
    paint = _painted if colored else _plain
    room = inf if width is None else width
    return "\n\n".join("\n".join(_lines(part, room, paint)) for part in parts)


def text_width(text: str) -> int:
    """How many terminal columns a text takes: accents take none, East Asian wide letters two."""
    return sum(
        0 if category(letter) in ("Mn", "Me") else 2 if east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _painted(text: str, style: Style) -> str:
    return f"\x1b[{style.value}m{text}\x1b[0m" if style.value and text else text


def _plain(text: str, _: Style) -> str:
    return text


def _lines(part: Part, width: float, paint: Paint) -> Iterator[str]:
    if isinstance(part, Prose):
        yield from (paint(line, part.style) for line in _prose(part.text, width))
        return
    if part.title:
        yield from (paint(line, Style.STRONG) for line in _prose(part.title, width))
    yield from _table(part, width, paint)
    for note in part.notes:
        yield from ("", *_prose(note, width))


def _prose(text: str, width: float) -> Iterator[str]:
    """Lines of at most this width; continuation lines keep the indentation of their first line."""
    for line in map(_printable, text.split("\n")):
        words = line.lstrip(" ")
        margin = " " * (len(line) - len(words))
        inner = margin + "  " if words.startswith("• ") else margin
        fits = text_width(line) <= min(width, _PROSE) or width == inf
        yield from [line] if fits else _wrapped(words.split(), min(width, _PROSE), margin, inner)


def _printable(text: str) -> str:
    """The text with an escape sequence for each control character and each invisible one."""
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else ascii(letter)[1:-1]
        for letter in text
    )


def _wrapped(words: Sequence[str], width: float, first: str = "", inner: str = "") -> Iterator[str]:
    """Words joined into lines of at most this width; a longer word gets its own line."""
    line = first + "".join(words[:1])
    for word in words[1:]:
        if text_width(line) + 1 + text_width(word) > width:
            yield line
            line = inner + word
        else:
            line += " " + word
    yield line


def _table(table: Table, width: float, paint: Paint) -> Iterator[str]:
    first = int(table.grouped)
    margin, columns = _INDENT * first, table.columns[first:]
    rows = [[cell(value) for value in row] for row in table.rows]
    beside = _fitted(columns, [row[first:] for row in rows], width - len(margin))

    def side_by_side(row: Sequence[Cell], *, heading: bool = False) -> Iterator[str]:
        stacks = [
            list(_wrapped(_pieces(columns[place], row[place], heading=heading), wide))
            for place, wide in beside.items()
        ]
        for level in zip_longest(*stacks, fillvalue=""):
            parts = []
            for text, (place, wide) in zip(level, beside.items(), strict=True):
                style = Style.PLAIN if heading else _style(columns[place], row[place])
                blank, shown = " " * (wide - text_width(text)), paint(text, style)
                right = columns[place].kind is Kind.NUMBER
                parts.append(blank + shown if right else shown + blank)
            yield (margin + _GAP.join(parts)).rstrip()

    def row_lines(row: Sequence[Cell]) -> Iterator[str]:
        yield from side_by_side(row)
        below = [
            (column, row[place])
            for place, column in enumerate(columns)
            if place not in beside and row[place].text.strip()
        ]
        words: list[str] = []
        for column, shown in below:
            words += _printable(f"{column.label}:").split()
            words += _pieces(column, shown, heading=column.kind is not Kind.NUMBER)
        if words:
            for line in _wrapped(words, width, margin + 2 * _INDENT, margin + 3 * _INDENT):
                yield paint(line, _style(*below[0]))

    heads = [Cell(column.shown_heading, None) for column in columns]
    if any(heads[place].text for place in beside):
        yield from side_by_side(heads, heading=True)
        yield margin + "─" * (sum(beside.values()) + len(_GAP) * (len(beside) - 1))
    groups = groupby(rows, key=lambda row: row[0].text if table.grouped else None)
    for number, (title, group) in enumerate(groups):
        if title is not None:
            yield from [""] if number else []
            yield from (paint(line, Style.STRONG) for line in _prose(title, width))
        for row in group:
            yield from row_lines(row[first:])


def _style(column: Column, shown: Cell) -> Style:
    return column.style if shown.style is Style.PLAIN else shown.style


def _pieces(column: Column, shown: Cell, *, heading: bool = False) -> list[str]:
    """The pieces into which a cell can be broken: a heading, or a text in its column, at spaces."""
    text = _printable(shown.text)
    return text.split() if heading or column.kind is Kind.TEXT else [text.strip()]


def _fitted(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], room: float
) -> dict[int, int]:
    """Which columns are placed side by side, and their widths; the others move below their rows.

    The first column always stays in the row. Columns of text are made narrower, the widest first.
    """
    least, widths = {}, {}
    for place, column in enumerate(columns):
        head = _pieces(column, Cell(column.shown_heading, None), heading=True)
        stacks = [head, *(_pieces(column, row[place]) for row in rows)]
        natural = max(text_width(" ".join(stack)) for stack in stacks)
        longest = max((text_width(piece) for stack in stacks for piece in stack), default=0)
        readable = min(natural, _READABLE) if column.kind is Kind.TEXT else 0
        least[place], widths[place] = max(longest, readable), natural

    def gaps() -> int:
        return len(_GAP) * (len(widths) - 1)

    while len(widths) > 1 and sum(least[place] for place in widths) + gaps() > room:
        del widths[max([*widths][1:], key=lambda place: (columns[place].priority, place))]
    while sum(widths.values()) + gaps() > room:
        loose = [place for place in widths if widths[place] > least[place]]
        if not loose:
            break
        widths[max(loose, key=lambda place: widths[place])] -= 1
    return widths
