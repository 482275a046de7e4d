"""Figure 1: the dynamics discovered call by call, as a figure or as a page with buttons."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader
from markupsafe import Markup
from matplotlib.lines import Line2D

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import of_kind
from steel_verified.learning.looped import calls
from steel_verified.learning.model import Transition
from steel_verified.reports.figures import style
from steel_verified.reports.figures.worlds import Look, draw_graph
from steel_verified.reports.graphs import Graph, as_svg, graph
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.instances import Instance


_COLUMN: Final = 1.3
"""The width of an entry in the smallest letters, in inches."""
_LINE: Final = 0.135
"""The height of a line of them, in inches."""
_MEANINGS: Final = (
    ("unknown", style.QUIET, 0.8),
    ("known before the call", style.INK, 0.9),
    ("the call's cycle", style.RED, 1.0),
    ("new in this call", style.RED, 2.2),
)
_ENDS: Final = "where the call ends"


def _add_key(figure: Figure, columns: int) -> None:
    """Add the legend at the bottom of a figure."""
    lines = [Line2D([], [], color=colour, lw=width) for _, colour, width in _MEANINGS]
    place = Line2D([], [], ls="", marker="o", ms=5, color=style.RED)
    figure.legend(
        [*lines, place],
        [*(meaning for meaning, _, _ in _MEANINGS), _ENDS],
        loc="lower center",
        ncols=columns,
        borderaxespad=0.2,
        borderpad=0.2,
        handlelength=1.6,
        handletextpad=0.5,
        columnspacing=1.0,
        labelspacing=0.3,
    )


_FIRST: Final = 8
_MOST: Final = 16
_SHOWN: Final = 13
_NARROWEST: Final = 1.3
_HEADING: Final = 0.19


@dataclass(frozen=True, slots=True)
class Pane:
    """One call of CycleFind. States are the true ones, not the labels that the learner gives."""

    number: int
    word: Word
    period: int
    steps: int
    begins: int
    ends: int
    known: frozenset[Transition]
    """What was known before the call."""
    cycle: frozenset[Transition]
    """The transitions of the loop of this call; at least one of them is new."""

    @property
    def new(self) -> frozenset[Transition]:
        return self.cycle - self.known

    @property
    def seen(self) -> frozenset[int]:
        """The states known when the call is over."""
        return frozenset(step.state for step in self.known | self.cycle)


def discovery(chosen: Instance, learned: Accepted) -> tuple[Pane, ...]:
    """Every call of the predicted run: unless a verdict is wrong, a real run makes the same."""
    assert learned.classifiers is not None
    return tuple(_panes(learned.ledger, chosen.start, of_kind(int, *learned.classifiers)))


def _panes(ledger: Ledger, start: int, meaning: Sequence[int]) -> Iterator[Pane]:
    known: frozenset[Transition] = frozenset()
    begins = start
    for number, call in enumerate(calls(ledger), start=1):
        states = [meaning[label] for label in call.labels]
        cycle = frozenset(
            Transition(state, call.word[i % len(call.word)], states[(i + 1) % len(states)])
            for i, state in enumerate(states)
        )
        ends = meaning[call.current]
        yield Pane(number, call.word, call.period, call.steps, begins, ends, known, cycle)
        known |= cycle
        begins = ends


def chosen_panes(panes: Sequence[Pane]) -> tuple[Pane, ...]:
    """All panes if they fit on a page; else the first ones, then some evenly spaced to the last."""
    if len(panes) <= _MOST:
        return tuple(panes)
    rest = _MOST - _FIRST
    later = (_FIRST - 1 + (len(panes) - _FIRST) * n // rest for n in range(1, rest + 1))
    return (*panes[:_FIRST], *(panes[i] for i in later))


def caption(chosen: Instance, panes: Sequence[Pane]) -> str:
    """The caption of the figure."""
    if len(panes) == 1:
        which = "The only call of CycleFind is shown."
    elif len(panes) <= _MOST:
        which = f"All {len(panes)} calls of CycleFind are shown."
    else:
        which = (
            f"Of {len(panes)} calls of CycleFind, the first {_FIRST} are shown and "
            f"{_MOST - _FIRST} more, evenly spaced up to the last."
        )
    return (
        f"STEEL discovers {chosen.name} cycle by cycle. Grey: still unknown. Black: known before "
        "the call. Red: the cycle that the call goes through, bold where it is new. Filled: where "
        f"the agent is when the call ends. {which}"
    )


def spelled(word: Word, chosen: Instance, most: int = _SHOWN) -> str:
    """The actions of a word; if it is too long, its first actions and its length."""
    names = [chosen.action_name(action) for action in word]
    separator = "" if all(len(name) == 1 for name in names) else " "
    if len(names) > most:
        return separator.join(names[: most - 4]) + f"… ({len(names)})"
    return separator.join(names)


def discovery_figure(
    chosen: Instance,
    calls: Sequence[Pane],
    watch: Callable[[int, int], None] = lambda _done, _of: None,
) -> Figure:
    """Figure 1 for any world, one pane a call; `watch` hears how many of how many are drawn."""
    panes = chosen_panes(calls)
    drawn = graph(chosen.dynamics.table, chosen.layout)
    wide, tall = drawn.size
    rows = -(-len(panes) // (5 if chosen.dynamics.states <= 12 else 4))
    columns = -(-len(panes) // rows)
    width = min(style.PAGE / columns, max(_NARROWEST, style.LARGEST_UNIT * wide / drawn.unit))
    inches = min(0.97 * width / wide, style.LARGEST_UNIT / drawn.unit)
    height = inches * tall + _HEADING
    with style.styled():
        across = min(len(_MEANINGS) + 1, max(1, int(columns * width / _COLUMN)))
        key = _LINE * (-(-(len(_MEANINGS) + 1) // across) + 0.5)
        figure = style.blank(columns * width, rows * height + key)
        _add_key(figure, across)
        # Every pane has its place already; looking for one would take most of the time.
        figure.set_layout_engine("none")
        for number, pane in enumerate(panes):
            row, column = divmod(number, columns)
            bottom = 1 - (row + 1) * height / figure.get_figheight()
            share = inches * tall / figure.get_figheight()
            axes = figure.add_axes((column / columns, bottom, 1 / columns, share))
            draw_pane(axes, drawn, pane, 72 * inches)
            axes.set_title(
                f"{pane.number}:  â = {spelled(pane.word, chosen)}",
                fontsize=style.TEXT if len(pane.word) < 8 else style.SMALL,
                pad=2,
                parse_math=False,
            )
            watch(number + 1, len(panes))
    return figure


def draw_pane(axes: Axes, drawn: Graph, pane: Pane, points: float) -> None:
    """The graph as it is known in one call; `points` are the points of paper to a unit of space."""

    def look(step: Transition) -> Look:
        if step in pane.new:
            return Look((style.RED,), 1.5, above=3)
        if step in pane.cycle:
            return Look((style.RED,), 0.95, above=2)
        return (
            Look((style.INK,), 0.7, above=1)
            if step in pane.known
            else Look((style.QUIET,), 0.6, above=0)
        )

    draw_graph(
        axes,
        drawn,
        points,
        arrow=look,
        rim=lambda state: style.INK if state in pane.seen else style.QUIET,
        filled={pane.ends: style.RED},
    )


_PIXELS: Final = 60
"""The distance between neighbouring states on a page."""
_WORD: Final = 40
_MOST_ARROWS: Final = 200_000
"""The largest number of arrows in all frames together."""


def animated(chosen: Instance, panes: Sequence[Pane]) -> bytes:
    """The discovery of a world as a self-contained page; the same world gives the same bytes.

    The graph is drawn once, and each frame changes its colours.
    """
    drawn = graph(chosen.dynamics.table, chosen.layout)
    if (arrows := len(panes) * len(drawn.arrows)) > _MOST_ARROWS:
        raise InvalidArgument(
            "animate",
            chosen.name,
            f"a smaller world: {len(panes):,} frames of {len(drawn.arrows):,} arrows each are "
            f"{arrows:,}, and {_MOST_ARROWS:,} are allowed; --discovery draws some of the calls",
        )
    numbers = {arrow.transition: number for number, arrow in enumerate(drawn.arrows)}
    transitions = counted(len(drawn.arrows), "transition")
    states = counted(len(drawn.states), "state")
    frames: list[Json] = [
        {
            "word": spelled(pane.word, chosen, _WORD),
            "text": f"{len(pane.known | pane.cycle)} of {transitions} known, {len(pane.new)} new; "
            f"{len(pane.seen)} of {states}",
            "steps": pane.steps,
            "ends": pane.ends,
            "seen": sorted(pane.seen),
            "cycle": sorted(numbers[step] for step in pane.cycle),
            "new": sorted(numbers[step] for step in pane.new),
        }
        for pane in panes
    ]
    # No "<" may end the script early, whatever a world is called.
    data = json.dumps(frames, separators=(",", ":")).replace("<", "\\u003c")
    environment = Environment(
        loader=PackageLoader("steel_verified.reports.figures", ""), autoescape=True
    )
    page = environment.get_template("discovery.html.j2").render(
        world=chosen.name,
        calls=len(panes),
        graph=as_svg(drawn, _PIXELS / drawn.unit, "transition graph", magnified=2.2),
        frames=Markup(data),
    )
    return page.encode()
