"""The common style of all figures, and how they are written to files."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from steel_verified.errors import InvalidArgument
from steel_verified.reports.graphs import hue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager

    from matplotlib.axes import Axes

FORMATS: Final = (".svg", ".pdf", ".png")

_FONT: Final = "DejaVu Sans"
_SIMILAR_FONTS: Final = "Verdana, sans-serif"
"""For SVG on a machine without our font. Verdana's letters are about as wide."""

COLUMN: Final = 3.3
"""The width of a column of text, in inches."""
PAGE: Final = 6.75
"""The width of a page of text, in inches."""

LARGEST_UNIT: Final = 0.45
"""Neighbouring states are no further apart than this, in inches: small worlds stay small."""

TEXT: Final = 7.0
"""The size of letters, in points."""
SMALL: Final = 6.0
"""The size of the smallest letters, in points."""

INK: Final = "#1f2a30"
QUIET: Final = "#b9c3ca"
FAINT: Final = "#eef1f3"
SHADE: Final = "#dde2e6"
PAPER: Final = "#ffffff"
RED: Final = "#d7301f"


def styled() -> AbstractContextManager[None]:
    """Return a context in which new parts of figures get the common style."""
    return mpl.rc_context(
        {
            "font.family": _FONT,
            "font.size": TEXT,
            "mathtext.fontset": "dejavusans",
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": INK,
            "axes.linewidth": 0.6,
            "axes.titlesize": TEXT,
            "axes.labelsize": TEXT,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "xtick.color": INK,
            "ytick.color": INK,
            "xtick.labelsize": SMALL,
            "ytick.labelsize": SMALL,
            "xtick.major.width": 0.6,
            "ytick.major.width": 0.6,
            "xtick.major.size": 2.5,
            "ytick.major.size": 2.5,
            "xtick.minor.size": 1.5,
            "legend.fontsize": SMALL,
            "legend.frameon": False,
            "figure.constrained_layout.h_pad": 0.03,
            "figure.constrained_layout.w_pad": 0.03,
            # The same figure gives the same bytes: names inside a file come from its content alone.
            "svg.hashsalt": "steel_verified",
            # Text stays text: it can be searched, copied and read aloud.
            "svg.fonttype": "none",
        }
    )


def write_beside(axes: Axes, text: str, at: tuple[float, float], colour: str) -> None:
    """Write a small text to the right of a point, even outside of the axes."""
    axes.annotate(
        text,
        at,
        (5, 0),
        textcoords="offset points",
        va="center",
        color=colour,
        fontsize=SMALL,
        annotation_clip=False,
    )


def columns_of(names: Iterable[str], width: float) -> int:
    """Return how many columns of a legend with these names fit into so many inches: 1 to 4."""
    widest = 0.3 + 0.047 * max(map(len, names), default=0)
    return max(1, min(4, int(width / widest)))


def name_actions(
    axes: Axes, named: Mapping[int, str], *others: tuple[Line2D, str], columns: int
) -> None:
    """Add a legend below a graph: the colours of these actions, then other marks."""
    lines = [Line2D([], [], color=hue(action), lw=1.2) for action in named]
    axes.legend(
        [*lines, *(line for line, _ in others)],
        [*named.values(), *(name for _, name in others)],
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=columns,
        columnspacing=1.2,
        handlelength=1.6,
    )


def blank(width: float, height: float) -> Figure:
    """An empty figure of a size in inches."""
    return Figure(figsize=(width, height), layout="constrained")


def as_bytes(figure: Figure, suffix: str) -> bytes:
    """The figure as a file of this kind; the same figure gives the same bytes."""
    kind = suffix.lower()
    if kind not in FORMATS:
        raise InvalidArgument("output", suffix, "a name that ends in " + ", ".join(FORMATS))
    file = BytesIO()
    no_date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[kind]
    with styled():
        _settle(figure)
        figure.savefig(file, format=kind[1:], dpi=200, metadata=no_date)
    if kind == ".svg":
        name = f"'{_FONT}'"
        return file.getvalue().replace(name.encode(), f"{name}, {_SIMILAR_FONTS}".encode())
    return file.getvalue()


def _settle(figure: Figure) -> None:
    """Lay the figure out, and round where its axes lie.

    The solver of the layout orders its variables by memory address, so that the last digits of
    its positions differ from one drawing to the next.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(each, 6) for each in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))
