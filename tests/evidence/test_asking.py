"""Each question to the oracle is checked, charged and recorded in one step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from steel_verified.classes.finite import Tables, tables
from steel_verified.errors import BrokenOracle, InvalidArgument, Overspent
from steel_verified.evidence.observed import find_labels, find_period, read, train
from steel_verified.evidence.oracle import Searched
from steel_verified.theory.budget import encoder_charge, period_charge, position_charge
from steel_verified.theory.conditions import AssumptionViolated, Condition

from .small import EVERY_TENTH, ORACLE, RECIPE, looped, two_samples

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Summary

PERIOD = partial(period_charge, RECIPE.parameters)
POSITION = partial(position_charge, RECIPE.parameters)
ENCODER = encoder_charge(RECIPE.parameters, 2)


def searching(
    search: Callable[[Summary, Summary], int | None], functions: Tables = ORACLE
) -> Searched[NDArray[np.int64]]:
    return Searched(functions, search)


# --- what is recorded ---------------------------------------------------------------------------


def test_train_without_a_classifier_for_a_state_raises_assumption_violated() -> None:
    half_blind = tables([[True, False], [False, False]])
    loop = looped()
    times = ((EVERY_TENTH,), (EVERY_TENTH.shifted(1),))
    samples, ledger = read(loop.ledger, loop, half_blind, times)
    with pytest.raises(AssumptionViolated, match="separates state 1 from 1 other") as violated:
        train(ledger, half_blind, [[sample] for sample in samples], ENCODER)
    assert violated.value.conditions[0] is Condition.REALISABLE


def test_decision_beyond_delta_raises_and_is_not_recorded() -> None:
    zeros, ones, ledger = two_samples()
    with pytest.raises(Overspent, match="more than δ = 1/20"):
        find_period(ledger, ORACLE, [(2, zeros, ones)], lambda _: PERIOD(100))
    assert ledger.budget.spent == 0
    assert find_period(ledger, ORACLE, [(2, zeros, ones)], PERIOD)[1].decisions == 1


def test_second_decision_from_an_old_ledger_is_refused() -> None:
    zeros, ones, ledger = two_samples()
    find_period(ledger, ORACLE, [(2, zeros, zeros)], PERIOD)
    with pytest.raises(InvalidArgument, match="the newest ledger"):
        find_period(ledger, ORACLE, [(2, zeros, ones)], PERIOD)


def test_datasets_of_another_run_are_refused() -> None:
    zeros, ones, ledger = two_samples()
    other, _, _ = two_samples()
    with pytest.raises(InvalidArgument, match="a dataset that was read in this run"):
        find_period(ledger, ORACLE, [(2, other, ones)], PERIOD)
    with pytest.raises(InvalidArgument, match="a dataset that was read in this run"):
        find_labels(ledger, ORACLE, [other], [ones], POSITION)
    with pytest.raises(InvalidArgument, match="a dataset that was read in this run"):
        find_labels(ledger, ORACLE, [zeros], [other], POSITION)
    with pytest.raises(InvalidArgument, match="a dataset that was read in this run"):
        train(ledger, ORACLE, [[zeros], [ones, other]], ENCODER)


def test_dataset_read_for_another_oracle_is_refused() -> None:
    """A dataset may be used only with the oracle for which it was read."""
    zeros, ones, ledger = two_samples()
    other = searching(lambda *_: None)
    with pytest.raises(InvalidArgument, match="Searched: expected the one for which the dataset"):
        find_period(ledger, other, [(2, zeros, ones)], PERIOD)
    with pytest.raises(InvalidArgument, match="Searched: expected the one for which the dataset"):
        find_labels(ledger, other, [], [zeros, ones], POSITION)
    with pytest.raises(InvalidArgument, match="Searched: expected the one for which the dataset"):
        train(ledger, other, [[zeros], [ones]], ENCODER)


# --- oracles that answer wrongly ----------------------------------------------------------------


@pytest.mark.parametrize("answer", [2, 7, -1, True, 0.0, "0"])
def test_oracle_answer_outside_the_class_raises_broken_oracle(answer: int) -> None:
    oracle = searching(lambda *_: answer)
    zeros, ones, ledger = two_samples(oracle)
    with pytest.raises(BrokenOracle, match=f"{answer}, which is not a classifier of its class"):
        find_period(ledger, oracle, [(2, ones, zeros)], PERIOD)


def test_answer_that_does_not_separate_raises_broken_oracle() -> None:
    oracle = searching(lambda *_: 0)
    zeros, ones, ledger = two_samples(oracle)
    said = "0, which does not separate the datasets"
    with pytest.raises(BrokenOracle, match=said):
        find_period(ledger, oracle, [(2, zeros, ones)], PERIOD)
    with pytest.raises(BrokenOracle, match=said):
        find_labels(ledger, oracle, [zeros], [ones], POSITION)
    with pytest.raises(BrokenOracle, match=said):
        train(ledger, oracle, [[zeros], [ones]], ENCODER)
    assert find_period(ledger, oracle, [(2, ones, zeros)], PERIOD)[0] == 2
