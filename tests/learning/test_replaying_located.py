"""The final model of a located run is compared with all its rows; wrong models are refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, reduce
from operator import and_, or_
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.classes.finite import Components, Marks, tables
from steel_verified.evidence.ledger import Ran, Read
from steel_verified.evidence.retracing import KeptOracle
from steel_verified.learning.model import Model
from steel_verified.learning.replaying_located import disagreement, place
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.learning.self_checking import self_checked
from steel_verified.reports.self_checks import self_check_warnings
from steel_verified.theory.conditions import Condition
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.recipe import located
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.worlds.driver import learn, learn_located
from steel_verified.worlds.hidden import HiddenWorld
from steel_verified.worlds.necessity import falling_world

from .bit_worlds import parameters_for, random_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.classes.bits import Bits

DELTA = Fraction(1, 10**7)


@dataclass(frozen=True)
class Case:
    """An accepted run on a random world of bits, with what the class read from each row."""

    result: Accepted[int]
    seen: tuple[Marks, ...]
    oracle: KeptOracle[Bits, Marks, int]

    def refuses(self, broken: Accepted[int]) -> bool:
        return disagreement(broken, self.seen, self.oracle) is not None


@cache
def cases() -> tuple[Case, ...]:
    found = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        truth = random_world(rng, 4)
        noted: KeptOracle[Bits, Marks, int] = KeptOracle(Components(len(truth.bits)))
        recipe = located(parameters_for(rng, truth, DELTA))
        result = learn_located(truth.world(seed), noted, recipe)
        if isinstance(result, Accepted) and result.ledger.steps < 1500:
            found.append(Case(result, noted.summaries, noted))
    return tuple(found)


def single_changes(model: Model) -> Iterator[Model]:
    """Yield the model with one transition changed."""
    for state, row in enumerate(model.table):
        for action, right in enumerate(row):
            for to in range(model.states):
                if to != right:
                    changed = (*row[:action], to, *row[action + 1 :])
                    table = (*model.table[:state], changed, *model.table[state + 1 :])
                    yield Model(model.actions, table)


def by_definition(case: Case, model: Model) -> bool:
    """Return whether some first state assigns all rows so that each state has its own bit."""
    actions = [
        entry.word[step % len(entry.word)]
        for entry in case.result.ledger.entries
        if isinstance(entry, Ran)
        for step in range(entry.done, entry.done + entry.steps)
    ]
    rows = [
        (entry.loop + time, int.from_bytes(sample.seen, "little"))
        for entry in case.result.ledger.entries
        if isinstance(entry, Read)
        for sample in entry.samples
        for piece in sample.times
        for time in piece
    ]
    for first in range(model.states):
        path: list[int | None] = [first]
        for action in actions:
            path.append(model.step(path[-1], action))
        placed = [[row for step, row in rows if path[step] == s] for s in range(model.states)]
        always = [reduce(and_, held, -1) for held in placed]
        ever = [reduce(or_, held, 0) for held in placed]
        told = all(
            always[s] & ~reduce(or_, ever[:s] + ever[s + 1 :], 0) for s in range(model.states)
        )
        if path[-1] == case.result.current and told:
            return True
    return False


def test_model_of_an_unchanged_run_agrees_with_all_rows() -> None:
    assert len(cases()) >= 4
    assert not any(case.refuses(case.result) for case in cases())


def test_models_with_a_wrong_transition_are_refused_as_defined() -> None:
    """Nearly all are refused: exactly those that the definition refuses."""
    refused = []
    for case in cases():
        for wrong in single_changes(case.result.model):
            refused.append(case.refuses(replace(case.result, model=wrong)))
            assert refused[-1] != by_definition(case, wrong), wrong
    assert len(refused) > 50
    assert sum(refused) > 0.9 * len(refused)


def test_models_with_two_merged_states_are_refused() -> None:
    """Two states of a model are merged: the rows assigned to them have no classifier."""
    for case in cases():
        model, last = case.result.model, case.result.model.states - 1
        assert case.result.classifiers is not None
        if last:
            table = tuple(
                tuple(0 if to == last else to for to in row) for row in model.table[:last]
            )
            broken = replace(
                case.result,
                model=Model(model.actions, table),
                current=case.result.current % last,
                classifiers=case.result.classifiers[:last],
            )
            assert case.refuses(broken)


def test_every_row_is_assigned_a_state() -> None:
    for case in cases():
        placed = place(case.result.model, case.result.current, case.result.ledger)
        assert len(placed.steps) == len(case.seen) == case.result.ledger.samples
        assert list(placed.steps) == sorted(set(placed.steps))
        assert sorted(placed.numbers) == list(range(len(case.seen)))
        agreed = {labels[placed.settled :] for labels in placed.labels}
        assert len(agreed) == 1


BOUNDS = LocatedParameters(
    actions=2, max_states=3, mixing_time=1, delta=Fraction(1, 20), epsilon=Fraction(1, 5)
)


@pytest.mark.parametrize("falls_with", [0, 1])
def test_part_of_the_world_that_was_left_is_reported(falls_with: int) -> None:
    oracle = tables([[x // 2 == s for x in range(6)] for s in range(3)])
    for seed in range(5):
        world = HiddenWorld(falling_world(falls_with), seed)
        result = learn(world, oracle, located(BOUNDS), first_action=1 - falls_with)
        assert isinstance(result, Accepted)
        assert result.self_check is not None
        assert result.self_check.left == 2 * BOUNDS.max_states
        told = self_check_warnings(result.self_check, result.model.states)
        assert "left a part of the world" in str(told)
        at_once = HiddenWorld(falling_world(falls_with), seed)
        unseen = learn(at_once, oracle, located(BOUNDS), first_action=falls_with)
        assert isinstance(unseen, Accepted)
        assert unseen.self_check is not None
        assert unseen.self_check.left is None


def test_disagreement_makes_the_result_contradicted() -> None:
    case = cases()[0]
    wrong = replace(case.result, model=next(single_changes(case.result.model)))
    found = disagreement(wrong, case.seen, case.oracle)
    ended = self_checked(wrong, (), DEFAULT_CHECK, case.oracle.declared, replayed=found)
    assert isinstance(ended, Contradicted)
    assert found is not None
    assert ended.because == found.because
    assert Condition.DETERMINISTIC in {cause.condition for cause in ended.causes}
    assert ended.model == wrong.model
