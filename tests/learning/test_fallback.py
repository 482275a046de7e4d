"""Fallback: looped continues in the same world after located; the guarantee of each run."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Ran
from steel_verified.learning import drive
from steel_verified.learning.drive import Fallback, Watch, checked_run
from steel_verified.learning.located import Located, State
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import (
    Accepted,
    Contradicted,
    Guarantee,
    accepted,
    guarantee_of,
)
from steel_verified.strategies import Problem, problems
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import LocatedParameters, Parameters, largest_extent
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.theory.validation import round_share
from steel_verified.using.attempt import attempt
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.tabular import tabular_world
from tests.bounds import bounds, with_class

from ..studies.violations.breaking import Violation, violated_world
from .located_truth import ChosenWorld, Stalling

if TYPE_CHECKING:
    from steel_verified.learning.drive import LearnerState


RARE = Fraction(1, 10**6)


def learned(problem: Problem, seed: int) -> tuple[Accepted, bool]:
    """Return what was learned with fallback, and whether the dynamics are right.

    The self-check is off, since it needs more samples to accept a world of one state.
    """
    world = tabular_world(problem.world, seed)
    method = Fallback(replace(problem.parameters, delta=RARE), problem.first_action)
    found = accepted(checked_run(world, problem.oracle, method))
    truth = problem.world.dynamics
    right = relabelling(found.model, found.current, truth, world.state) is not None
    return found, right


@settings(max_examples=20)
@given(problem=problems(max_states=3), seed=st.integers(0, 2**32), limit=st.integers(0, 60))
def test_fallback_learns_the_dynamics_after_any_limit(
    problem: Problem, seed: int, limit: int
) -> None:
    """Located STEEL gets so few steps that it rarely ends; the whole run stays in its bounds."""
    half = replace(problem.parameters, delta=RARE / 2)
    bound = total_bound(half, largest_extent(half))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drive, "total_bound", lambda *_: 10 * limit)
        found, right = learned(problem, seed)
    assert right
    assert found.ledger.steps <= limit + bound
    assert found.ledger.budget.spent <= found.ledger.budget.allowed <= RARE
    begun = [e for e in found.ledger.entries if isinstance(e, Parameters | LocatedParameters)]
    assert isinstance(begun[0], LocatedParameters)
    assert begun[0].delta == RARE / 2
    if len(begun) == 2:
        assert begun[1] == half
        assert found.ledger.budget.allowed == RARE
        assert found.method == Looped(half, problem.first_action)
    else:
        assert found.ledger.steps <= limit


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("max_states", "because"), [(2, "limit"), (3, "smaller class")])
def test_fallback_is_right_after_noise_that_stalls_located_steel(
    max_states: int, because: str, seed: int
) -> None:
    """The noise follows the learner until located STEEL gives up; then letters are independent."""
    pair, stalling = Dynamics(((1, 0), (0, 1))), Stalling(letters=700)
    oracle, draws = stalling.class_for(pair.states), random.Random(seed)
    parameters = with_class(
        bounds(2, max_states, delta=Fraction(1, 1000), epsilon=Fraction(1, 2)),
        oracle.functions.class_size,
        1,
    )
    method = Fallback(parameters)
    limit = method.after
    fallen: list[int] = []

    def noise(time: int, action: int, state: int) -> int:
        return draws.randrange(stalling.letters) if fallen else stalling(time, action, state)

    def watch(state: LearnerState) -> None:
        if isinstance(state, State):
            stalling.watch(state)
            assert len(state.labels.rows) == len(state.labels.parent), "nothing was merged"
        elif not fallen:
            began = next(e for e in state.ledger.entries[::-1] if isinstance(e, Ran))
            fallen.append(began.start)

    world = ChosenWorld(pair, 0, stalling.letters, noise)
    check = replace(DEFAULT_CHECK, steps=0)
    result = checked_run(world, oracle, method, self_check=check, observers=[Watch(watch)])
    assert fallen[0] <= limit
    assert because != "limit" or fallen[0] > limit - 2 * max_states
    found = accepted(result)
    assert relabelling(found.model, found.current, pair, world.state) is not None
    assert found.ledger.budget.spent <= parameters.delta
    # The limit is a tenth of the bound, rounded down.
    assert found.ledger.steps <= 11 * limit + 10


@pytest.mark.parametrize("limit", [None, 0])
def test_each_run_of_the_fallback_is_checked_with_half_of_the_level(
    limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no steps for located STEEL, the paper's algorithm runs."""
    if limit is not None:
        monkeypatch.setattr(Fallback, "after", property(lambda _: limit))
    world = violated_world(Violation.HONEST, 0)
    found = accepted(attempt(world.begin(), world.oracle, Fallback(world.parameters)))
    assert found.self_check is not None
    assert found.self_check.bets
    half = DEFAULT_CHECK.level / 2
    assert found.self_check.level == (half if limit == 0 else round_share(half, 1))


@pytest.mark.parametrize(
    ("kind", "seed", "method"),
    [(Violation.PERIODIC, 1, Located), (Violation.SLIP_10, 0, Looped)],
)
def test_fallback_is_self_checked_by_default(kind: Violation, seed: int, method: type) -> None:
    """Without the check a wrong model is accepted, by located STEEL or the paper's algorithm."""
    world = violated_world(kind, seed)
    unchecked = attempt(world.begin(), world.oracle, Fallback(world.parameters), self_check=None)
    assert isinstance(unchecked.method, method)
    assert accepted(unchecked).self_check is None
    found = attempt(world.begin(), world.oracle, Fallback(world.parameters))
    assert isinstance(found, Contradicted)
    assert found.self_check is not None
    assert found.self_check.won


LOCK = combination_lock(0, states=3, components=9, least_noise=0.1)
PARAMETERS = replace(
    instance("combination-lock", 0, states=3, components=9).parameters, epsilon=Fraction(1, 7)
)


def test_guarantee_has_the_method_delta_and_epsilon() -> None:
    for recipe, method in ((Looped(PARAMETERS), "looped"), (Located(PARAMETERS), "located")):
        promised = guarantee_of(accepted(attempt(LOCK.world(1), LOCK.oracle(), recipe)))
        assert (promised.method, promised.delta) == (method, PARAMETERS.delta)
        assert (promised.epsilon, promised.certified) == (Fraction(1, 7), True)


def test_guarantee_after_a_fallback_has_the_whole_delta() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fallback, "after", property(lambda _: 70))
        found = accepted(checked_run(LOCK.world(1), LOCK.oracle(), Fallback(PARAMETERS)))
    assert isinstance(found.method, Looped)
    assert guarantee_of(found).delta == PARAMETERS.delta


@pytest.mark.parametrize("chance", [Fraction(0), Fraction(1), Fraction(-1, 2)])
def test_delta_and_epsilon_outside_zero_to_one_are_refused(chance: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="expected a fraction between 0 and 1"):
        Guarantee("looped", chance, Fraction(1, 2), certified=True)
