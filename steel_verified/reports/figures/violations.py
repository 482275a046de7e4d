"""The figure of how runs end if a condition is violated, without and with the self-check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.patches import Patch

from steel_verified.reports.figures.style import PAGE, QUIET, RED, SHADE, SMALL, blank, styled
from steel_verified.reports.hues import HUES
from steel_verified.worlds.violated.judging import Check, Method, Outcome
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.reports.violation_rows import Rows, Tally

_COLOURS: Final = {
    Outcome.RIGHT: HUES[2],
    Outcome.TWIN: "#9fd8c4",
    Outcome.FAINT: "#d5ece4",
    Outcome.FIRST: HUES[0],
    Outcome.NAMED: HUES[5],
    Outcome.OTHER: HUES[4],
    Outcome.NO_CAUSE: QUIET,
    None: SHADE,
    Outcome.SILENT: RED,
}
"""None: noticed, and it is not known which causes were named."""
_NOTICED: Final = "noticed"
_WITHOUT, _WITH = -0.21, 0.21


def violations_figure(rows: Rows) -> Figure:
    """For each kind of violation a bar without the self-check, and below it one with it."""
    with styled():
        figure = blank(PAGE, 4.6)
        axes = figure.subplots(1, len(Method), sharey=True)
        for place, method in zip(axes, Method, strict=True):
            _draw(place, rows, method)
        axes[0].set_yticks(range(len(Violation)), [violation.told for violation in Violation])
        axes[0].invert_yaxis()
        figure.legend(
            handles=[
                Patch(color=colour, label=_NOTICED if kind is None else kind.value)
                for kind, colour in _COLOURS.items()
            ],
            loc="outside lower center",
            ncols=4,
            fontsize=SMALL,
        )
    return figure


def _draw(axes: Axes, rows: Rows, method: Method) -> None:
    for place, violation in enumerate(Violation):
        for shift, check in ((_WITHOUT, Check.NONE), (_WITH, Check.USUAL)):
            _draw_bar(axes, place + shift, rows.tally(violation, method, check))
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the worlds", labelpad=1)
    axes.set_title(method.value, loc="left", pad=3)
    axes.tick_params(axis="y", length=0)


def _draw_bar(axes: Axes, place: float, tally: Tally) -> None:
    before = 0.0
    for kind, colour in _COLOURS.items():
        share = sum(one.outcome is kind for one in tally.ended) / max(1, len(tally.ended))
        axes.barh(place, share, left=before, height=0.36, color=colour, lw=0)
        before += share
