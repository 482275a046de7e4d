"""Plans are shortest paths, and following a plan reports where the encoder disagrees."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steel_verified.gymnasium.envs  # noqa: F401 (registers the environments)
from steel_verified.classes.finite import Components, tables
from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.world import from_gymnasium
from steel_verified.learning.graph import shortest_words
from steel_verified.learning.located import Located
from steel_verified.learning.model import Model
from steel_verified.strategies import dynamics
from steel_verified.using.attempt import attempt
from steel_verified.using.encoder import Encoder
from steel_verified.using.learned import Learned
from steel_verified.using.routes import Followed, Step
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld
from tests.bounds import bounds

from .material import GUARANTEE, RING, lock, one_lock, ring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

THREE = [[True, False, False], [False, True, False], [False, False, True]]


def test_plan_starts_by_default_where_the_run_ended() -> None:
    learned = ring(tables(THREE), [0, 1, 2])
    assert learned.current == 1
    assert learned.plan(to=0) == (1,)
    assert learned.plan(to=2) == (0,)
    assert learned.plan(to=1) == ()
    assert learned.plan(to=1, start=2) == (0, 0)


def test_state_may_be_given_as_label_or_observation() -> None:
    learned, _, seen = one_lock()
    for row in seen:
        label = learned.state_of(row)
        assert learned.plan(to=row) == learned.plan(to=label) == learned.plan(to=np.int64(label))
        assert learned.plan(to=learned.encode(row)) == learned.plan(to=label)
        assert learned.plan(to=0, start=row) == learned.plan(to=0, start=label)
        assert learned.policy(row).goal == label


@pytest.mark.parametrize("state", [-1, 3])
def test_plan_to_an_unknown_label_is_refused(state: int) -> None:
    with pytest.raises(InvalidArgument, match="expected a state from 0 to 2, or an observation"):
        ring(tables(THREE), [0, 1, 2]).plan(to=state)


@given(truth=dynamics(), data=st.data())
def test_plans_are_shortest_paths_and_policies_follow_them(
    truth: Dynamics, data: st.DataObject
) -> None:
    model = Model(truth.actions, truth.table)
    states = st.integers(0, truth.states - 1)
    start, goal = data.draw(states), data.draw(states)
    learned = Learned(model, start, 1, None, None)
    word = learned.plan(to=goal)
    assert model.walk(start, word) == goal
    reached, distance = {start}, 0
    while goal not in reached:
        reached |= {to for state in reached for to in truth.table[state]}
        distance += 1
    assert len(word) == distance
    assert word == (shortest_words(model, start)[goal] if goal != start else ())
    actions = learned.policy(goal).actions
    here = start
    for _ in word:
        action = actions[here]
        assert action is not None
        here = truth.table[here][action]
    assert here == goal
    assert actions[goal] is None


def test_plan_to_an_unreachable_state_is_refused() -> None:
    one_way = Learned(Model(1, ((1,), (1,))), 1, 1, None, None)
    assert one_way.plan(to=1, start=0) == (0,)
    assert one_way.policy(0).actions == (None, None)
    with pytest.raises(InvalidArgument, match="to = 0: expected a state that state 1 reaches"):
        one_way.plan(to=0)


def test_follow_in_the_learned_world_arrives_without_mismatches() -> None:
    learned, world, seen = lock()
    there = learned.follow(world, to=seen[3])
    assert there.arrived
    assert not there.mismatches
    assert world.state == 3
    assert tuple(step.action for step in there.steps) == learned.plan(to=seen[3])
    back = learned.follow(world, to=seen[0], start=there.ended_in)
    assert back.arrived
    assert world.state == 0
    assert "arrived" in str(back)


def test_follow_from_a_wrong_start_reports_mismatches() -> None:
    learned, world, seen = lock()
    wrong = learned.follow(world, to=seen[3], start=learned.state_of(seen[2]))
    assert not wrong.arrived
    assert wrong.mismatches


def _flipping(errors: set[int]) -> SimulatedWorld[NDArray[np.int64]]:
    """Return the ring, in state 1; at the times `errors` its observation shows another state."""

    def observe(asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
        return [(each.states + np.isin(each.times, list(errors))) % 3 for each in asked]

    return SimulatedWorld(Dynamics(((1, 0), (2, 0), (0, 0))), 1, observe)


def test_wrongly_encoded_observation_is_reported_and_the_plan_kept() -> None:
    learned = ring(tables(THREE), [0, 1, 2])
    world = _flipping({1})
    went = learned.follow(world, to=0, start=1)
    assert (went.steps, world.state) == ((Step(1, 0, 1),), 0)
    assert not went.arrived
    world = _flipping({1})
    went = Learned(Model(2, ((1, 0), (2, 1), (0, 2))), 1, 9, GUARANTEE, learned.encoder).follow(
        world, to=0
    )
    assert went.steps == (Step(0, 2, 0), Step(0, 0, 0))
    assert went.arrived
    assert went.mismatches == (1,)
    assert str(went) == (
        "From state 1 to 0 by the actions 0, 0: arrived.\n"
        "Step 1, action 0: expected state 2, the encoder sees state 0.\n"
        "The guarantee: the encoder misreads each state with chance at most ε = 1/10, so\n"
        "this many mismatches have a chance of at most 1/5. If it is small, the world has\n"
        "changed (was it reset?), an assumption does not hold, or the start was another\n"
        "one: say start=…."
    )
    vacuous = str(replace(went, epsilon=Fraction(1)))
    assert "The guarantee says nothing of the encoder on observations that were not" in vacuous
    assert "a chance of at most" not in vacuous


def test_chance_of_mismatches_is_the_bound_of_markov() -> None:
    def followed(seen: str, epsilon: Fraction | None) -> Followed:
        steps = tuple(Step(0, 0, int(letter)) for letter in seen)
        return Followed(0, 0, steps, epsilon)

    tenth = Fraction(1, 10)
    assert followed("0000", tenth).chance == 1
    assert followed("0100", tenth).chance == Fraction(4, 10)
    assert followed("1111", tenth).chance == tenth
    assert followed("0" * 99 + "1", tenth).chance == 1
    assert followed("1111", None).chance == 1
    assert followed("", tenth).arrived


LOCK = bounds(2, 3, 25)


def test_follow_in_a_gymnasium_environment_arrives() -> None:
    env = gymnasium.make("steel_verified/CombinationLock-v0", states=3, components=12)
    world = from_gymnasium(env, features=lambda bits: bits == 1, seed=7)
    oracle = Components(12)
    learned = Learned.of(attempt(world, oracle, Located(LOCK)), oracle)
    onward = learned.follow(env, to=2)
    again, _ = env.reset(seed=8)
    fresh = learned.follow(env, to=2, start=again)  # integers 0 and 1 are bits as well
    assert onward.arrived
    assert fresh.arrived
    assert fresh.start == learned.state_of(again)
    assert learned.follow(world, to=0, start=2).arrived


class _Ending(gymnasium.Env[np.int64, np.int64]):
    """The ring with the actions 5 and 6; its episode ends after two steps."""

    def __init__(self) -> None:
        self.action_space = gymnasium.spaces.Discrete(2, start=5)
        self.observation_space = gymnasium.spaces.Discrete(3)
        self.state, self.time = 0, 0

    def step(self, action: np.int64) -> tuple[np.int64, float, bool, bool, dict[str, object]]:
        (self.state,) = (RING.table[self.state][action - 5] or 0,)
        self.time += 1
        return np.int64(self.state), 0.0, self.time == 2, False, {}


def test_follow_is_cut_short_by_the_end_of_an_episode() -> None:
    encoder = Encoder(tables([[i == j for i in range(4)] for j in range(4)]), (0, 1, 2, 3))
    straight = Model(2, ((1, 0), (2, 1), (3, 2), (0, 3)))
    went = Learned(straight, 0, 1, GUARANTEE, encoder).follow(_Ending(), to=3)
    assert len(went.steps) == 2
    assert went.cut_short == "the episode terminated at step 2 of 3"
    assert not went.arrived
    assert went.ended_in == 2
    assert "Cut short: the episode terminated" in str(went)
    assert ring(tables(THREE), [0, 1, 2]).follow(_Ending(), to=2, start=0).arrived


def test_follow_in_another_object_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="where = str: expected the world, the Gymnasium"):
        ring(tables(THREE), [0, 1, 2]).follow("nowhere", to=0)  # type: ignore[arg-type] # on purpose
