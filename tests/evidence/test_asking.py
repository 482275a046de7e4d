"""Each question to the oracle is checked, charged and recorded in one step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.classes.finite import Tables, tables
from steel_verified.errors import BrokenOracle, InvalidArgument, Overspent
from steel_verified.evidence.entries import LabelsFound, PeriodFound, Trained
from steel_verified.evidence.observed import find_labels, find_period, read, train
from steel_verified.evidence.oracle import Searched
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted
from steel_verified.theory.budget import encoder_charge, period_charge, position_charge
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.using.attempt import attempt
from steel_verified.worlds.catalogue import setting
from steel_verified.worlds.combination_lock import combination_lock

from .small import EVERY_TENTH, ORACLE, RECIPE, looped, turning, two_samples

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize(
    ("swapped", "period", "verdicts"), [(False, 3, [True]), (True, 1, [False, False])]
)
def test_find_period_returns_the_first_separated_hypothesis_or_one(
    *, swapped: bool, period: int, verdicts: list[bool]
) -> None:
    """Two datasets of one state are not separated; datasets of two states are, at once."""
    zeros, ones, ledger = two_samples()
    pair = (zeros, zeros) if swapped else (zeros, ones)
    found, after = find_period(ledger, ORACLE, [(3, *pair), (2, *pair)], PERIOD)
    *_, entry = after.entries
    assert isinstance(entry, PeriodFound)
    assert (found, entry.period, entry.number) == (period, period, 0)
    assert [test.separated for test in entry.tests] == verdicts
    assert [(test.zeros, test.ones) for test in entry.tests] == [
        (pair[0].number, pair[1].number) for _ in verdicts
    ]
    assert entry.charge == PERIOD(len(verdicts)).amount
    assert after.budget.spent == entry.charge
    assert after.decisions == 1


def test_find_labels_records_verdicts_and_labels() -> None:
    zeros, ones, ledger = two_samples()
    labels, after = find_labels(ledger, ORACLE, [], [ones, zeros, ones], POSITION)
    *_, entry = after.entries
    assert isinstance(entry, LabelsFound)
    assert labels == entry.labels == (0, 1, 0)
    assert [(each.sample, each.verdicts) for each in entry.positions] == [
        (1, ""),
        (0, "1"),
        (1, "0"),
    ]
    assert entry.charge == POSITION(2).amount
    again, later = find_labels(after, ORACLE, [ones, zeros], [zeros], POSITION)
    *_, entry = later.entries
    assert isinstance(entry, LabelsFound)
    assert (again, entry.known, entry.positions[0].verdicts) == ((1,), (1, 0), "10")


def test_train_records_the_classifiers_and_charges_delta() -> None:
    zeros, ones, ledger = two_samples()
    classifiers, after = train(ledger, ORACLE, [[zeros], [ones, ones]], ENCODER)
    *_, entry = after.entries
    assert isinstance(entry, Trained)
    assert (classifiers, entry.datasets) == ((0, 1), ((0,), (1, 1)))
    assert after.encoder == classifiers
    assert after.budget.spent == ENCODER.amount


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


@dataclass
class Lazy:
    """A search whose answer number `wrong_at` is another classifier than the right one."""

    wrong_at: int | None
    answers: int = 0

    def __call__(self, zeros: Summary, ones: Summary) -> int | None:
        found = ORACLE.separating(zeros, ones)
        if found is None:
            return None
        self.answers += 1
        return found if self.answers - 1 != self.wrong_at else (found + 1) % ORACLE.class_size


def test_one_wrong_answer_is_detected_in_all_of_400_runs() -> None:
    """Each run has one wrong answer, at a random question that has a right one."""
    right = Lazy(wrong_at=None)
    assert isinstance(attempt(turning(), searching(right), RECIPE), Accepted)
    draw = np.random.default_rng(0)
    for wrong_at in draw.integers(right.answers, size=400).tolist():
        with pytest.raises(BrokenOracle, match="does not separate"):
            attempt(turning(), searching(Lazy(wrong_at)), RECIPE)


@pytest.mark.parametrize("seed", range(100))
def test_oracle_with_random_answers_is_detected(seed: int) -> None:
    """The oracle answers also where no classifier separates; the class has 12 classifiers."""
    lock = combination_lock(7, states=3, components=12, least_noise=0.1)
    recipe = Looped(setting("combination-lock", states=3, components=12).parameters)
    draw = np.random.default_rng(seed)
    oracle = Searched(lock.oracle(), lambda *_: int(draw.integers(12)))
    with pytest.raises(BrokenOracle, match="does not separate"):
        attempt(lock.world(seed), oracle, recipe, first_action=lock.first_action)
