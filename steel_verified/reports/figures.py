"""Figures of the worlds: the latent graph, and an observed transition (extra `plots`)."""

from __future__ import annotations

from io import BytesIO
from math import dist
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument, SteelError

try:
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrowPatch
except ImportError as missing:  # pragma: no cover (the extra is always there in tests)
    raise SteelError("figures need matplotlib: pip install steel_verified[plots]") from missing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from steel_verified.experiments.instances import Instance
    from steel_verified.worlds.dynamics import Dynamics

FORMATS: Final = (".svg", ".pdf", ".png")

_INK: Final = "#263238"
_RED: Final = "#d32f2f"
_COLOURS: Final = ("#1565c0", "#ef6c00", "#2e7d32", "#6a1b9a")
_MANY: Final = 45


def world_figure(chosen: Instance, noise_seed: int) -> Figure:
    """The dynamics on the left; on the right what is seen before and after the first action."""
    if chosen.show is None:
        raise InvalidArgument("WORLD", chosen.name, "a world that can be observed")
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.15, 1))
    graph = figure.add_subplot(grid[:, 0])
    _draw_graph(graph, chosen.dynamics, chosen.layout, chosen.start)
    graph.set_title(f"latent dynamics of {chosen.name}", fontsize=9)
    after = chosen.dynamics.table[chosen.start][chosen.first_action]
    for time, state in enumerate((chosen.start, after)):
        axes = figure.add_subplot(grid[time, 1])
        axes.imshow(chosen.show(noise_seed, time, state), interpolation="nearest")
        axes.set_axis_off()
        axes.set_title(f"observed at time {time}, in state {state}", fontsize=8)
    return figure


def _draw_graph(
    axes: Axes, dynamics: Dynamics, layout: list[tuple[float, float]], start: int
) -> None:
    """Arrows in the colour of their action; where we start is red."""
    nearest = min((dist(a, b) for i, a in enumerate(layout) for b in layout[:i]), default=1.0)
    radius = 0.3 * nearest
    small = dynamics.states <= _MANY
    for state, row in enumerate(dynamics.table):
        for action, to in enumerate(row):
            if state != to:
                axes.add_patch(
                    FancyArrowPatch(
                        layout[state],
                        layout[to],
                        connectionstyle=f"arc3,rad={0.12 + 0.06 * action}",
                        arrowstyle="-|>",
                        mutation_scale=7 if small else 4,
                        shrinkA=7 if small else 3,
                        shrinkB=7 if small else 3,
                        linewidth=0.9 if small else 0.5,
                        color=_COLOURS[action % len(_COLOURS)],
                    )
                )
    for state, (x, y) in enumerate(layout):
        axes.plot(
            x,
            y,
            "o",
            markersize=11 if small else 5,
            markerfacecolor="white",
            markeredgecolor=_RED if state == start else _INK,
            markeredgewidth=1.4 if state == start else 0.8,
        )
        if small:
            axes.text(x, y, str(state), ha="center", va="center", fontsize=6, color=_INK)
    for action in range(dynamics.actions):
        axes.plot([], [], color=_COLOURS[action % len(_COLOURS)], label=f"action {action}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=4, fontsize=7, frameon=False)
    axes.set_aspect("equal")
    axes.margins(0.1 + radius / 10)
    axes.set_axis_off()


def as_bytes(figure: Figure, suffix: str) -> bytes:
    """The figure as a file of this kind; the same figure gives the same bytes."""
    kind = suffix.lower()
    if kind not in FORMATS:
        raise InvalidArgument("output", suffix, "a name that ends in " + ", ".join(FORMATS))
    file = BytesIO()
    no_date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[kind]
    with mpl.rc_context({"svg.hashsalt": "steel_verified"}):
        figure.savefig(file, format=kind[1:], dpi=200, metadata=no_date)
    return file.getvalue()
