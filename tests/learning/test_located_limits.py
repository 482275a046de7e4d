"""Located STEEL ends within its step limit, and returns what it has learned so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steel_verified.evidence.oracle import Declared, Function, Summary, of_kind
from steel_verified.evidence.plans import Plan
from steel_verified.learning import located
from steel_verified.learning.drive import checked_run, drive
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.strategies import Problem, problems
from steel_verified.theory.conditions import Condition
from steel_verified.theory.wording import counted
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.runs import method_named, run
from steel_verified.worlds.tabular import tabular_world

from .located_truth import (
    ChosenWorld,
    Stalling,
    advanced,
    check_truth,
    realising,
    recipe_for,
)
from .random_runs import bits_run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Classifier

    from .located_truth import Learner, Shown

PAIR = Dynamics(((1, 0), (0, 1)))
TRIANGLE = Dynamics(((1, 0), (2, 1), (0, 2)))


@given(problem=problems(), seed=st.integers(0, 2**32), limit=st.integers(0, 300))
def test_no_run_exceeds_its_limit(problem: Problem, seed: int, limit: int) -> None:
    world = tabular_world(problem.world, seed)
    result = checked_run(
        world,
        problem.oracle,
        Located(problem.parameters, first_action=problem.first_action),
        max_steps=limit,
    )
    assert result.ledger.steps == world.steps <= limit
    if isinstance(result, NotAccepted):
        assert counted(limit, "step") in result.because or "one state" in result.because


@settings(max_examples=20)
@given(problem=problems(), seed=st.integers(0, 2**32))
def test_longer_limit_does_not_change_the_first_steps(problem: Problem, seed: int) -> None:
    """A run with a smaller limit is the beginning of the run with a larger one."""
    assume(problem.world.dynamics.states > 1)
    recipe = Located(problem.parameters)
    full = checked_run(tabular_world(problem.world, seed), problem.oracle, recipe)
    assume(isinstance(full, Accepted))
    cut = checked_run(
        tabular_world(problem.world, seed), problem.oracle, recipe, max_steps=full.ledger.steps - 1
    )
    assert isinstance(cut, NotAccepted)
    assert full.ledger.entries[: len(cut.ledger.entries)] == cut.ledger.entries
    again = checked_run(
        tabular_world(problem.world, seed), problem.oracle, recipe, max_steps=full.ledger.steps
    )
    assert again == full


@pytest.mark.parametrize("limit", range(0, 36, 3))
def test_partial_model_at_the_limit_is_true(limit: int) -> None:
    """The partial model of a run that ends early has only transitions of the world."""
    oracle = realising(3, 1)
    world = ChosenWorld(TRIANGLE, 0, 1, lambda _time, _action, _state: 0)
    learner: Learner = recipe_for(TRIANGLE).begin()
    for _ in range(limit + 1):
        learner = advanced(learner, world, oracle, limit)
        check_truth(learner, TRIANGLE, world.state)
    assert world.steps <= limit
    again = ChosenWorld(TRIANGLE, 0, 1, lambda _time, _action, _state: 0)
    result = drive(recipe_for(TRIANGLE), again, oracle, max_steps=limit)
    assert isinstance(result, NotAccepted)
    assert result.model == learner.model
    if limit >= 33:
        assert result.model.states == 3
        assert result.model.is_total


# --- nothing is recognised ------------------------------------------------------------------------


@dataclass(frozen=True)
class Observations(Summary, Function):
    """A set of observations; as a classifier, it is 1 on this set."""

    seen: frozenset[int] = frozenset()


@dataclass(frozen=True)
class EveryFunction:
    """The class of all functions: it separates any two sets without a common observation."""

    class_size: int = 2**60
    none_is_proved: bool = True

    @property
    def declared(self) -> Declared:
        return Declared("all functions", "int64", 1)

    def pack(self, batch: Shown) -> bytes:
        return np.array(batch.observations, dtype="<i8").tobytes()

    def summarise(self, batch: Shown) -> Observations:
        return Observations(frozenset(batch.observations))

    def nothing(self) -> Observations:
        return Observations()

    def merge(self, one: Summary, other: Summary) -> Observations:
        a, b = of_kind(Observations, one, other)
        return Observations(a.seen | b.seen)

    def contains(self, classifier: Classifier) -> bool:
        return isinstance(classifier, Observations)

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        (own,), (low, high) = of_kind(Observations, classifier), of_kind(Observations, zeros, ones)
        return high.seen <= own.seen and not low.seen & own.seen

    def separating(self, zeros: Summary, ones: Summary) -> Observations | None:
        low, high = of_kind(Observations, zeros, ones)
        return None if low.seen & high.seen else high

    def values(self, classifier: Classifier, batch: Shown) -> NDArray[np.bool_]:
        raise AssertionError(f"{classifier} is judged on summaries, never on {batch}")


@pytest.mark.parametrize("truth", [PAIR, TRIANGLE], ids=["two states", "three states"])
@pytest.mark.parametrize("spare", [0, 1, 3])
def test_class_of_all_functions_is_not_accepted_with_the_reason(
    truth: Dynamics, spare: int
) -> None:
    """No observation occurs twice, so no state is recognised."""
    world = ChosenWorld(truth, 0, 10**6, lambda time, _action, _state: time)
    result = checked_run(world, EveryFunction(), recipe_for(truth, spare=spare))
    assert isinstance(result, NotAccepted)
    assert "smaller class" in result.because
    many = "256 labels" if truth.states + spare == 2 else "observations of one repeated action"
    assert many in result.because
    assert world.steps < 10_000


@pytest.mark.parametrize("limit", [0, 100, 600])
def test_class_of_all_functions_ends_at_a_smaller_limit(limit: int) -> None:
    world = ChosenWorld(TRIANGLE, 0, 10**6, lambda time, _action, _state: time)
    result = checked_run(world, EveryFunction(), recipe_for(TRIANGLE), max_steps=limit)
    assert isinstance(result, NotAccepted)
    assert f"{limit:,} steps" in result.because
    assert world.steps <= limit


def test_noise_that_follows_the_learner_prevents_every_merge() -> None:
    limit, noise = 300, Stalling(letters=400)
    world, oracle = ChosenWorld(PAIR, 0, noise.letters, noise), noise.class_for(PAIR.states)
    learner: Learner = recipe_for(PAIR, spare=1).begin()
    before: Learner | None = None
    while learner is not before:
        noise.watch(learner)
        before, learner = learner, advanced(learner, world, oracle, limit)
        check_truth(learner, PAIR, world.state)
    assert isinstance(learner.method.next_plan(learner), Plan)
    assert world.steps <= limit
    assert len(learner.labels.rows) == len(learner.labels.parent) > 30, "nothing was merged"


@pytest.mark.parametrize("spare", [0, 1])
def test_model_of_one_state_is_accepted_only_if_n_is_one(spare: int) -> None:
    """Any validation passes a model of one state, so passing shows nothing."""
    alone = Dynamics(((0, 0),))
    world = ChosenWorld(alone, 0, 1, lambda _time, _action, _state: 0)
    result = checked_run(world, realising(1, 1), recipe_for(alone, spare=spare))
    assert result.model.states == 1
    if spare:
        assert isinstance(result, NotAccepted)
        assert "one state" in result.because
    else:
        assert isinstance(result, Accepted)


def test_limit_of_zero_runs_no_plan() -> None:
    world = ChosenWorld(PAIR, 0, 1, lambda _time, _action, _state: 0)
    result = drive(recipe_for(PAIR), world, realising(2, 1), max_steps=0)
    assert isinstance(result, NotAccepted)
    assert world.steps == 0
    assert result.model.states == 0


@pytest.mark.parametrize(("name", "sizes"), [("grid", {}), ("double-prime", {"p": 3, "q": 5})])
def test_a_run_with_too_small_a_bound_on_states_ends_soon(
    name: str, sizes: dict[str, float]
) -> None:
    """Without the rule it would take all of its 10⁷ steps."""
    chosen = instance(name, 0, **sizes)
    states = chosen.extent.states
    few = replace(chosen.parameters, max_states=states - 1, max_diameter=states - 2)
    chosen = replace(chosen, parameters=few)
    ended, _ = run(chosen, method_named("located", chosen), 0)
    assert isinstance(ended, NotAccepted)
    assert f"{states} labels were each seen on 255 walks" in ended.because
    assert ended.causes[0].condition is Condition.MAX_STATES
    assert ended.ledger.steps < 10_000


def _fail(*_: object) -> NoReturn:
    pytest.fail("a world whose bound on states is true has more labels than states for long")


def _never_too_many(monkeypatch: pytest.MonkeyPatch, seeds: range) -> None:
    monkeypatch.setattr(located, "_too_many", _fail)
    for seed in seeds:
        bits_run(seed, 12, 60_000)


def test_no_honest_world_has_too_many_labels_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    _never_too_many(monkeypatch, range(5_000, 5_010))


@pytest.mark.slow
def test_no_honest_world_of_590_seeds_has_too_many_labels_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _never_too_many(monkeypatch, range(5_010, 5_600))
