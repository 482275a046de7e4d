"""The figure of a preflight: how many groups a walk found, and how fast the noise mixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from steel_verified.errors import InvalidArgument
from steel_verified.reports.figures.style import INK, PAGE, QUIET, RED, blank, styled
from steel_verified.reports.hues import hue
from steel_verified.worlds.preflights import Preflight

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def preflight_figure(report: Preflight) -> Figure:
    """Groups by steps of the random walk beside N, and the autocorrelation of the slowest noise."""
    _require_report(report)
    with styled():
        figure = blank(PAGE, 2.2)
        left, right = figure.subplots(1, 2)
        _draw_groups(left, report)
        _draw_noise(right, report)
    return figure


def _require_report(report: object) -> None:
    if not isinstance(report, Preflight):
        raise InvalidArgument("report", type(report).__name__, "what `preflight` returned")


def _draw_groups(axes: Axes, report: Preflight) -> None:
    axes.plot(range(1, len(report.growth) + 1), report.growth, color=hue(0), linewidth=1.2)
    if report.max_states is not None:
        axes.axhline(report.max_states, color=RED, linewidth=0.8, linestyle="--")
        axes.annotate(
            f"N = {report.max_states}",
            (1, report.max_states),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            color=RED,
        )
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title("Groups that can be told apart")
    axes.set_xlabel("steps of the random walk")


def _draw_noise(axes: Axes, report: Preflight) -> None:
    axes.set_title("Autocorrelation of the slowest feature")
    found = report.mixing
    if found is None or not found.autocorrelation:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no noise was seen", ha="center", va="center", color=INK)
        return
    lags = [found.period * lag for lag in range(1, len(found.autocorrelation) + 1)]
    axes.axhline(0, color=QUIET, linewidth=0.8)
    axes.plot(lags, found.autocorrelation, color=hue(1), linewidth=1.2)
    if found.steps is not None:
        axes.axvline(found.steps, color=INK, linewidth=0.8)
        far = found.steps > lags[-1]
        axes.annotate(
            f"$t_{{mix}}$ ≈ {found.steps}",
            (found.steps, 0.98),
            xycoords=("data", "axes fraction"),
            xytext=(-3 if far else 3, 0),
            textcoords="offset points",
            ha="right" if far else "left",
            va="top",
        )
    if report.mixing_time is not None:
        axes.axvline(report.mixing_time, color=RED, linewidth=0.8, linestyle="--")
        axes.annotate(
            f"$\\hat{{t}}_{{mix}}$ = {report.mixing_time}",
            (report.mixing_time, 0.02),
            xycoords=("data", "axes fraction"),
            xytext=(3, 0),
            textcoords="offset points",
            va="bottom",
            color=RED,
        )
    axes.set_xlim(left=0)
    axes.set_ylim(-0.35, 1.05)
    axes.set_xlabel(f"steps, while action {found.action} was repeated")
