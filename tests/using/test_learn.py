"""The two ways to learn a world: what they accept, return and raise."""

from __future__ import annotations

import logging
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from steel_verified import (
    Accepted,
    Components,
    Located,
    LocatedParameters,
    Looped,
    NotLearned,
    Parameters,
    attempt,
    learn,
)
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.checkpoint import read_checkpoint
from steel_verified.learning.certain import Certain
from steel_verified.learning.results import NotAccepted, parameters_of
from steel_verified.worlds import Fallback
from tests.toys import SWITCH, Toy

if TYPE_CHECKING:
    from pathlib import Path


def switch() -> Toy:
    return Toy(SWITCH, lambda state, _: [state, 1 - state])


def test_learn_returns_what_attempt_accepts() -> None:
    learned = learn(switch(), Components(2), max_states=3, mixing_time=1)
    result = attempt(switch(), Components(2), max_states=3, mixing_time=1)
    assert isinstance(result, Accepted)
    assert (learned.model, learned.steps) == (result.model, result.ledger.steps)
    assert learned.plan(to=[1, 0], start=[0, 1]) == (0,)


@pytest.mark.parametrize(
    ("name", "kind"), [(None, Located), ("located", Located), ("looped", Looped)]
)
def test_method_is_a_value_or_a_name(name: str | None, kind: type) -> None:
    found = attempt(switch(), Components(2), name, max_states=2, mixing_time=1, delta=0.01)
    assert isinstance(found.method, Looped | Located)
    assert isinstance(found.method, kind)
    assert parameters_of(found).delta == Fraction(1, 100)
    again = attempt(switch(), Components(2), found.method)
    assert again.ledger == found.ledger


def test_fallback_by_name_gives_each_method_half_of_delta() -> None:
    found = attempt(switch(), Components(2), "fallback", max_states=2, mixing_time=1, delta="0.01")
    assert isinstance(found.method, Located)
    assert found.method.parameters.delta == Fraction(1, 200)
    hundredth = Fraction(1, 100)
    given = Parameters.of(switch(), Components(2), max_states=2, mixing_time=1, delta=hundredth)
    assert attempt(switch(), Components(2), Fallback(given)).ledger == found.ledger


def test_float_is_read_as_the_decimal_that_it_prints_as() -> None:
    found = attempt(switch(), Components(2), max_states=2, mixing_time=1, epsilon=0.1)
    assert parameters_of(found).epsilon == Fraction(1, 10)


def test_run_that_is_not_accepted_raises_one_short_error() -> None:
    with pytest.raises(NotLearned, match=r"^the limit of 3 steps .* takes 77 steps") as raised:
        learn(switch(), Components(2), max_states=2, mixing_time=1, max_steps=3)
    assert isinstance(raised.value.result, NotAccepted)
    assert raised.value.model.states == 0
    assert raised.value.causes == raised.value.result.causes
    assert raised.value.__notes__ == [
        "`print(error.result)` says what may not hold, and what to try."
    ]
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None


@pytest.mark.parametrize("missing", ["max_states", "mixing_time"])
def test_a_missing_bound_is_named(missing: str) -> None:
    bounds = {"max_states": 2, "mixing_time": 1}
    del bounds[missing]
    with pytest.raises(InvalidArgument, match=f"^{missing} = None: expected "):
        learn(switch(), Components(2), **bounds)  # type: ignore[call-overload]  # integers only


def test_mistakes_are_named() -> None:
    world, bits = switch(), Components(2)
    own = Located(LocatedParameters.of(world, max_states=2, mixing_time=1))
    with pytest.raises(InvalidArgument, match="max_states = 3: expected None: the method has"):
        attempt(world, bits, own, max_states=3)
    with pytest.raises(InvalidArgument, match="method = certainly: expected a method such as"):
        attempt(world, bits, "certainly", max_states=2, mixing_time=1)
    with pytest.raises(InvalidArgument, match="delta = True: expected a number"):
        attempt(world, bits, max_states=2, mixing_time=1, delta=True)
    text = r"steps is no option; there are max_steps, .*self_check$"
    with pytest.raises(TypeError, match=text):
        attempt(world, bits, steps=3)  # type: ignore[call-arg]  # on purpose
    with pytest.raises(TypeError, match=text):
        learn(world, bits, steps=3)  # type: ignore[call-overload]  # on purpose


def test_stages_are_logged_where_there_is_no_terminal(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="steel_verified"):
        learn(switch(), Components(2), max_states=2, mixing_time=1)
    stages = [record.getMessage().split(",")[0] for record in caplog.records]
    assert stages[0] == "exploring"
    assert "validating" in stages


def test_certain_is_the_default_where_f_is_finite_and_no_bound_is_given() -> None:
    for method in (None, "certain", Certain(2, 2)):
        result = attempt(switch(), Components(2), method, seed=1, max_steps=1000)
        assert isinstance(result, Accepted)
        assert isinstance(result.method, Certain)
        assert result.ledger.budget.allowed == 0
    learned = learn(switch(), Components(2))
    assert learned.guarantee is not None
    assert learned.guarantee.method == "certain"
    assert repr(attempt(switch(), Components(2))).endswith("certain for every noise>")
    text = " ".join(str(learned).split())
    assert text.endswith("right for every noise, up to relabelling, and the encoder is exact.")


def test_coins_decide_only_if_a_delta_is_given() -> None:
    """F also classifies the four labels of two switches, of which the noise could be one."""

    def two() -> Toy:
        table = [[state ^ 2, state ^ 1, state] for state in range(4)]
        return Toy(table, lambda on, _: [*(on == s for s in range(4)), on > 1, on < 2])

    undecided = attempt(two(), Components(6), max_steps=500)
    assert isinstance(undecided, NotAccepted)
    assert "with a delta, private coins may" in undecided.because
    for delta in ("1/20", 0.05, Fraction(1, 20)):
        decided = attempt(two(), Components(6), delta=delta)
        assert isinstance(decided, Accepted)
        assert decided.model.states == 4
        assert repr(decided).endswith(
            "right with probability 19/20 or more if the noise ignores actions>"
        )
    learned = learn(two(), Components(6), "certain", delta=0.05)
    assert learned.guarantee is not None
    assert learned.guarantee.method == "coins"
    text = " ".join(str(learned).split())
    assert "by certain STEEL with coins" in text
    assert "then with probability at least 19/20 the dynamics are right" in text
    assert "every noise" not in text
    with pytest.raises(InvalidArgument, match="delta = 1: expected at least 0 and less than 1"):
        attempt(two(), Components(6), delta=1)


def test_certain_says_if_the_encoder_is_not_exact() -> None:
    """Two bits are always equal, so either may be the classifier of the state."""
    doubled = Toy(SWITCH, lambda state, _: [state, state, 1 - state])
    text = " ".join(str(learn(doubled, Components(3))).split())
    assert text.endswith("up to relabelling, but other classifiers fit the rows, too.")


def test_certain_is_saved_while_it_runs_and_refuses_other_arguments(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="max_states = 3: expected None: certain needs no"):
        attempt(switch(), Components(2), "certain", max_states=3)
    with pytest.raises(InvalidArgument, match="delta"):
        attempt(switch(), Components(2), delta="x")
    with pytest.raises(InvalidArgument, match="max_steps = 0"):
        attempt(switch(), Components(2), max_steps=0)
    attempt(switch(), Components(2), checkpoint=tmp_path / "run")
    assert read_checkpoint(tmp_path / "run").table == ((1, 0), (0, 1))
