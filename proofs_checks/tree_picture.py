"""Draws the tree of a claim: one box per claim, with the number of leaves that it uses.

All lemmas of one claim are one box. Arrows that follow from other arrows are omitted (transitive
reduction).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Final

from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

from proofs_checks.kernels.evidence import Strength
from proofs_checks.registry import all_claims
from proofs_checks.tree import KINDS
from proofs_checks.tree_text import PLURALS
from steel_verified.reports.figures.style import INK, PAPER, QUIET, SMALL, TEXT, blank, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from proofs_checks.tree import Node, Tree

WIDE: Final = 2.05
"""The width of a box, in inches"""
APART: Final = 0.55
"""Between two columns, in inches"""
HIGH: Final = 0.78
"""The height of a box and of the space below it, in inches"""
LETTERS: Final = 40
"""How many letters a line of a box has"""
LINES: Final = 3
FILLS: Final = {Strength.PROVED: "#e3eef7", Strength.ENCLOSED: "#fcefd9"}
KIND_HUES: Final = {"assumption": "#d55e00", "definition": "#0072b2", "textbook": "#009e73"}


@dataclass(slots=True)
class Box:
    """The lemmas and proofs of one claim: what they rest on, and their leaves by kind."""

    name: str
    says: str
    strength: Strength = Strength.PROVED
    below: set[str] = field(default_factory=set)
    leaves: set[str] = field(default_factory=set)


def tree_picture(tree: Tree) -> Figure:
    """All claims of a tree from left to right, each left of those that it rests on."""
    boxes = boxes_of(tree)
    columns = columns_of(boxes, tree.claim.id)
    width = len(columns) * (WIDE + APART) - APART + 0.3
    height = max(map(len, columns)) * HIGH + 0.9
    places = {
        name: (
            0.15 + at * (WIDE + APART),
            height - 0.75 - _spread(row, len(column), columns) * HIGH,
        )
        for at, column in enumerate(columns)
        for row, name in enumerate(column)
    }
    with styled():
        figure = blank(width, height)
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, width)
        axes.set_ylim(0, height)
        axes.axis("off")
        for name, box in boxes.items():
            for other in _needed(box, boxes):
                # Lemmas of two claims may use each other; only arrows to the right are drawn.
                if places[name][0] < places[other][0]:
                    _arrow(axes, places[name], places[other])
        kinds = {leaf.name: leaf.kind for leaf in tree.leaves}
        for name, box in boxes.items():
            _draw(axes, box, places[name], Counter(kinds[leaf] for leaf in box.leaves))
        _legend(axes, tree, height)
    return figure


# --- which boxes there are ------------------------------------------------------------------------


def boxes_of(tree: Tree) -> dict[str, Box]:
    """The boxes by name: the claim itself, and one for each claim below it."""
    sentences = {claim.id: claim.says for claim in all_claims()}
    names = {node.name: _box_name(node, tree) for node in tree.nodes.values()}
    boxes = {tree.claim.id: Box(tree.claim.id, tree.claim.says, tree.claim.strength)}
    boxes[tree.claim.id].below |= {names[name] for name in tree.top}
    for node in tree.nodes.values():
        name = names[node.name]
        box = boxes.setdefault(name, Box(name, sentences.get(name, node.formally[-1])))
        box.strength = max(box.strength, node.strength)
        box.below |= {names[each] for each in node.below}
        box.leaves |= {*node.leaves}
    placed = set[str]().union(*(box.leaves for box in boxes.values()))
    boxes[tree.claim.id].leaves |= {leaf.name for leaf in tree.leaves} - placed
    for name, box in boxes.items():
        box.below.discard(name)
    return boxes


def _box_name(node: Node, tree: Tree) -> str:
    """The claim of a node, one of the tree's own if there is one; or its name."""
    own = [each for each in node.claims if each.startswith(f"{tree.claim.id}.")]
    others = sorted(set(node.claims) - {tree.claim.id}, key=lambda each: ("." in each, each))
    return next(iter([*own, *others, *node.claims, node.name]))


def columns_of(boxes: dict[str, Box], top: str) -> list[list[str]]:
    """Each box is right of all boxes that rest on it; lemmas of two claims may use each other."""
    depth = {top: 0}
    for _ in boxes:
        for name, box in boxes.items():
            for other in box.below if name in depth else ():
                if name not in _all_below(other, boxes):
                    depth[other] = max(depth.get(other, 0), depth[name] + 1)
                else:
                    depth.setdefault(other, depth[name] + 1)
    columns: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for name, column in depth.items():
        columns[column].append(name)
    for left, right in pairwise(columns):
        right.sort(key=lambda name: (_middle(name, left, boxes), name))
    return columns


def _middle(name: str, left: list[str], boxes: dict[str, Box]) -> float:
    """Return the mean position of the boxes that depend on it."""
    above = [row for row, other in enumerate(left) if name in boxes[other].below]
    return sum(above) / len(above) if above else len(left)


def _all_below(name: str, boxes: dict[str, Box]) -> set[str]:
    waiting, found = [name], set[str]()
    while waiting:
        for other in boxes[waiting.pop()].below - found:
            found.add(other)
            waiting.append(other)
    return found


def _needed(box: Box, boxes: dict[str, Box]) -> set[str]:
    """Return the boxes that it depends on directly (transitive reduction)."""
    return {
        name
        for name in box.below
        if not any(
            name in _all_below(other, boxes) and other not in _all_below(name, boxes)
            for other in box.below - {name}
        )
    }


# --- how they are drawn ---------------------------------------------------------------------------


def _spread(row: int, count: int, columns: list[list[str]]) -> float:
    """Rows of a short column are spread over the height of the longest one."""
    most = max(map(len, columns))
    return (row + 0.5) * most / count


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    (left, y), (right, z) = start, end
    left += WIDE
    bend = 0.5 * max(right - left, APART)
    path = Path(
        [(left, y), (left + bend, y), (right - bend, z), (right, z)],
        [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
    )
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=QUIET, linewidth=0.7, zorder=1))


def _draw(axes: Axes, box: Box, place: tuple[float, float], leaves: Counter[str]) -> None:
    x, y = place
    high = HIGH - 0.12
    fill = FILLS[box.strength]
    shape = FancyBboxPatch(
        (x, y - high / 2),
        WIDE,
        high,
        boxstyle="round,pad=0,rounding_size=0.05",
        facecolor=fill,
        edgecolor=INK,
        linewidth=0.6,
        zorder=2,
    )
    axes.add_patch(shape)
    top = y + high / 2 - 0.05
    axes.text(x + 0.06, top, box.name, va="top", fontsize=TEXT, fontweight="bold", zorder=3)
    at = x + WIDE - 0.06
    for kind in reversed(KINDS):
        if leaves[kind]:
            text = f"{leaves[kind]}"
            axes.text(at, top, text, va="top", ha="right", fontsize=SMALL, fontweight="bold",
                      color=KIND_HUES[kind], zorder=3)  # fmt: skip
            at -= 0.08 * len(text) + 0.08
    axes.text(x + 0.06, top - 0.15, _shortened(box.says), va="top", fontsize=SMALL, zorder=3)


def _shortened(text: str) -> str:
    """As much of it as a box holds."""
    letters = LETTERS * LINES
    while len(lines := wrap(shorten(text, letters, placeholder=" …"), LETTERS)) > LINES:
        letters -= 1
    return "\n".join(lines)


def _legend(axes: Axes, tree: Tree, height: float) -> None:
    """What boxes and colours mean, and how many leaves there are."""
    counts = Counter(leaf.kind for leaf in tree.leaves)
    x, y = 0.15, height - 0.2
    words = "Right of a claim stands what it rests on. Numbers in a box count its own leaves."
    axes.text(x, y, words, va="center", fontsize=TEXT)
    y -= 0.22
    for strength, fill in FILLS.items():
        shape = FancyBboxPatch((x, y - 0.06), 0.2, 0.12, boxstyle="round,pad=0,rounding_size=0.03",
                               facecolor=fill, edgecolor=INK, linewidth=0.6)  # fmt: skip
        axes.add_patch(shape)
        axes.text(x + 0.27, y, strength.name.lower(), va="center", fontsize=TEXT)
        x += 0.95
    for kind in KINDS:
        text = f"{counts[kind]} {PLURALS[kind]}"
        axes.text(x, y, text, va="center", fontsize=TEXT, fontweight="bold", color=KIND_HUES[kind])
        x += 0.065 * len(text) + 0.2
    axes.patch.set_facecolor(PAPER)
