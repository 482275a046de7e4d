"""Public functions that are given something else altogether say what they expect."""

# mypy: disable-error-code="arg-type"
# Wrong types are the point here.

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import gymnasium
import pytest

from steel_verified import (
    Components,
    Learned,
    Located,
    LocatedParameters,
    Looped,
    Parameters,
    SelfCheck,
    Slipping,
    SteppedWorld,
    attempt,
    exactly,
    predict,
    preflight,
)
from steel_verified.classes import predicates
from steel_verified.errors import InvalidArgument
from steel_verified.findings import save_findings
from steel_verified.gymnasium import (
    Continuing,
    WithNoise,
    explored,
    flickering,
    from_gymnasium,
)
from steel_verified.plots import preflight_figure
from steel_verified.worlds import (
    Dynamics,
    Fallback,
    ideal_run,
    learn_with_doubling,
    speed_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Switch(SteppedWorld):
    actions, on = 2, False

    def step(self, action: int) -> list[bool]:
        self.on ^= action == 0
        return [self.on, not self.on]


class Backwards(Switch):
    actions = -1


class Lever(Switch):
    actions = 3


BITS = Components(2)
BOUNDS = LocatedParameters.of(Switch(), max_states=3, mixing_time=1)
MORE = Parameters.of(Switch(), BITS, max_states=3, mixing_time=1)
RESULT = attempt(Switch(), BITS, Located(BOUNDS))
LEARNED = Learned.of(RESULT, BITS)

MISTAKES: dict[str, Callable[[], object]] = {
    "parameters = int: expected Parameters": lambda: predict(3),
    "result = int: expected what `learn` returned": lambda: Learned.of(42, BITS),
    "report = str: expected what `preflight` returned": lambda: preflight_figure("x"),
    "world = Switch: expected an object, not its class: write Switch(…)": lambda: attempt(
        Switch, BITS, Located(BOUNDS)
    ),
    "world.actions = -1: expected an integer, at least 1": lambda: speed_of(Backwards()),
    "F = Components: expected an object, not its class": lambda: attempt(
        Switch(), Components, Located(BOUNDS)
    ),
    "F = NoneType: expected a class of classifiers": lambda: preflight(Switch(), None),
    "F = str: expected a class of classifiers": lambda: Learned.of(RESULT, "bits"),
    "first_action = 'up': expected an integer": lambda: attempt(
        Switch(), BITS, Located(BOUNDS), first_action="up"
    ),
    "max_steps = -1: expected an integer, at least 1": lambda: attempt(
        Switch(), BITS, Located(BOUNDS), max_steps=-1
    ),
    "self_check = True: expected SelfCheck(…)": lambda: attempt(
        Switch(), BITS, Located(BOUNDS), self_check=True
    ),
    "steps = 'many': expected an integer, at least 0": lambda: SelfCheck(steps="many"),
    "number = 0.05: expected a decimal": lambda: exactly(0.05),
    "parameters = NoneType: expected Parameters": lambda: Located(None),
    "parameters = LocatedParameters: expected Parameters: |F| and D̂ are needed": lambda: Looped(
        BOUNDS
    ),
    "parameters = LocatedParameters: expected Parameters: |F|": lambda: Fallback(BOUNDS),
    "parameters = Located: expected": lambda: learn_with_doubling(Switch(), BITS, Located(BOUNDS)),
    "first_steps = 0: expected an integer, at least 1": lambda: learn_with_doubling(
        Switch(), BITS, BOUNDS, first_steps=0
    ),
    "slips = 1/2: expected more than 0 and less than 1/2": lambda: attempt(
        Switch(), BITS, slips=0.5
    ),
    "slips = 0.001: expected an exact fraction": lambda: Slipping(0.001, 2, 2),
    "slips = None: expected a bound p < 1/2": lambda: attempt(Switch(), BITS, "slipping"),
    "slips = 0.1: expected a bound p < 1/2 with the method slipping": lambda: attempt(
        Switch(), BITS, "certain", slips=0.1
    ),
    "max_states = 3: expected None: slipping needs no bounds": lambda: attempt(
        Switch(), BITS, slips="1/50", max_states=3
    ),
    "classifiers = 9000: expected at least 1, and |F|²·|A|": lambda: Slipping(
        exactly("0.1"), 9000, 2
    ),
    "class_size = -1: expected an integer, at least 1": lambda: Components(-1),
    "functions = (3,): expected at least one function": lambda: predicates(3),
    "max_states = 0: expected an integer, at least 1": lambda: preflight(
        Switch(), BITS, max_states=0
    ),
    "steps = 0: expected an integer, at least 1": lambda: speed_of(Switch(), steps=0),
    "states = 'a': expected an integer, at least 1": lambda: predict(BOUNDS, states="a"),
    "start = 9: expected a state from 0 to 1": lambda: ideal_run(
        Dynamics(((1, 0), (0, 1))), 9, Looped(MORE)
    ),
    "method = Located: expected Looped(parameters)": lambda: ideal_run(
        Dynamics(((1, 0), (0, 1))), 0, Located(MORE)
    ),
    "where = 3 actions: expected a world with 2 actions": lambda: LEARNED.follow(Lever(), to=0),
    "env = 'FrozenLake-v1': expected a Gymnasium environment": lambda: Continuing("FrozenLake-v1"),
    "env = None: expected a Gymnasium environment": lambda: from_gymnasium(None),
    "expected Continuing(env), without noise": lambda: explored(gymnasium.make("Taxi-v4")),
    "noise = None: expected noise, such as flickering": lambda: WithNoise(
        gymnasium.make("Taxi-v4"), None
    ),
    "chance = 0.3: expected an exact fraction": lambda: flickering(2, 0.3),
    "bits = 0: expected an integer, at least 1": lambda: flickering(0, exactly("0.3")),
    "result = str: expected what `learn` returned": lambda: save_findings("x", "x.json"),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_is_named(message: str) -> None:
    with pytest.raises(InvalidArgument, match=re.escape(message)):
        MISTAKES[message]()
