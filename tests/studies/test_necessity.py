"""The constructions that show conditions to be necessary: exact chances, and measured failures."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from proofs_checks.small_cases.slow_noise import chance_unchanged, permuted_world, slow_world
from steel_verified.errors import InvalidArgument
from steel_verified.reports.tables import cell as shown
from steel_verified.worlds.chains import mixing_time
from steel_verified.worlds.tabular import HiddenModel, certain, law
from tests.worlds.laws_of_data import hidden_model

from ..worlds.laws_of_data import chance, difference
from . import necessity
from .necessity import (
    FALLING_CELLS,
    RUNS,
    SHARES,
    SLOW_CELLS,
    Cell,
    falling_table,
    falling_world,
    fates,
    fates_of,
    gamma_of,
    necessity_study,
    quiet_steps,
    slow_enough,
    slow_noise_table,
    unchanged_world,
)
from .rows import recorded_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.sweeps.study import Row
    from steel_verified.worlds.tabular import ExBmdp

ALARM = Fraction(1, 10**6)
CHANGED = 99
"""Shown for ever once the noise has changed."""


def until_it_changes(world: ExBmdp, noise: int) -> HiddenModel:
    """The world from a noise state on, up to the first change of the noise."""
    model, states = hidden_model(world), world.dynamics.states
    lost = states

    def moves(s: int, action: int) -> dict[int, Fraction]:
        weights: dict[int, Fraction] = {}
        for to, weight in model.moves[2 * s + noise][action]:
            now = to // 2 if to % 2 == noise else lost
            weights[now] = weights.get(now, Fraction(0)) + weight
        return weights

    rows = tuple(tuple(law(moves(s, a)) for a in range(2)) for s in range(states))
    looks = tuple(model.shows[2 * s + noise] for s in range(states))
    return HiddenModel(certain(0), (*rows, (certain(lost),) * 2), (*looks, certain(CHANGED)))


@pytest.mark.parametrize("gamma", [Fraction(1, 3), Fraction(1, 1000)])
def test_m2_and_m3_have_the_same_law_until_the_noise_changes(gamma: Fraction) -> None:
    """From e_1 the laws agree for every length; from e_2 they do not, as the looks are permuted."""
    worlds = slow_world(3, gamma), permuted_world(3, gamma)
    for action in (0, 1):
        one, other = (until_it_changes(world, 0) for world in worlds)
        assert difference(one, other, first_action=action) is None
        one, other = (until_it_changes(world, 1) for world in worlds)
        assert difference(one, other, first_action=action) is not None


def test_history_of_m1_has_probability_of_no_noise_change() -> None:
    """Exactly (1 − γ)ᵗ from e_1, whatever is done: the history of M_1 has this chance."""
    gamma = Fraction(1, 7)
    quiet, slow = hidden_model(unchanged_world(3)), until_it_changes(slow_world(3, gamma), 0)
    history = ((0, 1), (0, 2), (1, 2), (0, 0))
    assert chance(quiet, history) == 1
    assert chance(slow, history) == (1 - gamma) ** 4
    whole = hidden_model(slow_world(3, gamma))
    assert chance(whole, history) == chance_unchanged(gamma, 4) / 2


def test_chance_unchanged_equals_the_sum_over_histories() -> None:
    whole, gamma = hidden_model(slow_world(2, Fraction(1, 5))), Fraction(1, 5)
    for steps in range(1, 6):
        stays = [tuple((1, x) for _ in range(steps)) for x in (0, 2)]
        assert sum(chance(whole, history) for history in stays) == chance_unchanged(gamma, steps)


def test_slow_enough_returns_the_largest_gamma() -> None:
    for share in SHARES:
        gamma = slow_enough(88, share)
        assert chance_unchanged(gamma, 88) >= share
        assert chance_unchanged(Fraction(1, gamma.denominator - 1), 88) < share


def test_invalid_necessity_arguments_raise() -> None:
    with pytest.raises(InvalidArgument, match="at_least"):
        slow_enough(5, Fraction(1))
    with pytest.raises(InvalidArgument, match="states"):
        unchanged_world(1)
    with pytest.raises(InvalidArgument, match="falls_with"):
        falling_world(2)


def least_count(thousandths: int, above: Fraction) -> int:
    """The least k such that at most k of all runs fail with a chance above this, exactly."""
    p, q, k = thousandths, 1000 - thousandths, 0
    limit = above * 1000**RUNS
    exactly_k = total = q**RUNS
    while total <= limit:
        exactly_k = exactly_k * (RUNS - k) * p // ((k + 1) * q)  # without a remainder
        total += exactly_k
        k += 1
    return k


@pytest.fixture(scope="module")
def rows() -> Mapping[str, Row]:
    return recorded_rows("necessity")


@pytest.mark.parametrize("cell", SLOW_CELLS, ids=lambda cell: cell.keys[0])
def test_measured_failures_reach_the_predicted_number(cell: Cell, rows: Mapping[str, Row]) -> None:
    """False alarm at most 10⁻⁶ in each row; a chance that is less by 0.12 is seen with 99 %."""
    right, noticed, wrong = fates_of(cell, rows)
    assert right + noticed + wrong == RUNS
    # Runs on M_3 without a change are wrong; runs on M_2 without a change are right.
    counted = wrong if cell.world == "M_3" else right
    thousandths = int(1000 * chance_unchanged(*_run_of(cell)))
    fewest = least_count(thousandths, above=ALARM)
    assert counted >= fewest
    if thousandths > 120:
        assert least_count(thousandths - 120, above=Fraction(99, 100)) < fewest


def _run_of(cell: Cell) -> tuple[Fraction, int]:
    assert cell.share is not None
    return gamma_of(cell.method, cell.share), quiet_steps(cell.method)


@pytest.mark.parametrize("cell", FALLING_CELLS, ids=lambda cell: cell.keys[0])
def test_runs_after_a_fall_are_never_right(cell: Cell, rows: Mapping[str, Row]) -> None:
    """The paper predicts failure in half of the runs, of any algorithm; ours fails in all."""
    right, noticed, wrong = fates_of(cell, rows)
    assert right == 0
    assert wrong + noticed == RUNS


@pytest.mark.parametrize(
    "cell",
    [
        Cell("looped", "M_3", Fraction(1, 10)),
        *(pytest.param(cell, marks=pytest.mark.slow) for cell in (*SLOW_CELLS, *FALLING_CELLS)),
    ],
    ids=lambda cell: cell.keys[0],
)
def test_recorded_necessity_runs_are_reproducible(cell: Cell, rows: Mapping[str, Row]) -> None:
    again = fates(cell, range(100))
    assert {fate: rows[cell.keys[0]][fate] for fate in again} == dict(again)


def test_all_runs_are_recorded(rows: Mapping[str, Row]) -> None:
    assert necessity_study()(rows) == []
    assert len(necessity_study()({})) == len(rows)


def test_tables_have_a_row_for_each_cell(rows: Mapping[str, Row]) -> None:
    slow, falling = slow_noise_table(rows), falling_table(rows)
    assert len(slow.rows) == len(SLOW_CELLS)
    assert len(falling.rows) == len(FALLING_CELLS)
    assert [shown(value).text for value in slow.rows[1][:5]] == [
        "looped",
        "1,927",
        "1/18281",
        "M_3",
        "≥ 0.900",
    ]


@pytest.mark.parametrize("method", ["looped", "located"])
def test_with_a_true_bound_both_worlds_are_learned(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five runs on each world, with noise that changes once in a hundred steps."""
    gamma = Fraction(1, 100)
    enough = mixing_time(slow_world(3, gamma).noise)
    monkeypatch.setattr(necessity, "gamma_of", lambda *_: gamma)
    honest = replace(necessity.PARAMETERS, mixing_time=enough)
    monkeypatch.setattr(necessity, "PARAMETERS", honest)
    for world in ("M_2", "M_3"):
        assert fates(Cell(method, world, Fraction(9, 10)), range(5))["right"] == 5
