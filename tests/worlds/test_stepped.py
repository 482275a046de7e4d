"""A world of one's own from a function that takes a step, and the laws that it must keep."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from proofs_checks.small_cases.slow_noise import slow_world
from steel_verified.classes.finite import Components, tables
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.learning.located import Located
from steel_verified.learning.results import accepted
from steel_verified.strategies import check_world_laws
from steel_verified.theory.progressions import Level, Progression
from steel_verified.using.attempt import attempt
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.stepped import SteppedWorld
from steel_verified.worlds.tabular import HiddenWorld, tabular_world
from tests.bounds import bounds
from tests.worlds.laws_of_data import hidden_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.theory.progressions import Progression as Times
    from steel_verified.worlds.stepped import Seen, StoredLoop


class Switch(SteppedWorld):
    """Action 0 flips it, action 1 leaves it; a lamp beside it flickers."""

    actions = 2

    def __init__(self, show: Callable[[bool, float], Seen] | None = None) -> None:
        self.on = False
        self.noise = np.random.default_rng(7)
        self.show = show or (lambda on, noise: [on, not on, noise < 0.5])

    def step(self, action: int) -> Seen:
        self.on ^= action == 0
        return self.show(self.on, self.noise.random())


METHOD = Located(bounds(2, 3))


def as_image(on: bool, noise: float) -> NDArray[np.uint8]:  # noqa: FBT001 (as it is called)
    return np.array([[200 * on, int(50 * noise)], [int(50 * noise), 200 * on]], dtype=np.uint8)


def test_a_switch_is_learned_with_bits_numbers_and_images() -> None:
    assert accepted(attempt(Switch(), Components(3), METHOD)).model.table == ((1, 0), (0, 1))
    pair = Switch(lambda on, noise: (on + 0.1 * noise, noise))
    assert accepted(attempt(pair, Boxes(2), METHOD)).model.states == 2
    pair = Switch(lambda on, noise: np.array([on + noise, noise], dtype=np.float32))
    assert accepted(attempt(pair, HalfSpaces(2), METHOD)).model.states == 2
    assert accepted(attempt(Switch(as_image), Boxes(4), METHOD)).model.states == 2
    single = Switch(lambda on, noise: 2 * int(on) + (noise < 0.5))
    oracle = tables([[True, True, False, False], [False, False, True, True]])
    assert accepted(attempt(single, oracle, METHOD)).model.states == 2


@pytest.mark.parametrize(
    ("show", "message"),
    [
        (lambda on, _: ["yes" if on else "no"], "<U3 of shape"),
        (lambda on, _: [on] if on else [on, on], r"bool of shape \(2,\): expected bool of"),
        (lambda on, _: [1] if on else [0.5], "float64 of shape .* expected int64"),
        (lambda on, _: np.array([on], dtype=np.uint64), "uint64"),
        (lambda _, __: [], "float64 of shape"),
    ],
)
def test_observation_of_another_type_or_shape_raises(
    show: Callable[[bool, float], Seen], message: str
) -> None:
    world = Switch(show)
    with pytest.raises(InvalidArgument, match=f"observation = .*{message}"):
        world.run(Plan((0,), 4, keeps=(Progression(1, (Level(4, 1),)),)))


def test_actions_that_the_world_does_not_have_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="actions from 0 to 1"):
        Switch().run(Plan((0, 2), 2))


def test_stepped_world_copies_a_reused_observation_array() -> None:
    screen = np.zeros(2, dtype=np.bool_)

    def show(on: bool, _: float) -> NDArray[np.bool_]:  # noqa: FBT001 (as it is called)
        screen[:] = on, not on
        return screen

    check_world_laws(lambda: Switch(show), Components(2))


def test_correct_worlds_pass_the_law_checks() -> None:
    check_world_laws(Switch, Components(3))
    check_world_laws(lambda: Switch(as_image), Boxes(4))
    lock = combination_lock(0, states=3, components=12, least_noise=0.1)
    check_world_laws(lambda: lock.world(5), lock.oracle(), tries=5)
    slow = slow_world(3, Fraction(1, 4))
    for make in (lambda: tabular_world(slow, 5), lambda: HiddenWorld(hidden_model(slow), 5)):
        check_world_laws(make, tables([[True] * 6]))


class Stale(Switch):
    """Shows what was seen before the action."""

    last: Seen = (False, True, False)

    def step(self, action: int) -> Seen:
        shown, self.last = self.last, super().step(action)
        return shown


class Forgetful(Switch):
    """Counts no step of a plan that goes on with a loop."""

    def run(self, plan: Plan) -> StoredLoop:
        before = self.steps
        loop = super().run(plan)
        self.steps = before if plan.done else self.steps
        return loop


class DrawnWhenAsked(Switch):
    """Draws the noise when rows are asked for, so that it depends on the order of asking."""

    def run(self, plan: Plan) -> StoredLoop:
        loop, noise = super().run(plan), self.noise
        given = loop.rows

        def rows(*datasets: tuple[Times, ...]) -> tuple[Numbers, ...]:
            seen = [np.array(batch, dtype=np.bool_) for batch in given(*datasets)]
            for batch in seen:
                batch[:, 2] = noise.random(len(batch)) < 0.5
            return tuple(seen)

        loop.rows = rows  # type: ignore[method-assign]  # wrong on purpose
        return loop


class Unseeded(Switch):
    """Its noise is another one each time."""

    def __init__(self) -> None:
        super().__init__()
        self.noise = np.random.default_rng()


class Restarting(Switch):
    """Every loop begins with the switch off."""

    def run(self, plan: Plan) -> StoredLoop:
        self.on = self.on and plan.done > 0
        return super().run(plan)


class Weary(Switch):
    """A bulb that has been switched three times needs two more: a hidden state."""

    flips = 0

    def step(self, action: int) -> Seen:
        self.flips += action == 0
        return super().step(1 if self.flips % 4 == 3 else action)


class Foreseeing(Switch):
    """Its lamp shows the next action of the plan."""

    def run(self, plan: Plan) -> StoredLoop:
        self.word, self.time = plan.word, plan.done
        return super().run(plan)

    def step(self, action: int) -> Seen:
        self.time += 1
        ahead = self.word[min(self.time, len(self.word) - 1)]
        super().step(action)
        return [self.on, not self.on, ahead == 0]


class Thrifty(Switch):
    """Draws the noise once more if only some of the rows are kept."""

    def run(self, plan: Plan) -> StoredLoop:
        kept = sum(1 for times in plan.keeps for _ in times)
        if 0 < kept < plan.steps:
            self.noise.random()
        return super().run(plan)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Stale, "a step too late"),
        (Forgetful, "steps are miscounted"),
        (DrawnWhenAsked, "order in which they are asked"),
        (Foreseeing, "changes what was seen before it"),
        (Thrifty, "which others may be asked for"),
        (Unseeded, "seed the noise"),
        (Restarting, "does not go on where the last one ended"),
        (Weary, "belongs to two states"),
    ],
)
def test_law_checks_reject_subtly_wrong_worlds(wrong: Callable[[], Switch], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_world_laws(wrong, Components(3))


class Environment:
    """As much of a Gymnasium environment as shows that it is one."""

    action_space = range(2)


@pytest.mark.parametrize(
    ("world", "method", "text"),
    [
        (Switch(), "bounds", "method = LocatedParameters: expected a method such as Located"),
        (Environment(), "method", "world = Environment: expected a world: convert .*from_gymnas"),
        (object(), "method", "world = object: expected a world that says how many `actions`"),
    ],
)
def test_learn_with_swapped_or_wrong_arguments_names_the_argument(
    world: Switch, method: str, text: str
) -> None:
    given = METHOD if method == "method" else METHOD.parameters
    with pytest.raises(InvalidArgument, match=text):
        attempt(world, Components(3), given)  # type: ignore[arg-type]  # wrong on purpose
