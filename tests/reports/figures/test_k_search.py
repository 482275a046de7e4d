"""The figure of a search for K has no empty panel, and its caption says what is true."""

from __future__ import annotations

from itertools import pairwise
from math import comb, log

import numpy as np
import pytest
from matplotlib.patches import StepPatch

from steel_verified.baselines.ac_state.encoders import (
    Data,
    encoded,
    inverse_exponents,
    tuple_counts,
)
from steel_verified.baselines.ac_state.protocol import Curve
from steel_verified.baselines.ac_state.trajectories import Half, Loops, start_of, walk
from steel_verified.reports.figures.measured import Search, k_search_figure
from tests.baselines.ac_state.counting import observations

LENGTHS = (100, 1_000, 2_000, 3_000, 4_000, 10_000, 10**5, 10**6, 10**7, 10**8)
SEARCH = Search((3, 5), tuple(Curve(steps, ((1, 20 * (steps == 4_000)),)) for steps in LENGTHS), 7)


@pytest.mark.parametrize("panels", range(1, 8))
def test_panels_fill_the_figure(panels: int) -> None:
    figure = k_search_figure([SEARCH] * panels)
    assert len(figure.axes) == panels
    cells = []
    for axes in figure.axes:
        place = axes.get_subplotspec()
        assert place is not None
        rows, columns = place.rowspan, place.colspan
        cells += [(row, column) for row in rows for column in columns]
        assert bool(axes.get_xlabel()) == (rows.stop == -(-panels // 2))
    assert sorted(cells) == [
        (row, column) for row in range(-(-panels // 2)) for column in range(min(2, panels))
    ]


def test_powers_of_ten_have_different_colours_and_only_the_decisive_curve_is_red() -> None:
    (axes,) = k_search_figure([SEARCH]).axes
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


def excess(samples: int) -> float:
    """How much worse than a fair coin an add-one estimate of it from so many samples predicts."""
    return -log(2) - sum(
        comb(samples, ones)
        * 0.5**samples
        * (log((ones + 1) / (samples + 2)) + log((samples - ones + 1) / (samples + 2)))
        / 2
        for ones in range(samples + 1)
    )


def test_an_estimate_from_one_or_two_samples_is_worse_than_one_from_none() -> None:
    assert excess(0) == pytest.approx(0)
    assert excess(1) == pytest.approx(0.0589, abs=1e-4)
    assert excess(2) == pytest.approx(0.0719, abs=1e-4)
    # From then on every sample helps, so splitting a context costs.
    assert all(excess(n) > excess(n + 1) for n in range(2, 200))


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
