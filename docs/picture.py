"""Writes docs/picture.svg, the picture of the README: `python docs/picture.py`.

A small combination lock is learned with located STEEL, and then walked in for some steps. The
picture shows the observations of the walk, the bits that the learned encoder reads, and the
learned transitions. Nothing in it is drawn by hand.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

import gymnasium
import numpy as np

from steel_verified import Components, Located, LocatedParameters, accepted, attempt
from steel_verified.gymnasium import from_gymnasium

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    Table: TypeAlias = tuple[tuple[int, ...], ...]
    Rows: TypeAlias = NDArray[np.bool_]

FILE: Final = Path(__file__).parent / "picture.svg"
STATES: Final = 6
BITS: Final = 24
STEPS: Final = 44
CELL: Final = 5
"""The side of a bit, in pixels."""
RADIUS: Final = 62
"""Of the circle of states, in pixels."""
NODE: Final = 13
"""The radius of a state, in pixels."""
WRONG: Final = 0.12
"""How often the walk takes a wrong action."""
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#b35c9a", "#a07800", "#3a9ad9")
"""One for each state; they can be told apart by people who are colour blind, light and dark."""
SVG: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 244" width="760" height="244"'
    ' role="img" aria-labelledby="t">'
)
TIP: Final = (
    '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6"'
    ' orient="auto"><path class="note" d="M0 0 8 4 0 8z"/></marker>'
)
"""The tip of an arrow."""
STYLE: Final = """
  svg { font: 13px system-ui, sans-serif }
  .page { fill: #ffffff } .ink { fill: #1f2328 } .note { fill: #59636e; font-size: 12px }
  .bits { fill: #1f2328 } .faded { opacity: .13 } .line { stroke: #59636e }
  .label { fill: #ffffff; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .ink { fill: #e6edf3 } .note { fill: #9aa4af }
    .bits { fill: #e6edf3 } .line { stroke: #9aa4af }
  }"""


def picture() -> str:
    """Learn the lock, walk in it, and return the picture as SVG."""
    table, classifiers, rows = walked_lock()
    ring = chain(table)
    colours = dict(zip(ring, COLOURS, strict=True))
    width, middle = STEPS * CELL, 62 + BITS * CELL // 2
    parts = [
        SVG,
        '<title id="t">What is observed, which bits show the state, and the learned model</title>',
        f"<style>{STYLE}\n</style>",
        f'<defs>{TIP}<path id="all" d="{cells(rows, range(BITS))}"/></defs>',
        '<rect class="page" width="760" height="244" rx="8"/>',
        heading(20, "What is observed", f"{BITS} bits in each step: mostly noise"),
        '<use href="#all" class="bits" transform="translate(20 62)"/>',
        f'<text class="note" x="20" y="{62 + BITS * CELL + 22}">time →</text>',
        arrow(20 + width + 8, middle),
        heading(288, "What the encoder reads", "one bit shows each state"),
        '<g transform="translate(288 62)"><use href="#all" class="bits faded"/>',
        *(f'<path fill="{colours[s]}" d="{cells(rows, [classifiers[s]])}"/>' for s in ring),
        "</g>",
        arrow(288 + width + 8, middle),
        heading(556, "What actions do", "solid: action 0, dashed: action 1"),
        *graph(table, ring, colours),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def walked_lock() -> tuple[Table, tuple[int, ...], Rows]:
    """The learned transitions, the bit that shows each state, and observations of a walk."""
    env = gymnasium.make("steel_verified/CombinationLock-v0", states=STATES, components=BITS)
    world = from_gymnasium(env, seed=1)
    bounds = LocatedParameters.of(world, max_states=8, mixing_time=25)
    learned = accepted(attempt(world, Components(BITS), Located(bounds)))
    # An accepted model is total and has a classifier for each state.
    table = tuple(tuple(to for to in row if to is not None) for row in learned.model.table)
    ring, draw = chain(table), np.random.default_rng(0)
    state, seen = learned.current, []
    for _ in range(STEPS):
        onward = table[state].index(ring[(ring.index(state) + 1) % STATES])
        action = onward if draw.random() > WRONG else 1 - onward
        seen.append(env.step(action)[0])
        state = table[state][action]
    return (
        table,
        tuple(f for f in learned.classifiers or () if isinstance(f, int)),
        np.array(seen, dtype=bool),
    )


def chain(table: Table) -> list[int]:
    """The states in the order in which the lock is opened: a cycle through all of them."""

    def onward(way: list[int]) -> list[int] | None:
        if len(way) == len(table):
            return way if way[0] in table[way[-1]] else None
        longer = (onward([*way, next_]) for next_ in table[way[-1]] if next_ not in way)
        return next((found for found in longer if found), None)

    found = onward([0])
    if found is None:
        raise AssertionError("a combination lock has a cycle through all states")
    return found


def cells(rows: Rows, bits: Iterable[int]) -> str:
    """A square for each 1 among these bits: time goes to the right, bits go down."""
    side = CELL - 1
    return "".join(
        f"M{time * CELL} {bit * CELL}h{side}v{side}h-{side}z"
        for bit in bits
        for time in np.flatnonzero(rows[:, bit])
    )


def heading(x: int, title: str, below: str) -> str:
    return (
        f'<text class="ink" x="{x}" y="28" font-weight="600">{title}</text>'
        f'<text class="note" x="{x}" y="47">{below}</text>'
    )


def arrow(x: float, y: float) -> str:
    return f'<path class="line" d="M{x} {y}h30" stroke-width="2" marker-end="url(#tip)"/>'


def graph(table: Table, ring: list[int], colours: dict[int, str]) -> Iterator[str]:
    """The learned transitions, with the states on a circle."""
    centre = (648.0, 138.0)

    def place(label: int, radius: float) -> tuple[float, float]:
        angle = 2 * math.pi * ring.index(label) / len(ring) - math.pi / 2
        return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)

    for label, row in enumerate(table):
        for action, target in enumerate(row):
            dashed = ' stroke-dasharray="4 3"' if action else ""
            yield (
                f'<path class="line" d="{bent(place, label, target, -6 - 9 * action)}"'
                f' fill="none" stroke-width="1.4"{dashed} marker-end="url(#tip)"/>'
            )
    for label in ring:
        x, y = place(label, RADIUS)
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{NODE}" fill="{colours[label]}"/>'
            f'<text class="label" x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle">{label}</text>'
        )


def bent(
    place: Callable[[int, float], tuple[float, float]], start: int, end: int, bend: float
) -> str:
    """A curved way from the edge of one circle to that of another, or a loop at the outside."""
    if start == end:
        x, y = place(start, RADIUS + NODE - 2)
        far_x, far_y = place(start, RADIUS + NODE + 24)
        across_x, across_y = (far_y - y) * 0.9, (x - far_x) * 0.9
        return (
            f"M{x - across_x / 3:.1f} {y - across_y / 3:.1f}"
            f"C{far_x - across_x:.1f} {far_y - across_y:.1f} {far_x + across_x:.1f}"
            f" {far_y + across_y:.1f} {x + across_x / 3:.1f} {y + across_y / 3:.1f}"
        )
    (x, y), (to_x, to_y) = place(start, RADIUS), place(end, RADIUS)
    length = math.hypot(to_x - x, to_y - y)
    along_x, along_y = (to_x - x) / length, (to_y - y) / length
    middle_x, middle_y = (x + to_x) / 2 - 2 * bend * along_y, (y + to_y) / 2 + 2 * bend * along_x
    gap, side = NODE + 1, bend / 2
    return (
        f"M{x + gap * along_x - side * along_y:.1f} {y + gap * along_y + side * along_x:.1f}"
        f"Q{middle_x:.1f} {middle_y:.1f}"
        f" {to_x - gap * along_x - side * along_y:.1f} {to_y - gap * along_y + side * along_x:.1f}"
    )


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
