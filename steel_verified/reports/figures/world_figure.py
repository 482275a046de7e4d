"""Figures 3, 5 and 6: a world's latent graph, and an observed transition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.lines import Line2D

from steel_verified.reports.figures.drawing import Look, draw_graph, show_all
from steel_verified.reports.figures.style import (
    INK,
    LARGEST_UNIT,
    PAGE,
    SMALL,
    TEXT,
    blank,
    hue,
    styled,
)
from steel_verified.reports.graphs import graph
from steel_verified.worlds.instances import RunnableInstance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from steel_verified.worlds.instances import Instance

_SHARE: Final = 0.56
_TALLEST: Final = 2.9
_LOWEST: Final = 1.8


def world_figure(chosen: Instance, noise_seed: int) -> Figure:
    """The dynamics on the left; on the right what is seen before and after the first action.

    A table of one's own shows nothing, so it is drawn alone.
    """
    drawn = graph(chosen.dynamics, chosen.layout)
    wide, tall = drawn.size
    inches = min(_SHARE * PAGE / wide, _TALLEST / tall, LARGEST_UNIT / drawn.unit)
    with styled():
        figure = blank(PAGE, max(_LOWEST, inches * tall + 0.5))
        if not isinstance(chosen, RunnableInstance):
            axes = figure.add_subplot()
        else:
            picture = chosen.simulation.pictures(noise_seed)
            grid = figure.add_gridspec(2, 2, width_ratios=(_SHARE, 1 - _SHARE))
            axes = figure.add_subplot(grid[:, 0])
            after = chosen.dynamics.table[chosen.start][chosen.first_action]
            for time, state in enumerate((chosen.start, after)):
                seen = figure.add_subplot(grid[time, 1])
                seen.imshow(picture(time, state), interpolation="nearest")
                seen.set_axis_off()
                seen.set_title(f"observed at time {time}, in state {state}", fontsize=SMALL)
        draw_graph(
            axes,
            drawn,
            72 * inches,
            arrow=lambda step: Look(hue(step.action), 0.9),
            rim=lambda _: INK,
            filled={chosen.start: INK},
        )
        show_all(axes, drawn)
        axes.set_title(f"latent dynamics of {chosen.name}", fontsize=TEXT, parse_math=False)
        axes.legend(
            [Line2D([], [], color=hue(a), lw=1.2) for a in range(chosen.dynamics.actions)],
            [f"action {chosen.action_name(a)}" for a in range(chosen.dynamics.actions)],
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            ncols=4,
        )
    return figure
