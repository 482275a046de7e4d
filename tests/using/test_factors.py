"""Learned factors read observations, plan, follow, and are the same after they were saved."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified import Factored, InvalidArgument, LearnedFactors, NotLearned, learn
from steel_verified.errors import Unreadable
from steel_verified.plots import factors_figure
from steel_verified.worlds.locks import Locks

if TYPE_CHECKING:
    from pathlib import Path


def locks() -> Locks:
    return Locks(3, 4, components=40, env_seed=2)


@cache
def learned() -> tuple[LearnedFactors, Locks]:
    """What was learned, and the world after that. Tests that act in it learn their own."""
    return new()


def new() -> tuple[LearnedFactors, Locks]:
    world = locks()
    return learn(world, world.functions(), Factored(40, 6)), world


def values(found: LearnedFactors, world: Locks) -> list[int]:
    """The label of each lock's present value, in the order of the factors."""
    of = {f: (n, v) for n, each in enumerate(world.indicators) for v, f in enumerate(each)}
    lock = [of[factor.classifiers[0][0]][0] for factor in found.factors]
    shown = [world.indicators[n][world.state[n]] for n in lock]
    return [
        [fits[0] for fits in factor.classifiers].index(f)
        for factor, f in zip(found.factors, shown, strict=True)
    ]


def test_text_says_what_is_sure_and_what_is_not() -> None:
    found, _ = learned()
    assert repr(found).startswith("<LearnedFactors: 4 × 4 × 4 labels, ")
    text = str(found)
    assert text.startswith("3 factors that stand for 64 joint states, learned in ")
    assert text.count("moves with the actions") == 4
    assert "With probability 19/20 or more, none that moves with the actions is noise" in text


def test_a_figure_names_the_actions_if_some_share_a_colour() -> None:
    found, _ = learned()
    assert [each.get_title() for each in factors_figure(found).axes] == [
        f"factor {number}: 4 labels" for number in range(3)
    ]
    world = Locks(7, 2)
    many = learn(world, world.functions(), Factored(512, world.actions))
    for axes, factor in zip(factors_figure(many).axes, many.factors, strict=True):
        assert axes.get_title().endswith("labels, actions {}, {}".format(*sorted(factor.acting)))


def test_observations_are_read_as_the_true_values() -> None:
    found, world = new()
    seen = [world.step(action) for action in (0, 1, 2, 3, 4, 5) for _ in range(3)]
    read = found.encode(np.array(seen))
    assert read.shape == (18, 3)
    assert [tuple(line) for line in read.tolist()] == [found.state_of(each) for each in seen]
    assert list(found.state_of(seen[-1])) == values(found, world)


def test_plans_are_followed_to_their_goal_from_where_the_run_ended() -> None:
    found, world = new()
    goal = {n: (factor.current + 1) % 4 for n, factor in enumerate(found.factors)}
    went = found.follow(world, goal)
    assert went.arrived
    assert not went.mismatches
    assert values(found, world) == list(goal.values())
    seen = world.step(0)
    assert found.plan(seen, start=seen) == ()


def test_world_that_is_not_where_the_plan_begins_is_noticed() -> None:
    found, world = new()
    world.state = [(value + 1) % 4 for value in world.state]
    goal = {n: (factor.current + 1) % 4 for n, factor in enumerate(found.factors)}
    went = found.follow(world, goal)
    assert not went.arrived
    assert "that was not predicted" in str(went)


def test_saved_factors_are_the_same(tmp_path: Path) -> None:
    found, world = new()
    found.save(tmp_path / "factors.json")
    again = LearnedFactors.load(tmp_path / "factors.json")
    assert (again.product, again.steps, again.delta) == (found.product, found.steps, found.delta)
    assert str(again) == str(found)
    seen = world.step(0)
    assert again.state_of(seen) == found.state_of(seen)
    with pytest.raises(InvalidArgument, match="a product of factors from a file"):
        again.certificate()


@pytest.mark.parametrize(
    ("old", "new_"),
    [('"current":', '"currant":'), ('"actions":6', '"actions":5'), ('"coins":', '"coins":"1",":')],
)
def test_damaged_files_are_refused(old: str, new_: str, tmp_path: Path) -> None:
    found, _ = learned()
    file = tmp_path / "factors.json"
    found.save(file)
    file.write_text(file.read_text().replace(old, new_, 1))
    with pytest.raises(Unreadable):
        LearnedFactors.load(file)


def test_certificate_is_accepted() -> None:
    assert learned()[0].check().accepted


def test_graph_has_a_box_for_each_factor() -> None:
    graph = learned()[0].to_dot()
    assert graph.count("subgraph cluster_") == 3
    assert graph.count("penwidth=3") == 3


def test_wrong_starts_and_runs_without_a_result_are_said() -> None:
    found, world = learned()
    with pytest.raises(InvalidArgument, match="start"):
        found.plan({0: 1}, start=(0, 0))
    with pytest.raises(NotLearned, match="the limit of 9 steps"):
        learn(locks(), world.functions(), Factored(40, 6), max_steps=9)
