"""The run is replayed in the model: rows that F cannot read as its states contradict it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from steel_verified.classes.finite import Marks, Tables, tables
from steel_verified.evidence.ledger import KEY, OpenedCertain, opened
from steel_verified.evidence.sealed import Observed, Pool
from steel_verified.learning.located import Located
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.learning.self_check.replay import Explained, ToReplay, Trail, explained
from steel_verified.reports.run import self_check_warnings
from steel_verified.theory.conditions import Condition
from steel_verified.theory.self_check import SelfCheck, rounds
from steel_verified.using.attempt import attempt
from steel_verified.worlds.tabular import HiddenWorld
from tests.bounds import bounds
from tests.studies.necessity import falling_world
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.judging import Method, ending

RING = Model(2, ((1, 0), (2, 1), (0, 2)))
"""Action 0 goes to the next state, action 1 stays."""
HOMING = Model(2, ((1, 0), (2, 0), (0, 0)))
"""Action 0 goes to the next state, action 1 goes to state 0 from everywhere."""
ONE_EACH = tables([[x == state for x in range(4)] for state in range(3)])
"""Observation 3 belongs to no state."""


LEDGER = opened(OpenedCertain(classifiers=3, actions=2))


def glimpse(oracle: Tables, x: int) -> Pool:
    return Pool(1, LEDGER, Observed(Marks(oracle.columns[x], oracle.columns[x])), key=KEY)


KNOWN = ToReplay(known=tuple((state, glimpse(ONE_EACH, state)) for state in range(3)))
"""Each state has rows whose label is known, as in every run."""


def trail(actions: tuple[int, ...], seen: tuple[int, ...], after: int) -> ToReplay:
    """Return a run with an unknown start, all of whose rows are kept."""
    rows = tuple((time, glimpse(ONE_EACH, x)) for time, x in enumerate(seen, start=1))
    return KNOWN + ToReplay(trails=(Trail(None, actions, after, rows),))


@pytest.mark.parametrize("model", [RING, HOMING])
def test_run_is_explained_exactly_if_some_start_explains_every_row(model: Model) -> None:
    """All runs of three steps are tried; F has one classifier for each state and no others."""
    for actions in product(range(2), repeat=3):
        honest = set()
        for start in range(3):
            here, seen = start, []
            for action in actions:
                here = model.table[here][action] or 0
                seen.append(here)
            honest.add((tuple(seen), here))
        for seen_rows in product(range(3), repeat=3):
            for after in range(3):
                found = explained(ONE_EACH, model, trail(actions, seen_rows, after))
                assert (found is not None) == ((seen_rows, after) in honest), (
                    actions,
                    seen_rows,
                    after,
                )


def test_rows_of_known_labels_must_be_explained() -> None:
    right = trail((0, 0), (1, 2), after=2)
    assert explained(ONE_EACH, RING, right)
    contrary = ToReplay(known=((1, glimpse(ONE_EACH, 2)),))
    assert not explained(ONE_EACH, RING, right + contrary)
    from_one = Trail(1, (0, 0), 0, ((1, glimpse(ONE_EACH, 2)), (2, glimpse(ONE_EACH, 0))))
    assert explained(ONE_EACH, RING, KNOWN + ToReplay(trails=(from_one,)))
    from_two = Trail(2, (0, 0), 1, from_one.seen)
    assert not explained(ONE_EACH, RING, KNOWN + ToReplay(trails=(from_two,)))


def test_rows_before_a_part_without_return_need_not_be_explained() -> None:
    """The condition is that they do not look like any row that comes after."""
    actions = (1, 1, 0, 0, 0)
    fallen = explained(ONE_EACH, RING, trail(actions, (3, 3, 1, 2, 0), after=0))
    assert fallen == Explained(left=2)
    assert not explained(ONE_EACH, RING, trail(actions, (3, 1, 1, 2, 0), after=0))
    assert not explained(ONE_EACH, RING, trail(actions, (3, 3, 1, 3, 0), after=0))


BOUNDS = bounds(2, 3, epsilon=Fraction(1, 5))


@pytest.mark.parametrize("falls_with", [0, 1])
def test_part_that_was_seen_and_left_for_good_is_reported(falls_with: int) -> None:
    oracle = tables([[x // 2 == s for x in range(6)] for s in range(3)])
    for seed in range(5):
        world = HiddenWorld(falling_world(falls_with), seed)
        result = attempt(world, oracle, Located(BOUNDS), first_action=1 - falls_with)
        assert isinstance(result, Accepted)
        assert result.self_check is not None
        assert result.self_check.left == 2 * BOUNDS.max_states
        warnings = self_check_warnings(result.self_check, result.model.states)
        assert "left a part of the world" in str(warnings)
        at_once = HiddenWorld(falling_world(falls_with), seed)
        unseen = attempt(at_once, oracle, Located(BOUNDS), first_action=falls_with)
        assert isinstance(unseen, Accepted)
        assert unseen.self_check is not None
        assert unseen.self_check.left is None


@pytest.mark.parametrize(
    ("violation", "method", "seed"),
    [
        (Violation.ALIKE, Method.LOOPED, 4),  # on the way into the first loop
        (Violation.ALIKE, Method.LOOPED, 80),  # in the first pass of the tour
        (Violation.ALIKE, Method.LOCATED, 80),  # in the first pass of the validation
        (Violation.SHARED, Method.LOOPED, 34),  # in a loop
        (Violation.CHANGE, Method.LOOPED, 5125),  # at a position of a loop with another label
    ],
)
def test_one_unreadable_row_contradicts_the_run(
    violation: Violation, method: Method, seed: int
) -> None:
    """Each of these runs was accepted before the replay was added: no bet is won."""
    world = violated_world(violation, seed)
    assert isinstance(ending(world, method, None).result, Accepted)
    result = ending(world, method, SelfCheck(steps=0)).result
    assert isinstance(result, Contradicted)
    assert result.self_check is not None
    assert not result.self_check.won
    assert "no classifier" in result.because
    assert result.causes


@pytest.mark.parametrize("seed", [20002, 20008])
def test_fresh_steps_are_replayed_too(seed: int) -> None:
    """A transition changed during the run and is taken again only by the fresh steps.

    The bets do not see it: what a label shows does not depend on how it was reached.
    """
    world = violated_world(Violation.CHANGE, seed)
    assert isinstance(ending(world, Method.LOCATED, SelfCheck(steps=0)).result, Accepted)
    result = ending(world, Method.LOCATED).result
    assert isinstance(result, Contradicted)
    assert result.self_check is not None
    assert not result.self_check.won
    assert result.because.startswith("the whole run, with the fresh steps after it, was replayed")
    assert Condition.UNCHANGING in [cause.condition for cause in result.causes]


def test_kept_rows_cover_all_positions_of_a_loop() -> None:
    assert rounds(4, 3, 10, 100) == tuple(range(3, 11))
    assert rounds(4, 1, 100, 20) == tuple(t for b in range(1, 101, 20) for t in range(b, b + 4))
    assert rounds(50, 1, 100, 20) == tuple(range(1, 21))
    for length, last, most in product(range(1, 9), (40, 41, 97), (8, 16, 30)):
        times = rounds(length, 5, last, most)
        assert {time % length for time in times} == set(range(length))
        assert times[:length] == tuple(range(5, 5 + length))
        assert len(times) <= most + length
