"""STEEL: Algorithm 1 of the paper, as immutable states that request plans and receive rows.

    state = begin(recipe)
    while isinstance(plan := next_plan(state), Plan):
        state = absorb(state, run(state.ledger, world, plan), oracle)
    # plan is now the result

Phase 1 loops escaping words until every transition is known. Phase 2 tours the states until each
one has enough samples. Phase 3 trains one classifier for each state.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import Ledger, continued, newest, opened
from steel_verified.evidence.observed import read, train
from steel_verified.evidence.plans import Plan
from steel_verified.learning import cycle_find
from steel_verified.learning.calls import calls
from steel_verified.learning.cycle_find import Cycle, Dataset, FindingPeriod, SamplingPositions
from steel_verified.learning.model import Model
from steel_verified.learning.replaying import (
    require_bounds,
    require_whole_run,
    with_loop,
)
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.learning.self_check.rows import cycle_of_walk, looks_after_first_pass
from steel_verified.learning.words import covering_cycle, escaping_word, visits
from steel_verified.theory.budget import encoder_charge
from steel_verified.theory.conditions import AssumptionViolated, listed
from steel_verified.theory.counts import sampling_passes
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import SeparatedTimes

if TYPE_CHECKING:
    from steel_verified.evidence.observed import Loop
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.results import Result
    from steel_verified.learning.self_check.rows import Looks
    from steel_verified.theory.recipe import Recipe

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Touring:
    """Phase 2: the covering cycle ā is run from `home`; the first of `passes` keeps no samples."""

    home: int
    cycle: Word
    passes: int


@dataclass(frozen=True, slots=True)
class State(Generic[Summary, Classifier]):
    """Everything that the learner knows between two plans."""

    recipe: Recipe
    model: Model
    current: int | None
    """The current state, once a call of CycleFind has ended."""
    datasets: tuple[Dataset[Summary], ...]
    ledger: Ledger
    with_encoder: bool
    stage: (
        FindingPeriod
        | SamplingPositions
        | Touring
        | Accepted[Classifier]
        | Contradicted
        | NotAccepted
    )
    watched: bool = True
    """Whether plans also keep the rows for the self-check."""


def begin(
    recipe: Recipe,
    *,
    first_action: int = 0,
    with_encoder: bool = True,
    ledger: Ledger | None = None,
) -> State[Summary, Classifier]:
    """Return the first state: nothing is known, and an arbitrary action is looped (l. 306–308).

    Without the encoder, the run ends when the dynamics are known. `ledger` is the ledger of a run
    that continues where another algorithm ended; the rows of that algorithm are not used.
    """
    p = recipe.parameters
    if not 0 <= first_action < p.actions:
        raise InvalidArgument("first_action", first_action, f"0 to {p.actions - 1}")
    return State(
        recipe=recipe,
        model=Model(p.actions),
        current=None,
        datasets=(),
        ledger=opened(recipe) if ledger is None else continued(ledger, recipe),
        with_encoder=with_encoder,
        stage=cycle_find.begin(recipe, (first_action,)),
    )


def next_plan(state: State[Summary, Classifier]) -> Plan | Result[Classifier]:
    """Return the next plan, or the result if the run has ended; it depends on fixed values only."""
    match state.stage:
        case FindingPeriod() | SamplingPositions() as call:
            return cycle_find.next_plan(state.recipe, call)
        case Touring(_, cycle, passes) as tour:
            watched = _watched_rows(state, tour) if state.watched else ()
            keeps = _tour_samples(state.model, tour) + watched
            return Plan(cycle, passes * len(cycle), keeps=keeps)
        case Accepted() | Contradicted() | NotAccepted() as result:
            return result


def absorb(
    state: State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Return the state after processing the rows of the plan that was run.

    If they contradict an assumption, the run ends as `Contradicted`.
    """
    state = replace(state, ledger=loop.ledger)
    try:
        match state.stage:
            case FindingPeriod() | SamplingPositions() as call:
                found, ledger = cycle_find.absorb(state.recipe, call, state.datasets, loop, oracle)
                state = replace(state, ledger=ledger)
                if isinstance(found, SamplingPositions):
                    return replace(state, stage=found)
                state = _with_cycle(state, found, loop)
                return _after_call(state, oracle)
            case Touring() as tour:
                state = _with_samples(state, tour, loop, oracle)
                return _trained(state, oracle)
            case _:
                raise InvalidArgument("state", "ended", "a state that asked for a plan")
    except AssumptionViolated as violated:
        ledger = newest(state.ledger)
        causes = listed(violated.conditions)
        ended = Contradicted(state.recipe, state.model, ledger, causes, str(violated))
        return replace(state, ledger=ledger, stage=ended)


def _with_cycle(
    state: State[Summary, Classifier], cycle: Cycle[Summary], loop: Loop[Batch]
) -> State[Summary, Classifier]:
    """Add the states and transitions of a cycle (l. 430–441)."""
    model = with_loop(state.model, state.current, cycle.word, cycle.labels, at_step=loop.start)
    return replace(state, model=model, current=cycle.current, datasets=state.datasets + cycle.new)


def _after_call(
    state: State[Summary, Classifier], oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Continue to explore while a transition is unknown (l. 310), then tour, then train."""
    recipe, model = state.recipe, state.model
    if not model.is_total:
        return replace(state, stage=cycle_find.begin(recipe, escaping_word(model)))
    require_bounds(model, recipe.parameters)
    require_whole_run(model, calls(state.ledger))
    if not state.with_encoder:
        return _accepted(state, None, oracle)
    passes = sampling_passes(recipe, model.states)
    if not passes:
        return _trained(state, oracle)
    home = _here(state)
    cycle = covering_cycle(model, home, at_least=recipe.parameters.mixing_time)
    return replace(state, stage=Touring(home, cycle, passes))


def _with_samples(
    state: State[Summary, Classifier],
    tour: Touring,
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Add to D(s) the samples of each state from the tour (l. 337–351)."""
    times = tuple((times,) for times in _tour_samples(state.model, tour))
    samples, ledger = read(state.ledger, loop, oracle, times)
    datasets = tuple(
        Dataset(
            SeparatedTimes(
                pieces=(*dataset.times.pieces, *sample.times),
                apart=dataset.times.apart,
                because=state.ledger.because(),
            ),
            (*dataset.samples, sample),
        )
        for dataset, sample in zip(state.datasets, samples, strict=True)
    )
    return replace(state, datasets=datasets, ledger=ledger)


def _tour_samples(model: Model, tour: Touring) -> tuple[Progression, ...]:
    """Return the times at which each state is sampled: its first visit in each pass but the first.

    Passes are at least t̂_mix long, so the samples of a state are at least t̂_mix apart. The first
    pass keeps no samples, which separates them from those of phase 1.
    """
    visited = visits(model, tour.home, tour.cycle)
    length = len(tour.cycle)
    again = Level(tour.passes - 1, length)
    return tuple(
        Progression(length + visited.index(label) + 1, (again,)) for label in range(model.states)
    )


def _watched_rows(state: State[Summary, Classifier], tour: Touring) -> tuple[Progression, ...]:
    """Return the rows of the tour that the self-check uses."""
    return looks_at_tour(state, tour).rows(0, tour.passes * len(tour.cycle))


def looks_at_tour(state: State[Summary, Classifier], tour: Touring) -> Looks:
    """Return the times at which the self-check keeps rows of the tour."""
    cycle = cycle_of_walk(state.model, tour.home, tour.cycle)
    return looks_after_first_pass(cycle, tour.passes, state.recipe.parameters.mixing_time)


def _trained(
    state: State[Summary, Classifier], oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Phase 3 (l. 354–359): train one classifier for each state."""
    classifiers, ledger = train(
        state.ledger,
        oracle,
        [dataset.samples for dataset in state.datasets],
        encoder_charge(state.recipe, state.model.states),
    )
    return _accepted(replace(state, ledger=ledger), classifiers, oracle)


def _accepted(
    state: State[Summary, Classifier],
    classifiers: tuple[Classifier, ...] | None,
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    here, certified = _here(state), oracle.none_is_proved
    result = Accepted(state.recipe, state.model, here, classifiers, state.ledger, certified)
    return replace(state, stage=result)


def _here(state: State[Summary, Classifier]) -> int:
    """Return the current state; the tour ends where it began."""
    assert state.current is not None, "a call of CycleFind has ended"
    return state.current
