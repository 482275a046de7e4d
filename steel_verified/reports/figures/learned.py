"""Figures for users: a learned model as a graph, with a path through it; and a preflight."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Final

from matplotlib.ticker import MaxNLocator

from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Transition
from steel_verified.reports.figures.drawing import Look, draw_graph
from steel_verified.reports.figures.style import (
    INK,
    LARGEST_UNIT,
    PAGE,
    QUIET,
    RED,
    blank,
    name_actions,
    styled,
)
from steel_verified.reports.graphs import graph, hue
from steel_verified.worlds.pictures import spread_out
from steel_verified.worlds.preflights import Preflight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.using.learned import Learned
    from steel_verified.using.routes import Followed
    from steel_verified.worlds.dynamics import Table


_TALLEST: Final = 6.0
_LEGEND: Final = 0.3
_NARROWEST: Final = 2.6
"""The least width in inches: a title and a legend need this room."""
_COLUMNS: Final = 4


def model_figure(
    learned: Learned,
    *,
    places: Mapping[int, tuple[float, float]] | None = None,
    actions: Sequence[str] = (),
    way: Followed | None = None,
    title: str = "",
) -> Figure:
    """The learned states as circles with their labels, and an arrow for each transition.

    `places[label]` is where a state is drawn, x to the right and y up; without it states are about
    as far apart as there are steps between them. `actions` are names for the legend. With a `way`,
    its arrows are in the colour of their action and all others are grey; its start is filled black,
    and its goal red. Without one, every arrow has the colour of its action, and the state in which
    the run ended is filled.
    """
    model = learned.model
    if actions and len(actions) != model.actions:
        expected = f"a name for each of {model.actions} actions"
        raise InvalidArgument("actions", tuple(actions), expected)
    table = tuple(tuple(to for to in row if to is not None) for row in model.table)
    drawn = graph(table, _layout(table, places))
    wide, tall = drawn.size
    inches = min(PAGE / wide, _TALLEST / tall, LARGEST_UNIT / drawn.unit)
    taken = set() if way is None else _transitions(way)
    filled = {learned.current: INK} if way is None else {way.start: INK, way.ended_in: RED}
    with styled():
        height = inches * tall + _LEGEND * (1 + (model.actions > _COLUMNS)) + 0.2 * bool(title)
        figure = blank(max(_NARROWEST, inches * wide), height)
        axes = figure.add_subplot()
        draw_graph(
            axes,
            drawn,
            72 * inches,
            arrow=lambda step: _look(step, taken, highlights=way is not None),
            rim=lambda _: INK,
            filled=filled,
            named=tuple(filled),
        )
        axes.set_title(title)
        used = range(model.actions) if way is None else sorted({step.action for step in taken})
        names = {each: actions[each] if actions else f"action {each}" for each in used}
        name_actions(axes, names, columns=_COLUMNS)
    return figure


def _layout(
    table: Table, places: Mapping[int, tuple[float, float]] | None
) -> list[tuple[float, float]]:
    if places is None:
        return spread_out(table)
    if set(places) != set(range(len(table))):
        expected = f"a place for each state from 0 to {len(table) - 1}"
        raise InvalidArgument("places", f"places of {sorted(places)}", expected)
    layout = [places[state] for state in range(len(table))]
    if len(set(layout)) < len(layout) or not all(isfinite(one) for xy in layout for one in xy):
        expected = "finite places, a different one for each state"
        raise InvalidArgument("places", layout, expected)
    return layout


def _transitions(way: Followed) -> set[Transition]:
    """The transitions of a path, as the model predicts them."""
    states = (way.start, *(step.expected for step in way.steps))
    return {
        Transition(here, step.action, to)
        for (here, to), step in zip(pairwise(states), way.steps, strict=True)
    }


def _look(step: Transition, taken: set[Transition], *, highlights: bool) -> Look:
    if not highlights:
        return Look(hue(step.action), 0.9)
    if step in taken:
        return Look(hue(step.action), 2.2, above=1)
    return Look(QUIET, 0.7)


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
