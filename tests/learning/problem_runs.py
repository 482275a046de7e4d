"""Runs of a generated problem, with its noise or without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steel_verified.learning.drive import checked_run
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.tabular import tabular_world

if TYPE_CHECKING:
    from steel_verified.strategies import Problem


def run(problem: Problem, seed: int) -> tuple[Accepted, int]:
    """Return what was learned and the true final state; raise if the run is not accepted."""
    world = tabular_world(problem.world, seed)
    result = checked_run(
        world, problem.oracle, Looped(problem.parameters, first_action=problem.first_action)
    )
    return accepted(result), world.state


def predicted(problem: Problem, *, with_encoder: bool = True) -> Accepted:
    return ideal_run(
        problem.world.dynamics,
        problem.world.start,
        Looped(problem.parameters),
        first_action=problem.first_action,
        with_encoder=with_encoder,
    )
