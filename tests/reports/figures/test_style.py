"""Figures of worlds and of learned models: text that is text, one colour for an action."""

from __future__ import annotations

import re
from collections import Counter
from colorsys import rgb_to_hls
from importlib.resources import files

import numpy as np
import pytest
from matplotlib.collections import PatchCollection, PathCollection
from matplotlib.colors import to_hex, to_rgb, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch

from examples.robot import OBSERVATIONS, STATES, TRUTH, Robot
from steel_verified import Conjunctions, Learned, Located, LocatedParameters, attempt
from steel_verified.errors import InvalidArgument
from steel_verified.plots import model_figure
from steel_verified.reports.audit_page.page import action_keys, learned_graph
from steel_verified.reports.figures.style import INK, QUIET, RED, as_bytes
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
    for action, number in action_keys(len(HUES)):
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


ORACLE = Conjunctions(6)
WORLD = Robot(seed=1)
LEARNED = Learned.of(
    attempt(WORLD, ORACLE, Located(LocatedParameters.of(WORLD, max_states=8, mixing_time=1))),
    ORACLE,
)


def colours_of_arrows(figure: Figure) -> Counter[str]:
    """How many arrows have each colour."""
    drawn = (part for part in figure.axes[0].collections if isinstance(part, PathCollection))
    return Counter(
        to_hex(colour.tolist()) for part in drawn for colour in to_rgba_array(part.get_edgecolor())
    )


def colours_of_states(figure: Figure) -> list[str]:
    (states,) = (part for part in figure.axes[0].collections if isinstance(part, PatchCollection))
    return [to_hex(one.tolist()) for one in to_rgba_array(states.get_facecolor())]


def test_every_arrow_has_the_colour_of_its_action() -> None:
    figure = model_figure(LEARNED)
    assert colours_of_arrows(figure) == Counter({hue(action): 6 for action in range(3)})
    filled = {n: colour for n, colour in enumerate(colours_of_states(figure)) if colour == INK}
    assert set(filled) == {LEARNED.current}


def test_followed_path_stands_out_in_the_figure() -> None:
    label_of = LEARNED.renaming(TRUTH, OBSERVATIONS)
    assert label_of is not None
    dark, lit = label_of[STATES.index((2, 0))], label_of[STATES.index((2, 1))]
    world = Robot(seed=1)
    LEARNED.follow(world, to=dark)
    way = LEARNED.follow(world, to=lit, start=dark)  # left, left, press, right, right
    figure = model_figure(LEARNED, actions=("left", "right", "press"), way=way)
    assert colours_of_arrows(figure) == Counter({hue(0): 2, hue(1): 2, hue(2): 1, QUIET: 11})
    colours = colours_of_states(figure)
    assert (colours[dark], colours[lit]) == (INK, RED)
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["left", "right", "press"]


def test_states_are_drawn_where_they_are_put() -> None:
    places = {label: (float(label), float(label % 2)) for label in range(6)}
    texts = model_figure(LEARNED, places=places).axes[0].texts
    assert {int(text.get_text()): text.get_position() for text in texts} == places


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"places": {0: (0.0, 0.0)}}, "a place for each state from 0 to 5"),
        ({"places": dict.fromkeys(range(6), (0.0, 0.0))}, "a different one for each state"),
        ({"places": {n: (float(n), float("nan")) for n in range(6)}}, "finite places"),
        ({"actions": ("left", "right")}, "a name for each of 3 actions"),
    ],
)
def test_invalid_arguments_of_model_figure_are_refused(wrong: dict[str, object], text: str) -> None:
    with pytest.raises(InvalidArgument, match=text):
        model_figure(LEARNED, **wrong)  # type: ignore[arg-type]  # wrong on purpose
