"""The power of the self-check: exact for small numbers, equal to simulations and to the page."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from steel_verified.learning.self_check.bets import STRIDES
from steel_verified.theory.self_check import winnings

from .power import ENOUGH, least_difference, power

PAGE = (Path(__file__).parents[3] / "docs" / "theory" / "ASSUMPTIONS.md").read_text(
    encoding="utf-8"
)
ROWS = re.findall(r"^\| ([\d,]+) \| (.*) \| (.*) \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)
ASKED = ((10**6, 1), (10**9, 1), (10**6, 8), (10**9, 8))
"""For each column: what a bet must pay, and the mixing times between samples."""


def exact(samples: int, chance: Fraction, needed: int, mixing_times: int) -> Fraction:
    """Return the chance that a bet on all samples is won, in fractions."""
    half = samples // 2

    def shown(ones: int, p: Fraction) -> Fraction:
        return comb(half, ones) * p**ones * (1 - p) ** (half - ones)

    return sum(
        (
            shown(a, chance) * shown(b, 1 - chance)
            for a, b in product(range(half + 1), repeat=2)
            if winnings(((half - a, a), (half - b, b)), mixing_times) >= needed
        ),
        Fraction(0),
    )


@pytest.mark.parametrize(("samples", "needed"), [(16, 5), (40, 100), (64, 1000)])
@pytest.mark.parametrize("mixing_times", [1, 3])
def test_power_equals_exact_fractions_for_small_numbers(
    samples: int, needed: int, mixing_times: int
) -> None:
    for parts in (0, 3, 7, 10):
        best = max(
            exact(samples // stride, Fraction(10 + parts, 20), needed, stride * mixing_times)
            for stride in STRIDES
        )
        found = power(samples, parts / 10, needed, mixing_times)
        assert found == pytest.approx(float(best), abs=1e-6)


def test_power_agrees_with_simulation() -> None:
    """The false-alarm chance is below 10⁻⁶: 0.12 in 400 runs is 4.8 standard deviations."""
    draw, needed = np.random.default_rng(0), 10**6
    for difference in (0.3, 0.4):
        ones = [draw.binomial(256, (1 + sign * difference) / 2, 400) for sign in (1, -1)]
        won = [
            winnings(((256 - a, a), (256 - b, b)), 8) >= needed
            for a, b in zip(*(each.tolist() for each in ones), strict=True)
        ]
        # Samples are 8 mixing times apart, so using every sample is the best choice.
        assert abs(np.mean(won) - power(512, difference, needed, 8)) < 0.12


def test_assumptions_page_has_the_power_table() -> None:
    assert [int(row[0].replace(",", "")) for row in ROWS] == [2**k for k in range(6, 14)]


@pytest.mark.parametrize(
    "row", [*ROWS[:5], *(pytest.param(row, marks=pytest.mark.slow) for row in ROWS[5:])]
)
def test_power_table_has_the_computed_values(row: tuple[str, ...]) -> None:
    samples = int(row[0].replace(",", ""))
    for cell, (needed, mixing_times) in zip(row[1:], ASKED, strict=True):
        found = least_difference(samples, needed, mixing_times)
        assert cell == ("–" if found is None else f"{found:.2f}")
        if found is not None:
            assert power(samples, found, needed, mixing_times) >= ENOUGH
            assert power(samples, found - 0.01, needed, mixing_times) < ENOUGH
