"""Failed runs name the likely cause first; a model that was not checked is reported as such."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from steel_verified.evidence.entries import Seen
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.learning.self_check.causes import diagnosed
from steel_verified.learning.self_check.probes import opened_run, stretch_of_ledger
from steel_verified.learning.self_check.replay import Explained
from steel_verified.learning.self_check.stage import judged, was_checked
from steel_verified.learning.self_check.won import SelfChecked
from steel_verified.reports.run import (
    NOT_CHECKED,
    self_check_as_json,
    self_check_rows,
    self_check_warnings,
)
from steel_verified.reports.tables import Prose, Style
from steel_verified.theory.self_check import (
    LEAST_FOR_ONE_STATE,
    STEPS_TO_EXPLAIN_LOCATED,
    STEPS_TO_EXPLAIN_LOOPED,
    SelfCheck,
)
from tests.learning.bit_worlds import parameters_for
from tests.learning.half_space_worlds import random_half_spaces
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.judging import MOST_STEPS, Check, Method, learned


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        (Violation.ONE_STATE_MORE, 0),
        (Violation.TWICE_THE_STATES, 0),
        (Violation.SLIP_100, 4),
        (Violation.SLIP_10, 0),
        (Violation.MISSING, 4),
        (Violation.ERRING, 0),
        (Violation.ALIKE, 0),
        (Violation.SHARED, 0),
        (Violation.PERIODIC, 9),
    ],
)
@pytest.mark.parametrize("method", Method)
def test_violated_condition_is_the_first_cause(kind: Violation, seed: int, method: Method) -> None:
    result, under_way = learned(violated_world(kind, seed), method, Check.USUAL)
    assert not isinstance(result, Accepted)
    conditions = [cause.condition for cause in result.causes]
    assert conditions[0] is kind.condition
    assert len(conditions) == len(set(conditions))
    # Steps to find causes were counted: all of them have been taken back.
    assert under_way.steps == result.ledger.steps
    if method is Method.LOCATED:
        left = MOST_STEPS - result.ledger.steps
        assert result.steps_to_explain == min(left, STEPS_TO_EXPLAIN_LOCATED)
    else:
        assert result.steps_to_explain == STEPS_TO_EXPLAIN_LOOPED


def test_run_at_its_step_limit_has_no_cause() -> None:
    world = violated_world(Violation.HONEST, 0)
    whole, _ = learned(world, Method.LOCATED, Check.NONE)
    stopped = NotAccepted(whole.method, whole.model, whole.ledger, "the limit was reached")
    assert diagnosed(stopped, (), None, world.oracle.declared).causes == ()


def test_opened_rows_are_those_of_the_run_in_order() -> None:
    world = violated_world(Violation.HONEST, 0)
    result, under_way = learned(world, Method.LOCATED, Check.NONE)
    run = opened_run([stretch_of_ledger(result.ledger, world.oracle.declared)])
    read = [entry for entry in result.ledger.entries if isinstance(entry, Seen)]
    assert len(run.times) == sum(len(entry.rows) for entry in read)
    for time, action, row in zip(run.times, run.actions, run.seen, strict=True):
        step = under_way.path[time - 1]
        assert step.action == action
        column = world.oracle.columns[step.seen]
        assert [column >> f & 1 for f in range(world.oracle.class_size)] == row.tolist()


def test_self_check_with_few_samples_is_reported_as_not_checked() -> None:
    level = Fraction(1, 1000)
    for checked in (
        SelfChecked(level, 0, (), (), 0),
        SelfChecked(level, 10, (("the loop", 5),), (), 2),
        SelfChecked(level, 100, (), (), 2),
    ):
        assert not was_checked(checked)
        assert next(self_check_rows(checked, 4))[1] == "NOT CHECKED"
        assert Prose(NOT_CHECKED, Style.ODD) in self_check_warnings(checked, 3)
        said = self_check_as_json(checked)
        assert isinstance(said, dict)
        assert said["checked"] is False
    enough = SelfChecked(level, 100, (("the loop", 5),), (), 2)
    row, covered = self_check_rows(enough, 4)
    assert row[1] == "passed"
    assert covered == (
        "it covers",
        2,
        "of 4 transitions; --self-check-steps checks others, too",
    )
    assert len(list(self_check_rows(enough, 2))) == 1
    assert self_check_warnings(enough, 3) == ()


def test_model_of_one_state_is_accepted_only_with_many_samples() -> None:
    """Slips with chance 0.1 hide all states of this world, and few samples do not show it."""
    world = violated_world(Violation.SLIP_10, 25)
    result, _ = learned(world, Method.LOOPED, Check.USUAL)
    assert isinstance(result, NotAccepted)
    assert result.model.states == 1
    assert f"{LEAST_FOR_ONE_STATE:,} are needed" in result.because
    unchecked, _ = learned(world, Method.LOOPED, Check.NONE)
    assert isinstance(unchecked, Accepted)
    alone = replace(world.parameters, max_states=1)
    told = replace(unchecked, method=Looped(alone))
    passed = judged(told, (), SelfCheck(), world.oracle.declared, Explained())
    assert isinstance(passed, Accepted)


def test_numbers_are_compared_with_quartiles_of_the_exploration() -> None:
    rng = np.random.default_rng(1)
    truth = random_half_spaces(rng, 4, 3)
    recipe = Located(parameters_for(rng, truth, Fraction(1, 1000)))
    result = checked_run(truth.world(1), truth.oracle(), recipe, self_check=SelfCheck())
    assert isinstance(result, Accepted)
    assert result.self_check is not None
    assert was_checked(result.self_check)
