"""How far a run has come, and what is known of its length before it starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from steel_verified.learning.drive import Watch, drive
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.using.learn import attempt
from steel_verified.worlds import progress as progress_module
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.grid import grid
from steel_verified.worlds.ideal import exact_steps
from steel_verified.worlds.progress import Estimate, Progress, Stage, most_steps, reporting

if TYPE_CHECKING:
    from steel_verified.learning.located import State

GRID = instance("grid", 0)


def test_exact_steps_of_known_dynamics_equal_the_run_and_obey_the_bound() -> None:
    recipe, world = Looped(GRID.parameters), grid(0)
    exact = exact_steps(GRID.dynamics, GRID.start, recipe, first_action=GRID.first_action)
    learned = attempt(world.world(3), world.oracle(), recipe, first_action=GRID.first_action)
    assert exact == Estimate(learned.ledger.steps, exact=True)
    most = most_steps(recipe)
    assert most.steps is not None
    assert most.steps >= learned.ledger.steps
    assert str(exact) == "38,090 steps"
    assert str(most) == f"at most {most.steps:,} steps"


def test_certain_run_explores_decides_and_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """While several models are left it is deciding; then each step checks the one that is left."""
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    lock, seen = combination_lock(0, states=5, components=40, least_noise=0.1), list[Progress]()
    learned = attempt(lock.world(0), lock.oracle(), progress=seen.append)
    assert isinstance(learned, Accepted)
    stages = list(dict.fromkeys(told.stage.name for told in seen))
    assert stages == ["exploring", "deciding", "checking"]
    assert (seen[-1].stage.done, seen[-1].stage.of, seen[-1].transitions) == (200, 200, 10)
    assert all(told.seconds_left is None for told in seen)


def test_a_located_run_has_no_bound_and_says_so() -> None:
    assert most_steps(Located(GRID.parameters)) == Estimate(None)
    assert "no bound" in str(Estimate(None))


@pytest.mark.parametrize("method", [Looped, Located])
def test_progress_callback_receives_increasing_steps(
    method: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    seen: list[Progress] = []
    recipe = Looped(GRID.parameters) if method is Looped else Located(GRID.parameters)
    world = grid(0)
    learned = attempt(world.world(3), world.oracle(), recipe, progress=seen.append)
    assert isinstance(learned, Accepted)
    first, *_, last = seen
    assert (first.steps, first.transitions, first.seconds_left) == (0, 0, None)
    assert last.steps == learned.ledger.steps
    assert last.transitions == 24
    assert [told.steps for told in seen] == sorted(told.steps for told in seen)
    assert (last.seconds_left is None) == (method is Located)


def test_seconds_left_follow_from_the_speed_so_far() -> None:
    stage = Stage("exploring")
    told = Progress(100, Estimate(300, exact=True), transitions=0, seconds=2.0, stage=stage)
    assert told.seconds_left == 4.0
    assert replace(told, steps=300, estimate=Estimate(250)).seconds_left == 0.0


class Clock:
    """A clock that moves by one second whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.mark.parametrize("method", [Looped, Located])
def test_every_stage_is_reported_and_the_last_one_has_a_known_end(
    method: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "monotonic", Clock())
    seen: list[Progress] = []
    recipe = Looped(GRID.parameters) if method is Looped else Located(GRID.parameters)
    world = grid(0)
    attempt(world.world(3), world.oracle(), recipe, progress=seen.append)
    stages = [told.stage for told in seen]
    last = "sampling" if method is Looped else "validating"
    names = list(dict.fromkeys(stage.name for stage in stages))
    assert (names[0], *names[-2:]) == ("exploring", last, "self-check")
    assert {stage.name for stage in stages if stage.end_is_known} == {last, "self-check"}
    assert all(0 <= stage.done <= stage.of for stage in stages)


def test_the_seconds_left_of_a_validation_are_those_of_the_walks_that_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each walk takes one second of this clock, and exploring does not count."""
    monkeypatch.setattr(progress_module, "monotonic", Clock())
    seen: list[Progress] = []
    world = grid(0)
    attempt(world.world(3), world.oracle(), Located(GRID.parameters), progress=seen.append)
    validating = [told.stage for told in seen if told.stage.name == "validating"]
    walks = validating[0].of
    assert validating[0].seconds_left is None
    assert [stage.done for stage in validating] == list(range(walks))
    assert [stage.seconds_left for stage in validating[1:]] == list(range(walks - 1, 0, -1))


def test_exploring_goes_on_where_it_was_after_another_stage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its seconds are counted together, so the estimate does not begin anew."""
    monkeypatch.setattr(progress_module, "monotonic", Clock())
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    stages = iter(
        [
            Stage("exploring", "transition", 1, 3, end_is_known=False),
            Stage("revisiting", "step", 5, 8, end_is_known=False),
            Stage("exploring", "transition", 2, 4, end_is_known=False),
        ]
    )
    monkeypatch.setattr(progress_module, "stage_of", lambda _: next(stages))
    seen: list[Progress] = []
    note = reporting(seen.append, Estimate(None), "attempt 2")
    states: list[State] = []
    drive(Located(GRID.parameters), grid(0).world(3), grid(0).oracle(), [Watch(states.append)])
    for _ in range(3):
        note(states[0])
    assert [told.stage.seconds_left for told in seen] == [None, 2.0, 0.0, 2.0]
    assert {told.attempt for told in seen} == {"attempt 2"}


@pytest.mark.parametrize("most", [1, 1000, 38_089])
def test_a_looped_run_never_exceeds_its_limit(most: int) -> None:
    world, recipe = grid(0), Looped(GRID.parameters)
    ended = attempt(
        world.world(3), world.oracle(), recipe, first_action=GRID.first_action, max_steps=most
    )
    assert isinstance(ended, NotAccepted)
    assert ended.ledger.steps <= most
    assert not ended.interrupted
