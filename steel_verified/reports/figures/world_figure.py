"""Figures 3, 5 and 6: a world's latent graph, and an observed transition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from steel_verified.reports.figures.boards import draw_board, hex_of
from steel_verified.reports.figures.drawing import Look, draw_graph, show_all
from steel_verified.reports.figures.style import INK, LARGEST_UNIT, PAGE, SMALL, TEXT, blank, styled
from steel_verified.reports.graphs import graph
from steel_verified.reports.hues import hue
from steel_verified.worlds.instances import RunnableInstance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.worlds.instances import Instance
    from steel_verified.worlds.pictures import Colour

_SHARE: Final = 0.56
_TALLEST: Final = 2.9
_LOWEST: Final = 1.8
_LINE: Final = 0.13
"""The height of a line of a legend, in inches."""


def world_figure(chosen: Instance, noise_seed: int) -> Figure:
    """The dynamics on the left; on the right what is seen before and after the first action.

    A table of one's own shows nothing, so it is drawn alone, on as much of a page as it needs.
    """
    drawn = graph(chosen.dynamics, chosen.layout)
    wide, tall = drawn.size
    room = (_SHARE * PAGE, _TALLEST) if isinstance(chosen, RunnableInstance) else (PAGE, PAGE)
    inches = min(room[0] / wide, room[1] / tall, LARGEST_UNIT / drawn.unit)
    after = chosen.dynamics.table[chosen.start][chosen.first_action]
    with styled():
        figure = blank(PAGE, max(_LOWEST, inches * tall + 0.5))
        if isinstance(chosen, RunnableInstance):
            axes = _observed(figure, chosen, noise_seed, (chosen.start, after))
        else:
            axes = figure.add_subplot()
        draw_graph(
            axes,
            drawn,
            72 * inches,
            arrow=lambda step: Look(hue(step.action), 0.9),
            rim=lambda _: INK,
            filled={chosen.start: INK},
            named=(chosen.start, after),
        )
        show_all(axes, drawn)
        axes.set_title(f"latent dynamics of {chosen.name}", fontsize=TEXT, parse_math=False)
        _name_actions(axes, chosen)
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
        seen.set_title(f"observed at time {time}, in state {state}", fontsize=SMALL)
    _explain(figure.add_subplot(grid[2, 1]), colours)
    return figure.add_subplot(grid[:, 0])


def _name_actions(axes: Axes, chosen: Instance) -> None:
    """Add a legend below the graph: the colour of each action, and the state at time 0."""
    actions = range(chosen.dynamics.actions)
    lines = [Line2D([], [], color=hue(action), lw=1.2) for action in actions]
    start = Line2D([], [], ls="", marker="o", ms=5, color=INK)
    axes.legend(
        [*lines, start],
        [*(f"action {chosen.action_name(action)}" for action in actions), "state at time 0"],
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=5,
        columnspacing=1.2,
        handlelength=1.6,
    )


def _explain(axes: Axes, colours: Sequence[tuple[Colour, str]]) -> None:
    """Add a legend for the colours of cells."""
    axes.set_axis_off()
    axes.legend(
        [Patch(facecolor=hex_of(colour), lw=0) for colour, _ in colours],
        [meaning for _, meaning in colours],
        loc="upper center",
        borderaxespad=0,
        handlelength=1,
        handleheight=1,
    )
