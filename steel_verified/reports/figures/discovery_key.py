"""The legend of a discovery figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.lines import Line2D

from steel_verified.reports.figures.style import INK, QUIET, RED, SMALL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMN: Final = 1.3
"""The width of an entry in the smallest letters, in inches."""
_LINE: Final = 0.135
"""The height of a line of them, in inches."""
_MEANINGS: Final = (
    ("unknown", QUIET, 0.8),
    ("known before the call", INK, 0.9),
    ("the call's cycle", RED, 1.0),
    ("new in this call", RED, 2.2),
)
_ENDS: Final = "where the call ends"


def key_height(width: float, letters: float = SMALL) -> float:
    """The height of the legend in a figure of this width, in inches."""
    return letters / SMALL * _LINE * (-(-(len(_MEANINGS) + 1) // _columns(width, letters)) + 0.5)


def add_key(figure: Figure, letters: float = SMALL) -> None:
    """Add the legend at the bottom of a figure, in letters of this size in points."""
    lines = [Line2D([], [], color=colour, lw=width) for _, colour, width in _MEANINGS]
    place = Line2D([], [], ls="", marker="o", ms=5, color=RED)
    figure.legend(
        [*lines, place],
        [*(meaning for meaning, _, _ in _MEANINGS), _ENDS],
        loc="lower center",
        ncols=_columns(figure.get_figwidth(), letters),
        fontsize=letters,
        borderaxespad=0.2,
        borderpad=0.2,
        handlelength=1.6,
        handletextpad=0.5,
        columnspacing=1.0,
        labelspacing=0.3,
    )


def _columns(width: float, letters: float) -> int:
    return min(len(_MEANINGS) + 1, max(1, int(width * SMALL / letters / _COLUMN)))
