"""Doubled guesses: what is found, what the shares of δ are, and what is not guaranteed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from proofs_checks.checker.judging import judged
from steel_verified.classes.finite import Components, tables
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.results import (
    Accepted,
    Contradicted,
    NotAccepted,
    accepted,
    parameters_of,
)
from steel_verified.theory.self_check import SelfCheck
from steel_verified.worlds import progress as progress_module
from steel_verified.worlds.doubling import agree, learn_with_doubling
from steel_verified.worlds.stepped import SteppedWorld
from tests.bounds import bounds

if TYPE_CHECKING:
    from steel_verified.theory.parameters import LocatedParameters
    from steel_verified.worlds.progress import Progress
    from steel_verified.worlds.stepped import Seen


class Ring(SteppedWorld):
    """States in a ring, on which both actions move on. It shows its state, and noise."""

    actions = 2

    def __init__(self, states: int, *, noise: float = 0.5, bits: int = 0) -> None:
        self.states, self.state, self.bits = states, 0, bits
        self.noise, self.changes = np.zeros(bits, dtype=np.bool_), noise
        self.random = np.random.default_rng(3)

    def step(self, action: int) -> Seen:
        del action
        self.state = (self.state + 1) % self.states
        self.noise ^= self.random.random(self.bits) < self.changes
        return np.append(np.arange(self.states) == self.state, self.noise)


class Numbered(Ring):
    """A ring that shows the number of its state."""

    def step(self, action: int) -> Seen:
        super().step(action)
        return self.state


class Lock(Numbered):
    """Action 0 moves on, and action 1 goes back to the first state."""

    def step(self, action: int) -> Seen:
        self.state = (self.state + 1) % self.states if action == 0 else 0
        return self.state


NO_FRESH_STEPS = SelfCheck(steps=0)


def guesses(states: int = 2, mixing: int = 1) -> LocatedParameters:
    return bounds(2, states, mixing, epsilon=Fraction(1, 10))


def one_of(states: int, *others: list[bool]) -> list[list[bool]]:
    """A classifier for each state, and others."""
    return [[x == s for x in range(states)] for s in range(states)] + list(others)


def test_too_small_guess_of_n_is_contradicted_and_doubled() -> None:
    """With N = 2 a class with parities takes four states for two; with N = 4 it does not."""
    parities = [x % 2 == 0 for x in range(4)], [x % 2 == 1 for x in range(4)]
    oracle = tables(one_of(4, *parities))
    unchecked = learn_with_doubling(Numbered(4), oracle, guesses(), self_check=None)
    found = learn_with_doubling(Numbered(4), oracle, guesses())
    assert isinstance(unchecked.attempts[0], Accepted)
    assert isinstance(found.attempts[0], Contradicted)  # by the self-check
    for doubled in (unchecked, found):
        assert [attempt.model.states for attempt in doubled.attempts] == [2, 4, 4]
        assert doubled.confirmed
        assert accepted(doubled.result).model.states == 4


def test_two_attempts_with_true_guesses_are_enough() -> None:
    """Both models end in one state, as the earlier one foresees each step."""
    world = Lock(4)
    found = learn_with_doubling(world, tables(one_of(4)), guesses(states=4))
    assert len(found.attempts) == 2
    assert found.confirmed


def test_two_too_small_guesses_may_agree_without_the_self_check() -> None:
    """Two guesses that are too small may agree: 8 states are taken for 2, twice, if unchecked."""
    parities = [x % 2 == 0 for x in range(8)], [x % 2 == 1 for x in range(8)]
    oracle = tables(one_of(8, *parities))
    found = learn_with_doubling(Numbered(8), oracle, guesses(), self_check=None)
    assert found.confirmed
    assert accepted(found.result).model.states == 2
    careful = learn_with_doubling(Numbered(8), oracle, guesses(states=8), self_check=None)
    assert accepted(careful.result).model.states == 8
    checked = learn_with_doubling(Numbered(8), oracle, guesses())
    assert accepted(checked.result).model.states == 8


def test_attempts_have_decreasing_delta_growing_limits_and_valid_certificates() -> None:
    world, oracle = Ring(5, bits=2), Components(7)
    found = learn_with_doubling(world, oracle, guesses(), self_check=NO_FRESH_STEPS)
    assert found.confirmed
    deltas = [parameters_of(attempt).delta for attempt in found.attempts]
    assert (
        deltas
        == [Fraction(1, 40), Fraction(1, 120), Fraction(1, 240), Fraction(1, 400)][: len(deltas)]
    )
    assert sum(deltas) < Fraction(1, 20)
    assert world.steps == sum(attempt.ledger.steps for attempt in found.attempts)
    most = [parameters_of(attempt).max_states for attempt in found.attempts]
    assert most == [2**k for k in range(1, len(most) + 1)]
    last = accepted(found.result)
    assert last.model.states == 5
    certificate = certificate_of_run(last, oracle, provenance("a ring", 0, 0))
    assert judged(certificate).findings == []


def test_mixing_time_guess_grows_until_two_attempts_agree() -> None:
    """t̂_mix grows until two attempts agree; N is known, so that every model covers the truth."""
    world = Ring(3, noise=0.02, bits=2)
    found = learn_with_doubling(world, Components(5), guesses(states=3), double_states=False)
    assert [parameters_of(attempt).max_states for attempt in found.attempts] == [3] * len(
        found.attempts
    )
    assert accepted(found.result).model.states == 3
    assert parameters_of(found.attempts[-1]).mixing_time == 2 ** (len(found.attempts) - 1)


def test_attempts_that_never_agree_are_not_accepted() -> None:
    """Limits of steps that are too small for any validation."""
    found = learn_with_doubling(Ring(5), Components(5), guesses(), attempts=2, first_steps=20)
    assert not found.confirmed
    assert isinstance(found.result, NotAccepted)
    once = learn_with_doubling(Numbered(4), tables(one_of(4)), guesses(states=4), attempts=2)
    first, second = once.attempts
    assert agree(first, second)
    third = learn_with_doubling(Numbered(2), tables(one_of(2)), guesses(), attempts=2).attempts[0]
    assert not agree(first, third)


@pytest.mark.parametrize(
    ("states", "attempts", "named"), [(1, 8, "max_states = 1"), (2, 1, "attempts = 1")]
)
def test_guesses_below_two_raise(states: int, attempts: int, named: str) -> None:
    with pytest.raises(InvalidArgument, match=named):
        learn_with_doubling(Ring(2), Components(2), guesses(states), attempts=attempts)


class Interrupting(Ring):
    """Somebody presses Ctrl-C at a step."""

    def __init__(self, states: int, at: int) -> None:
        super().__init__(states)
        self.at = at

    def step(self, action: int) -> Seen:
        if self.steps == self.at:
            raise KeyboardInterrupt
        return super().step(action)


def test_ctrl_c_ends_all_doubling_attempts() -> None:
    """Not just the one that is under way."""
    found = learn_with_doubling(Interrupting(4, at=30), Components(4), guesses(4))
    (last,) = found.attempts
    assert isinstance(last, NotAccepted)
    assert last.interrupted
    assert not found.confirmed


def test_doubling_reports_the_progress_of_each_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    reports: list[Progress] = []
    world = Ring(4)
    found = learn_with_doubling(
        world,
        Components(4),
        guesses(4),
        first_steps=10_000,
        progress=reports.append,
        self_check=NO_FRESH_STEPS,
    )
    begun = [number for number, now in enumerate(reports) if now.steps == 0]
    assert len(begun) == len(found.attempts) == 2
    assert [reports[number].estimate.steps for number in begun] == [10_000, 40_000]
    assert reports[-1].steps == found.attempts[-1].ledger.steps
    assert reports[begun[1] - 1].steps + reports[-1].steps == world.steps
