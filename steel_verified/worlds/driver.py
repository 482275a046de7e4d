"""The loop that lets STEEL learn a world: ask for a plan, run it, absorb what came of it."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import BrokenWorld, InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.evidence.recording import run
from steel_verified.learning import steel

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import World
    from steel_verified.learning.results import Result
    from steel_verified.learning.steel import State
    from steel_verified.theory.recipe import Recipe

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def learn(
    world: World[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    recipe: Recipe,
    *,
    first_action: int = 0,
    with_encoder: bool = True,
    watch: Callable[[State[Summary, Classifier]], None] | None = None,
) -> Result[Classifier]:
    """Run STEEL on a new world until it has learned it, or an assumption is contradicted.

    `watch` is shown every state, for progress or tests. Raises `BrokenWorld` or `BrokenOracle` if
    the world or the oracle does not do what its protocol says.
    """
    parameters = recipe.parameters
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
        state = steel.absorb(state, run(state.ledger, world, plan), oracle)
        if watch is not None:
            watch(state)
    if world.steps != state.ledger.steps:
        raise BrokenWorld(
            f"{type(world).__name__} reports {world.steps} steps at the end of a run of "
            f"{state.ledger.steps}: let nothing else act in it"
        )
    return plan
