"""The self-check accepts worlds that satisfy all conditions, and detects each violation."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import KEY
from steel_verified.evidence.oracle import Declared
from steel_verified.evidence.sealed import KeptRows, Observed
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.learning.self_check.bets import Kind
from steel_verified.learning.self_check.rows import LoopRows, Terms
from steel_verified.learning.self_check.won import check
from steel_verified.theory.self_check import SelfCheck, windows
from steel_verified.using.attempt import attempt
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.process import ProcessWorld

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.evidence.plans import Plan
    from steel_verified.learning.results import Result
    from tests.studies.violations.process import RecordedLoop


class Counting(ProcessWorld):
    """A world that counts the rows that plans announce."""

    kept = 0

    def run(self, plan: Plan) -> RecordedLoop:
        self.kept += len({time for piece in plan.keeps for time in piece})
        return super().run(plan)


LEVEL = Fraction(1, 10**6)
"""All worlds of a test together raise a false alarm with chance at most 10⁻³."""


def looped(kind: Violation, seed: int, wanted: SelfCheck | None) -> Result:
    world = violated_world(kind, seed)
    return checked_run(
        world.begin(),
        world.oracle,
        Looped(world.parameters, first_action=world.first_action),
        self_check=wanted,
    )


@pytest.mark.parametrize("many", [6, pytest.param(1000, marks=pytest.mark.slow)])
def test_worlds_that_satisfy_all_conditions_are_accepted(many: int) -> None:
    for seed in range(many):
        checked = SelfCheck(LEVEL, steps=200)
        result = looped(Violation.HONEST, seed, checked)
        assert isinstance(result, Accepted), seed
        assert result.self_check is not None
        assert result.self_check.samples > 100
        assert result.self_check.transitions == len(result.model.transitions())
        assert result.ledger == looped(Violation.HONEST, seed, None).ledger
        world = violated_world(Violation.HONEST, seed)
        recipe = Located(world.parameters)
        assert isinstance(
            checked_run(world.begin(), world.oracle, recipe, self_check=checked), Accepted
        )


@pytest.mark.parametrize("method", ["looped", "located"])
def test_plans_without_a_self_check_keep_no_rows_for_it(method: str) -> None:
    """Looped plans may keep all rows anyway, so the counts of several worlds are added."""
    kept = {True: 0, False: 0}
    for seed, wanted in product(range(4), kept):
        world = violated_world(Violation.HONEST, seed)
        under_way = Counting(world.process, world.seed)
        recipe = Looped(world.parameters) if method == "looped" else Located(world.parameters)
        check = SelfCheck(LEVEL) if wanted else None
        assert isinstance(attempt(under_way, world.oracle, recipe, self_check=check), Accepted)
        kept[wanted] += under_way.kept
    assert kept[True] > kept[False]


def first_silent(kind: Violation) -> int:
    """Return the first seed at which a wrong run is accepted without a self-check."""
    return next(seed for seed in range(100) if isinstance(looped(kind, seed, None), Accepted))


@pytest.mark.parametrize(
    "kind",
    [
        Violation.ONE_STATE_MORE,
        Violation.TWICE_THE_STATES,
        Violation.SLIP_100,
        Violation.SLIP_10,
        Violation.MISSING,
        Violation.ERRING,
        Violation.SHARED,
    ],
)
def test_self_check_detects_each_violation(kind: Violation) -> None:
    result = looped(kind, first_silent(kind), SelfCheck())
    assert isinstance(result, Contradicted)
    assert result.self_check is not None
    (won, *_) = result.self_check.won
    assert won.winnings >= won.needed
    assert result.because == won.sentence
    assert kind.condition in [cause.condition for cause in result.causes]
    assert len(result.causes) == len({cause.condition for cause in result.causes})


def test_shares_of_all_bets_sum_to_the_level() -> None:
    """Each bet must pay 1/share; the shares of all bets after either fresh walk sum to α."""
    result = looped(Violation.SLIP_10, first_silent(Violation.SLIP_10), SelfCheck())
    assert isinstance(result, Contradicted)
    checked = result.self_check
    assert checked is not None
    needed = {won.needed for won in checked.won}
    shares = {2 * len(checked.bets) * many / checked.level for _, many in checked.bets}
    assert needed <= shares
    assert sum(many * checked.level / (len(checked.bets) * many) for _, many in checked.bets) == (
        checked.level
    )


def test_times_of_each_label_are_a_mixing_time_apart() -> None:
    cycle = (0, 1, 0, 2, 1)
    times = windows(cycle, 7, 400, 6, 60)
    for label in range(3):
        own = [time for time in times if cycle[time % 5] == label]
        assert min(later - time for time, later in pairwise(own)) >= 6
        assert len(own) == 20
    assert min(times) >= 7
    assert max(times) < 400


def kept(numbers: Iterable[int]) -> KeptRows:
    """Return rows of one number; each occurs twice, at its time and one step later."""
    rows = np.repeat(np.fromiter(numbers, "<i8"), 2)
    return KeptRows(Declared("finite", "int64", 1), len(rows), Observed(rows.tobytes()), key=KEY)


def test_samples_right_after_the_comparison_rows_are_not_used() -> None:
    """The second loop begins with a sample right after these rows, which is in no bet."""
    first = LoopRows((0,), (0,), 0, tuple(range(50, 1000, 50)), kept(range(19)))
    begin = first.times[-1] + 1
    times = tuple(range(1, 3000, 50))
    second = LoopRows((0,), (0,), begin, times, kept(20 * (time > 1500) for time in times))
    found = check((first, second), Terms(0, LEVEL), mixing_time=10, max_states=2)
    halves = [won for won in found.won if won.kind is Kind.HALF]
    assert {won.mixing_times for won in halves} == {5}
    assert {sum(map(sum, won.counts)) for won in halves} == {len(times) - 1}


@pytest.mark.parametrize(("steps", "allowed"), [(-1, "at least 0"), (10**7 + 1, "to 10,000,000")])
def test_number_of_fresh_steps_is_limited(steps: int, allowed: str) -> None:
    with pytest.raises(InvalidArgument, match=allowed):
        SelfCheck(steps=steps)
