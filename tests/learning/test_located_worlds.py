"""Located STEEL on random worlds: each run is right or not accepted."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from steel_verified.learning.classes import Components
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.theory.recipe import located
from steel_verified.worlds.driver import learn_located
from steel_verified.worlds.truth import relabelling

from .bit_worlds import parameters_for, random_world

DELTA = Fraction(1, 10**7)
"""All 1,000 worlds together are wrong with chance at most 10⁻⁴."""


def outcome(seed: int, max_states: int, max_steps: int) -> tuple[str, int]:
    """Run located STEEL on a random world; how it ended, and its steps."""
    rng = np.random.default_rng(seed)
    truth = random_world(rng, max_states)
    parameters = parameters_for(rng, truth, DELTA)
    world = truth.world(seed)
    result = learn_located(
        world,
        Components(len(truth.bits)),
        located(parameters),
        first_action=int(rng.integers(parameters.actions)),
        max_steps=max_steps,
    )
    assert world.steps <= max_steps
    match result:
        case NotAccepted():
            return "not accepted", world.steps
        case Accepted(model=model, current=current, classifiers=classifiers):
            meaning = relabelling(model, current, truth.dynamics, world.state)
            if meaning is None or classifiers is None:
                return "wrong dynamics", world.steps
            errors = [truth.error(classifiers, label, state) for label, state in enumerate(meaning)]
            return ("right" if max(errors) <= parameters.epsilon else "wrong encoder"), world.steps
    return "contradicted", world.steps


def test_random_worlds_of_up_to_twelve_states() -> None:
    ended = {seed: outcome(seed, 12, 60_000)[0] for seed in range(12)}
    wrong = {seed: how for seed, how in ended.items() if how not in ("right", "not accepted")}
    assert not wrong
    assert Counter(ended.values())["right"] >= 11


@pytest.mark.slow
def test_random_worlds_of_up_to_thirty_states() -> None:
    """1,000 worlds, about three minutes in all."""
    ended = {seed: outcome(seed, 30, 300_000)[0] for seed in range(1000, 2000)}
    wrong = {seed: how for seed, how in ended.items() if how not in ("right", "not accepted")}
    assert not wrong
    assert Counter(ended.values())["right"] >= 950
