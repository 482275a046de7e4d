"""A model shows itself in notebooks and in the browser, and its arrows can be told apart."""

from __future__ import annotations

import webbrowser
from io import BytesIO
from itertools import combinations
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb

from steel_verified import Components, Learned, SteppedWorld, learn
from steel_verified.plots import model_figure
from steel_verified.reports.graphs import graph, hue

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


class King(SteppedWorld):
    """A king on four squares: eight actions, of which several lead from a square to another."""

    actions = 8
    moves = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    x = y = 0

    def step(self, action: int) -> NDArray[np.bool_]:
        right, up = self.moves[action]
        self.x, self.y = min(1, max(0, self.x + right)), min(1, max(0, self.y + up))
        seen: NDArray[np.bool_] = np.arange(4) == 2 * self.y + self.x
        return seen


@pytest.fixture(scope="module")
def king() -> Learned:
    return learn(King(), Components(4), seed=1)


def test_arrows_between_two_states_are_one_with_all_their_actions(king: Learned) -> None:
    table = tuple(tuple(to for to in row if to is not None) for row in king.model.table)
    places = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
    drawn = graph(table, places, merged=True)
    ends = [(arrow.transition.state, arrow.transition.to) for arrow in drawn.arrows]
    between = [end for end in ends if end[0] != end[1]]
    assert len(between) == len(set(between)) == 12
    stands_for = [
        (arrow.transition.state, action, arrow.transition.to)
        for arrow in drawn.arrows
        for action in arrow.actions
    ]
    assert sorted(stands_for) == sorted(king.model.transitions())


def test_every_action_has_a_colour_of_its_own_and_a_place_in_the_legend(king: Learned) -> None:
    axes = model_figure(king).axes[0]
    legend = axes.get_legend()
    assert legend is not None
    assert len(legend.get_texts()) == 8
    (curves,) = (each for each in axes.collections if type(each) is PathCollection)
    assert len({tuple(colour) for colour in np.asarray(curves.get_edgecolor()).tolist()}) == 8
    for one, other in combinations([to_rgb(hue(action)) for action in range(12)], 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) > 0.02


def test_long_names_of_actions_stay_within_the_picture(king: Learned) -> None:
    figure = model_figure(king.named(actions=[f"towards the north {n}" for n in range(8)]))
    figure.savefig(BytesIO())
    legend = figure.axes[0].get_legend()
    assert legend is not None
    shown = legend.get_window_extent()
    assert figure.bbox.x0 <= shown.x0 < shown.x1 <= figure.bbox.x1
    assert figure.bbox.y0 <= shown.y0


def test_notebooks_show_the_guarantee_and_the_picture(king: Learned) -> None:
    svg = king._repr_svg_()
    assert svg is not None
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    page = king._repr_html_()
    assert page.startswith("<p>4 states and 8 actions")
    assert page.count("<svg") == 1


def test_show_opens_the_picture(king: Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def fake_browser(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", fake_browser)
    file: Path = king.show()
    assert opened == [file.as_uri()]
    assert "<svg" in file.read_text(encoding="utf-8")
    file.unlink()
