"""How far a run has come, and what is known of its length before it starts."""

import pytest

from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.theory.recipe import located, paper
from steel_verified.worlds import progress as progress_module
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.driver import learn
from steel_verified.worlds.grid import grid
from steel_verified.worlds.ideal import exact_steps
from steel_verified.worlds.progress import Estimate, Progress, most_steps

GRID = instance("grid", 0)


def test_exact_steps_of_known_dynamics_equal_the_run_and_obey_the_bound() -> None:
    recipe, world = paper(GRID.parameters), grid(0)
    exact = exact_steps(GRID.dynamics, GRID.start, recipe, first_action=GRID.first_action)
    learned = learn(world.world(3), world.oracle(), recipe, first_action=GRID.first_action)
    assert exact == Estimate(learned.ledger.steps, exact=True)
    most = most_steps(recipe)
    assert most.steps is not None
    assert most.steps >= learned.ledger.steps
    assert str(exact) == "38,090 steps"
    assert str(most) == f"at most {most.steps:,} steps"


def test_a_located_run_has_no_bound_and_says_so() -> None:
    assert most_steps(located(GRID.parameters)) == Estimate(None)
    assert "no bound" in str(Estimate(None))


@pytest.mark.parametrize("method", [paper, located])
def test_progress_callback_receives_increasing_steps(
    method: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    seen: list[Progress] = []
    recipe = paper(GRID.parameters) if method is paper else located(GRID.parameters)
    world = grid(0)
    learned = learn(world.world(3), world.oracle(), recipe, progress=seen.append)
    assert isinstance(learned, Accepted)
    first, *_, last = seen
    assert (first.steps, first.transitions, first.seconds_left) == (0, 0, None)
    assert last.steps == learned.ledger.steps
    assert last.transitions == 24
    assert [told.steps for told in seen] == sorted(told.steps for told in seen)
    assert (last.seconds_left is None) == (method is located)


def test_seconds_left_follow_from_the_speed_so_far() -> None:
    told = Progress(100, Estimate(300, exact=True), transitions=0, seconds=2.0)
    assert told.seconds_left == 4.0
    assert Progress(300, Estimate(250), transitions=0, seconds=2.0).seconds_left == 0.0


@pytest.mark.parametrize("most", [1, 1000, 38_089])
def test_a_looped_run_never_exceeds_its_limit(most: int) -> None:
    world, recipe = grid(0), paper(GRID.parameters)
    ended = learn(
        world.world(3), world.oracle(), recipe, first_action=GRID.first_action, max_steps=most
    )
    assert isinstance(ended, NotAccepted)
    assert ended.ledger.steps <= most
    assert not ended.interrupted
