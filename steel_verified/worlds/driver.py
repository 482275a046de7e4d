"""The loop that lets STEEL learn a world: ask, run, tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.learning import steel
from steel_verified.learning.plans import Plan
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.oracle import Oracle
    from steel_verified.learning.plans import Trajectory
    from steel_verified.learning.steel import Learned, State
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.recipe import Recipe

Batch = TypeVar("Batch")
Batch_co = TypeVar("Batch_co", covariant=True)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


class World(Protocol[Batch_co]):
    """Something that can be acted upon, in one unbroken trajectory.

    `run` goes on from where the last plan ended. The trajectory that it returns may be asked for
    rows until the next plan that starts a loop (`done` = 0).
    """

    @property
    def actions(self) -> int:
        """|A|."""
        ...

    def run(self, plan: Plan) -> Trajectory[Batch_co]:
        """Take the steps of a plan; rows are counted from the start of its loop."""
        ...


def learn(
    world: World[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    parameters: Parameters,
    *,
    recipe: Recipe | None = None,
    first_action: int = 0,
    with_encoder: bool = True,
    watch: Callable[[State[Summary, Classifier]], None] | None = None,
) -> Learned[Classifier]:
    """Run STEEL on a world until it has learned it.

    `recipe` is the paper's unless given; `watch` is shown every state, for progress or tests.
    """
    recipe = recipe or paper(parameters)
    if world.actions != parameters.actions:
        raise InvalidArgument("actions", parameters.actions, f"{world.actions}, as the world has")
    if oracle.class_size > parameters.class_size:
        raise InvalidArgument(
            "class_size", parameters.class_size, f"at least {oracle.class_size}, as the oracle has"
        )
    state: State[Summary, Classifier] = steel.begin(
        recipe, first_action=first_action, with_encoder=with_encoder
    )
    while isinstance(plan := steel.next_plan(state), Plan):
        state = steel.absorb(state, world.run(plan), oracle)
        if watch is not None:
            watch(state)
    return plan
