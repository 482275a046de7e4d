"""The figure of how runs of located STEEL end if steps slip, by the rate of slips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter

from steel_verified.experiments.slipping_runs import Fate
from steel_verified.experiments.slips import RATES, SETTINGS
from steel_verified.reports.figures.style import INK, PAGE, RED, SHADE, SMALL, blank, styled
from steel_verified.reports.hues import HUES
from steel_verified.reports.slips import ended_cells

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.reports.slips import Ended
    from steel_verified.sweeps.study import Row

_LOOK: Final = {
    Fate.RIGHT: ("right", HUES[2]),
    Fate.LOST: ("right, but elsewhere", "#9fd8c4"),
    Fate.NOTICED: ("noticed", SHADE),
    Fate.SILENT: ("silently wrong", RED),
}
_NAMES: Final = ("10⁻⁵", "2", "5", "10⁻⁴", "3", "10⁻³", "3", "10⁻²")
"""The rates of the study, shortened to their first digit between powers of ten."""


def slips_figure(rows: Mapping[str, Row]) -> Figure:
    """A bar for each rate: single runs above, attempts that vote below."""
    with styled():
        figure = blank(PAGE, 3.6)
        axes = figure.subplots(2, len(SETTINGS), sharex=True, sharey=True)
        for above, voted in ((True, False), (False, True)):
            found = ended_cells(rows, voted=voted)
            for place, setting in zip(axes[int(not above)], SETTINGS, strict=True):
                own = [one for one in found if one.cell.setting.name == setting.name]
                _draw(place, own)
                if above:
                    place.set_title(setting.title, loc="left", pad=3)
                    _draw_no_slip(place, own)
                else:
                    place.set_xlabel("p, the chance of a slip", labelpad=1)
        axes[0][0].set_ylabel("one run")
        axes[1][0].set_ylabel("attempts that vote")
        figure.legend(
            handles=[
                *(Patch(color=colour, label=told) for told, colour in _LOOK.values()),
                Line2D([], [], color=INK, lw=0.8, ls="--", label="no slip at all"),
            ],
            loc="outside lower center",
            ncols=5,
            fontsize=SMALL,
        )
    return figure


def _draw(axes: Axes, found: Sequence[Ended]) -> None:
    for one in found:
        shown: Counter[str] = one.checked if one.cell.voted else one.ended
        before = 0.0
        for fate, (_, colour) in _LOOK.items():
            share = shown[fate.value] / one.runs
            at = RATES.index(one.cell.rate)
            axes.bar(at, share, bottom=before, width=0.8, color=colour, lw=0)
            before += share
    axes.set_xlim(-0.6, len(RATES) - 0.4)
    axes.set_ylim(0, 1)
    axes.set_xticks(range(len(RATES)), _NAMES)
    axes.yaxis.set_major_formatter(PercentFormatter(1))


def _draw_no_slip(axes: Axes, found: Sequence[Ended]) -> None:
    """The probability that no step of a run slips, for the number of steps without slips."""
    if found:
        steps = found[0].steps
        chances = [(1 - float(rate)) ** steps for rate in RATES]
        axes.plot(range(len(RATES)), chances, color=INK, lw=0.8, ls="--")
