"""What is predicted of a run's cost, beside what the run takes."""

from dataclasses import replace
from fractions import Fraction

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import PeriodFound
from steel_verified.learning.located import rounds
from steel_verified.theory.counts import encoder_samples, period_test_samples
from steel_verified.worlds import costs
from steel_verified.worlds.catalogue import NAMES, instance
from steel_verified.worlds.runs import method_named, predict, run

SIZES: dict[str, dict[str, float]] = {"combination-lock": {"states": 5}, "multi-maze": {"mazes": 1}}


@pytest.mark.parametrize("name", NAMES)
def test_prediction_makes_at_most_the_computed_number_of_tests(name: str) -> None:
    chosen = instance(name, 0, **SIZES.get(name, {}))
    entries = predict(chosen).ledger.entries
    found = [entry for entry in entries if isinstance(entry, PeriodFound)]
    tests = len(found) * (chosen.parameters.max_states - 1)
    assert tests <= costs.prediction_tests(chosen)


@pytest.mark.parametrize("name", NAMES)
def test_row_limit_is_within_a_factor_of_two_of_the_rows_read(name: str) -> None:
    """Up to a factor of two: either the tests of a period, or the samples of the encoder.

    Where cycles are long, their positions are more: that is known from the prediction only.
    """
    chosen = instance(name, 0, **SIZES.get(name, {}))
    given, states = chosen.parameters, chosen.dynamics.states
    expected = max(
        period_test_samples(given) * given.max_states**2,
        encoder_samples(given, states) * states,
    )
    assert 2 * costs.rows_at_once(predict(chosen).ledger) >= expected


def test_looped_run_beyond_a_limit_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = instance("grid", 0)
    most = costs.rows_at_once(predict(chosen).ledger)
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


def test_small_step_limit_ends_the_run_without_an_error() -> None:
    chosen = instance("grid", 0)
    slow = replace(chosen, parameters=replace(chosen.parameters, max_states=10**6))
    ended, _ = run(slow, method_named("located", slow), 0, max_steps=100)
    assert ended.__class__.__name__ == "NotAccepted"


def test_run_longer_than_the_simulation_limit_raises() -> None:
    """Walkers walk every step: with 250 mazes a looped run would walk for too long."""
    chosen = instance("multi-maze", 0, mazes=250)
    with pytest.raises(InvalidArgument, match="a run of at most 20,080,321 steps"):
        run(chosen, method_named("looped", chosen), 0)
    assert chosen.simulation.drawn.longest_run == 5 * 10**9 // 249
