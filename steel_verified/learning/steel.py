"""STEEL: Algorithm 1 of the paper, as frozen states that ask and are told.

    state = begin(recipe)
    while isinstance(plan := next_plan(state), Plan):
        state = absorb(state, trajectory_of(plan), oracle)
    # plan is now what was Learned

Phase 1 loops escaping words until every transition is known; phase 2 tours the states until each
has enough samples; phase 3 trains one classifier for each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic

from steel_verified.errors import AssumptionViolated, InvalidArgument
from steel_verified.learning import cycle_find
from steel_verified.learning.cycle_find import Cycle, Dataset, FindingPeriod, SamplingPositions
from steel_verified.learning.ledger import Added, Kept, Ledger, Ran
from steel_verified.learning.model import Model
from steel_verified.learning.omega import release
from steel_verified.learning.oracle import (
    Batch,
    Classifier,
    Oracle,
    Summary,
    merged,
    summarised,
    train,
)
from steel_verified.learning.plans import Plan
from steel_verified.learning.words import covering_cycle, escaping_word, visits
from steel_verified.theory.budget import Budget, encoder_charge
from steel_verified.theory.counts import sampling_passes
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import SeparatedTimes

if TYPE_CHECKING:
    from steel_verified.learning.plans import Trajectory, Word
    from steel_verified.theory.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Touring:
    """Phase 2: the covering cycle ā is run from `home` `passes` times, the first in silence."""

    home: int
    cycle: Word
    passes: int


@dataclass(frozen=True, slots=True)
class Learned(Generic[Classifier]):
    """The end of a run: the dynamics, the state we are in, and, if wanted, the encoder.

    An observation is encoded as the label of the first classifier that is 1 on it (argmax, lowest
    label on ties). Without an encoder, `model` and `current` allow to go on open-loop (l. 243).
    """

    model: Model
    current: int
    classifiers: tuple[Classifier, ...] | None
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class State(Generic[Summary, Classifier]):
    """Everything that the learner knows between two plans."""

    recipe: Recipe
    model: Model
    datasets: tuple[Dataset[Summary], ...]
    ledger: Ledger
    with_encoder: bool
    stage: FindingPeriod | SamplingPositions | Touring | Learned[Classifier]


def begin(
    recipe: Recipe, *, first_action: int = 0, with_encoder: bool = True
) -> State[Summary, Classifier]:
    """Know nothing, and loop an arbitrary action (l. 306–308).

    Without the encoder, the run ends when the dynamics are known.
    """
    p = recipe.parameters
    if not 0 <= first_action < p.actions:
        raise InvalidArgument("first_action", first_action, f"0 to {p.actions - 1}")
    return State(
        recipe=recipe,
        model=Model(p.actions),
        datasets=(),
        ledger=Ledger(Budget(p.delta)),
        with_encoder=with_encoder,
        stage=cycle_find.begin(recipe, (first_action,), start=0),
    )


def next_plan(state: State[Summary, Classifier]) -> Plan | Learned[Classifier]:
    """What to do next, or what has been learned. A function of fixed values alone."""
    match state.stage:
        case FindingPeriod() | SamplingPositions() as call:
            return cycle_find.next_plan(state.recipe, call)
        case Touring(_, cycle, passes) as tour:
            return Plan(cycle, passes * len(cycle), keeps=_tour_samples(state.model, tour))
        case Learned() as learned:
            return learned


def absorb(
    state: State[Summary, Classifier],
    trajectory: Trajectory[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Take in what came of the last plan."""
    match state.stage:
        case FindingPeriod() | SamplingPositions() as call:
            found, ledger = cycle_find.absorb(
                state.recipe, call, state.datasets, trajectory, oracle, _run(state)
            )
            state = replace(state, ledger=ledger)
            if isinstance(found, SamplingPositions):
                return replace(state, stage=found)
            return _after_call(_with_cycle(state, found), found.current, oracle)
        case Touring() as tour:
            start = state.ledger.steps
            state = replace(state, ledger=_run(state))
            state = _with_samples(state, tour, start, trajectory, oracle)
            return _trained(state, tour.home, oracle)
        case Learned():
            raise InvalidArgument("state", "Learned", "a state that asked for a plan")


def _run(state: State[Summary, Classifier]) -> Ledger:
    """The ledger once the plan that was asked for has been run."""
    plan = next_plan(state)
    assert isinstance(plan, Plan)
    return state.ledger.write(Ran(state.ledger.steps, plan))


def _with_cycle(
    state: State[Summary, Classifier], cycle: Cycle[Summary]
) -> State[Summary, Classifier]:
    """Add the states and transitions of a cycle (l. 430–441)."""
    model = state.model.with_cycle(cycle.labels, cycle.word)
    added = tuple(sorted(model.transitions() - state.model.transitions()))
    if not added:
        raise AssumptionViolated(
            f"the word {cycle.word} was to leave the known graph, yet its loop is all known: the "
            "dynamics are not deterministic, or a verdict was wrong (the chance of which δ covers)"
        )
    kept = (
        Kept(label, dataset.times)
        for label, dataset in enumerate(cycle.new, start=len(state.datasets))
    )
    return replace(
        state,
        model=model,
        datasets=state.datasets + cycle.new,
        ledger=state.ledger.write(*kept, Added(added, cycle.current)),
    )


def _after_call(
    state: State[Summary, Classifier], current: int, oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Explore on while a transition is unknown (l. 310), then tour, then train."""
    recipe, model = state.recipe, state.model
    if not model.is_total:
        word = escaping_word(model)
        return replace(state, stage=cycle_find.begin(recipe, word, state.ledger.steps))
    if not state.with_encoder:
        return replace(state, stage=Learned(model, current, None, state.ledger))
    passes = sampling_passes(recipe, model.states)
    if not passes:
        return _trained(state, current, oracle)
    cycle = covering_cycle(model, current, at_least=recipe.parameters.mixing_time)
    return replace(state, stage=Touring(current, cycle, passes))


def _with_samples(
    state: State[Summary, Classifier],
    tour: Touring,
    start: int,
    trajectory: Trajectory[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Add to D(s) what the tour has shown of each state (l. 337–351)."""
    times = _tour_samples(state.model, tour)
    rows = trajectory.rows(*((more,) for more in times))
    datasets = tuple(
        Dataset(
            times=SeparatedTimes(
                pieces=(*dataset.times.pieces, more.shifted(start)),
                apart=dataset.times.apart,
                because=state.ledger.because(),
            ),
            samples=merged(oracle, dataset.samples, summarised(oracle, batch)),
        )
        for dataset, more, batch in zip(state.datasets, times, rows, strict=True)
    )
    kept = (Kept(label, dataset.times) for label, dataset in enumerate(datasets))
    return replace(state, datasets=datasets, ledger=state.ledger.write(*kept))


def _tour_samples(model: Model, tour: Touring) -> tuple[Progression, ...]:
    """When each state is sampled: where a pass first visits it, in every pass but the first.

    Passes are at least t̂_mix long, so the samples of a state are that far apart; the silent pass
    keeps them away from those of phase 1.
    """
    visited = visits(model, tour.home, tour.cycle)
    length = len(tour.cycle)
    again = Level(tour.passes - 1, length)
    return tuple(
        Progression(length + visited.index(label) + 1, (again,)) for label in range(model.states)
    )


def _trained(
    state: State[Summary, Classifier], current: int, oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Phase 3 (l. 354–359): one classifier for each state."""
    classifiers, ledger = release(
        state.ledger,
        train(oracle, [dataset.samples for dataset in state.datasets]),
        charge=encoder_charge(state.recipe, state.model.states),
        because=state.ledger.because(),
    )
    learned = Learned(state.model, current, classifiers, ledger)
    return replace(state, ledger=ledger, stage=learned)
