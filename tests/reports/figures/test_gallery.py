"""Every figure of the paper can be made, in every format, and be read."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from matplotlib.patches import StepPatch
from matplotlib.text import Text

from steel_verified.baselines.ac_state.encoders import (
    Data,
    encoded,
    inverse_exponents,
    tuple_counts,
)
from steel_verified.baselines.ac_state.protocol import Curve
from steel_verified.baselines.ac_state.trajectories import Half, Loops, start_of, walk
from steel_verified.cli.reproduce import runs_shown
from steel_verified.reports.figures.discovery import discovery, discovery_figure
from steel_verified.reports.figures.gallery import Exhibit, all_figures
from steel_verified.reports.figures.measured import Search, in_words, k_search_figure
from steel_verified.reports.figures.style import FORMATS, PAGE, SMALL, as_bytes
from steel_verified.worlds.catalogue import NAMES, instance
from steel_verified.worlds.runs import predict

from ...baselines.ac_state.counting import observations

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from steel_verified.reports.figures.measured import Panel


SEARCH = Search(
    (3, 5),
    (
        Curve(100, ((1, 0),)),
        Curve(1_000, ((1, 0), (4, 13), (41, 1))),
        Curve(2_000, ((1, 2), (4, 20), (10, 19), (41, 1))),
        Curve(10_000, ((1, 0), (3, 20), (401, 4))),
    ),
    chosen=6,
)
BY_SIZE: tuple[Panel, ...] = (
    ("loops", {"AC-State": [(10, 4e3), (86, 5e8)], "located": [(10, 246), (86, 2561)]}),
    ("locks", {"looped": [(20, 2e6), (40, 9e6)]}),
)
RUNS = runs_shown()


def figures() -> dict[str, Exhibit]:
    return all_figures(
        RUNS,
        searches=[SEARCH] * 3,
        exploring=[SEARCH],
        by_size=BY_SIZE,
    )


FIGURES = figures()
MAGIC = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}


ONE_OF_A_KIND = (
    "figure-1-discovery",
    "figure-2-period-test",
    "figure-5-double-prime",
    "figure-8-k-search-exploring",
    "located-exploration",
    "certain-exploration",
    "learned-factors",
    "steps",
)
"""One figure of each way to draw: these are drawn twice."""


@cache
def drawn_again() -> dict[str, Exhibit]:
    return figures()


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_fits_a_page_and_can_be_read(name: str) -> None:
    figure = FIGURES[name].make()
    assert figure.get_figwidth() <= PAGE
    texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    assert texts
    assert min(float(text.get_fontsize()) for text in texts) >= SMALL
    written, again = as_bytes(figure, ".svg"), drawn_again()[name]
    assert written.startswith(MAGIC[".svg"])
    assert name not in ONE_OF_A_KIND or as_bytes(again.make(), ".svg") == written
    assert again.caption == FIGURES[name].caption
    assert again.caption.endswith(".")


def require_every_format(make: Callable[[], Figure]) -> None:
    # Drawn anew for each format: writing a figure may move its labels a little.
    for kind, magic in MAGIC.items():
        file = as_bytes(make(), kind)
        assert file.startswith(magic)
        assert file == as_bytes(make(), kind)


def test_every_format_is_written_the_same_way_twice() -> None:
    assert MAGIC.keys() == set(FORMATS)
    require_every_format(FIGURES["figure-5-double-prime"].make)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_written_in_every_format(name: str) -> None:
    require_every_format(FIGURES[name].make)


@pytest.mark.parametrize("name", NAMES)
def test_any_discovery_fits_a_page(name: str) -> None:
    chosen = instance(name, 0)
    figure = discovery_figure(chosen, discovery(chosen, predict(chosen)))
    assert figure.get_figwidth() <= PAGE
    assert figure.get_figheight() <= 1.4 * PAGE
    assert len([axes for axes in figure.axes if axes.get_title()]) <= 16


def test_a_search_is_drawn_curve_by_curve() -> None:
    (axes,) = k_search_figure([SEARCH]).axes
    steps = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
    assert len(steps) == len(SEARCH.curves)
    for patch, curve in zip(steps, SEARCH.curves, strict=True):
        shares, edges, _ = patch.get_data()
        drawn = zip(edges.tolist()[:-1], shares.tolist(), strict=True)
        assert [(edge + 0.5, round(share * 20)) for edge, share in drawn] == list(curve.steps)
        assert edges[-1] == 50_000.5
    assert SEARCH.decisive is SEARCH.curves[2]
    assert any("6" in text.get_text() for text in axes.texts)


def test_a_k_that_was_found_at_a_longer_t_is_shown_as_such() -> None:
    (axes,) = k_search_figure([Search((3, 5), SEARCH.curves[:2], 6, 20_000_000)]).axes
    (text,) = axes.texts
    assert text.get_text() == r"$K_{opt} = 6$ at $T$ = $2\cdot 10^{7}$"


@pytest.mark.parametrize(
    ("steps", "words"),
    [(100, "$10^{2}$"), (30_000, r"$3\cdot 10^{4}$"), (1_250, "1,250"), (7, "7"), (10, "10")],
)
def test_steps_are_written_shortly(steps: int, words: str) -> None:
    assert in_words(steps) == words


LENGTHS = (100, 1_000, 2_000, 3_000, 4_000, 10_000, 10**5, 10**6, 10**7, 10**8)
LONG_SEARCH = Search(
    (3, 5), tuple(Curve(steps, ((1, 20 * (steps == 4_000)),)) for steps in LENGTHS), 7
)


def test_powers_of_ten_have_different_colours_and_only_the_decisive_curve_is_red() -> None:
    (axes,) = k_search_figure([LONG_SEARCH]).axes
    drawn = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
    looks = {
        steps: (patch.get_edgecolor(), float(patch.get_linewidth()))
        for steps, patch in zip(LENGTHS, drawn, strict=True)
    }
    decisive, powers = looks[4_000], [looks[10**m] for m in range(2, 9)]
    assert len({decisive[0], *(colour for colour, _ in powers)}) == 8
    assert decisive[1] > max(width for _, width in powers)
    assert looks[2_000] == looks[3_000]
    assert looks[2_000][1] < min(width for _, width in powers)
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()][1:4] == [
        "$10^{3}$",
        r"$2\cdot 10^{3}$ – $3\cdot 10^{3}$",
        r"$4\cdot 10^{3}$",
    ]


def gain(fit: Data, optimise: Data, *, q: int) -> float:
    """The loss of the encoder that takes i and i' as one minus that of the right one."""
    lags = len(fit.actions)
    fitted, judged = (tuple_counts(half, lags, 2 * q, 2) for half in (fit, optimise))
    one, two = (
        inverse_exponents(encoded(fitted, encoder), encoded(judged, encoder), 2 * lags + 4)
        for encoder in (tuple(range(q)) * 2, tuple(range(2 * q)))
    )
    return float((one - two)[1:] @ np.log(np.arange(1, 2 * lags + 4)))


def with_coins(half: Half, seed: tuple[int, ...]) -> Data:
    """The observations of a trajectory, with actions that have nothing to do with them."""
    draw = np.random.default_rng(seed)
    return Data(observations(half), draw.integers(0, 2, half.seen - 1))


def test_short_trajectories_are_right_without_evidence_and_longer_ones_are_not() -> None:
    """All draws are seeded, so that these counts are always the same."""
    loops = Loops(3, 5)
    right = []
    for length in (100, 1_000):
        won = 0
        for index in range(40):
            start = start_of(loops, (index, 0))
            fit = walk("uniform", loops, start, length // 2, (index, 1))
            optimise = walk("uniform", loops, fit.last, length // 2, (index, 2))
            halves = with_coins(fit, (index, 3)), with_coins(optimise, (index, 4))
            won += gain(*halves, q=5) > 1e-9
        right.append(won)
    assert right[0] > 20
    assert right[1] < 10
    assert all(a > b for a, b in pairwise(right))
