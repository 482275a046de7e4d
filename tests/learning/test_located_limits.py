"""Located STEEL ends within its limit, validates as fixed, and is right or not accepted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steel_verified import NotLearned, learn
from steel_verified.classes.intervals import Thresholds
from steel_verified.evidence.entries import Checked, Fixed, Ran
from steel_verified.evidence.oracle import Declared, Function, Summary, of_kind
from steel_verified.learning import located
from steel_verified.learning.drive import checked_run, drive
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.theory.conditions import Condition
from steel_verified.theory.wording import counted
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.runs import method_named, run
from steel_verified.worlds.tabular import tabular_world

from ..toys import Toy
from .located_truth import ChosenWorld, advanced, check_truth, realising, recipe_for
from .problem_runs import sure_problems
from .random_worlds import bits_run, half_spaces_run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Classifier
    from steel_verified.strategies import Problem

    from .located_truth import Learner, Shown


PAIR = Dynamics(((1, 0), (0, 1)))
TRIANGLE = Dynamics(((1, 0), (2, 1), (0, 2)))


@given(problem=sure_problems(), seed=st.integers(0, 2**32), limit=st.integers(0, 300))
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
@given(problem=sure_problems(), seed=st.integers(0, 2**32))
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
    assert f"{states} labels were each seen on 63 walks" in ended.because
    assert ended.causes[0].condition is Condition.MAX_STATES
    assert ended.ledger.steps < 10_000


def test_a_run_whose_class_does_not_tell_a_state_from_all_others_ends_soon() -> None:
    """Thresholds tell each two of three levels apart, but not the middle one from both others."""
    levels = Toy([[0, 1], [0, 2], [1, 2]], lambda level, random: [level + 0.8 * random.random()])
    with pytest.raises(NotLearned, match="no classifier was found in F that tells one") as caught:
        learn(levels, Thresholds(1), max_states=4, mixing_time=1)
    assert caught.value.result.ledger.steps < 2_000
    assert caught.value.causes[0].condition is Condition.REALISABLE


def _fail(*_: object) -> NoReturn:
    pytest.fail("a world whose bound on states is true has more labels than states for long")


@pytest.mark.parametrize(
    "seeds", [range(5_000, 5_010), pytest.param(range(5_010, 5_600), marks=pytest.mark.slow)]
)
def test_no_honest_world_has_too_many_labels_for_long(
    monkeypatch: pytest.MonkeyPatch, seeds: range
) -> None:
    monkeypatch.setattr(located, "_too_many", _fail)
    monkeypatch.setattr(located, "_untold", _fail)
    for seed in seeds:
        bits_run(seed, 12, 60_000)


def test_plan_that_exactly_reaches_the_limit_is_made() -> None:
    world, oracle = ChosenWorld(PAIR, 0, 1, lambda _time, _action, _state: 0), realising(2, 1)
    method, first = recipe_for(PAIR), 2 * PAIR.states
    too_few = drive(method, world, oracle, max_steps=first - 1)
    assert isinstance(too_few, NotAccepted)
    assert too_few.method == method
    assert too_few.because.startswith("the limit of 3 steps was reached, and the next plan takes 4")
    assert (world.steps, too_few.model.states) == (0, 0)
    assert drive(method, world, oracle, max_steps=first).ledger.steps == first


def test_validation_that_fails_again_and_again_says_what_was_misread_and_since_when() -> None:
    """Every 40 steps a new letter comes, on which the next classifier of each state is wrong."""
    letters = range(6)
    size = [(state, letter) for state in range(2) for letter in letters]
    early = [[x[0] == s and x[1] <= last for x in size] for last in letters for s in range(2)]
    oracle = realising(2, len(letters), early)
    world = ChosenWorld(PAIR, 0, len(letters), lambda time, _action, _state: min(time // 40, 5))
    method = recipe_for(PAIR, epsilon=Fraction(1, 10))
    result = drive(method, world, oracle, max_steps=300)
    assert isinstance(result, NotAccepted)
    fixed, ended, last_step = [], [], 0
    for entry in result.ledger.entries:
        if isinstance(entry, Fixed):
            fixed.append(entry)
        elif isinstance(entry, Checked) and entry.failed:
            ended.append(last_step)
        elif isinstance(entry, Ran):
            last_step = entry.start + entry.steps
    assert all((step - 1) // 40 == number for number, step in enumerate(ended)), "a new letter"
    assert result.because.endswith(
        f"4 validations failed, the first before step {ended[0]}, the last before step {ended[3]},"
        f" where state 1 was misread, whose classifier was {fixed[3].classifiers[1]}"
    )


FAR = 30_000


@given(problem=sure_problems(), seed=st.integers(0, 2**32))
def test_accepted_run_is_right(problem: Problem, seed: int) -> None:
    """A run may end without being accepted.

    That the rounds have the passes, times and charges of their shares is checked for the
    certificates of such runs, in tests/checker.
    """
    world = tabular_world(problem.world, seed)
    method = Located(problem.parameters, first_action=problem.first_action)
    result = checked_run(world, problem.oracle, method, max_steps=FAR)
    if isinstance(result, Accepted):
        truth = problem.world.dynamics
        assert relabelling(result.model, result.current, truth, world.state) is not None


def test_random_worlds_of_up_to_twelve_states_are_right_or_not_accepted() -> None:
    ended = {seed: bits_run(seed, 12, 60_000).ended for seed in range(12)}
    assert all_right_or_not_accepted(ended) >= 11


def test_half_space_worlds_are_right_or_not_accepted() -> None:
    """Worlds with one state are not accepted if N is larger."""
    ended = {seed: half_spaces_run(seed, 3, 100_000).ended for seed in range(100, 108)}
    assert all_right_or_not_accepted(ended) >= 6


@pytest.mark.slow
def test_random_worlds_of_up_to_thirty_states_are_right_or_not_accepted() -> None:
    """1,000 worlds, about three minutes in all."""
    ended = {seed: bits_run(seed, 30, 300_000).ended for seed in range(1000, 2000)}
    assert all_right_or_not_accepted(ended) >= 950


@pytest.mark.slow
@pytest.mark.parametrize(("max_states", "first"), [(4, 2000), (4, 2030), (4, 2060), (6, 2090)])
def test_more_half_space_worlds_are_right_or_not_accepted(max_states: int, first: int) -> None:
    """These are 120 more worlds; each takes seconds, because the oracle solves linear programs."""
    runs = (half_spaces_run(seed, max_states, 300_000) for seed in range(first, first + 30))
    assert all_right_or_not_accepted({run.seed: run.ended for run in runs}) >= 24


def all_right_or_not_accepted(ended: dict[int, str]) -> int:
    """Return how many runs are right; every other run must be not accepted."""
    wrong = {seed: how for seed, how in ended.items() if how not in ("right", "not accepted")}
    assert not wrong
    return Counter(ended.values())["right"]
