"""Located STEEL: the learner always knows at which of its labels it is.

    state = begin(recipe)
    while isinstance(plan := next_plan(state), Plan):
        state = absorb(state, run(state.ledger, world, plan), oracle)
    # plan is now the result

It explores in closed loop, by decisions that are correct for every noise. It spends δ only on a
final validation: the model and the encoder are fixed and then checked on later samples. If a round
fails, its samples are added to the datasets, and exploration continues.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import opened_located
from steel_verified.evidence.plans import Plan
from steel_verified.learning.accepting import WHY_MANY_LABELS, checked, revisited
from steel_verified.learning.exploring import looped, stepped
from steel_verified.learning.labels import Labels
from steel_verified.learning.located_state import (
    Exploring,
    Looping,
    Revisiting,
    State,
    Validating,
)
from steel_verified.learning.policy import next_action
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, limit_reached
from steel_verified.learning.self_check.rows import cycle_of_walk, looks_after_first_pass
from steel_verified.theory.conditions import listed
from steel_verified.theory.progressions import Level, Progression

if TYPE_CHECKING:
    from steel_verified.evidence.observed import Loop
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.learning.results import Result
    from steel_verified.learning.self_check.rows import Looks
    from steel_verified.theory.recipe import LocatedRecipe

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

MOST_STEPS: Final = 10**7
"""By default, a run ends as not accepted after this many steps."""

LARGEST_LIMIT: Final = 10**8
"""The largest limit that the command line accepts: a longer run would take hours."""


def begin(
    recipe: LocatedRecipe, *, first_action: int = 0, max_steps: int = MOST_STEPS
) -> State[Summary, Classifier]:
    """Return the first state: nothing is known, and an action is looped until its period is."""
    p = recipe.parameters
    if not 0 <= first_action < p.actions:
        raise InvalidArgument("first_action", first_action, f"0 to {p.actions - 1}")
    stage: Looping[Summary] = Looping(first_action, until=2 * p.max_states)
    return _planned(
        State(
            recipe=recipe,
            labels=Labels(p.actions),
            pools={},
            ledger=opened_located(recipe),
            max_steps=max_steps,
            plan=_looping_plan(stage),
            stage=stage,
        )
    )


def next_plan(state: State[Summary, Classifier]) -> Plan | Result[Classifier]:
    """Return the next plan, or the result if the run has ended."""
    match state.stage:
        case Accepted() | Contradicted() | NotAccepted() as result:
            return result
        case _:
            return state.plan


def absorb(
    state: State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Return the state after processing the rows of the plan that was run."""
    state = replace(state, ledger=loop.ledger)
    match state.stage:
        case Looping() as looping:
            state = looped(state, looping, loop, oracle)
        case Exploring(current, lost):
            state = stepped(state, current, lost, loop, oracle)
        case Revisiting() as revisiting:
            state = revisited(state, revisiting, loop, oracle)
        case Validating() as validating:
            state = checked(state, validating, loop, oracle)
        case _:
            raise InvalidArgument("state", "ended", "a state that asked for a plan")
    return _planned(state)


def _planned(state: State[Summary, Classifier]) -> State[Summary, Classifier]:
    """Add the next plan; the run ends as not accepted if this would take too many steps."""
    match state.stage:
        case Looping() as looping:
            plan = _looping_plan(looping)
        case Exploring(current):
            seen = {label: pool.rows for label, pool in state.pools.items()}
            plan = _one_step(next_action(state.labels, seen, current))
        case Revisiting(_, walk, done):
            plan = _one_step(walk[done % len(walk)])
        case Validating(validation, _, _, _, done) as validating:
            length = len(validation.walk)
            visits = tuple(Progression(done * length + visit) for visit in validation.visits)
            if state.watched:
                visits += looks_at_validation(state, validating).rows(done * length, length)
            plan = Plan(validation.walk, length, done * length, visits)
        case _:
            return state
    if state.ledger.steps + plan.steps <= state.max_steps:
        return replace(state, plan=plan)
    because = limit_reached(state.max_steps)
    model = state.labels.model_so_far()
    causes = listed(WHY_MANY_LABELS) if model.states > state.bound else ()
    ended = NotAccepted(state.recipe, model, state.ledger, because, causes)
    return replace(state, stage=ended)


def looks_at_validation(
    state: State[Summary, Classifier], validating: Validating[Summary, Classifier]
) -> Looks:
    """Return the times at which the self-check keeps rows of a validation."""
    validation = validating.validation
    cycle = cycle_of_walk(validating.model, validating.home, validation.walk)
    mixing_time = state.recipe.parameters.mixing_time
    return looks_after_first_pass(cycle, validation.passes + 1, mixing_time)


def _looping_plan(looping: Looping[Summary]) -> Plan:
    done = len(looping.rows)
    every = Progression(done + 1, (Level(looping.until - done, 1),))
    return Plan((looping.action,), looping.until - done, done, (every,))


def _one_step(action: int) -> Plan:
    return Plan((action,), 1, keeps=(Progression(1),))
