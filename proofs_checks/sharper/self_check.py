"""Checks beside `self_check.toml`: the functions that bet, on all small chains and small counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.chains import WHICH, all_mixed, passing, total
from steel_verified.theory.self_check import forecast, most_likely
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence
    from proofs_checks.small_cases.chains import Mixed, Vector

_SHOWN: Final = (Fraction(0), Fraction(1, 2), Fraction(1))
_SAMPLES: Final = 4
_PARTS: Final = 8
Symbols = tuple[int, ...]


def symbols_are_near(mixing_times: int) -> Evidence:
    """Check Pr(1) ≤ p(1) + η, t_mix and t_mix + 1 steps after every start, with η for j·t_mix."""
    far = distance_after(mixing_times)

    def holds(case: tuple[Mixed, Vector]) -> bool:
        mixed, ones = case
        most = total(passing(mixed.law, ones)) + far
        lags = (mixed.t_mix, mixed.t_mix + 1)
        return all(total(passing(row, ones)) <= most for lag in lags for row in mixed.powers[lag])

    return exhausted(_chains(), holds, f"{WHICH}; every start, chances 0, ½, 1 of a one")


def bets_do_not_pay(mixing_times: int, chances: int) -> Evidence:
    """Check E[forecast/most_likely] ≤ 1 from every start, whatever the forecaster.

    Every forecaster is a mean of those that expect one sequence and nothing else, so these are
    enough. They give each symbol of it the chance `chances`. Samples are t_mix and t_mix + 1 steps
    apart by turns; the first is t_mix after the start.
    """
    pays = {
        shown: chances**_SAMPLES / most_likely((shown.count(0), shown.count(1)), mixing_times)
        for shown in product((0, 1), repeat=_SAMPLES)
    }

    def holds(case: tuple[Mixed, Vector]) -> bool:
        return all(
            chance * pays[shown] <= 1
            for shown, from_each in _laws(*case).items()
            for chance in from_each
        )

    size = f"{WHICH}; every start, chances 0, ½, 1 of a one, {_SAMPLES} samples"
    return exhausted(_chains(), holds, size)


def forecast_is_a_product(prior: Fraction) -> Evidence:
    """Check that each sample multiplies `forecast` by (a + prior)/(m + K·prior)."""

    def holds(case: tuple[Symbols, int]) -> bool:
        row, symbol = case
        more = tuple(n + (place == symbol) for place, n in enumerate(row))
        chance = (row[symbol] + prior) / (sum(row) + len(row) * prior)
        other = [1] * len(row)
        return forecast([other, more]) == forecast([other, row]) * chance

    rows = (row for symbols in (2, 4) for row in product(range(4), repeat=symbols))
    cases = ((row, symbol) for row in rows for symbol in range(len(row)))
    return exhausted(cases, holds, "2 or 4 symbols, each seen at most 3 times, and one sample more")


def nothing_beats_most_likely(more: int) -> Evidence:
    """Check Π u^n ≤ `most_likely` if u ≤ 1 and Σ u ≤ 1 + (K + more)·η, for u in eighths."""

    def holds(case: tuple[int, Symbols]) -> bool:
        mixing_times, totals = case
        seen = sum(n > 0 for n in totals)
        room = 1 + (seen + more) * distance_after(mixing_times)
        most = most_likely(totals, mixing_times) * _PARTS ** sum(totals)
        return all(
            prod(each**n for each, n in zip(u, totals, strict=True)) <= most
            for u in _grid(totals, room)
        )

    totals = (each for many in (2, 3) for each in product(range(4), repeat=many))
    return exhausted(
        ((mixing_times, each) for each in totals for mixing_times in (1, 2)),
        holds,
        "2 or 3 symbols, each seen at most 3 times, u in eighths, j = 1 and 2",
    )


# --- samples of small chains ----------------------------------------------------------------------


def _chains() -> Iterator[tuple[Mixed, Vector]]:
    """Each small chain with chances to show a one in each of its states."""
    return (
        (mixed, ones) for mixed in all_mixed() for ones in product(_SHOWN, repeat=len(mixed.chain))
    )


def _laws(mixed: Mixed, ones: Vector) -> dict[Symbols, Vector]:
    """The chance of each sequence of symbols, from each start."""
    shows = (tuple(1 - one for one in ones), ones)
    found: dict[Symbols, Vector] = {(): tuple(Fraction(1) for _ in ones)}
    for number in reversed(range(_SAMPLES)):
        rows = mixed.powers[mixed.t_mix + number % 2]
        found = {
            (symbol, *shown): tuple(
                total(passing(row, passing(shows[symbol], chances))) for row in rows
            )
            for symbol in (0, 1)
            for shown, chances in found.items()
        }
    return found


# --- chances in eighths ---------------------------------------------------------------------------


def _grid(totals: Symbols, room: Fraction) -> Iterator[Symbols]:
    """All u in eighths, as whole numbers, for the symbols that were seen; 1 for the others."""
    choices = (range(1, _PARTS + 1) if n else (_PARTS,) for n in totals)
    most = (room + totals.count(0)) * _PARTS
    return (u for u in product(*choices) if sum(u) <= most)
