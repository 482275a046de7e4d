"""Whole runs of certain STEEL in the paper's worlds, with ledger, certificate and checker."""

from __future__ import annotations

from collections.abc import Sized
from fractions import Fraction
from typing import TypeVar

import pytest

from proofs_checks.checker.judging import judged
from proofs_checks.checker.verified import PROGRAM_OF_CERTAIN
from steel_verified.errors import InvalidArgument, Overspent
from steel_verified.evidence.certificate import provenance
from steel_verified.evidence.ledger import opened
from steel_verified.evidence.observed import run, seen_rows
from steel_verified.evidence.plans import Plan
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.covers import covers
from steel_verified.learning.drive import drive
from steel_verified.learning.knowledge import Trajectory, nothing_known
from steel_verified.learning.reading import trajectories_of
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, guarantee_of
from steel_verified.theory.budget import Charge
from steel_verified.theory.conditions import Condition
from steel_verified.theory.parameters import without_class
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.dynamics import compare
from steel_verified.worlds.multi_maze import multi_maze
from steel_verified.worlds.prime_loops import prime_loops
from steel_verified.worlds.slipping import SlipLaw, slipping
from tests.bounds import bounds, with_class

Batch = TypeVar("Batch", bound=Sized)

LOCATED = without_class(with_class(bounds(2, 6, 40), 40, 6))


def test_lock_is_learned_certified_and_checked() -> None:
    lock = combination_lock(0, states=20, components=512, least_noise=0.1)
    world, functions = lock.world(3), lock.oracle()
    result = drive(Certain(512, 2, lock.first_action), world, functions, max_steps=1000)
    assert isinstance(result, Accepted)
    assert compare(result, lock.truth(), world.state).all_right
    assert 224 + 200 <= result.ledger.steps <= 240 + 200
    guarantee = guarantee_of(result)
    assert guarantee.method == "certain"
    assert guarantee.delta == guarantee.epsilon == 0
    data = certificate_of_run(result, functions, provenance("a lock", 0, 3))
    verdict = judged(data)
    assert verdict.findings == []
    assert 40 <= verdict.steps <= 80  # those that said something new
    assert list(verdict.against([list(row) for row in lock.dynamics().table], 0)) == []
    if PROGRAM_OF_CERTAIN.exists():
        assert verdict.verified() == []


def test_maze_supposes_two_states_and_is_learned() -> None:
    maze = multi_maze(0, mazes=9)
    world, functions = maze.world(0), maze.oracle()
    result = drive(
        Certain(9 * 121, 4, maze.first_action, check_steps=0), world, functions, max_steps=1000
    )
    assert isinstance(result, Accepted)
    assert compare(result, maze.truth(), world.state).dynamics_right
    assert result.ledger.steps <= 390 * 105 // 100
    assert result.decided is not None
    assert result.decided.supposes_two
    assert judged(certificate_of_run(result, functions, provenance("a maze", 0, 0))).findings == []


def test_quotient_that_f_classifies_leaves_several_models() -> None:
    loops = prime_loops(0, 2, p=3, q=5)
    world, functions = loops.world(0), loops.oracle()
    size = functions.class_size
    assert size is not None
    result = drive(Certain(size, world.actions), world, functions, max_steps=300)
    assert isinstance(result, NotAccepted)
    assert "several models" in result.because


def test_world_that_slips_is_contradicted_by_few_transitions() -> None:
    lock = combination_lock(0, states=6, components=40, least_noise=0.1)
    world = slipping(lock.world(0), SlipLaw(Fraction(1, 10), 0))
    result = drive(Certain(40, 2), world, lock.oracle(), max_steps=3000)
    assert isinstance(result, Contradicted)
    assert Condition.DETERMINISTIC in {cause.condition for cause in result.causes}
    (path,), nothing = trajectories_of(result.ledger.entries), nothing_known(40, 2)
    transitions = list(path.transitions())
    assert 0 < len(result.shown_by) < len(path.rows)
    for left_out in (None, *result.shown_by):
        known = nothing
        for step in result.shown_by:
            known = known if step == left_out else known.with_transition(transitions[step - 1])
        assert bool(covers(known, None)) is (left_out is not None)


def test_rows_are_shown_to_certain_runs_only() -> None:
    lock = combination_lock(0, states=6, components=40, least_noise=0.1)
    located = opened(LOCATED)
    loop = run(located, lock.world(0), Plan((0,), 1))
    with pytest.raises(InvalidArgument, match="certain run"):
        seen_rows(loop, lock.oracle())
    method = Certain(39, 2)
    loop = run(method.begin().ledger, lock.world(0), Plan((0,), 1))
    with pytest.raises(InvalidArgument, match="rows of 39 entries"):
        seen_rows(loop, lock.oracle())


def test_rows_of_a_plan_are_recorded_once() -> None:
    lock = combination_lock(0, states=6, components=40, least_noise=0.1)
    loop = run(Certain(40, 2).begin().ledger, lock.world(0), Plan((0, 1), 3))
    rows, ledger = seen_rows(loop, lock.oracle())
    assert trajectories_of(ledger.entries) == (Trajectory(rows, (1, 0)),)
    with pytest.raises(InvalidArgument, match="newest ledger"):
        seen_rows(loop, lock.oracle())


def test_nothing_can_be_charged_to_a_certain_run() -> None:
    with pytest.raises(Overspent):
        Certain(4, 2).begin().ledger.budget.charge(Charge(Fraction(1, 10**9), "a test", 1, 1))


@pytest.mark.parametrize("wrong", [(0, 2), (1 << 18, 2), (4, 0), (4, 2, 2)])
def test_settings_that_make_no_sense_are_refused(wrong: tuple[int, int]) -> None:
    with pytest.raises(InvalidArgument):
        Certain(*wrong)


def test_steps_and_chances_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="check_steps = -1"):
        Certain(4, 2, check_steps=-1)
    for delta in (Fraction(-1, 20), Fraction(1)):
        with pytest.raises(InvalidArgument, match="at least 0 and less than 1"):
            Certain(4, 2, delta=delta)
