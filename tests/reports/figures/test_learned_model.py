"""A learned model is drawn with its labels, at the places given, with a way through it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from matplotlib.collections import PatchCollection, PathCollection
from matplotlib.colors import to_hex, to_rgba_array

from examples.robot import OBSERVATIONS, STATES, TRUTH, Robot
from steel_verified import Conjunctions, Learned, Located, LocatedParameters, attempt
from steel_verified.errors import InvalidArgument
from steel_verified.plots import model_figure
from steel_verified.reports.figures.style import INK, QUIET, RED
from steel_verified.reports.graphs import hue

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    assert colours_of_arrows(figure) == Counter({hue(0): 2, hue(1): 2, hue(2): 1, QUIET: 13})
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
    ("wrong", "told"),
    [
        ({"places": {0: (0.0, 0.0)}}, "a place for each state from 0 to 5"),
        ({"places": dict.fromkeys(range(6), (0.0, 0.0))}, "a different one for each state"),
        ({"places": {n: (float(n), float("nan")) for n in range(6)}}, "finite places"),
        ({"actions": ("left", "right")}, "a name for each of 3 actions"),
    ],
)
def test_invalid_arguments_of_model_figure_are_refused(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(InvalidArgument, match=told):
        model_figure(LEARNED, **wrong)  # type: ignore[arg-type]  # wrong on purpose
