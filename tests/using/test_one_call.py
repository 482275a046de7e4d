"""`learn` takes an environment as it is, a world or a function, and remembers the features."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Text

import steel_verified.gymnasium  # noqa: F401 (registers the environments)
from steel_verified import (
    Boxes,
    Components,
    Learned,
    Located,
    LocatedParameters,
    learn,
)
from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium import Continuing
from steel_verified.gymnasium.world import features_of
from steel_verified.theory.conditions import AssumptionViolated
from tests.gymnasium.small_envs import Corridor
from tests.toys import Toy

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

TENTH = Fraction(1, 10)


def lake(*, slippery: bool = False) -> gymnasium.Env[np.int64, np.int64]:
    return gymnasium.make("FrozenLake-v1", is_slippery=slippery)


def test_an_environment_with_episodes_is_learned_with_them() -> None:
    learned = learn(lake(), Components(16), seed=3)
    assert learned.guarantee is not None
    assert (learned.guarantee.method, learned.model.states) == ("log", 16)
    start, goal = learned.encode([0, 15])  # observations, not rows of bits
    assert learned.check().accepted
    env = lake()
    env.reset()
    went = learned.follow(env, to=goal, start=start)
    assert went.arrived
    assert len(went.steps) == 6


def test_the_seed_of_an_environment_decides_everything() -> None:
    one, again, other = (learn(lake(), Components(16), seed=seed) for seed in (1, 1, 2))
    assert one.certificate() == again.certificate() != other.certificate()


def test_without_a_self_check_an_environment_takes_fewer_steps() -> None:
    unchecked = learn(lake(), Components(16), seed=3, self_check=None)
    assert unchecked.steps < 200 < learn(lake(), Components(16), seed=3).steps


def test_a_part_of_an_observation_that_is_no_number_is_named() -> None:
    space = Dict({"image": Box(0, 1, (2,)), "mission": Text(5)})
    with pytest.raises(InvalidArgument, match=r"because observation\['mission'\] is of Text"):
        features_of(space)


def test_bounds_ask_for_located_on_one_trajectory() -> None:
    learned = learn(lake(), Components(16), max_states=20, mixing_time=1, seed=3)
    assert learned.guarantee is not None
    assert (learned.guarantee.method, learned.model.states) == ("located", 16)
    with pytest.raises(AssumptionViolated, match="the dynamics are random"):
        learn(lake(slippery=True), Components(16), max_states=20, mixing_time=1)


@pytest.mark.parametrize("continues", [False, True])
def test_an_environment_whose_episodes_never_end_is_one_trajectory(continues: bool) -> None:  # noqa: FBT001
    lock = gymnasium.make("steel_verified/CombinationLock-v0", states=3, components=12)
    learned = (
        learn(Continuing(lake()), Components(16), seed=1)
        if continues
        else learn(lock, Components(12), seed=1)
    )
    assert learned.guarantee is not None
    assert learned.guarantee.method == "certain"
    assert learned.model.states == (16 if continues else 3)


def test_episodes_have_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="expected None: episodes are not kept"):
        learn(lake(), Components(16), checkpoint=tmp_path / "lake.run")


class Lamp:
    """Action 0 flips a lamp. It is shown as a dictionary with an image of two by two numbers."""

    def __init__(self) -> None:
        self.on = False
        self.random = np.random.default_rng(5)

    def step(self, action: int) -> dict[str, NDArray[np.float64]]:
        self.on ^= action == 0
        return shown(self.on, float(self.random.random()))


def shown(on: int, noise: float) -> dict[str, NDArray[np.float64]]:
    return {"image": np.array([[on, not on], [noise > 0.5, 0.5]])}


def bits(seen: dict[str, NDArray[np.float64]]) -> NDArray[np.bool_]:
    return seen["image"] > 0.5


def test_a_function_is_learned_and_its_features_are_remembered(tmp_path: Path) -> None:
    lamp = Lamp()
    learned = learn(lamp.step, Components(4), actions=2, features=bits, seed=1)
    off, on = learned.encode([shown(0, 0.2), shown(1, 0.9)])
    assert {off, on} == {0, 1}
    assert learned.plan(to=shown(1, 0.1), start=shown(0, 0.8)) == (0,)
    assert learned.policy(shown(1, 0.3))(shown(0, 0.3)) == 0
    for to in (on, off):
        went = learned.follow(lamp.step, to=to, start=int(lamp.on) if on else int(not lamp.on))
        assert went.arrived
        assert lamp.on == (to == on)
    sent: Learned = pickle.loads(pickle.dumps(learned))
    assert sent.state_of(shown(1, 0.1)) == on
    learned.save(tmp_path / "lamp.json")
    assert Learned.load(tmp_path / "lamp.json", features=bits).state_of(shown(1, 0.1)) == on
    assert Learned.load(tmp_path / "lamp.json").state_of([True, False, True, False]) == on


def test_an_object_that_does_not_say_how_many_actions_it_has_is_learned() -> None:
    lamp = Lamp()
    learned = learn(lamp, Components(4), actions=2, features=bits, seed=1)
    went = learned.follow(lamp, to=shown(1, 0.1), start=shown(lamp.on, 0.1))
    assert went.arrived
    assert lamp.on
    with pytest.raises(InvalidArgument, match=r"actions = None: expected .* of the object"):
        learn(lamp, Components(4), features=bits)  # type: ignore[call-overload]  # no actions


def test_a_single_observation_is_not_several() -> None:
    learned = learn(Lamp().step, Components(4), actions=2, features=bits)
    with pytest.raises(InvalidArgument, match="observations = one dict: expected a list"):
        learned.encode(shown(1, 0.1))


def ends(state: int, _: np.random.Generator) -> NDArray[np.int64]:
    """A point at an end of a line, seen as an image."""
    image = np.zeros((3, 5), np.int64)
    image[1, 4 * state] = 1
    return image


def test_features_of_a_stepped_world_read_its_images() -> None:
    world = Toy(((0, 1), (0, 1)), ends)
    learned = learn(world, Components(2), features=lambda image: image[1, [0, 4]] == 1)
    steps = world.steps
    went = learned.follow(world, to=ends(1, world.random))
    assert went.arrived
    assert world.state == 1
    assert world.steps == steps + len(went.steps)
    assert steps >= learned.steps


class Loop(Corridor):
    """The corridor as a loop of three cells, which never ends; every observation has noise."""

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, object]]:
        self.cell = (self.cell + int(action)) % 3
        return self._seen(), 0.0, False, False, {}


def test_a_noisy_start_matters_only_if_an_episode_ends() -> None:
    assert learn(Loop(), seed=1).model.states == 3
    bounds = LocatedParameters(actions=2, max_states=4, mixing_time=1, delta=TENTH, epsilon=TENTH)
    assert learn(Loop(), Components(5), Located(bounds), seed=1).model.states == 3
    with pytest.raises(
        AssumptionViolated, match=r"an episode ended.*Continuing\(env, noisy=True\)"
    ):
        learn(Corridor(), Components(5), Located(bounds), seed=1)
    continuing = Continuing(Corridor(), noisy=True)
    assert learn(continuing, Components(5), Located(bounds), seed=1).model.states == 4


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ({"on": True}, "observation = a dict: expected an array .* give `features`"),
        ("on", "observation = a str: expected an array"),
        (None, "observation = a NoneType: expected an array"),
        ([[1], [1, 2]], "observation = rows of several lengths: expected an array"),
        ([float("nan"), 1.0], "observation = numbers that are not finite: expected finite"),
    ],
    ids=["dictionary", "text", "none", "ragged", "nan"],
)
def test_observations_that_are_no_rows_are_named(shown: object, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        learn(lambda _: shown, actions=2)


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(InvalidArgument, match=r"where = Plain: .*, not its class: write Plain\("):
        learn(Plain)  # type: ignore[call-overload]  # on purpose
    with pytest.raises(InvalidArgument, match="features = 3: expected a function"):
        learn(Plain(), features=3)  # type: ignore[call-overload]  # on purpose
    with pytest.raises(InvalidArgument, match="actions = None: expected the number of actions"):
        learn(Lamp().step, Components(4), features=bits)  # type: ignore[call-overload]  # no actions
    with pytest.raises(InvalidArgument, match="actions = 2: expected None: a world says"):
        learn(Toy(((0, 1), (0, 1)), ends), Boxes(15), actions=2)
    with pytest.raises(InvalidArgument, match="where = int: expected an object with"):
        learn(3, Components(2))  # type: ignore[call-overload]  # on purpose


class Plain:
    """Not derived from anything."""

    actions = 2
    cell = 0

    def step(self, action: int) -> list[bool]:
        self.cell = (self.cell + 1 + action) % 3
        return [self.cell == each for each in range(3)]


def test_any_object_with_actions_and_step_is_learned() -> None:
    plain = Plain()
    learned = learn(plain, Components(3), seed=1)
    assert learned.plan(to=[0, 0, 1], start=[1, 0, 0]) == (1,)
    assert learned.follow(plain, to=[0, 1, 0]).arrived
    assert plain.cell == 1


def test_dictionaries_and_tuples_are_read_part_by_part() -> None:
    space: gymnasium.Space[object] = gymnasium.spaces.Dict(
        {
            "cell": gymnasium.spaces.Discrete(3),
            "pair": gymnasium.spaces.Tuple(
                (gymnasium.spaces.Discrete(2), gymnasium.spaces.MultiBinary(2))
            ),
        }
    )
    read = features_of(space)
    seen = read({"cell": np.int64(1), "pair": (np.int64(0), np.array([0, 1], np.int8))})
    assert np.asarray(seen).tolist() == [False, True, False, True, False, False, True]
    with pytest.raises(InvalidArgument, match="Text"):
        features_of(gymnasium.spaces.Dict({"said": gymnasium.spaces.Text(5)}))


class Bell(gymnasium.Env[np.int64, np.int64]):
    """Two cells; in the second, action 1 rings and ends the episode, which shows the same cell."""

    def __init__(self) -> None:
        self.action_space = gymnasium.spaces.Discrete(2)
        self.observation_space = gymnasium.spaces.Discrete(2)
        self.cell = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[np.int64, dict[str, object]]:
        super().reset(seed=seed, options=options)
        self.cell = 0
        return np.int64(0), {}

    def step(self, action: np.int64) -> tuple[np.int64, float, bool, bool, dict[str, object]]:
        rings = bool(self.cell == 1 and action == 1)
        self.cell = 1 if action == 0 else self.cell
        return np.int64(self.cell), float(rings), rings, False, {}


def test_an_end_that_looks_like_another_state_is_not_shown_on_one_trajectory() -> None:
    learned = learn(Bell(), Components(2), max_states=3, mixing_time=1)
    first, second = learned.encode([0, 1])
    assert learned.model.table[second] == (second, first)
