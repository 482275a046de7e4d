"""How small a difference the self-check detects, computed without simulation.

A probe shows 1 with chance (1 + d)/2 in one context and (1 − d)/2 in the other, in n independent
samples, half of them in each context. The number of ones in each context is binomial, so the chance
that a bet on it is won is a sum over pairs of numbers. Bets are made on every sample, on every
second one, and so on, which are farther apart. The best of these counts, so the power of the check
is at least what is computed here. Logarithms have an error of less than 10⁻⁹, and a bet counts as
won only if it pays 10⁻⁶ more than needed: the chances are right to 10⁻⁶, and not too large.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from math import comb, log
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from steel_verified.learning.self_check.bets import STRIDES, log_products
from steel_verified.theory.self_check import winnings
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from numpy.typing import NDArray


ENOUGH: Final = 0.9
"""A difference counts as detected if the check detects it with at least this chance."""
PARTS: Final = 100
"""Differences are measured in hundredths."""
_CAUTION: Final = 1e-6


def power(samples: int, difference: float, needed: float, mixing_times: int = 1) -> float:
    """Return the chance that a bet which must pay `needed` is won, on samples this far apart."""
    return max(
        _won(samples // stride, difference, mixing_times=stride * mixing_times, needed=needed)
        for stride in STRIDES
    )


def least_difference(samples: int, needed: float, mixing_times: int = 1) -> float | None:
    """Return the least difference that is detected with a chance of 90 %, in hundredths, or None.

    The chance increases with the difference of the two distributions.
    """
    low, high = 0, PARTS
    if power(samples, 1.0, needed, mixing_times) < ENOUGH:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if power(samples, middle / PARTS, needed, mixing_times) >= ENOUGH:
            high = middle
        else:
            low = middle
    return high / PARTS


def _won(samples: int, difference: float, *, mixing_times: int, needed: float) -> float:
    """Return the chance that the bet on all these samples is won."""
    half = samples // 2
    ones = np.arange(half + 1)
    forecast = log_products(half, 1)[ones] + log_products(half, 1)[half - ones]
    forecast = forecast - log_products(half, 2)[half]
    likely = _log_most_likely(half, mixing_times)
    gains = forecast[:, None] + forecast[None, :] - likely[ones[:, None] + ones[None, :]]
    one, other = (_binomial(half, (1 + sign * difference) / 2) for sign in (1, -1))
    return float(one @ (gains > log(needed) + _CAUTION) @ other)


def _log_most_likely(half: int, mixing_times: int) -> NDArray[np.float64]:
    """Return the logarithm of `most_likely` for each number of ones. Claim S.T10."""
    many = 2 * half
    ones = np.arange(many + 1)
    more, less = np.maximum(ones, many - ones), np.minimum(ones, many - ones)
    room = 1 + 2 * float(distance_after(mixing_times))
    first = np.minimum(1.0, room * more / max(1, many))
    second = np.minimum(1.0, room - first)
    found = more * np.log(first) + less * np.log(np.maximum(second, 1e-300))
    logs: NDArray[np.float64] = np.where(less == 0, 0.0, found)
    return logs


def _binomial(many: int, chance: float) -> NDArray[np.float64]:
    """Return the chance of each number of ones in `many` samples."""
    ones = np.arange(many + 1)
    if chance in (0.0, 1.0):
        sure: NDArray[np.float64] = (ones == many * chance).astype(np.float64)
        return sure
    logs = log_products(many, 2)  # The logarithms of 0!, 1!, …
    ways = logs[many] - logs[ones] - logs[many - ones]
    chances: NDArray[np.float64] = np.exp(
        ways + ones * log(chance) + (many - ones) * log(1 - chance)
    )
    return chances


PAGE = (Path(__file__).parents[3] / "docs" / "theory" / "assumptions.md").read_text(
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
