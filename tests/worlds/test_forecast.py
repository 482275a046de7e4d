"""Forecasts hold for runs that are measured, and say when a run is hopeless."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import rounds
from steel_verified.reports.prediction import forecast_as_json, forecast_as_parts
from steel_verified.reports.tables import as_text
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import LocatedParameters, Parameters
from steel_verified.theory.validation import validation_samples
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.forecast import predict, speed_of
from steel_verified.worlds.runs import method_named, run
from steel_verified.worlds.runs import predict as predict_from_table
from tests.worlds.test_stepped import Switch

if TYPE_CHECKING:
    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.instances import RunnableInstance

TAXI = Parameters(
    actions=6,
    max_states=500,
    max_diameter=499,
    mixing_time=1,
    class_size=500,
    delta=Fraction(1, 20),
    epsilon=Fraction(1, 20),
)
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
    assert ahead.looped.least <= exact <= ahead.looped.most
    result, _ = run(chosen, method_named("located", chosen), 0)
    (made,) = rounds(result.ledger)
    exploring = result.ledger.steps - made.steps
    assert ahead.located.validating_least <= made.steps <= ahead.located.validating_most
    assert ahead.located.exploring_least <= exploring <= ahead.located.exploring_most


def test_forecast_of_validation_is_exact_for_a_known_walk() -> None:
    """One state is visited once in t̂_mix steps; the first pass of the walk is not looked at."""
    ahead = predict(replace(TAXI, mixing_time=7), states=1, diameter=0).located
    samples = validation_samples(TAXI.epsilon, 1, TAXI.delta / 2)
    assert ahead.validating_least == ahead.validating_most == (samples + 1) * 7


def test_forecast_terms_add_up_to_almost_the_bound() -> None:
    """The closed form is no smaller than its terms, and rounds them up a little."""
    ahead = predict(TAXI).looped
    assert ahead is not None
    total = sum(term.steps for term in ahead.terms)
    assert total <= ahead.bound <= total * 1.1
    assert list(ahead.terms) == sorted(ahead.terms, key=lambda term: -term.steps)
    noisy = predict(replace(TAXI, max_states=2, max_diameter=1, mixing_time=10**6)).looped
    assert noisy is not None
    assert "t̂_mix" in noisy.terms[0].name


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


def test_higher_speed_changes_the_hopeless_verdict() -> None:
    ahead = predict(replace(TAXI, max_states=30, max_diameter=29), steps_per_second=1e6)
    assert not ahead.looped_is_hopeless
    assert replace(ahead, steps_per_second=0.5).looped_is_hopeless
    assert replace(ahead, steps_per_second=0.01).located_is_hopeless
    text = as_text(forecast_as_parts(replace(ahead, steps_per_second=0.01)), None, colored=False)
    assert "very long, too" in text


def test_located_parameters_are_enough_for_located_steel() -> None:
    parameters = LocatedParameters(
        actions=6, max_states=500, mixing_time=1, delta=TAXI.delta, epsilon=TAXI.epsilon
    )
    ahead = predict(parameters)
    assert ahead.looped is None
    assert ahead.located == predict(TAXI).located
    assert forecast_as_json(ahead) == {
        **dict_of(forecast_as_json(ahead)),
        "looped": None,
        "states": 500,
    }
    assert "give --class-size" in as_text(forecast_as_parts(ahead), None, colored=False)


def dict_of(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


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


def test_forecast_of_huge_parameters_is_fast() -> None:
    huge = predict(replace(TAXI, max_states=10**9, max_diameter=10**9, class_size=10**9))
    assert huge.located_is_hopeless


def test_speed_of_returns_positive_steps_per_second() -> None:
    world = Switch()
    assert 10 < speed_of(world, steps=500) < 1e8
    assert world.steps == 500


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
