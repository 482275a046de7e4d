"""The worlds that show conditions to be necessary: exact chances, and the runs that they are of.

In M_2 and M_3 the learner is given t̂_mix = 1, but the noise mixes more slowly; in M a state cannot
be reached again. A run that sees one noise state only is determined by the actions. So one run
stands for all of them, their chance is exact, and nothing is drawn.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from proofs_checks.small_cases.slow_noise import chance_unchanged, permuted_world, slow_world
from steel_verified.classes.finite import Tables, tables
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted, encode
from steel_verified.reports.tables import Column, Kind, Style, Table, as_markdown
from steel_verified.using.attempt import attempt
from steel_verified.worlds.chains import least, mixing_time, stationary
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.tabular import HiddenModel, HiddenWorld, certain, law, tabular_world
from tests.bounds import bounds, with_class

from ..worlds.laws_of_data import chance, difference, hidden_model
from .necessity import falling_world, unchanged_world

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from steel_verified.learning.results import Result
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.tabular import ExBmdp

STATES: Final = 3
PARAMETERS: Final = with_class(bounds(2, STATES, epsilon=Fraction(1, 5)), 2 * STATES + 1)
METHODS: Final[Mapping[str, Callable[[Parameters], Looped | Located]]] = {
    "looped": Looped,
    "located": Located,
}
SHARES: Final = (Fraction(9, 10), Fraction(1, 2), Fraction(1, 10))
"""The share of runs that see only one noise state; 0.9 in the paper (l. 1684)."""
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


def slow_enough(steps: int, at_least: Fraction) -> Fraction:
    """γ = 1/m with the least m ≥ 2 for which `chance_unchanged` is at least `at_least`."""
    if not 0 < at_least < 1:
        raise InvalidArgument("at_least", at_least, "a number strictly between 0 and 1")
    m = least(lambda m: m > 1 and chance_unchanged(Fraction(1, m), steps) >= at_least)
    return Fraction(1, m)


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


def slow_class() -> Tables:
    """Classifiers for the states of M_2, then those for M_3, and a constant one.

    The oracle returns the first one that separates: that of M_2 if both do.
    """
    n = STATES
    for_slow = [{s, n + s} for s in range(n)]
    for_permuted = [{s, n + (s + 1) % n} for s in range(n)]
    ones = [*for_slow, *for_permuted, set(range(2 * n))]
    return tables([[x in own for x in range(2 * n)] for own in ones])


def is_right(result: Result, truth: ExBmdp, state: int) -> bool:
    """Whether the dynamics are right, and the encoder's error is at most ε on each state."""
    learned = accepted(result)
    meaning = relabelling(learned.model, learned.current, truth.dynamics, state)
    if meaning is None or learned.classifiers is None:
        return False
    labels = encode(slow_class(), learned.classifiers, np.arange(truth.observations)).tolist()
    weights = stationary(truth.noise)
    errors = (
        sum(
            weight * p
            for weight, shown in zip(weights, truth.emission[s], strict=True)
            for x, p in enumerate(shown)
            if labels[x] != label
        )
        for label, s in enumerate(meaning)
    )
    return all(error <= PARAMETERS.epsilon for error in errors)


def run(world: ExBmdp, method: str, seed: int = 0, *, mixing: int = 1) -> tuple[Result, int]:
    """The result of a run without self-check, and the state in which it ended."""
    under_way = tabular_world(world, seed)
    chosen = METHODS[method](replace(PARAMETERS, mixing_time=mixing))
    return attempt(under_way, slow_class(), chosen, self_check=None), under_way.state


@cache
def quiet_steps(method: str) -> int:
    """The exact number of steps of a run that sees only one noise state."""
    return run(unchanged_world(STATES), method)[0].ledger.steps


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("noise", [0, 1])
def test_run_in_one_noise_state_is_right_on_m2_and_wrong_on_m3(method: str, noise: int) -> None:
    for made, right in ((slow_world, True), (permuted_world, False)):
        truth = made(STATES, Fraction(1, 1000))
        shown = tuple((by_noise[noise],) for by_noise in truth.emission)
        result, state = run(replace(unchanged_world(STATES), emission=shown), method)
        assert result.ledger.steps == quiet_steps(method)
        assert is_right(result, truth, state) == right


@pytest.mark.parametrize("method", METHODS)
def test_with_a_true_bound_both_worlds_are_learned(method: str) -> None:
    """Five runs on each world, each wrong with chance δ at most; noise changes every 100 steps."""
    for made in (slow_world, permuted_world):
        truth = made(STATES, Fraction(1, 100))
        for seed in range(5):
            result, state = run(truth, method, seed, mixing=mixing_time(truth.noise))
            assert is_right(result, truth, state)


@pytest.mark.parametrize("falls_with", [0, 1])
@pytest.mark.parametrize("first_action", [0, 1])
def test_no_run_in_m_learns_the_state_from_which_it_fell(
    falls_with: int, first_action: int
) -> None:
    """The paper predicts failure in half of the runs, of any algorithm; ours fails in all."""
    oracle = tables([[x // 2 == s for x in range(6)] for s in range(3)])
    for seed, method in ((seed, method) for seed in range(20) for method in METHODS.values()):
        world = HiddenWorld(falling_world(falls_with), seed)
        result = attempt(
            world, oracle, method(PARAMETERS), first_action=first_action, self_check=None
        )
        is_noticed = method is Looped and first_action != falls_with
        assert isinstance(result, Accepted) != is_noticed
        assert is_noticed or result.model.states == 2


def slow_noise_table() -> Table:
    """How slow the noise has to be for runs on M_2(γ) and M_3(γ) to see one noise state only."""
    listed = []
    for method in METHODS:
        for share in SHARES:
            steps = quiet_steps(method)
            gamma = slow_enough(steps, share)
            # In thousandths, rounded down.
            chance = Decimal(int(chance_unchanged(gamma, steps) * 1000)).scaleb(-3)
            listed.append((method, steps, str(gamma), str(chance)))
    columns = (
        Column("method", Kind.CODE, style=Style.NAME),
        Column("steps", Kind.NUMBER),
        Column("gamma", Kind.NUMBER, heading="γ"),
        Column("chance", Kind.NUMBER, heading="chance of one noise state"),
    )
    return Table("Runs that see one noise state", columns, tuple(listed))


def test_page_has_the_table_of_slow_noise() -> None:
    page = Path(__file__).parents[2] / "docs" / "theory" / "assumptions.md"
    assert as_markdown(slow_noise_table()) in page.read_text(encoding="utf-8")
