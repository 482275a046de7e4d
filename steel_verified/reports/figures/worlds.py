"""Figures of worlds: graph and observations (3, 5, 6), learned models, and a preflight."""

from __future__ import annotations

from itertools import pairwise
from math import copysign, isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from matplotlib.collections import PatchCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Transition
from steel_verified.reports.figures import style
from steel_verified.reports.graphs import COLOURS, Graph, Point, graph, hue
from steel_verified.theory.wording import counted
from steel_verified.worlds.instances import Instance, RunnableInstance
from steel_verified.worlds.pictures import PAPER as BOARD
from steel_verified.worlds.pictures import Colour, spread_out
from steel_verified.worlds.preflights import Preflight

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from numpy.typing import NDArray

    from steel_verified.learning.factors import Factor
    from steel_verified.using.factors import LearnedFactors
    from steel_verified.using.learned import Learned
    from steel_verified.using.routes import Followed
    from steel_verified.worlds.dynamics import Table


_CURVE: Final = (Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4)


class Look(NamedTuple):
    """The colours (dashes, if several), the width in points, and which others it is drawn above."""

    colours: tuple[str, ...]
    width: float
    above: int = 0


def draw_graph(
    axes: Axes,
    drawn: Graph,
    points: float,
    *,
    arrow: Callable[[Transition], Look],
    rim: Callable[[int], str],
    filled: Mapping[int, str],
    named: Collection[int] = (),
    names: Sequence[str] = (),
) -> None:
    """Draw arrows, then states; `points` are the points of paper to a unit of space.

    States have their `names` where these fit into them, else numbers, and where no letters fit, the
    `named` ones have theirs beside them.
    """
    thin = min(2.0, max(0.5, points * drawn.unit / 26))
    arrows = sorted(drawn.arrows, key=lambda one: arrow(one.transition).above)
    looks = [arrow(one.transition) for one in arrows]
    heads = [[_xy(point) for point in one.head] for one in arrows]
    first, widths = [look.colours[0] for look in looks], [thin * look.width for look in looks]
    curves = [
        (Path([_xy(point) for point in one.curve], _CURVE), colour, width, _dash(number, look))
        for one, look, width in zip(arrows, looks, widths, strict=True)
        for number, colour in enumerate(look.colours)
    ]
    axes.add_collection(
        PathCollection(
            [path for path, _, _, _ in curves],
            facecolors="none",
            edgecolors=[colour for _, colour, _, _ in curves],
            linewidths=[width for _, _, width, _ in curves],
            linestyles=[dash for _, _, _, dash in curves],
            zorder=2,
        )
    )
    edges = [width / 3 for width in widths]
    axes.add_collection(
        PolyCollection(
            heads,
            facecolors=first,
            edgecolors=first,
            linewidths=edges,
            joinstyle="miter",
            zorder=2,
        )
    )
    axes.add_collection(
        PatchCollection(
            [Circle(_xy(disc.centre), disc.radius) for disc in drawn.states],
            facecolors=[filled.get(state, style.PAPER) for state in range(len(drawn.states))],
            edgecolors=[filled.get(state, rim(state)) for state in range(len(drawn.states))],
            linewidths=0.8 * thin,
            zorder=3,
        )
    )
    for state, disc in enumerate(drawn.states):
        size, colour = disc.radius * points, filled.get(state, rim(state))
        text, letters = str(state), min(style.TEXT * max(1.0, thin), 1.1 * size)
        if names and (fits := _letters(names[state], size)) >= _LEAST:
            text, letters = names[state].replace(" ", "\n"), min(letters, fits)
        elif letters < style.SMALL:
            if state in named:
                _write_beside(axes, drawn, state, names[state] if names else text, colour)
            continue
        _write(axes, text, disc.centre, letters, style.PAPER if state in filled else colour)
    low, high = drawn.corners
    axes.set_xlim(low.real, high.real)
    axes.set_ylim(low.imag, high.imag)
    axes.set_aspect("equal")
    axes.set_axis_off()


_DASH: Final = 4.0


def _dash(number: int, look: Look) -> tuple[float, tuple[float, ...] | None]:
    """The dashes of one of the colours of an arrow; they follow those of the colours before it."""
    several = len(look.colours)
    if several == 1:
        return 0.0, None
    return -_DASH * number, (_DASH, _DASH * (several - 1))


_LEAST: Final = 4.5
"""The size of the smallest letters of a name within a circle."""
_FITTING: Final = 4
"""So many letters fit into a circle of the usual size."""


def _letters(name: str, radius: float) -> float:
    """Return the size of letters with which the words of a name fit below each other."""
    words = name.split(" ")
    return radius * min(3.1 / max(map(len, words)), 1.45 / len(words))


def _write_beside(axes: Axes, drawn: Graph, state: int, name: str, colour: str) -> None:
    """Write the name of a state diagonally outside of its circle, where a grid has no arrows."""
    low, high = drawn.corners
    place = drawn.states[state].centre
    away = place - (low + high) / 2
    aside = complex(copysign(1, away.real), copysign(1, away.imag)) * 0.4 * drawn.unit
    text = _write(axes, name, place + aside, style.SMALL, colour)
    # A halo. Path effects would make it easier, but they turn text in SVG into curves.
    text.set_bbox({"boxstyle": "round,pad=0.1", "fc": style.PAPER, "ec": "none", "alpha": 0.8})


def _write(axes: Axes, text: str, place: Point, letters: float, colour: str) -> Text:
    return axes.text(
        *_xy(place),
        text,
        ha="center",
        va="center" if "\n" in text else "center_baseline",
        fontsize=letters,
        color=colour,
        zorder=4,
        linespacing=0.95,
        parse_math=False,
    )


def _xy(point: Point) -> tuple[float, float]:
    return point.real, point.imag


_SPACE: Final = 1 / 8
"""The width of the line between two cells, as a share of a cell."""


def hex_of(colour: Colour) -> str:
    red, green, blue = colour
    return to_hex((red / 255, green / 255, blue / 255))


def draw_board(axes: Axes, board: NDArray[np.uint8]) -> None:
    """Draw the cells of each colour as one path. The background shows between the cells."""
    rows, columns, _ = board.shape
    axes.add_patch(Rectangle((0, 0), columns, rows, color=hex_of(BOARD), lw=0, zorder=1))
    colours = np.unique(board.reshape(-1, 3), axis=0)
    for red, green, blue in colours.tolist():
        if (red, green, blue) != BOARD:
            cells = np.argwhere((board == (red, green, blue)).all(axis=2))
            path = _squares(cells)
            axes.add_patch(
                PathPatch(path, color=hex_of((red, green, blue)), lw=0, snap=False, zorder=2)
            )
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _squares(cells: NDArray[np.int64]) -> Path:
    """A square for each cell (row, column), smaller than the cell by the width of a line."""
    near, far = _SPACE / 2, 1 - _SPACE / 2
    corners = np.array([(near, near), (far, near), (far, far), (near, far), (near, near)])
    vertices = (cells[:, None, ::-1] + corners).reshape(-1, 2)
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(vertices, codes * len(cells))


_SHARE: Final = 0.56
_TALLEST: Final = 2.9
_LOWEST: Final = 1.8
_LINE: Final = 0.13
"""The height of a line of a legend, in inches."""


def world_figure(chosen: Instance, noise_seed: int) -> Figure:
    """The dynamics on the left; on the right what is seen before and after the first action.

    A table of one's own shows nothing, so it is drawn alone, on as much of a page as it needs.
    """
    drawn = graph(chosen.dynamics.table, chosen.layout)
    wide, tall = drawn.size
    room = (
        (_SHARE * style.PAGE, _TALLEST)
        if isinstance(chosen, RunnableInstance)
        else (style.PAGE, style.PAGE)
    )
    inches = min(room[0] / wide, room[1] / tall, style.LARGEST_UNIT / drawn.unit)
    after = chosen.dynamics.table[chosen.start][chosen.first_action]
    with style.styled():
        figure = style.blank(style.PAGE, max(_LOWEST, inches * tall + 0.5))
        if isinstance(chosen, RunnableInstance):
            axes = _observed(figure, chosen, noise_seed, (chosen.start, after))
        else:
            axes = figure.add_subplot()
        draw_graph(
            axes,
            drawn,
            72 * inches,
            arrow=lambda step: Look((hue(step.action),), 0.9),
            rim=lambda _: style.INK,
            filled={chosen.start: style.INK},
            named=(chosen.start, after),
        )
        axes.set_title(f"latent dynamics of {chosen.name}", fontsize=style.TEXT, parse_math=False)
        actions = range(chosen.dynamics.actions)
        named = {action: f"action {chosen.action_name(action)}" for action in actions}
        start = Line2D([], [], ls="", marker="o", ms=5, color=style.INK)
        style.name_actions(axes, named, (start, "state at time 0"), columns=5)
    return figure


def _observed(
    figure: Figure, chosen: RunnableInstance, noise_seed: int, states: Sequence[int]
) -> Axes:
    """Draw what is observed in these states, one below the other; return the axes for the graph."""
    colours = chosen.simulation.drawn.colours
    legend = _LINE * (len(colours) + 0.5)
    board = (figure.get_figheight() - legend) / 2
    grid = figure.add_gridspec(
        3, 2, width_ratios=(_SHARE, 1 - _SHARE), height_ratios=(board, board, legend)
    )
    picture = chosen.simulation.pictures(noise_seed)
    for time, state in enumerate(states):
        seen = figure.add_subplot(grid[time, 1])
        draw_board(seen, picture(time, state))
        seen.set_title(f"observed at time {time}, in state {state}", fontsize=style.SMALL)
    _explain(figure.add_subplot(grid[2, 1]), colours)
    return figure.add_subplot(grid[:, 0])


def _explain(axes: Axes, colours: Sequence[tuple[Colour, str]]) -> None:
    axes.set_axis_off()
    axes.legend(
        [Patch(facecolor=hex_of(colour), lw=0) for colour, _ in colours],
        [meaning for _, meaning in colours],
        loc="upper center",
        borderaxespad=0,
        handlelength=1,
        handleheight=1,
    )


_TALLEST_MODEL: Final = 6.0
_LEGEND: Final = 0.3
_NARROWEST: Final = 2.6
"""The least width in inches: a title and a legend need this room."""
_FACTORS_BESIDE: Final = 3
_ACTIONS_BESIDE: Final = 6


def model_figure(
    learned: Learned,
    *,
    places: Mapping[int, tuple[float, float]] | None = None,
    actions: Sequence[str] = (),
    way: Followed | None = None,
    title: str = "",
) -> Figure:
    """The learned states as circles with their names or labels, and arrows from state to state.

    Actions that lead from one state to the same state share an arrow, in the colours of all.

    `places[label]` is where a state is drawn, x to the right and y up; without it states are about
    as far apart as there are steps between them. `actions` are names for the legend. With a `way`,
    its arrows are in the colour of their action, its start is black and its goal red; without one,
    the state in which the run ended is filled.
    """
    model = learned.model
    if actions and len(actions) != model.actions:
        expected = f"a name for each of {model.actions} actions"
        raise InvalidArgument("actions", tuple(actions), expected)
    actions = actions or learned.names.actions
    table = tuple(tuple(to for to in row if to is not None) for row in model.table)
    drawn = graph(table, _layout(table, places), merged=True)
    wide, tall = drawn.size
    longest = max((len(word) for name in learned.names.states for word in name.split()), default=0)
    largest = style.LARGEST_UNIT * max(1, longest / _FITTING)
    inches = min(style.PAGE / wide, _TALLEST_MODEL / tall, largest / drawn.unit)
    stands_for = {arrow.transition: arrow.actions for arrow in drawn.arrows}
    taken = set() if way is None else _transitions(way)
    filled = (
        {learned.current: style.INK}
        if way is None
        else {way.start: style.INK, way.ended_in: style.RED}
    )
    used = range(model.actions) if way is None else sorted({step.action for step in taken})
    legend = {each: actions[each] if actions else f"action {each}" for each in used}
    width = max(_NARROWEST, inches * wide)
    columns = style.columns_of(legend.values(), width)
    with style.styled():
        height = inches * tall + _LEGEND * -(-len(legend) // columns) + 0.2 * bool(title)
        figure = style.blank(width, height)
        axes = figure.add_subplot()
        draw_graph(
            axes,
            drawn,
            72 * inches,
            arrow=lambda step: _look(step, stands_for[step], way, taken),
            rim=lambda _: style.INK,
            filled=filled,
            named=tuple(filled),
            names=learned.names.states,
        )
        axes.set_title(title)
        style.name_actions(axes, legend, columns=columns)
    return figure


def factors_figure(learned: LearnedFactors) -> Figure:
    """Each factor as a graph of its own, with the actions that move it, in their colours."""
    drawn = []
    for factor in learned.factors:
        table = tuple(
            tuple(row[action] for action in sorted(factor.acting)) for row in factor.table
        )
        drawn.append(graph(table, spread_out(table), merged=True))
    columns = min(_FACTORS_BESIDE, len(drawn))
    rows = -(-len(drawn) // columns)
    across = style.PAGE / columns
    inches = min(
        style.LARGEST_UNIT / max(each.unit for each in drawn),
        *(0.94 * across / max(each.size) for each in drawn),
    )
    used = sorted({action for factor in learned.factors for action in factor.acting})
    height = inches * max(each.size[1] for each in drawn) + 0.25
    with style.styled():
        figure = style.blank(style.PAGE, rows * height + _LEGEND * -(-len(used) // _ACTIONS_BESIDE))
        for number, (factor, one) in enumerate(zip(learned.factors, drawn, strict=True)):
            axes = figure.add_subplot(rows, columns, number + 1)
            _draw_factor(axes, factor, one, 72 * inches)
            title = f"factor {number}: {counted(factor.values, 'label')}"
            if len(used) > len(COLOURS):  # Then some actions share a colour.
                title += f", actions {', '.join(map(str, sorted(factor.acting)))}"
            axes.set_title(title)
        lines = [Line2D([], [], color=hue(action), lw=1.2) for action in used]
        figure.legend(
            lines,
            [f"action {action}" for action in used],
            loc="outside lower center",
            ncols=_ACTIONS_BESIDE,
            columnspacing=1.2,
            handlelength=1.6,
        )
    return figure


def _draw_factor(axes: Axes, factor: Factor, drawn: Graph, points: float) -> None:
    actions = sorted(factor.acting)
    colours = {
        arrow.transition: tuple(hue(actions[each]) for each in arrow.actions)
        for arrow in drawn.arrows
    }

    def look(step: Transition) -> Look:
        return Look(colours[step], 1.0)

    draw_graph(axes, drawn, points, arrow=look, rim=lambda _: style.INK, filled={})


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


def _look(
    step: Transition, actions: Sequence[int], way: Followed | None, taken: set[Transition]
) -> Look:
    """How an arrow looks that stands for these actions."""
    if way is None:
        return Look(tuple(map(hue, actions)), 0.9)
    on_way = [each for each in actions if Transition(step.state, each, step.to) in taken]
    if on_way:
        return Look(tuple(map(hue, on_way)), 2.2, above=1)
    return Look((style.QUIET,), 0.7)


def preflight_figure(report: Preflight) -> Figure:
    """Groups by steps of the random walk beside N, and the autocorrelation of the slowest noise."""
    given: object = report
    if not isinstance(given, Preflight):
        raise InvalidArgument("report", type(given).__name__, "what `preflight` returned")
    with style.styled():
        figure = style.blank(style.PAGE, 2.2)
        left, right = figure.subplots(1, 2)
        _draw_groups(left, report)
        _draw_noise(right, report)
    return figure


def _draw_groups(axes: Axes, report: Preflight) -> None:
    axes.plot(range(1, len(report.growth) + 1), report.growth, color=hue(0), linewidth=1.2)
    if (most := report.max_states) is not None:
        axes.axhline(most, color=style.RED, linewidth=0.8, linestyle="--")
        end = axes.get_yaxis_transform()
        axes.text(1, most, f"N = {most}", transform=end, ha="right", va="bottom", color=style.RED)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title("Groups that can be told apart")
    axes.set_xlabel("steps of the random walk")


def _draw_noise(axes: Axes, report: Preflight) -> None:
    axes.set_title("Autocorrelation of the slowest feature")
    found = report.mixing
    if found is None or not found.autocorrelation:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no noise was seen", ha="center", va="center", color=style.INK)
        return
    lags = [found.period * lag for lag in range(1, len(found.autocorrelation) + 1)]
    axes.axhline(0, color=style.QUIET, linewidth=0.8)
    axes.plot(lags, found.autocorrelation, color=hue(1), linewidth=1.2)
    for steps, name, height, colour, line in (
        (found.steps, "$t_{mix}$ ≈", 0.98, style.INK, "-"),
        (report.mixing_time, "$\\hat{t}_{mix}$ =", 0.02, style.RED, "--"),
    ):
        if steps is not None:
            axes.axvline(steps, color=colour, linewidth=0.8, linestyle=line)
            side = "right" if steps > lags[-1] else "left"
            axes.annotate(
                f"{name} {steps}",
                (steps, height),
                xycoords=("data", "axes fraction"),
                xytext=(-3 if side == "right" else 3, 0),
                textcoords="offset points",
                ha=side,
                va="top" if height > 0.5 else "bottom",
                color=colour,
            )
    axes.set_xlim(left=0)
    axes.set_ylim(-0.35, 1.05)
    axes.set_xlabel(f"steps, while action {found.action} was repeated")
