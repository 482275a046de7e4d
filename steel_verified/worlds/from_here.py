"""A view of a world that starts counting now: a new run can begin in a world already used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from steel_verified.evidence.plans import Plan, Trajectory, World

Batch = TypeVar("Batch")


class FromHere(Generic[Batch]):
    """The same world, with its step count starting at 0 now."""

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
