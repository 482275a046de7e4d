"""Figures of measurements: steps by size, two explorations, and the search for K (7, 8)."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING, Final

from matplotlib.colors import to_hex, to_rgb
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    NullFormatter,
    NullLocator,
    PercentFormatter,
)

from steel_verified.baselines.ac_state.protocol import (
    MOST_LAGS,
    TRAJECTORIES,
    Protocol,
    curves,
    so_far,
)
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.published import PRIME_LOOPS, Pair
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.reports.comparison import runs_of
from steel_verified.reports.figures import style
from steel_verified.reports.graphs import HUES, hue
from steel_verified.worlds.catalogue import setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.baselines.ac_state.protocol import Curve
    from steel_verified.baselines.ac_state.trajectories import Policy
    from steel_verified.experiments.seeded_runs import SeededRuns
    from steel_verified.sweeps.study import Row
    from steel_verified.worlds.progress import Growth


_HEIGHT: Final = 2.3
_LOOK: Final = {
    "AC-State": (2, "s"),
    "looped": (0, "o"),
    "located": (1, "D"),
    "certain": (3, "^"),
}
"""The hue and the marker of each method."""


Panel = tuple[str, dict[str, list[tuple[int, float]]]]
"""A title, and for each method its numbers of states and of steps."""


def panels(**rows: Mapping[str, Row]) -> tuple[Panel, Panel]:
    """Prime loops (the most steps, as in Table 3) and locks (the mean, as in Table 2)."""

    def steps(method: str, *groups: SeededRuns) -> list[int]:
        runs = runs_of(rows[method], method, *groups)
        if runs is None:
            raise InvalidArgument("results", groups[0].sizes, f"all runs of {method}")
        return runs.numbers("steps")

    primes: dict[str, list[tuple[int, float]]] = {"AC-State": [], "looped": [], "located": []}
    for column in TABLE3:
        p, q = column.pair
        size = setting("double-prime", p=p, q=q).extent.states
        primes["AC-State"].append((size, float(PRIME_LOOPS[column.pair].ac_state.value)))
        for method in ("looped", "located"):
            primes[method].append((size, max(steps(method, column.double, column.single))))
    locks: dict[str, list[tuple[int, float]]] = {method: [] for method in rows}
    for lock in (column for column in TABLE2 if column.fixed.world == "combination-lock"):
        for method, line in locks.items():
            line.append((lock.setting.extent.states, mean(steps(method, lock.variable))))
    return ("Prime loops, most steps", primes), ("Locks, mean", locks)


def steps_figure(shown: Sequence[Panel]) -> Figure:
    """Steps by the number of states, on logarithmic scales; one panel for each kind of world."""
    with style.styled():
        figure = style.blank(style.PAGE, _HEIGHT)
        widths = [2.0] + [1.0] * (len(shown) - 1)
        axes = figure.subplots(1, len(shown), sharey=True, squeeze=False, width_ratios=widths)[0]
        for place, panel in zip(axes, shown, strict=True):
            _draw_steps(place, panel)
        axes[0].set_ylabel("steps")
    return figure


def _draw_steps(axes: Axes, panel: Panel) -> None:
    title, lines = panel
    for method, line in lines.items():
        number, marker = _LOOK[method]
        axes.plot(*zip(*line, strict=True), marker=marker, ms=3.5, lw=1.2, color=hue(number))
        style.write_beside(axes, method, line[-1], hue(number))
    sizes = sorted({size for line in lines.values() for size, _ in line})
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(sizes[0] / 1.08, sizes[-1] * 1.08)
    axes.xaxis.set_major_locator(FixedLocator(sizes))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:.0f}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, axis="y", color=style.SHADE, lw=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("states $|S|$", labelpad=1)
    axes.set_title(title, loc="left", pad=3)


def growth_figure(growth: Sequence[Growth], until: int) -> Figure:
    """Labels, merged labels and known transitions by steps, up to step `until`."""
    edges = [0, *(now.steps for now in growth), until]
    lines = {
        "labels made": [0, *(now.made for now in growth)],
        "labels left": [0, *(now.labels for now in growth)],
        "labels merged": [0, *(now.merged for now in growth)],
        "transitions known": [0, *(now.transitions for now in growth)],
    }
    with style.styled():
        figure = style.blank(style.COLUMN + 0.7, _HEIGHT)
        axes = figure.subplots()
        for number, (name, values) in enumerate(lines.items()):
            axes.stairs(values, edges, baseline=None, color=hue(number), lw=1.2)
            style.write_beside(axes, f"{name}: {values[-1]}", (until, values[-1]), hue(number))
        axes.set_xlim(0, until)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("steps while exploring", labelpad=1)
    return figure


@dataclass(frozen=True, slots=True)
class Deciding:
    """What certain STEEL knows after some steps."""

    steps: int
    classifiers: int
    """The classifiers that may be those of states."""
    transitions: int
    """The transitions that were taken, in the table of the present guess."""


def deciding_figure(history: Sequence[Deciding], states: int, actions: int, least: int) -> Figure:
    """Classifiers that are left and transitions taken, by steps, until the rows decide.

    `least` is the length of the shortest walk through all transitions of the world.
    """
    until = history[-1].steps
    lines = {
        f"classifiers left, at last {states}": [now.classifiers for now in history],
        f"transitions taken, at last {states * actions}": [now.transitions for now in history],
    }
    with style.styled():
        figure = style.blank(style.COLUMN + 0.7, _HEIGHT)
        axes = figure.subplots()
        edges = [*(now.steps for now in history), until + 1]
        for (name, values), number, above in zip(lines.items(), (3, 0), (0.6, 1.6), strict=True):
            axes.stairs(values, edges, baseline=None, color=hue(number), lw=1.2)
            place = (least - 4, values[-1] * above)
            axes.annotate(
                name, place, ha="right", va="center", color=hue(number), fontsize=style.SMALL
            )
        axes.axvline(least, color=style.INK, lw=0.8, ls=":")
        where = (least - 4, max(now.classifiers for now in history))
        axes.annotate(f"least walk: {least}", where, ha="right", va="top", fontsize=style.SMALL)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.set_xlim(0, until + 1)
        axes.set_ylim(bottom=1)
        axes.set_xlabel("steps until the rows decide", labelpad=1)
    return figure


_PANEL: Final = 1.9
_EARLY: Final = 6
"""A label at a smaller K is written to the right of its circle, to stay inside the panel."""
_DECADES: Final = (style.INK, *(HUES[number] for number in (4, 2, 5, 3, 0, 6)))
"""The colours of T = 10², 10³, …: all but the one that is nearly red."""
_PALE: Final = 0.55
"""How much white is in the colour of a T between two powers of ten."""


@dataclass(frozen=True, slots=True)
class Search:
    """The curves for one pair of primes, in order of T, and the K that was chosen."""

    pair: Pair
    curves: tuple[Curve, ...]
    chosen: int | None = None
    """K_opt, or None if none was right on every trajectory."""
    searched: int | None = None
    """The T at which K_opt was found; None if nothing was found."""

    @property
    def decisive(self) -> Curve | None:
        """The curve of the shortest T at which some K is right on every trajectory."""
        every = (each for each in self.curves if max(n for _, n in each.steps) == TRAJECTORIES)
        return next(every, None)


def searches(rows: Mapping[str, Row], policy: Policy) -> list[Search]:
    """The first run of the protocol on each pair, as far as its search has come."""
    found = []
    for pair in PRIME_LOOPS:
        run = Protocol(pair, policy)
        end, _ = so_far(run, rows)
        if drawn := tuple(curves(run, rows)):
            chosen = () if end is None else (end.k_opt, end.searched_length)
            found.append(Search(pair, drawn, *chosen))
    return found


def k_search_figure(searches: Sequence[Search]) -> Figure:
    """A panel for each pair of primes, a curve for each T; the decisive curve is red."""
    if not searches:
        raise InvalidArgument("searches", searches, "at least one")
    columns = min(2, len(searches))
    rows = -(-len(searches) // columns)
    with style.styled():
        figure = style.blank(style.PAGE if columns == 2 else style.COLUMN, _PANEL * rows)
        grid = figure.add_gridspec(rows, columns)
        for number, search in enumerate(searches):
            row, column = divmod(number, columns)
            alone = column == 0 and number == len(searches) - 1
            axes = figure.add_subplot(grid[row, :] if alone else grid[row, column])
            _draw_search(axes, search)
            if column == 0:
                axes.set_ylabel("learned right")
            if row == rows - 1:
                axes.set_xlabel("$K$", labelpad=1)
    return figure


def _draw_search(axes: Axes, search: Search) -> None:
    decisive = search.decisive
    between = [
        each.length for each in search.curves if not _is_power(each) and each is not decisive
    ]
    for curve in search.curves:
        label = in_words(curve.length)
        if curve is decisive:
            colour, width, layer = style.RED, 2.0, 4
        elif _is_power(curve):
            colour, width, layer = _colour(curve), 1.1, 3
        else:
            colour, width, layer = _pale(_colour(curve)), 0.6, 2
            # One entry of the legend for all of them.
            last = "" if len(between) == 1 else f" – {in_words(between[-1])}"
            label = label + last if curve.length == between[0] else "_"
        axes.stairs(
            [right / TRAJECTORIES for _, right in curve.steps],
            [*(first - 0.5 for first, _ in curve.steps), MOST_LAGS + 0.5],
            baseline=None,
            color=colour,
            lw=width,
            zorder=layer,
            label=label,
        )
    if search.chosen is not None:
        # Of long trajectories only the K that are left are looked at, so that there is no curve.
        steps = [(1, TRAJECTORIES)] if decisive is None else decisive.steps
        height = next(n for k, n in reversed(steps) if k <= search.chosen) / TRAJECTORIES
        longer = search.searched if decisive is None else None
        at_t = "" if longer is None else f" at $T$ = {in_words(longer)}"
        axes.plot(
            search.chosen, height, "o", ms=4.5, mfc=style.PAPER, mec=style.RED, mew=1.2, zorder=4
        )
        axes.annotate(
            rf"$K_{{opt}} = {search.chosen}${at_t}",
            (search.chosen, height),
            (0, 4),
            textcoords="offset points",
            ha="left" if search.chosen < _EARLY else "center",
            va="bottom",
            annotation_clip=False,
        )
    axes.set_xscale("log")
    axes.set_xlim(1, MOST_LAGS)
    axes.set_ylim(-0.03, 1.2)
    axes.yaxis.set_major_locator(FixedLocator([0, 0.5, 1]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_title(f"$(p, q) = {search.pair}$", loc="left", pad=2, color=style.INK)
    axes.legend(
        title="$T$",
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        handlelength=1.2,
        handletextpad=0.5,
        labelspacing=0.15,
        borderaxespad=0.4,
        title_fontsize=style.SMALL,
    )


def _is_power(curve: Curve) -> bool:
    return not str(curve.length)[1:].strip("0") and str(curve.length)[0] == "1"


def _colour(curve: Curve) -> str:
    """The colour of the largest power of ten that is at most T."""
    return _DECADES[(len(str(curve.length)) - 3) % len(_DECADES)]


def _pale(colour: str) -> str:
    red, green, blue = ((1 - _PALE) * part + _PALE for part in to_rgb(colour))
    return to_hex((red, green, blue))


def in_words(steps: int) -> str:
    """A number of steps, written as 10⁵ or 3·10⁵ if this is exact."""
    digits = str(steps)
    zeros = len(digits) - len(digits.rstrip("0"))
    if zeros < 2 or len(digits) - zeros > 1:
        return f"{steps:,}"
    if digits[0] == "1":
        return rf"$10^{{{zeros}}}$"
    return rf"${digits[0]}\cdot 10^{{{zeros}}}$"
