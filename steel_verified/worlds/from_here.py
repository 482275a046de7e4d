"""A world seen from where it is now: a new run begins in it, and what was before does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from steel_verified.evidence.plans import Plan, Trajectory, World

Batch = TypeVar("Batch")


class FromHere(Generic[Batch]):
    """The same world, which counts its steps from now on."""

    def __init__(self, world: World[Batch]) -> None:
        self._world = world
        self._before = world.steps

    @property
    def actions(self) -> int:
        return self._world.actions

    @property
    def steps(self) -> int:
        return self._world.steps - self._before

    def run(self, plan: Plan) -> Trajectory[Batch]:
        return self._world.run(plan)
