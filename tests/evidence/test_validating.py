"""A validation is fixed before its samples are taken; attempts to change it later fail."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Checked, Fixed
from steel_verified.evidence.ledger import opened
from steel_verified.evidence.observed import (
    Validation,
    check_pass,
    fix,
    one_against_all,
    pooled,
    read,
    run,
)
from steel_verified.evidence.plans import Plan
from steel_verified.learning.located import Located
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.progressions import Progression
from steel_verified.theory.validation import round_share, validation_samples

from .small import ORACLE, looped, turning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Loop
    from steel_verified.worlds.simulated import SimulatedWorld

RECIPE = Located(
    LocatedParameters(
        actions=2, max_states=2, mixing_time=2, delta=Fraction(1, 20), epsilon=Fraction(1, 2)
    )
)
WALK = (0, 0)
VISITS = (2, 1)
"""From state 0, action 0 leads to state 1 and then back."""
RIGHT = (0, 1)
"""The classifiers of the two states."""
SHARE = Fraction(1, 40)
"""The first round gets half of δ."""
PASSES = validation_samples(RECIPE.parameters.epsilon, 1, SHARE)


def fixed(
    ledger: Ledger, classifiers: tuple[int, ...] = RIGHT, walk: tuple[int, ...] = WALK
) -> tuple[Validation, Ledger]:
    return fix(ledger, walk=walk, visits=VISITS, classifiers=classifiers)


def explored() -> tuple[SimulatedWorld[NDArray[np.int64]], Loop[NDArray[np.int64]], Ledger]:
    """Return a world that is back in its first state, and a loop of the walk that was run there."""
    world = turning()
    loop = run(opened(RECIPE.parameters), world, Plan(WALK, 4))
    return world, loop, loop.ledger


def passed(
    world: SimulatedWorld[NDArray[np.int64]], ledger: Ledger, number: int
) -> tuple[Loop[NDArray[np.int64]], Ledger]:
    """Run pass `number` of the walk; the first is number 0."""
    loop = run(ledger, world, Plan(WALK, 2, 2 * number))
    return loop, loop.ledger


def test_passes_after_the_first_are_checked_and_recorded() -> None:
    world, _, ledger = explored()
    validation, ledger = fixed(ledger)
    *_, entry = ledger.entries
    assert isinstance(entry, Fixed)
    assert (entry.at, entry.walk, entry.visits, entry.passes) == (4, WALK, VISITS, PASSES)
    assert ledger.budget.spent == SHARE
    _, ledger = passed(world, ledger, 0)
    for number in (1, 2, 3):
        loop, ledger = passed(world, ledger, number)
        failed, samples, ledger = check_pass(ledger, loop, ORACLE, validation)
        *_, entry = ledger.entries
        assert failed == ()
        assert isinstance(entry, Checked)
        assert (entry.number, entry.failed) == (number, ())
        times = [progression.first for sample in samples for progression in sample.times]
        assert times == [4 + 2 * number + 2, 4 + 2 * number + 1]


@pytest.mark.parametrize(
    ("classifiers", "failed"), [((1, 0), (0, 1)), ((0, 0), (1,)), ((1, 1), (1,))]
)
def test_wrong_classifiers_fail_on_their_labels(
    classifiers: tuple[int, ...], failed: tuple[int, ...]
) -> None:
    """φ' names the first label whose classifier is 1, and label 0 if there is none."""
    world, _, ledger = explored()
    validation, ledger = fixed(ledger, classifiers)
    _, ledger = passed(world, ledger, 0)
    loop, ledger = passed(world, ledger, 1)
    found, _, _ = check_pass(ledger, loop, ORACLE, validation)
    assert found == failed


def test_rows_read_before_the_validation_was_fixed_are_refused() -> None:
    """Refused are a pass that was run before, and a loop that continues such a pass."""
    world, loop, ledger = explored()
    validation, ledger = fixed(ledger)
    with pytest.raises(InvalidArgument, match="run after that"):
        check_pass(ledger, loop, ORACLE, validation)
    later, ledger = passed(world, ledger, 2)
    with pytest.raises(InvalidArgument, match="run after that"):
        check_pass(ledger, later, ORACLE, validation)


def test_validation_of_another_run_is_refused() -> None:
    """A validation that is fixed in the ledger of a new run, at its step 0, is refused."""
    world = turning()
    _, ledger = passed(world, opened(RECIPE.parameters), 0)
    loop, ledger = passed(world, ledger, 1)
    foreign, _ = fixed(opened(RECIPE.parameters))
    with pytest.raises(InvalidArgument, match="this run"):
        check_pass(ledger, loop, ORACLE, foreign)


def test_classifiers_of_a_validation_cannot_be_replaced() -> None:
    world, _, ledger = explored()
    validation, ledger = fixed(ledger)
    _, ledger = passed(world, ledger, 0)
    loop, ledger = passed(world, ledger, 1)
    (zero, one), ledger = read(ledger, loop, ORACLE, ((Progression(4),), (Progression(3),)))
    trained = one_against_all(ORACLE, [pooled(ORACLE, (zero,)), pooled(ORACLE, (one,))])
    assert trained == RIGHT
    with pytest.raises(FrozenInstanceError):
        validation.classifiers = RIGHT  # type: ignore[misc]  # this must not run
    with pytest.raises((TypeError, ValueError)):
        replace(validation, classifiers=RIGHT)  # type: ignore[call-arg]  # this must not run
    with pytest.raises(TypeError, match="fixing a validation"):
        replace(validation, classifiers=RIGHT, key=object())
    again, ledger = fixed(ledger, RIGHT)
    with pytest.raises(InvalidArgument, match="run after that"):
        check_pass(ledger, loop, ORACLE, again)


def test_walk_of_a_validation_cannot_be_replaced() -> None:
    world, _, ledger = explored()
    validation, ledger = fixed(ledger)
    with pytest.raises(FrozenInstanceError):
        validation.walk = (1, 1)  # type: ignore[misc]  # this must not run
    with pytest.raises((TypeError, ValueError)):
        replace(validation, walk=(1, 1))  # type: ignore[call-arg]  # this must not run
    for word in ((1, 1), (0, 0, 0, 0), (0,)):
        loop = run(ledger, world, Plan(word, len(word)))
        loop = run(loop.ledger, world, Plan(word, len(word), len(word)))
        ledger = loop.ledger
        with pytest.raises(InvalidArgument, match="the walk that was fixed"):
            check_pass(ledger, loop, ORACLE, validation)


def test_checking_the_first_pass_is_refused() -> None:
    world, _, ledger = explored()
    validation, ledger = fixed(ledger)
    loop, ledger = passed(world, ledger, 0)
    with pytest.raises(InvalidArgument, match="after the first"):
        check_pass(ledger, loop, ORACLE, validation)


@pytest.mark.parametrize("steps", [1, 3, 4])
def test_checking_a_partial_or_double_pass_is_refused(steps: int) -> None:
    world, _, ledger = explored()
    validation, ledger = fixed(ledger)
    _, ledger = passed(world, ledger, 0)
    loop = run(ledger, world, Plan(WALK, steps, 2))
    with pytest.raises(InvalidArgument, match="one whole pass"):
        check_pass(loop.ledger, loop, ORACLE, validation)


def test_walk_shorter_than_the_mixing_time_is_refused() -> None:
    _, _, ledger = explored()
    with pytest.raises(InvalidArgument, match="at least 2 steps"):
        fixed(ledger, walk=(0,))


@pytest.mark.parametrize("visits", [(2,), (2, 1, 1), (0, 1), (3, 1)])
def test_visits_that_do_not_fit_the_classifiers_are_refused(visits: tuple[int, ...]) -> None:
    _, _, ledger = explored()
    with pytest.raises(InvalidArgument, match="visits"):
        fix(ledger, walk=WALK, visits=visits, classifiers=RIGHT)


def test_each_round_charges_its_share_and_takes_its_passes() -> None:
    _, _, ledger = explored()
    for number, loops in ((1, 1), (2, 1), (3, 5)):
        before = ledger.budget.spent
        validation, ledger = fixed(ledger, walk=WALK * loops)
        share = round_share(RECIPE.parameters.delta, number)
        assert ledger.budget.spent - before == share
        assert validation.passes == validation_samples(RECIPE.parameters.epsilon, loops, share)


def test_validation_in_a_looped_run_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="located"):
        fixed(looped().ledger)


def test_validation_without_the_key_is_refused() -> None:
    with pytest.raises(TypeError, match="fixing a validation"):
        Validation(0, opened(RECIPE.parameters), WALK, VISITS, 3, RIGHT, key=object())


def test_two_labels_of_one_state_leave_no_classifier() -> None:
    """If two labels of one state saw the same noise, F has no classifier for either."""
    _, loop, ledger = explored()
    (one, other), _ = read(ledger, loop, ORACLE, ((Progression(1),), (Progression(3),)))
    pools = [pooled(ORACLE, (one,)), pooled(ORACLE, (other,))]
    assert one_against_all(ORACLE, pools) == (None, None)
    assert one_against_all(ORACLE, pools[:1]) == (1,)
