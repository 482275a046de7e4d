"""What is foretold of a run, what it costs, and how far it has come."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import PeriodFound
from steel_verified.learning.drive import Watch, drive
from steel_verified.learning.located import Located, rounds
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.reports.prediction import forecast_as_json, forecast_as_parts
from steel_verified.reports.tables import as_text
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.counts import encoder_samples, period_test_samples
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.validation import validation_samples
from steel_verified.using.attempt import attempt
from steel_verified.worlds import costs
from steel_verified.worlds import progress as progress_module
from steel_verified.worlds.catalogue import NAMES, instance
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.estimates import predict, speed_of
from steel_verified.worlds.grid import grid
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.progress import Estimate, Progress, Stage, most_steps, reporting
from steel_verified.worlds.runs import method_named, run
from steel_verified.worlds.runs import predict as predict_from_table
from tests.bounds import bounds, with_class

from .test_stepped import Switch

if TYPE_CHECKING:
    from steel_verified.evidence.plans import Plan
    from steel_verified.learning.located import State
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.instances import RunnableInstance


TAXI = with_class(bounds(6, 500), 500)
SMALL = [
    instance("grid", 0),
    instance("double-prime", 0, p=3, q=5),
    instance("single-prime", 0, p=3, q=5),
    instance("combination-lock", 0, states=10),
    instance("combination-lock", 3, states=5),
]


@pytest.mark.parametrize("chosen", SMALL, ids=lambda chosen: chosen.name)
def test_measured_steps_lie_within_the_forecast(chosen: RunnableInstance) -> None:
    extent = chosen.extent
    ahead = predict(chosen.parameters, states=extent.states, diameter=extent.diameter)
    assert ahead.looped is not None
    assert ahead.looped.bound == total_bound(chosen.parameters, extent)
    exact = predict_from_table(chosen).ledger.steps
    assert ahead.looped.least <= exact <= (ahead.looped.most or 0)
    result, _ = run(chosen, method_named("located", chosen), 0)
    (made,) = rounds(result.ledger)
    exploring = result.ledger.steps - made.steps
    for steps, part in zip((exploring, made.steps), ahead.located.parts, strict=True):
        assert part.least <= steps <= (part.most or 0)


def test_forecast_of_validation_is_exact_for_a_known_walk() -> None:
    """One state is visited once in t̂_mix steps; the first pass of the walk is not looked at."""
    _, validating = predict(replace(TAXI, mixing_time=7), states=1, diameter=0).located.parts
    samples = validation_samples(TAXI.epsilon, 1, TAXI.delta / 2)
    assert validating.least == validating.most == (samples + 1) * 7


def test_forecast_terms_add_up_to_almost_the_bound() -> None:
    """The closed form is no smaller than its terms, and rounds them up a little."""
    ahead = predict(TAXI).looped
    assert ahead is not None
    steps = [steps for _, steps in ahead.terms]
    assert sum(steps) <= ahead.bound <= sum(steps) * 1.1
    assert steps == sorted(steps, reverse=True)
    noisy = predict(replace(TAXI, max_states=2, max_diameter=1, mixing_time=10**6)).looped
    assert noisy is not None
    assert "t̂_mix" in noisy.terms[0][0]


def test_taxi_is_hopeless_for_the_papers_algorithm_only() -> None:
    ahead = predict(TAXI, steps_per_second=1e5)
    assert ahead.looped is not None
    assert ahead.looped.bound > 10**13
    assert ahead.looped_is_hopeless
    assert not ahead.located_is_hopeless
    assert predict(TAXI).looped_is_hopeless
    assert not predict(TAXI, states=4, diameter=3).looped_is_hopeless
    text = as_text(forecast_as_parts(ahead), None, colored=False)
    assert "hopeless here: learn with located STEEL" in text
    assert "days" in text
    assert "half of N" in text


def test_located_parameters_are_enough_for_located_steel() -> None:
    parameters = bounds(6, 500, delta=TAXI.delta, epsilon=TAXI.epsilon)
    ahead = predict(parameters)
    assert ahead.looped is None
    assert ahead.located == predict(TAXI).located
    assert (forecast_as_json(ahead)["looped"], ahead.extent.states) == (None, 500)
    assert "give --class-size" in as_text(forecast_as_parts(ahead), None, colored=False)


@pytest.mark.parametrize(
    ("named", "argument"),
    [
        ({"states": 501}, "states"),
        ({"states": 3, "diameter": 3}, "diameter"),
        ({"steps_per_second": 0.0}, "steps_per_second"),
    ],
)
def test_impossible_sizes_are_refused(named: dict[str, float], argument: str) -> None:
    states, diameter = named.get("states"), named.get("diameter")
    with pytest.raises(InvalidArgument, match=argument):
        predict(
            TAXI,
            states=None if states is None else int(states),
            diameter=None if diameter is None else int(diameter),
            steps_per_second=named.get("steps_per_second"),
        )


class Lazy:
    """A world that computes only the rows that are read, and notes how many."""

    actions, steps, read = 2, 0, 0

    def run(self, plan: Plan) -> Lazy:
        self.steps += plan.steps
        return self

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[range, ...]:
        self.read += sum(len(piece) for pieces in datasets for piece in pieces)
        return tuple(range(1) for _ in datasets)


def test_speed_of_a_world_includes_reading_its_rows() -> None:
    world = Lazy()
    assert speed_of(world, steps=300) > 10
    assert world.read == world.steps == 300


def test_forecast_in_words_has_steps_and_time() -> None:
    small = replace(TAXI, max_states=5, max_diameter=4, class_size=5)
    assert str(predict(small, steps_per_second=100)) == (
        "located STEEL takes an estimated 405 to 1,703 steps (about 4 to 17 seconds); looped STEEL "
        "takes an estimated 1,428 to 114,275 steps (about 14 seconds to 19 minutes), at most "
        "285,688 steps"
    )
    known = LocatedParameters.of(Switch(), max_states=5, mixing_time=1)
    assert str(predict(known)) == (
        "located STEEL takes an estimated 385 to 1,553 steps; the time is unknown without "
        "`steps_per_second` (see `speed_of`)"
    )


COST_SIZES: dict[str, dict[str, float]] = {
    "combination-lock": {"states": 5},
    "multi-maze": {"mazes": 1},
}


@pytest.mark.parametrize("name", NAMES)
def test_prediction_makes_at_most_the_computed_number_of_tests(name: str) -> None:
    chosen = instance(name, 0, **COST_SIZES.get(name, {}))
    entries = predict_from_table(chosen).ledger.entries
    found = [entry for entry in entries if isinstance(entry, PeriodFound)]
    tests = len(found) * (chosen.parameters.max_states - 1)
    assert tests <= costs.prediction_tests(chosen)


@pytest.mark.parametrize("name", NAMES)
def test_row_limit_is_within_a_factor_of_two_of_the_rows_read(name: str) -> None:
    """Up to a factor of two: either the tests of a period, or the samples of the encoder.

    Where cycles are long, their positions are more: that is known from the prediction only.
    """
    chosen = instance(name, 0, **COST_SIZES.get(name, {}))
    given, states = chosen.parameters, chosen.dynamics.states
    expected = max(
        period_test_samples(given) * given.max_states**2,
        encoder_samples(given, states) * states,
    )
    assert 2 * costs.rows_at_once(predict_from_table(chosen).ledger) >= expected


def test_looped_run_beyond_a_limit_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = instance("grid", 0)
    most = costs.rows_at_once(predict_from_table(chosen).ledger)
    monkeypatch.setattr(costs, "MOST_ROWS", 2 * most)
    run(chosen, method_named("looped", chosen), 0)
    monkeypatch.setattr(costs, "MOST_ROWS", most - 1)
    with pytest.raises(InvalidArgument, match=r"at once|samples, and"):
        run(chosen, method_named("looped", chosen), 0)


def test_lower_bound_on_validation_steps_holds_for_a_run() -> None:
    """The bound that refuses a run is never more than what a run takes."""
    chosen = instance("grid", 0)
    result, _ = run(chosen, method_named("located", chosen), 0)
    (validation,) = rounds(result.ledger)
    slow = replace(chosen, parameters=replace(chosen.parameters, epsilon=Fraction(1, 10**5)))
    with pytest.raises(InvalidArgument) as refused:
        run(slow, method_named("located", slow), 0)
    assert refused.value.argument == "epsilon"
    assert "at least 368,887 checks of each state" in refused.value.expected
    # With the same formula at ε = 1/20: 72 checks on a walk through 6 states.
    assert validation.steps >= 73 * 6
    assert validation.steps < 2 * 73 * 6


def test_run_longer_than_the_simulation_limit_raises() -> None:
    """Walkers walk every step: with 250 mazes a looped run would walk for too long."""
    chosen = instance("multi-maze", 0, mazes=250)
    with pytest.raises(InvalidArgument, match="a run of at most 20,080,321 steps"):
        run(chosen, method_named("looped", chosen), 0)
    assert chosen.simulation.drawn.longest_run == 5 * 10**9 // 249


GRID = instance("grid", 0)


def test_exact_steps_of_known_dynamics_equal_the_run_and_obey_the_bound() -> None:
    recipe, world = Looped(GRID.parameters), grid(0)
    first = GRID.first_action
    ahead = ideal_run(GRID.dynamics, GRID.start, recipe, first_action=first)
    exact = Estimate(ahead.ledger.steps, exact=True)
    learned = attempt(world.world(3), world.oracle(), recipe, first_action=GRID.first_action)
    assert exact == Estimate(learned.ledger.steps, exact=True)
    most = most_steps(recipe)
    assert most.steps is not None
    assert most.steps >= learned.ledger.steps
    assert str(exact) == "38,090 steps"
    assert str(most) == f"at most {most.steps:,} steps"


def test_certain_run_explores_decides_and_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """While several models are left it is deciding; then each step checks the one that is left."""
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    lock, seen = combination_lock(0, states=5, components=40, least_noise=0.1), list[Progress]()
    learned = attempt(lock.world(0), lock.oracle(), progress=seen.append)
    assert isinstance(learned, Accepted)
    stages = list(dict.fromkeys(now.stage.name for now in seen))
    assert stages == ["exploring", "deciding", "checking"]
    assert (seen[-1].stage.done, seen[-1].stage.of, seen[-1].transitions) == (200, 200, 10)
    assert all(now.seconds_left is None for now in seen)


def test_seconds_left_follow_from_the_speed_so_far() -> None:
    stage = Stage("exploring")
    now = Progress(100, Estimate(300, exact=True), transitions=0, seconds=2.0, stage=stage)
    assert now.seconds_left == 4.0
    assert replace(now, steps=300, estimate=Estimate(250)).seconds_left == 0.0


class Clock:
    """A clock that moves by one second whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.mark.parametrize("method", [Looped, Located])
def test_every_stage_is_reported_with_increasing_steps_and_the_last_one_has_a_known_end(
    method: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "monotonic", Clock())
    seen: list[Progress] = []
    recipe = Looped(GRID.parameters) if method is Looped else Located(GRID.parameters)
    world = grid(0)
    learned = attempt(world.world(3), world.oracle(), recipe, progress=seen.append)
    assert isinstance(learned, Accepted)
    begun, *_, ended = seen
    assert (begun.steps, begun.transitions, begun.seconds_left) == (0, 0, None)
    assert (ended.steps, ended.transitions) == (learned.ledger.steps, 24)
    assert [now.steps for now in seen] == sorted(now.steps for now in seen)
    assert (ended.seconds_left is None) == (method is Located)
    stages = [now.stage for now in seen]
    last = "sampling" if method is Looped else "validating"
    names = list(dict.fromkeys(stage.name for stage in stages))
    assert (names[0], *names[-2:]) == ("exploring", last, "self-check")
    assert {stage.name for stage in stages if stage.end_is_known} == {last, "self-check"}
    assert all(0 <= stage.done <= stage.of for stage in stages)


def test_the_seconds_left_of_a_validation_are_those_of_the_walks_that_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each walk takes one second of this clock, and exploring does not count."""
    monkeypatch.setattr(progress_module, "monotonic", Clock())
    seen: list[Progress] = []
    world = grid(0)
    attempt(world.world(3), world.oracle(), Located(GRID.parameters), progress=seen.append)
    validating = [now.stage for now in seen if now.stage.name == "validating"]
    walks = validating[0].of
    assert validating[0].seconds_left is None
    assert [stage.done for stage in validating] == list(range(walks))
    assert [stage.seconds_left for stage in validating[1:]] == list(range(walks - 1, 0, -1))


def test_exploring_goes_on_where_it_was_after_another_stage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its seconds are counted together, so the estimate does not begin anew."""
    monkeypatch.setattr(progress_module, "monotonic", Clock())
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    stages = iter(
        [
            Stage("exploring", "transition", 1, 3, end_is_known=False),
            Stage("revisiting", "step", 5, 8, end_is_known=False),
            Stage("exploring", "transition", 2, 4, end_is_known=False),
        ]
    )
    monkeypatch.setattr(progress_module, "stage_of", lambda _: next(stages))
    seen: list[Progress] = []
    note = reporting(seen.append, Estimate(None), "attempt 2")
    states: list[State] = []
    drive(Located(GRID.parameters), grid(0).world(3), grid(0).oracle(), [Watch(states.append)])
    for _ in range(3):
        note(states[0])
    assert [now.stage.seconds_left for now in seen] == [None, 2.0, 0.0, 2.0]
    assert {now.attempt for now in seen} == {"attempt 2"}


@pytest.mark.parametrize("most", [1, 1000, 38_089])
def test_a_looped_run_never_exceeds_its_limit(most: int) -> None:
    world, recipe = grid(0), Looped(GRID.parameters)
    ended = attempt(
        world.world(3), world.oracle(), recipe, first_action=GRID.first_action, max_steps=most
    )
    assert isinstance(ended, NotAccepted)
    assert ended.ledger.steps <= most
    assert not ended.interrupted
