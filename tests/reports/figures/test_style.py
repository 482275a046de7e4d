"""Figures have text that is text, one colour for an action, and every cell of an observation."""

from __future__ import annotations

import re
from colorsys import rgb_to_hls
from importlib.resources import files

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch

from steel_verified.reports.audit_page.drawings import action_keys, learned_graph
from steel_verified.reports.figures.style import as_bytes
from steel_verified.reports.figures.worlds import draw_board, hex_of, world_figure
from steel_verified.reports.graphs import HUES, hue
from steel_verified.worlds import pictures
from steel_verified.worlds.catalogue import NAMES, instance
from steel_verified.worlds.instances import RunnableInstance

STYLE = (files("steel_verified.reports.audit_page") / "style.css").read_text(encoding="utf-8")


def test_text_in_svg_can_be_searched_and_has_a_font_on_every_machine() -> None:
    drawn = as_bytes(world_figure(instance("grid", 0), 0), ".svg").decode()
    texts = re.findall(r"<text [^>]*>([^<]*)</text>", drawn)
    assert {"latent dynamics of grid", "observed at time 0, in state 5", "action U"} <= set(texts)
    fonts = re.findall(r"font-family: ([^;\"]*)", drawn)
    assert len(fonts) == len(texts)
    assert all(font.endswith("sans-serif") for font in fonts)


def test_an_action_has_the_same_colour_in_figures_and_on_the_audit_page() -> None:
    parts = re.findall(r"--part-(\d): light-dark\((#\w+), (#\w+)\)", STYLE)
    light = {int(number): colour for number, colour, _ in parts}
    for action, number in action_keys(2 * len(HUES)):
        assert light[number] == hue(action)
        for kind in (f"svg .stroke-{number} ", f"svg .fill-{number} ", f".part-{number} "):
            assert STYLE.count(kind + "{") == 1
    for number, colour, dark in parts:
        if number != "0":
            (old_hue, old_light, _), (new_hue, new_light, _) = (
                rgb_to_hls(*to_rgb(each)) for each in (colour, dark)
            )
            assert abs(old_hue - new_hue) < 0.03
            assert new_light > old_light
    row = tuple(range(len(HUES)))
    svg = learned_graph(tuple(row for _ in row))
    assert {f"stroke-{n}" for n in light if n} == set(re.findall(r"stroke-\d", svg))


@pytest.mark.parametrize(
    ("name", "sizes"),
    [*((name, {}) for name in NAMES), ("double-prime", {"p": 41, "q": 43})],
)
def test_every_cell_of_an_observation_is_a_square_apart_from_the_others(
    name: str, sizes: dict[str, float]
) -> None:
    chosen = instance(name, 0, **sizes)
    board = chosen.simulation.pictures(0)(0, chosen.start)
    axes = Figure().add_subplot()
    draw_board(axes, board)
    middles: dict[tuple[int, int], str] = {}
    for patch in axes.patches:
        if isinstance(patch, PathPatch):
            corners = np.asarray(patch.get_path().vertices).reshape(-1, 5, 2)
            sides = corners.max(axis=1) - corners.min(axis=1)
            assert np.allclose(sides, 7 / 8)
            for column, row in (corners[:, :4].mean(axis=1) - 0.5).tolist():
                middles[round(row), round(column)] = to_hex(patch.get_facecolor())
    shown = [
        [middles.get((row, column), hex_of(pictures.PAPER)) for column in range(board.shape[1])]
        for row in range(board.shape[0])
    ]
    assert shown == [[hex_of(tuple(cell)) for cell in row] for row in board.tolist()]


@pytest.mark.parametrize("name", NAMES)
def test_a_world_figure_says_what_red_cells_mean_and_has_no_raster(name: str) -> None:
    chosen = instance(name, 0)
    assert isinstance(chosen, RunnableInstance)
    drawn = as_bytes(world_figure(chosen, 0), ".svg").decode()
    assert "<image" not in drawn
    colours = dict(chosen.simulation.drawn.colours)
    assert pictures.OURS in colours
    for meaning in colours.values():
        assert f">{meaning}</text>" in drawn.replace("&#x27;", "'")
    after = chosen.dynamics.table[chosen.start][chosen.first_action]
    for state in (chosen.start, after):
        assert f">{state}</text>" in drawn
