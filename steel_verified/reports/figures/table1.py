"""Table 1 as a picture: the share of right runs as a shade, the printed mark in each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from steel_verified.experiments.table1.worlds import Method, Property
from steel_verified.reports.figures.style import (
    FAINT,
    INK,
    PAGE,
    PAPER,
    RED,
    SMALL,
    TEXT,
    blank,
    styled,
)
from steel_verified.reports.hues import HUES
from steel_verified.reports.table1 import DIFFERS, agreement, of_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.sweeps.study import Row

_SHADES: Final = LinearSegmentedColormap.from_list("share", [FAINT, HUES[2]])
_DARK: Final = 0.6
"""From this share on, letters are white."""
_MARK: Final = 11.0


def table1_figure(rows: Mapping[str, Row]) -> Figure:
    """A row for each method and a column for each property."""
    with styled():
        figure = blank(PAGE, 2.9)
        axes = figure.subplots()
        for y, method in enumerate(Method):
            for x, column in enumerate(Property):
                _draw_cell(axes, x, y, rows, method, column)
        axes.set_xlim(0, len(Property))
        axes.set_ylim(len(Method), 0)
        headings = [column.printed.replace(" ", "\n") for column in Property]
        axes.set_xticks([x + 0.5 for x in range(len(Property))], headings)
        axes.set_yticks([y + 0.5 for y in range(len(Method))], [one.value for one in Method])
        axes.xaxis.tick_top()
        axes.tick_params(length=0, labelsize=TEXT)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return figure


def _draw_cell(
    axes: Axes, x: int, y: int, rows: Mapping[str, Row], method: Method, column: Property
) -> None:
    got = of_cell(rows, method, column)
    share = got.right / got.runs if got.runs else 0.0
    odd = agreement(method, column, got) == DIFFERS
    axes.add_patch(Rectangle((x + 0.03, y + 0.05), 0.94, 0.9, color=_SHADES(share), lw=0))
    if odd:
        axes.add_patch(Rectangle((x + 0.04, y + 0.07), 0.92, 0.86, fill=False, ec=RED, lw=1.2))
    ink = PAPER if share >= _DARK else INK
    mark = method.mark(column)
    axes.text(x + 0.3, y + 0.52, mark, ha="center", va="center", fontsize=_MARK, color=ink)
    counts = f"{got.right}/{got.runs}" if got.runs else "not run"
    axes.text(x + 0.68, y + 0.52, counts, ha="center", va="center", fontsize=SMALL, color=ink)
