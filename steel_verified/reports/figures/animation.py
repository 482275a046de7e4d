"""Figure 1 as an animation with one frame for each call: a GIF, or a page with buttons."""

from __future__ import annotations

import json
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Final

from PIL import Image

from steel_verified.errors import InvalidArgument
from steel_verified.reports.figures.discovery import draw_pane, spelled
from steel_verified.reports.figures.discovery_key import add_key, key_height
from steel_verified.reports.figures.page import PAGE_TEXT
from steel_verified.reports.figures.style import LARGEST_UNIT, blank, styled
from steel_verified.reports.graphs import graph
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.arrows import Arrow, Disc, Point
    from steel_verified.reports.figures.discovery import Pane
    from steel_verified.reports.graphs import Graph
    from steel_verified.worlds.instances import Instance

MOVING: Final = (".gif", ".html")

_INCHES: Final = 5.0
_HEADING: Final = 0.5
_DOTS: Final = 110
_LETTERS: Final = 9.0
_COLOURS: Final = 48
_MILLISECONDS: Final = 900
_AT_THE_END: Final = 3000
_PIXELS: Final = 60
"""The distance between neighbouring states on a page."""
_WORD: Final = 40
_MOST_ARROWS: Final = 200_000
"""The largest number of arrows in all frames; a GIF with so many takes a minute or two."""


def animated(
    chosen: Instance,
    panes: Sequence[Pane],
    suffix: str,
    watch: Callable[[int, int], None] = lambda _done, _of: None,
) -> bytes:
    """The discovery of a world, as a file of this kind; the same world gives the same bytes.

    `panes` are those of `discovery(chosen)`; `watch` is told how many frames of a GIF are drawn,
    and of how many.
    """
    kind = suffix.lower()
    if kind not in MOVING:
        raise InvalidArgument("output", suffix, "a name that ends in " + " or ".join(MOVING))
    drawn = graph(chosen.dynamics, chosen.layout)
    if (arrows := len(panes) * len(drawn.arrows)) > _MOST_ARROWS:
        raise InvalidArgument(
            "animate",
            chosen.name,
            f"a smaller world: {len(panes):,} frames of {len(drawn.arrows):,} arrows each are "
            f"{arrows:,}, and {_MOST_ARROWS:,} are allowed; --discovery draws some of the calls",
        )
    return as_gif(chosen, drawn, panes, watch) if kind == ".gif" else as_page(chosen, drawn, panes)


def told(pane: Pane, drawn: Graph) -> str:
    """A sentence about what one call found."""
    known = len(pane.known | pane.cycle)
    return (
        f"{known} of {counted(len(drawn.arrows), 'transition')} known, {len(pane.new)} new; "
        f"{len(pane.seen)} of {counted(len(drawn.states), 'state')}"
    )


def as_gif(
    chosen: Instance,
    drawn: Graph,
    panes: Sequence[Pane],
    watch: Callable[[int, int], None] = lambda _done, _of: None,
) -> bytes:
    """A GIF that rests a while on its last frame, then starts again."""
    images = []
    for pane in panes:
        file = BytesIO()
        with styled():
            _frame(chosen, drawn, pane, len(panes)).savefig(file, format="png", dpi=_DOTS)
        image = Image.open(file).convert("RGB")
        images.append(image.quantize(_COLOURS, dither=Image.Dither.NONE))
        watch(len(images), len(panes))
    durations = [_MILLISECONDS] * (len(images) - 1) + [_AT_THE_END]
    file = BytesIO()
    images[0].save(
        file, format="GIF", save_all=True, append_images=images[1:], duration=durations, loop=0
    )
    return file.getvalue()


def _frame(chosen: Instance, drawn: Graph, pane: Pane, calls: int) -> Figure:
    wide, tall = drawn.size
    inches = min(_INCHES / max(wide, tall), 2 * LARGEST_UNIT / drawn.unit)
    with styled():
        key = key_height(_INCHES, _LETTERS)
        height = key + inches * tall + _HEADING
        figure = blank(_INCHES, height)
        add_key(figure, _LETTERS)
        # Laying out anew what always has the same place would take most of the time.
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, key / height, 1, inches * tall / height))
        draw_pane(axes, drawn, pane, 72 * inches)
        word = spelled(pane.word, chosen, _WORD)
        title = f"{chosen.name}: call {pane.number} of {calls} loops {word}\n{told(pane, drawn)}"
        axes.set_title(title, fontsize=_LETTERS, parse_math=False)
    return figure


def as_page(chosen: Instance, drawn: Graph, panes: Sequence[Pane]) -> bytes:
    """A self-contained page: the graph is drawn once, and each frame changes its colours."""
    numbers = {arrow.transition: number for number, arrow in enumerate(drawn.arrows)}
    frames: list[Json] = [
        {
            "word": spelled(pane.word, chosen, _WORD),
            "told": told(pane, drawn),
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
    text = PAGE_TEXT
    for mark, filling in (
        ("{{world}}", escape(chosen.name)),
        ("{{calls}}", str(len(panes))),
        ("{{graph}}", as_svg(drawn)),
        ("{{frames}}", data),
    ):
        text = text.replace(mark, filling)
    return text.encode()


def as_svg(drawn: Graph) -> str:
    """The graph as SVG, every arrow and state a group of its own; a page's style gives colours."""
    scale = _PIXELS / drawn.unit
    low, high = drawn.corners
    left, top = low.real, high.imag

    def at(point: Point) -> str:
        return f"{scale * (point.real - left):.1f},{scale * (top - point.imag):.1f}"

    def arrow(one: Arrow) -> str:
        start, *bends = (at(point) for point in one.curve)
        head = " ".join(at(point) for point in one.head)
        return f'<g><path d="M{start} C{" ".join(bends)}"/><polygon points="{head}"/></g>'

    def state(number: int, disc: Disc) -> str:
        x, y = at(disc.centre).split(",")
        circle = f'<circle cx="{x}" cy="{y}" r="{scale * disc.radius:.1f}"/>'
        return f'<g>{circle}<text x="{x}" y="{y}">{number}</text></g>'

    wide, tall = (scale * length for length in drawn.size)
    arrows = "\n".join(arrow(one) for one in drawn.arrows)
    states = "\n".join(state(number, disc) for number, disc in enumerate(drawn.states))
    return (
        f'<svg viewBox="0 0 {wide:.1f} {tall:.1f}" style="max-width:{2.2 * wide:.0f}px" '
        f'role="img" aria-label="transition graph">\n'
        f'<g id="arrows">\n{arrows}\n</g>\n<g id="states">\n{states}\n</g>\n</svg>'
    )
