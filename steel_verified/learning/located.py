"""Located STEEL: the learner always knows on which of its labels it stands.

    state = begin(recipe)
    while isinstance(plan := next_plan(state), Plan):
        state = absorb(state, run(state.ledger, world, plan), oracle)
    # plan is now the result

It explores in closed loop with decisions that cannot be wrong, whatever the noise, and spends δ
only on a final validation: the model and the encoder are fixed, and then judged by samples that
come after. If a round fails, what it saw is added to the datasets, and exploring goes on.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import Ledger, opened_located
from steel_verified.evidence.plans import Plan
from steel_verified.evidence.recording import read
from steel_verified.evidence.sure import first_same, pooled, possible_period
from steel_verified.evidence.validating import check_pass, fix, one_against_all
from steel_verified.learning.labels import Labels
from steel_verified.learning.policy import ENOUGH, next_action, shortest_way
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted
from steel_verified.learning.words import covering_cycle, visits
from steel_verified.theory.budget import Charge
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.validation import round_share, validation_samples

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.evidence.recording import Loop, Sample
    from steel_verified.evidence.sure import Pool
    from steel_verified.evidence.validating import Validation
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Result
    from steel_verified.theory.recipe import LocatedRecipe

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

_ONE_STATE: Final = (
    "all labels were merged into one state, which any validation would pass: F does not realise "
    "the encoder (one misread observation is enough), the dynamics are not deterministic, or "
    "there is just one state: then give max_states = 1"
)
MOST_STEPS: Final = 10**7
"""The run ends as not accepted after so many steps, unless another limit is given."""


@dataclass(frozen=True, slots=True)
class Looping(Generic[Summary]):
    """An action is looped until its period is known: where we are is not."""

    action: int
    rows: tuple[Sample[Summary], ...] = ()
    until: int = 0


@dataclass(frozen=True, slots=True)
class Exploring:
    """We stand on a label; `lost` steps were taken since a state was recognised."""

    current: int
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Revisiting:
    """The table is closed: labels are visited again, so that duplicates are found."""

    current: int
    walk: Word
    done: int = 0
    passes: int = 1


@dataclass(frozen=True, slots=True)
class Validating(Generic[Summary, Classifier]):
    """A validation is under way: `done` passes of the walk have been run."""

    validation: Validation[Classifier]
    model: Model
    labels: tuple[int, ...]
    """The label of each state of the model."""
    home: int
    """The state in which every pass begins and ends."""
    done: int = 0
    seen: tuple[tuple[Sample[Summary], ...], ...] = ()
    """What each pass showed of each state."""


@dataclass(frozen=True, slots=True)
class State(Generic[Summary, Classifier]):
    """Everything that the learner knows between two plans."""

    recipe: LocatedRecipe
    labels: Labels
    pools: Mapping[int, Pool[Summary]]
    """D(ℓ), for each label that was not merged into another."""
    rounds: int
    ledger: Ledger
    max_steps: int
    plan: Plan
    """What is asked for next, unless the run has ended."""
    stage: (
        Looping[Summary]
        | Exploring
        | Revisiting
        | Validating[Summary, Classifier]
        | Accepted[Classifier]
        | Contradicted
        | NotAccepted
    )


def begin(
    recipe: LocatedRecipe, *, first_action: int = 0, max_steps: int = MOST_STEPS
) -> State[Summary, Classifier]:
    """Know nothing, and loop an arbitrary action until its period is known."""
    p = recipe.parameters
    if not 0 <= first_action < p.actions:
        raise InvalidArgument("first_action", first_action, f"0 to {p.actions - 1}")
    stage: Looping[Summary] = Looping(first_action, until=2 * p.max_states)
    return _planned(
        State(
            recipe=recipe,
            labels=Labels(p.actions),
            pools={},
            rounds=0,
            ledger=opened_located(recipe),
            max_steps=max_steps,
            plan=_looping_plan(stage),
            stage=stage,
        )
    )


def next_plan(state: State[Summary, Classifier]) -> Plan | Result[Classifier]:
    """What to do next, or how the run has ended."""
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
    """Take in what came of the plan that was run."""
    state = replace(state, ledger=loop.ledger)
    match state.stage:
        case Looping() as looping:
            state = _looped(state, looping, loop, oracle)
        case Exploring(current, lost):
            state = _stepped(state, current, lost, loop, oracle)
        case Revisiting() as revisiting:
            state = _revisited(state, revisiting, loop, oracle)
        case Validating() as validating:
            state = _checked(state, validating, loop, oracle)
        case _:
            raise InvalidArgument("state", "ended", "a state that asked for a plan")
    return _planned(state)


def _planned(state: State[Summary, Classifier]) -> State[Summary, Classifier]:
    """Plan what comes next; the run ends as not accepted where that would take too many steps."""
    match state.stage:
        case Looping() as looping:
            plan = _looping_plan(looping)
        case Exploring(current):
            seen = {label: pool.rows for label, pool in state.pools.items()}
            plan = _one_step(next_action(state.labels, seen, current))
        case Revisiting(_, walk, done):
            plan = _one_step(walk[done % len(walk)])
        case Validating(validation, _, _, _, done):
            length = len(validation.walk)
            keeps = tuple(Progression(done * length + visit) for visit in validation.visits)
            plan = Plan(validation.walk, length, done * length, keeps)
        case _:
            return state
    if state.ledger.steps + plan.steps <= state.max_steps:
        return replace(state, plan=plan)
    because = f"the limit of {state.max_steps:,} steps was reached"
    model = state.labels.model_so_far()
    return replace(state, stage=NotAccepted(state.recipe, model, state.ledger, because))


def _looping_plan(looping: Looping[Summary]) -> Plan:
    done = len(looping.rows)
    every = Progression(done + 1, (Level(looping.until - done, 1),))
    return Plan((looping.action,), looping.until - done, done, (every,))


def _one_step(action: int) -> Plan:
    return Plan((action,), 1, keeps=(Progression(1),))


# --- looping --------------------------------------------------------------------------------------


def _looped(
    state: State[Summary, Classifier],
    looping: Looping[Summary],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Rule 5: once the lcm of the possible periods is small, the positions are labels."""
    times = tuple((Progression(loop.plan.done + k),) for k in range(1, loop.plan.steps + 1))
    samples, ledger = read(state.ledger, loop, oracle, times)
    rows, bound = looping.rows + samples, _bound(state)
    period, ledger = possible_period(ledger, oracle, rows, bound)
    state = replace(state, ledger=ledger)
    settled = max(0, bound - 2)
    if period > bound or len(rows) < settled + period:
        # Twice as many words each time: the wait is at most twice as long as needed.
        until = max(2 * len(rows), settled + min(period, bound))
        return replace(state, stage=replace(looping, rows=rows, until=until))
    first = len(state.labels.parent)
    labels, pools = state.labels, dict(state.pools)
    for position in range(period):
        label, labels = labels.with_label()
        pools[label] = pooled(oracle, rows[settled + position :: period])
    for position in range(period):
        after = first + (position + 1) % period
        labels = labels.with_transition(first + position, looping.action, after)
    state = replace(state, labels=labels, pools=pools)
    for label in range(first, first + period):
        state = _merged(state, label, oracle)
    current = first + (len(rows) - 1 - settled) % period
    return _go_on(replace(state, stage=Exploring(state.labels.root(current))), oracle)


# --- exploring ------------------------------------------------------------------------------------


def _stepped(
    state: State[Summary, Classifier],
    current: int,
    lost: int,
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Rules 2 and 3: a known transition leads where it leads, an unknown one to a new label."""
    (action,) = loop.plan.word
    (sample,), ledger = read(state.ledger, loop, oracle, ((Progression(1),),))
    state = replace(state, ledger=ledger)
    to = state.labels.rows[current][action]
    if to is not None:
        state = _with_samples(state, to, (sample,), oracle)
        return _go_on(replace(state, stage=Exploring(state.labels.root(to), lost)), oracle)
    new, labels = state.labels.with_label()
    labels = labels.with_transition(current, action, new)
    state = replace(state, labels=labels, pools={**state.pools, new: pooled(oracle, (sample,))})
    state = _merged(state, new, oracle)
    here = state.labels.root(new)
    if here != new:
        return _go_on(replace(state, stage=Exploring(here)), oracle)
    if lost + 1 >= _bound(state):
        return replace(state, stage=Looping(action, until=2 * _bound(state)))
    return _go_on(replace(state, stage=Exploring(here, lost + 1)), oracle)


def _with_samples(
    state: State[Summary, Classifier],
    label: int,
    samples: tuple[Sample[Summary], ...],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Add what was seen to D(ℓ), and merge what can be merged now."""
    label = state.labels.root(label)
    pools = {**state.pools, label: pooled(oracle, (state.pools[label], *samples))}
    return _merged(replace(state, pools=pools), label, oracle)


def _merged(
    state: State[Summary, Classifier], label: int, oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Rules 1 and 4: merge a label with all that provably show its state, and their successors.

    Every round makes one root fewer, so that the loop ends.
    """
    while True:
        label = state.labels.root(label)
        same, ledger = first_same(state.ledger, oracle, label, state.pools)
        state = replace(state, ledger=ledger)
        if same is None:
            return state
        labels = state.labels.merged(same.one, same.other)
        state = replace(state, labels=labels, pools=_pools_of(labels, state.pools, oracle))


def _pools_of(
    labels: Labels,
    pools: Mapping[int, Pool[Summary]],
    oracle: Oracle[Batch, Summary, Classifier],
) -> dict[int, Pool[Summary]]:
    """Datasets of labels that were merged, put together."""
    parts: dict[int, list[Pool[Summary]]] = {label: [] for label in labels.rows}
    for label, pool in pools.items():
        parts[labels.root(label)].append(pool)
    return {
        label: held[0] if len(held) == 1 else pooled(oracle, held) for label, held in parts.items()
    }


# --- validating -----------------------------------------------------------------------------------


def _go_on(
    state: State[Summary, Classifier], oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Explore while a transition that can be reached is unknown; then validate."""
    assert isinstance(state.stage, Exploring)
    current, labels = state.labels.root(state.stage.current), state.labels
    if any(None in labels.rows[label] for label in labels.reached(current)):
        return replace(state, stage=Exploring(current, state.stage.lost))
    return _closed(state, current, passes=1, oracle=oracle)


def _closed(
    state: State[Summary, Classifier],
    current: int,
    passes: int,
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """The table is closed: walk into a terminal component, then train and validate it."""
    labels = state.labels
    terminal = labels.terminal(current)
    if current not in terminal:
        way = shortest_way(labels, current, terminal.__contains__)
        assert way is not None, "a terminal component can be reached"
        return replace(state, stage=Revisiting(current, way))
    model, states = labels.model_of(terminal)
    kept = tuple(sorted(terminal))
    if len(kept) == 1 < _bound(state):
        return replace(state, stage=NotAccepted(state.recipe, model, state.ledger, _ONE_STATE))
    pools = [state.pools[label] for label in kept]
    apart = state.recipe.parameters.mixing_time
    walk = covering_cycle(model, states[current], at_least=apart)
    # After each failed round, every label is seen twice as often before the next one.
    enough = min(pool.rows for pool in pools) >= ENOUGH << state.rounds
    trained = one_against_all(oracle, pools)
    found = tuple(classifier for classifier in trained if classifier is not None)
    if len(kept) > _bound(state) or len(found) < len(kept) or not enough:
        return replace(state, stage=Revisiting(current, walk, passes=passes))
    p, number = state.recipe.parameters, state.rounds + 1
    share = round_share(p.delta, number)
    samples = validation_samples(p.epsilon, len(walk) // apart, share)
    visited = visits(model, states[current], walk)
    validation, ledger = fix(
        state.ledger,
        walk=walk,
        visits=tuple(visited.index(label) + 1 for label in range(model.states)),
        passes=samples,
        apart=apart,
        classifiers=found,
        charge=Charge(share, "validation", tests=1, samples=samples),
    )
    stage: Validating[Summary, Classifier] = Validating(validation, model, kept, states[current])
    return replace(state, rounds=number, ledger=ledger, stage=stage)


def _revisited(
    state: State[Summary, Classifier],
    revisiting: Revisiting,
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Add what was seen on the way; if labels were merged, or the walk is over, look again."""
    (sample,), ledger = read(state.ledger, loop, oracle, ((Progression(1),),))
    (action,) = loop.plan.word
    to = state.labels.rows[revisiting.current][action]
    assert to is not None, "the walk goes through known transitions"
    before = len(state.labels.rows)
    state = _with_samples(replace(state, ledger=ledger), to, (sample,), oracle)
    here, done = state.labels.root(to), revisiting.done + 1
    if len(state.labels.rows) < before:
        return _go_on(replace(state, stage=Exploring(here)), oracle)
    if done < revisiting.passes * len(revisiting.walk):
        return replace(state, stage=replace(revisiting, current=here, done=done))
    return _closed(state, here, 2 * revisiting.passes, oracle)


def _checked(
    state: State[Summary, Classifier],
    validating: Validating[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """After the silent pass, check pass by pass; accept if all pass, go on after a failure."""
    validation, done = validating.validation, validating.done + 1
    if validating.done == 0:
        return replace(state, stage=replace(validating, done=1))
    failed, samples, ledger = check_pass(state.ledger, loop, oracle, validation)
    state = replace(state, ledger=ledger)
    seen = (*validating.seen, samples)
    if not failed and done <= validation.passes:
        return replace(state, stage=replace(validating, done=done, seen=seen))
    home = validating.home
    if not failed:
        result = Accepted(state.recipe, validating.model, home, validation.classifiers, ledger)
        return replace(state, stage=result)
    for label, samples_of_label in zip(validating.labels, zip(*seen, strict=True), strict=True):
        state = _with_samples(state, label, samples_of_label, oracle)
    here = state.labels.root(validating.labels[home])
    return _go_on(replace(state, stage=Exploring(here)), oracle)


def _bound(state: State[Summary, Classifier]) -> int:
    return state.recipe.parameters.max_states
