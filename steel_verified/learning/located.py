"""Located STEEL: the learner always knows at which of its labels it is.

    state = method.begin()
    while isinstance(plan := method.next_plan(state), Plan):
        state = method.absorb(state, run(state.ledger, world, plan), oracle)
    # plan is now the result

It explores in closed loop, by decisions that are correct for every noise. It spends δ only on a
final validation: the model and the encoder are fixed and then checked on later samples. If a round
fails, its samples are added to the datasets, and exploration continues.

A run for the dynamics only (`with_encoder=False`) ends without a validation if it can (T2). The
labels of a closed table are joined to states by a map that agrees with the actions, so the labels
of equal states are the blocks of a congruence of the table, and F has a classifier for each block.
If for every congruence that is neither trivial nor total F has none for some block, then the labels
are the states, for every noise; given that there are two states. Otherwise a validation follows, of
the dynamics only: ε = 1/2 suffices (T3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Checked, Fixed, Ran
from steel_verified.evidence.ledger import Ledger, opened
from steel_verified.evidence.observed import (
    check_pass,
    exclude_joins,
    first_same,
    fix,
    one_against_all,
    pools_of,
    possible_period,
    read,
    united,
    with_datasets,
)
from steel_verified.evidence.plans import Plan, Word
from steel_verified.learning.congruences import proper_partitions
from steel_verified.learning.graph import Labels, covering_cycle, visits
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, Result, Unfinished
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.parameters import (
    require_actions,
    require_first_action,
    require_parameters,
    without_class,
)
from steel_verified.theory.progressions import Progression
from steel_verified.theory.validation import independent_samples, round_share
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.sealed import Loop, Pools, Sample, Validation
    from steel_verified.learning.model import Model
    from steel_verified.theory.parameters import LocatedParameters, Parameters

Batch = TypeVar("Batch", bound=Sized)

MOST_STEPS: Final = 10**7
"""By default, a run ends as not accepted after this many steps."""

MOST_CONGRUENCES: Final = 1000
"""If the table has more congruences, they are not gone through, and a validation decides."""

LARGEST_LIMIT: Final = 10**8
"""The largest limit that the command line accepts: a longer run would take hours."""
ENOUGH: Final = 8
"""How often a label must be seen before its unknown actions are tried and before a validation."""
MANY_ROWS: Final = 4096
MANY_LABELS: Final = 256
ROWS_FOR_EACH: Final = 64
LABELS_FOR_EACH: Final = 8
"""F is called too rich if this many rows refute no period of a loop, or if this many labels are all
apart, and so many of them for each possible state. This ends runs that would not end otherwise, or
not soon: the labels are compared with each other. Of 160 random worlds and mazes in grey images
that were learned, none had more than 179 labels at once, or more than 2.3 for each possible state
if there were more than 103."""
_TOO_RICH: Final = (
    "{what}: F separates almost any observations that are not equal, so states cannot be "
    "recognised. Give a smaller class of classifiers, or features that do not show the noise"
)
_ONE_STATE: Final = (
    "all labels were merged into one state, which any validation would pass; if there is just one, "
    "give max_states = 1"
)
_WHY_ONE_STATE: Final = (
    Condition.DETERMINISTIC,
    Condition.REALISABLE,
    Condition.MAX_STATES,
    Condition.UNCHANGING,
)
"""One wrong step, or one wrongly classified observation, can merge labels of different states."""

MANY_PASSES: Final = 64
"""A run ends if more than N labels are left, or if no classifier is found that tells some label
from all others, once all were seen on 63 walks since two were merged.
On each walk a label is seen at least t̂_mix after the walk before. Two labels of one state stay
apart only if a classifier is 1 in all views of one and 0 in all of the other. After so long its
chance is within 1/4 of a fixed q, so this has chance ((q + 1/4)(5/4 − q))⁶³ ≤ (3/4)¹²⁶ < 2⁻⁵² for
each classifier. Nothing is promised of runs that end so. With 255 walks, none of 250 random worlds
with a true N ended so."""
_MANY_LABELS: Final = (
    "{labels} were each seen on {passes} walks through all of them, and no two of them could be "
    "merged; there may be {bound} states only"
)
_UNTOLD: Final = (
    "{labels} were each seen on {passes} walks through all of them, no two of them could be "
    "merged, and no classifier was found in F that tells {untold} from all others"
)
_WHY_UNTOLD: Final = (
    Condition.REALISABLE,
    Condition.DETERMINISTIC,
    Condition.MIXING,
    Condition.UNCHANGING,
)
WHY_MANY_LABELS: Final = (
    Condition.MAX_STATES,
    Condition.MIXING,
    Condition.EXOGENOUS,
    Condition.REALISABLE,
)
"""The possible causes if more than N labels are left that were not merged."""


@dataclass(frozen=True, slots=True)
class Looping:
    """An action is looped until its period is known; the position is not known yet."""

    action: int
    rows: tuple[Sample, ...] = ()
    until: int = 0


@dataclass(frozen=True, slots=True)
class Exploring:
    """The learner is at a label; it took `lost` steps since it last recognised a state."""

    current: int
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Revisiting:
    """All transitions are known: labels are visited again to find those of the same state."""

    current: int
    walk: Word
    done: int = 0
    passes: int = 1


@dataclass(frozen=True, slots=True)
class Validating:
    """A validation is running: `done` passes of the walk have been run."""

    validation: Validation
    model: Model
    labels: tuple[int, ...]
    """The label of each state of the model."""
    home: int
    """The state in which every pass begins and ends."""
    done: int = 0
    seen: tuple[tuple[Sample, ...], ...] = ()
    """The samples of each state in each pass."""


Stage: TypeAlias = (
    Looping | Exploring | Revisiting | Validating | Accepted | Contradicted | NotAccepted
)


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the learner knows between two plans."""

    method: Located
    labels: Labels
    pools: Pools
    """D(ℓ), for each label that was not merged into another."""
    ledger: Ledger
    stage: Stage

    @property
    def model(self) -> Model:
        """The partial model on all labels."""
        return self.labels.model_so_far()

    def at(self, stage: Stage) -> State:
        """Return what is known, in another stage."""
        return State(self.method, self.labels, self.pools, self.ledger, stage)

    @property
    def bound(self) -> int:
        """N, the largest possible number of states."""
        return self.method.parameters.max_states


@dataclass(frozen=True, slots=True)
class Located:
    """The located method, with its parameters; |F| and D̂ are not needed."""

    name: ClassVar[str] = "located"
    needs: ClassVar[str] = "N, t̂_mix, δ, ε"
    most_steps: ClassVar[int] = MOST_STEPS

    parameters: LocatedParameters
    first_action: int = 0
    with_encoder: bool = True
    """If not, the run ends where the dynamics are sure, or by a validation of the dynamics."""

    def __init__(
        self,
        parameters: Parameters | LocatedParameters,
        first_action: int = 0,
        with_encoder: bool = True,  # noqa: FBT001, FBT002 (as in `Looped`)
    ) -> None:
        require_parameters(parameters)
        require_first_action(first_action, parameters.actions)
        object.__setattr__(self, "parameters", without_class(parameters))
        object.__setattr__(self, "first_action", first_action)
        object.__setattr__(self, "with_encoder", with_encoder)

    @property
    def least_steps(self) -> int:
        """The least number of steps of an accepted run: the first loop, and a validation.

        Dependent samples are never fewer than independent ones, and the first pass keeps none.
        """
        p = self.parameters
        samples = independent_samples(p.epsilon, round_share(p.delta, 1))
        return 2 * p.max_states + (samples + 1) * p.mixing_time * self.with_encoder

    def require(self, actions: int, _class_size: int | None) -> None:
        """Raise `InvalidArgument` unless the world has this number of actions."""
        require_actions(self.parameters, actions)

    def begin(self) -> State:
        """Return the first state: nothing is known, and an action is looped until its period is."""
        p = self.parameters
        return State(
            method=self,
            labels=Labels(p.actions),
            pools=pools_of({}),
            ledger=opened(p),
            stage=Looping(self.first_action, until=2 * p.max_states),
        )

    def next_plan(self, state: State) -> Plan | Result:
        """Return the next plan, or the result if the run has ended."""
        match state.stage:
            case Looping(action, rows, until):
                done = len(rows)
                return Plan((action,), until - done, done, (Progression.every(done + 1, until),))
            case Exploring(current):
                pools, unfinished = state.pools.held, state.labels.ways.unfinished
                seen = {label: pools[label].rows for label in unfinished}
                return _one_step(next_action(state.labels, seen, current))
            case Revisiting(_, walk, done):
                return _one_step(walk[done % len(walk)])
            case Validating(validation, _, _, _, done):
                length = len(validation.walk)
                visits = tuple(Progression(done * length + visit) for visit in validation.visits)
                return Plan(validation.walk, length, done * length, visits)
            case Accepted() | Contradicted() | NotAccepted() as result:
                return result

    def absorb(
        self,
        state: State,
        loop: Loop[Batch],
        oracle: Class[Batch],
    ) -> State:
        """Return the state after processing the rows of the plan that was run."""
        match state.stage:
            case Looping() as looping:
                return positioned(state, looping, loop, oracle)
            case Exploring(current, lost):
                return stepped(state, current, lost, loop, oracle)
            case Revisiting() as revisiting:
                return revisited(state, revisiting, loop, oracle)
            case Validating() as validating:
                return checked(state, validating, loop, oracle)
            case _:
                raise InvalidArgument("state", "ended", "a state that asked for a plan")

    def unfinished(self, state: State) -> Unfinished:
        """Return what is open, and what may not hold if there are more than N labels."""
        rows = state.labels.rows
        match state.stage:
            case Looping(action, seen):
                now = f"the period of action {action} was not found in {len(seen):,} observations"
            case Validating(validation, done=done):
                passes = f"{done:,} of {validation.passes + 1:,} passes"
                now = f"a validation had done {passes} of {len(validation.walk):,} steps"
            case _:
                unknown = sum(row.count(None) for row in rows.values())
                labels = f"{counted(len(rows), 'label')} for at most {state.bound:,} states"
                now = f"there were {labels}, with {counted(unknown, 'unknown transition')}"
        text = "; ".join(filter(None, (now, misread(state.ledger))))
        return Unfinished(text, listed(WHY_MANY_LABELS) if len(rows) > state.bound else ())


@cache
def _one_step(action: int) -> Plan:
    return Plan((action,), 1, keeps=_ONE_ROW[0])


_ONE_ROW: Final = ((Progression(1),),)
"""The row after a plan of one step."""


# --- exploration ----------------------------------------------------------------------------------


def positioned(
    state: State,
    looping: Looping,
    loop: Loop[Batch],
    oracle: Class[Batch],
) -> State:
    """Rule 5: when the lcm of the possible periods is small enough, make a label per position."""
    times = tuple((Progression(loop.plan.done + k),) for k in range(1, loop.plan.steps + 1))
    samples, ledger = read(loop.ledger, loop, oracle, times)
    rows, bound = looping.rows + samples, state.bound
    found, ledger = possible_period(ledger, oracle, rows, bound)
    state, period = replace(state, ledger=ledger), found.period
    settled = max(0, bound - 2)
    if (
        period > bound
        and len(found.left) == bound
        and len(rows) >= max(MANY_ROWS, ROWS_FOR_EACH * bound)
    ):
        what = f"{len(rows):,} observations of one repeated action refute no period up to {bound}"
        return _too_rich(state, what)
    if period > bound or len(rows) < settled + period:
        # The number of words is doubled each time, so the wait is at most twice as long as needed.
        until = max(2 * len(rows), settled + min(period, bound))
        return state.at(replace(looping, rows=rows, until=until))
    first = len(state.labels.parent)
    labels, pools = state.labels, state.pools
    for position in range(period):
        label, labels = labels.with_label()
        pools = with_datasets(oracle, pools, label, rows[settled + position :: period])
    for position in range(period):
        after = first + (position + 1) % period
        labels = labels.with_transition(first + position, looping.action, after)
    state = replace(state, labels=labels, pools=pools)
    for label in range(first, first + period):
        state = merged(state, label, oracle)
    return go_on(state, first + (len(rows) - 1 - settled) % period, 0, oracle)


def stepped(
    state: State,
    current: int,
    lost: int,
    loop: Loop[Batch],
    oracle: Class[Batch],
) -> State:
    """Rules 2 and 3: follow a known transition, or make a new label for an unknown one."""
    (action,) = loop.plan.word
    (sample,), ledger = read(loop.ledger, loop, oracle, _ONE_ROW)
    to = state.labels.rows[current][action]
    if to is not None:
        state = with_samples(state, ledger, to, (sample,), oracle)
        return go_on(state, to, lost, oracle)
    new, labels = state.labels.with_label()
    labels = labels.with_transition(current, action, new)
    pools = with_datasets(oracle, state.pools, new, (sample,))
    state = merged(replace(state, labels=labels, pools=pools, ledger=ledger), new, oracle)
    here = state.labels.root(new)
    if here != new:
        return go_on(state, here, 0, oracle)
    if (many := len(state.labels.rows)) >= max(MANY_LABELS, LABELS_FOR_EACH * state.bound):
        most = counted(state.bound, "state")
        what = f"each of {many:,} labels is apart from all others, for at most {most}"
        return _too_rich(state, what)
    if lost + 1 >= state.bound:
        return state.at(Looping(action, until=2 * state.bound))
    return go_on(state, here, lost + 1, oracle)


def _too_rich(state: State, what: str) -> State:
    model, because = state.labels.model_so_far(), _TOO_RICH.format(what=what)
    causes = listed(WHY_MANY_LABELS)
    return state.at(NotAccepted(state.method, model, state.ledger, because, causes))


def next_action(labels: Labels, seen: Mapping[int, int], current: int) -> int:
    """Return the next action; an unknown transition must be reachable from the current label.

    This policy affects the speed, never the correctness. An unknown action should be tried from a
    label that was seen often, because then its target is recognised more often: states that were
    seen rarely look like new ones. So the policy is:

    1. Go to the nearest unknown action of a label that was seen `ENOUGH` times, and take it.
    2. If there is none, go to the nearest other label with an unknown action from which the learner
       can return, to see this label more often.
    3. If there is none either, take the nearest unknown action, and continue until a state is
       recognised (the learner loops an action if that takes too long).
    """
    unfinished = labels.ways.unfinished
    known_well = frozenset([label for label in unfinished if seen[label] >= ENOUGH])
    action = labels.first_action(current, known_well) if known_well else None
    if action is None:
        returning = (labels.ways.component(current) & unfinished) - {current}
        action = labels.first_action(current, returning) if returning else None
    if action is None:
        action = labels.first_action(current, unfinished)
    assert action is not None, "an unknown transition can be reached"
    return action


# --- revisits and validation ----------------------------------------------------------------------


def go_on(state: State, current: int, lost: int, oracle: Class[Batch]) -> State:
    """Explore while a reachable transition is unknown; otherwise validate."""
    current, ways = state.labels.root(current), state.labels.ways
    if ways.lead_on(current):
        return state.at(Exploring(current, lost))
    return _closed(state, current, passes=1, oracle=oracle)


def _closed(
    state: State,
    current: int,
    passes: int,
    oracle: Class[Batch],
) -> State:
    """All reachable transitions are known: walk into a terminal component, train and validate it.

    A terminal component is a strongly connected component that cannot be left.
    """
    labels = state.labels
    terminal = labels.terminal(current)
    if current not in terminal:
        way = labels.shortest_way(current, terminal.__contains__)
        assert way is not None, "a terminal component can be reached"
        return state.at(Revisiting(current, way))
    model, states = labels.model_of(terminal)
    kept = tuple(sorted(terminal))
    if len(kept) == 1 < state.bound:
        causes = listed(_WHY_ONE_STATE)
        ended = NotAccepted(state.method, model, state.ledger, _ONE_STATE, causes)
        return state.at(ended)
    if len(kept) > state.bound and passes >= MANY_PASSES:
        return _too_many(state, model, passes - 1)
    pools = [state.pools.held[label] for label in kept]
    if not state.method.with_encoder and 1 < len(kept) <= state.bound:
        table = [[to for to in row if to is not None] for row in model.table]
        partitions = proper_partitions(table, MOST_CONGRUENCES)
        is_sure, ledger = exclude_joins(state.ledger, oracle, pools, partitions)
        state = replace(state, ledger=ledger)
        if is_sure:
            home, certified = states[current], oracle.none_is_proved
            result = Accepted(state.method, model, home, None, ledger, certified)
            return state.at(result)
    apart = state.method.parameters.mixing_time
    walk = covering_cycle(model, states[current], at_least=apart)
    # After each failed round, every label must be seen twice as often before the next one.
    enough = min(pool.rows for pool in pools) >= ENOUGH << state.ledger.decisions
    trained = one_against_all(oracle, pools)
    found = tuple(classifier for classifier in trained if classifier is not None)
    if len(found) < len(kept) and passes >= MANY_PASSES:
        return _untold(state, model, len(kept) - len(found), passes - 1)
    if len(kept) > state.bound or len(found) < len(kept) or not enough:
        return state.at(Revisiting(current, walk, passes=passes))
    visited = visits(model, states[current], walk)
    validation, ledger = fix(
        state.ledger,
        walk=walk,
        visits=tuple(visited.index(label) + 1 for label in range(model.states)),
        classifiers=found,
        with_encoder=state.method.with_encoder,
    )
    stage: Validating = Validating(validation, model, kept, states[current])
    return replace(state, ledger=ledger, stage=stage)


def _too_many(state: State, model: Model, passes: int) -> State:
    """End a run that has found more than N states, as far as can be seen."""
    because = _MANY_LABELS.format(
        labels=counted(model.states, "label"), passes=passes, bound=state.bound
    )
    causes = listed(WHY_MANY_LABELS)
    text = "; ".join(filter(None, (because, misread(state.ledger))))
    ended = NotAccepted(state.method, model, state.ledger, text, causes)
    return state.at(ended)


def _untold(state: State, model: Model, labels: int, passes: int) -> State:
    """End a run in which no classifiers were found for some labels."""
    untold = "one of them" if labels == 1 else f"{labels:,} of them"
    because = _UNTOLD.format(labels=counted(model.states, "label"), passes=passes, untold=untold)
    causes = listed(_WHY_UNTOLD)
    return state.at(NotAccepted(state.method, model, state.ledger, because, causes))


def revisited(
    state: State,
    revisiting: Revisiting,
    loop: Loop[Batch],
    oracle: Class[Batch],
) -> State:
    """Add the row that was seen; if labels were merged or the walk is finished, decide again."""
    (sample,), ledger = read(loop.ledger, loop, oracle, _ONE_ROW)
    (action,) = loop.plan.word
    to = state.labels.rows[revisiting.current][action]
    assert to is not None, "the walk goes through known transitions"
    before = len(state.labels.rows)
    state = with_samples(state, ledger, to, (sample,), oracle)
    here, done = state.labels.root(to), revisiting.done + 1
    if len(state.labels.rows) < before:
        return go_on(state, here, 0, oracle)
    if done < revisiting.passes * len(revisiting.walk):
        return state.at(replace(revisiting, current=here, done=done))
    return _closed(state, here, 2 * revisiting.passes, oracle)


def checked(
    state: State,
    validating: Validating,
    loop: Loop[Batch],
    oracle: Class[Batch],
) -> State:
    """Check each pass but the first; accept if all passes succeed, explore after a failure."""
    validation, done = validating.validation, validating.done + 1
    if validating.done == 0:
        return replace(state, ledger=loop.ledger, stage=replace(validating, done=1))
    failed, samples, ledger = check_pass(loop.ledger, loop, oracle, validation)
    state = replace(state, ledger=ledger)
    seen = (*validating.seen, samples)
    if not failed and done <= validation.passes:
        return state.at(replace(validating, done=done, seen=seen))
    home = validating.home
    if not failed:
        found = validation.classifiers if state.method.with_encoder else None
        certified = oracle.none_is_proved
        result = Accepted(state.method, validating.model, home, found, ledger, certified)
        return state.at(result)
    for label, samples_of_label in zip(validating.labels, zip(*seen, strict=True), strict=True):
        state = with_samples(state, state.ledger, label, samples_of_label, oracle)
    return go_on(state, validating.labels[home], 0, oracle)


# --- certain knowledge about labels ---------------------------------------------------------------


def with_samples(
    state: State,
    ledger: Ledger,
    label: int,
    samples: tuple[Sample, ...],
    oracle: Class[Batch],
) -> State:
    """Add samples to D(ℓ), and merge all labels that can be merged then."""
    label = state.labels.root(label)
    pools = with_datasets(oracle, state.pools, label, samples)
    return merged(State(state.method, state.labels, pools, ledger, state.stage), label, oracle)


def merged(state: State, label: int, oracle: Class[Batch]) -> State:
    """Rules 1 and 4: merge a label with all labels that provably show the same state.

    Their successors are merged as well. Each iteration removes a root, so the loop terminates.
    """
    while True:
        label = state.labels.root(label)
        same, pools, ledger = first_same(state.ledger, oracle, label, state.pools)
        if same is None:
            return state if pools is state.pools else replace(state, pools=pools)
        labels = state.labels.merged(same.one, same.other)
        roots = {each: labels.root(each) for each in pools.held}
        pools = united(oracle, pools, roots)
        state = replace(state, labels=labels, pools=pools, ledger=ledger)


# --- what a ledger says ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Round:
    """One round of validation, up to its last pass."""

    at: int
    """τ: the step at which it was fixed."""
    walk: Word
    classifiers: tuple[object, ...]
    passes: int
    """n: the number of passes in which each label was to be checked."""
    share: Fraction
    """The share of δ that was charged."""
    steps: int = 0
    """The number of steps, including the first pass of the walk, which is not checked."""
    checked: int = 0
    """The number of passes that were checked."""
    failed: tuple[int, ...] = ()
    """The states on which the encoder was wrong in the last pass."""

    @property
    def passed(self) -> bool:
        return self.checked == self.passes and not self.failed


def rounds(ledger: Ledger) -> tuple[Round, ...]:
    """Return every round of validation, in order."""
    found: list[Round] = []
    validating = False
    for entry in ledger.entries:
        match entry:
            case Fixed():
                share = entry.charge
                found.append(Round(entry.at, entry.walk, entry.classifiers, entry.passes, share))
                validating = True
            case Ran() if validating:
                found[-1] = replace(found[-1], steps=found[-1].steps + entry.steps)
            case Checked():
                found[-1] = replace(found[-1], checked=entry.number, failed=entry.failed)
                validating = not (entry.failed or found[-1].passed)
    return tuple(found)


def misread(ledger: Ledger) -> str:
    """Return which state was misread by the classifiers of failed validations, and since when.

    Empty if none has failed. After a failure the rows that were misread are rows of their label. So
    the next classifier reads them, and no classifier fails twice.
    """
    found = [each for each in rounds(ledger) if each.failed]
    if not found:
        return ""
    first, last = found[0], found[-1]
    state = last.failed[0]
    return (
        f"{counted(len(found), 'validation')} failed, the first before step "
        f"{first.at + first.steps:,}, the last before step {last.at + last.steps:,}, where state "
        f"{state} was misread, whose classifier was {last.classifiers[state]}"
    )
