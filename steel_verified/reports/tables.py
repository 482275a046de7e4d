"""Tables as values: columns and rows, with a form for a terminal, for JSON and for Markdown.

The kind of a column says how its cells may be broken into lines: a number never, a code only below
its row, a text at spaces. Every cell is shown completely at every width. Cells that do not fit into
the row move below it, as "name: value". A line is longer than the width only if a single word or
number is. (Tables of rich cut or break a number that does not fit, and move no column below a row.)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Final, TypeAlias
from unicodedata import category, east_asian_width

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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


_GAP: Final = "  "
_INDENT: Final = "  "
_BELOW: Final = "    "
_READABLE: Final = 12
"""The smallest width of a text column; narrower text is hard to read."""
_PROSE: Final = 100
"""Lines of prose longer than this are hard to follow, even on a wider screen."""
_TIE: Final = "\N{NO-BREAK SPACE}"


def as_text(parts: Iterable[Part], width: int | None = None, *, colored: bool = False) -> str:
    """All parts, separated by blank lines. Without a width, no line is broken."""
    whole = "\n\n".join("\n".join(_lines(part, width, colored=colored)) for part in parts)
    return whole.replace(_TIE, " ")


def text_width(text: str) -> int:
    """How many terminal columns a text takes: accents take none, East Asian wide letters two."""
    return sum(
        0 if category(letter) in ("Mn", "Me") else 2 if east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _lines(part: Part, width: int | None, *, colored: bool) -> Iterator[str]:
    def painted(text: str, style: Style) -> str:
        if not colored or style is Style.PLAIN or not text:
            return text
        return f"\x1b[{style.value}m{text}\x1b[0m"

    measure = None if width is None else min(width, _PROSE)
    if isinstance(part, Prose):
        for line in _prose(part.text, measure):
            yield painted(line, part.style)
        return
    for line in _prose(part.title, measure) if part.title else ():
        yield painted(line, Style.STRONG)
    yield from _table(part, width, painted)
    for note in part.notes:
        yield ""
        yield from _prose(note, measure)


def _prose(text: str, width: int | None) -> Iterator[str]:
    """Lines of at most this width; continuation lines keep the indentation of their first line."""
    for line in text.split("\n"):
        shown = _printable(line)
        if width is None or text_width(shown) <= width:
            yield shown
        else:
            margin = shown[: len(shown) - len(shown.lstrip(" "))]
            inner = margin + "  " if shown.lstrip().startswith("• ") else margin
            yield from _wrapped(_words(shown), width, margin, inner)


def _printable(text: str) -> str:
    """The text with an escape sequence for each control character and each invisible one."""
    return "".join(
        letter
        if letter.isprintable() or letter == _TIE
        else " "
        if letter.isspace()
        else ascii(letter)[1:-1]
        for letter in text
    )


def _words(text: str) -> list[str]:
    """The pieces between spaces; a no-break space holds two words together."""
    return [word for word in text.split(" ") if word]


def _wrapped(
    words: Iterable[str], width: int | None, first: str = "", inner: str = ""
) -> Iterator[str]:
    """Words joined into lines of at most this width; a longer word gets its own line."""
    line, begun = first, False
    for word in words:
        if begun and width is not None and text_width(line) + 1 + text_width(word) > width:
            yield line
            line, begun = inner, False
        line, begun = (f"{line} {word}" if begun else line + word), True
    yield line


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The layout of a table: which columns are side by side, their widths, and the margin."""

    columns: Sequence[Column]
    beside: Mapping[int, int]
    margin: str
    width: int | None
    painted: Callable[[str, Style], str]

    def head(self) -> Iterator[str]:
        """The headings and a rule, if any column has a heading."""
        heads = [Cell(column.shown_heading, None) for column in self.columns]
        if any(heads[place].text for place in self.beside):
            yield from self._beside(heads, heading=True)
            across = sum(self.beside.values()) + len(_GAP) * (len(self.beside) - 1)
            yield self.margin + "─" * across

    def row(self, row: Sequence[Cell]) -> Iterator[str]:
        """The cells that are side by side, followed by the other cells with their names."""
        yield from self._beside(row)
        line, used = "", 0
        first = self.margin + _BELOW
        for place, (column, shown) in enumerate(zip(self.columns, row, strict=True)):
            if place in self.beside or not shown.text.strip():
                continue
            words = [*_words(_printable(f"{column.label}:")), *_below(column, shown)]
            style = _style(column, shown)
            *full, last = _wrapped(words, self.width, first, first + _INDENT)
            joined = used + len(_GAP) + text_width(last) - len(first)
            if not full and used and self.width is not None and joined <= self.width:
                line, used = line + _GAP + self.painted(last[len(first) :], style), joined
                continue
            yield from [line] if used else []
            yield from (self.painted(text, style) for text in full)
            line, used = self.painted(last, style), text_width(last)
        yield from [line] if used else []

    def _beside(self, row: Sequence[Cell], *, heading: bool = False) -> Iterator[str]:
        stacks = [
            list(_wrapped(_pieces(self.columns[place], row[place], heading=heading), wide))
            for place, wide in self.beside.items()
        ]
        for level in zip_longest(*stacks, fillvalue=""):
            parts = []
            for text, (place, wide) in zip(level, self.beside.items(), strict=True):
                column = self.columns[place]
                style = Style.PLAIN if heading else _style(column, row[place])
                blank = " " * (wide - text_width(text))
                shown = self.painted(text, style)
                parts.append(blank + shown if column.kind is Kind.NUMBER else shown + blank)
            yield (self.margin + _GAP.join(parts)).rstrip()


def _table(table: Table, width: int | None, painted: Callable[[str, Style], str]) -> Iterator[str]:
    rows = [[cell(value) for value in row] for row in table.rows]
    first = 1 if table.grouped else 0
    margin = _INDENT * first
    columns = table.columns[first:]
    room = None if width is None else width - len(margin)
    beside = _fitted(columns, [row[first:] for row in rows], room)
    sheet = _Sheet(columns, beside, margin, width, painted)
    yield from sheet.head()
    if not table.grouped:
        for row in rows:
            yield from sheet.row(row)
        return
    for number, (heading, group) in enumerate(groupby(rows, key=lambda row: row[0].text)):
        yield from [""] if number else []
        for line in _prose(heading, width):
            yield painted(line, Style.STRONG)
        for row in group:
            yield from sheet.row(row[1:])


def _style(column: Column, shown: Cell) -> Style:
    return column.style if shown.style is Style.PLAIN else shown.style


def _below(column: Column, shown: Cell) -> list[str]:
    """The pieces into which a cell can be broken if it moves below its row."""
    text = _printable(shown.text)
    return [text.strip()] if column.kind is Kind.NUMBER else _words(text)


def _pieces(column: Column, shown: Cell, *, heading: bool = False) -> list[str]:
    """The pieces into which a cell can be broken inside its column."""
    text = _printable(shown.text)
    return _words(text) if heading or column.kind is Kind.TEXT else [text]


def _fitted(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], room: int | None
) -> dict[int, int]:
    """Which columns are placed side by side, and their widths; the others move below their rows.

    The first column always stays in the row.
    """
    measured = [
        _extent(column, [row[place] for row in rows]) for place, column in enumerate(columns)
    ]
    kept = list(range(len(columns)))
    if room is None:
        return {place: measured[place][1] for place in kept}
    while True:
        widths = {place: measured[place][0] for place in kept}
        spare = room - sum(widths.values()) - len(_GAP) * (len(kept) - 1)
        if spare >= 0 or len(kept) == 1:
            return _filled(widths, {place: measured[place][1] for place in kept}, max(spare, 0))
        kept.remove(max(kept[1:], key=lambda place: (columns[place].priority, place)))


def _extent(column: Column, cells: Sequence[Cell]) -> tuple[int, int]:
    """The least and the natural width of a column."""
    head = Cell(column.shown_heading, None)
    stacks = [_pieces(column, head, heading=True), *(_pieces(column, shown) for shown in cells)]
    least = max((text_width(piece) for stack in stacks for piece in stack), default=0)
    natural = max(text_width(" ".join(stack)) for stack in stacks)
    if column.kind is Kind.TEXT:
        least = max(least, min(natural, _READABLE))
    return least, natural


def _filled(widths: Mapping[int, int], natural: Mapping[int, int], spare: int) -> dict[int, int]:
    """Distribute spare width, in proportion to what each column still needs."""
    wants = {place: natural[place] - widths[place] for place in widths}
    total = sum(wants.values())
    if total <= spare:
        return dict(natural)
    filled = {place: widths[place] + spare * wants[place] // total for place in widths}
    filled[max(wants, key=lambda place: wants[place])] += spare - sum(
        spare * want // total for want in wants.values()
    )
    return filled
