"""The looped method: Algorithms 1 and 2 of the paper, as states that ask for plans and get rows.

    state = method.begin()
    while isinstance(plan := method.next_plan(state), Plan):
        state = method.absorb(state, run(state.ledger, world, plan), oracle)
    # plan is now the result

Phase 1 loops escaping words until every transition is known: each loop is a call of CycleFind,
which finds the period of the loop and the state at each of its positions. Phase 2 tours the states
until each one has enough samples. Phase 3 trains one classifier for each state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import LabelsFound, Ran, Read, Trained
from steel_verified.evidence.ledger import Ledger, continued, newest, opened
from steel_verified.evidence.observed import find_labels, find_period, read, train
from steel_verified.evidence.plans import Plan, Word
from steel_verified.learning.graph import covering_cycle, escaping_word, shortest_words, visits
from steel_verified.learning.model import Model, Transition
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, Result, Unfinished
from steel_verified.theory.budget import encoder_charge, period_charge, position_charge
from steel_verified.theory.conditions import AssumptionViolated, Condition, listed
from steel_verified.theory.counts import cycle_find_steps, initial_rollout, sampling_passes
from steel_verified.theory.parameters import (
    Parameters,
    require_actions,
    require_first_action,
    require_parameters,
)
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import SeparatedTimes, period_tests, position_times
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.evidence.sealed import Loop, Sample
    from steel_verified.theory.schedules import PositionTimes

Batch = TypeVar("Batch", bound=Sized)


@dataclass(frozen=True, slots=True)
class Dataset:
    """D(s): samples of one state. Their times are fixed values, their rows are observed values."""

    times: SeparatedTimes
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class FindingPeriod:
    """Phase 1 of a call: the period is being determined."""

    word: Word


@dataclass(frozen=True, slots=True)
class SamplingPositions:
    """Phase 2 of a call: the period is known, and `done` steps of the loop were taken."""

    word: Word
    period: int
    done: int


@dataclass(frozen=True, slots=True)
class Call:
    """One call of CycleFind, and what it found."""

    word: Word
    """â, the word that was looped."""
    start: int
    """The number of steps of the trajectory before the call."""
    steps: int
    """The number of steps of the call: max(c, c_init)."""
    labels: tuple[int, ...]
    """The state at each position of the cycle."""
    new_states: int = 0
    new_transitions: tuple[Transition, ...] = ()

    @property
    def period(self) -> int:
        """n_cyc, the period of the cycle in words."""
        return len(self.labels) // len(self.word)

    @property
    def current(self) -> int:
        """The state in which the call ends: position max(c, c_init) of the loop (l. 440)."""
        return self.labels[self.steps % len(self.labels)]


@dataclass(frozen=True, slots=True)
class Cycle(Call):
    """A call, with a dataset for each new state."""

    new: tuple[Dataset, ...] = ()


@dataclass(frozen=True, slots=True)
class Touring:
    """Phase 2: the covering cycle ā is run from `home`; the first of `passes` keeps no samples."""

    home: int
    cycle: Word
    passes: int


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the learner knows between two plans."""

    method: Looped
    model: Model
    current: int | None
    """The current state, once a call of CycleFind has ended."""
    datasets: tuple[Dataset, ...]
    cycles: tuple[Cycle, ...]
    """What each call of CycleFind has found."""
    ledger: Ledger
    stage: FindingPeriod | SamplingPositions | Touring | Accepted | Contradicted | NotAccepted


# --- Algorithm 1 ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Looped:
    """The looped method: the paper's algorithm, with its parameters.

    Without the encoder, the run ends when the dynamics are known.
    """

    name: ClassVar[str] = "looped"
    needs: ClassVar[str] = "N, D̂, t̂_mix, |F|, δ, ε"
    most_steps: ClassVar[None] = None
    """There is no limit by default, since Theorem 1 bounds the steps."""

    parameters: Parameters
    first_action: int = 0
    with_encoder: bool = True

    def __post_init__(self) -> None:
        require_parameters(self.parameters, of_paper=True)
        require_first_action(self.first_action, self.parameters.actions)

    @property
    def least_steps(self) -> int:
        """The least number of steps of an accepted run: one call, and a tour if there is one."""
        p = self.parameters
        passes = sampling_passes(p, 1) if self.with_encoder else 0
        return cycle_find_steps(p, word_length=1, period=1) + passes * p.mixing_time

    def require(self, actions: int, class_size: int | None) -> None:
        """Raise `InvalidArgument` unless the parameters fit the world and the class."""
        require_actions(self.parameters, actions)
        if class_size is None:
            expected = (
                "a class of known size: looped STEEL needs |F| to compute its number of samples; "
                "use Located(parameters), which does not need it"
            )
            raise InvalidArgument("oracle.class_size", None, expected)
        if class_size > self.parameters.class_size:
            expected = f"at least {class_size}, the size of the oracle's class"
            raise InvalidArgument("class_size", self.parameters.class_size, expected)

    def begin(self, ledger: Ledger | None = None) -> State:
        """Return the first state: nothing is known, and an action is looped (l. 306–308).

        `ledger` is the ledger of a run that continues where another method ended; the rows of that
        method are not used.
        """
        p = self.parameters
        return State(
            method=self,
            model=Model(p.actions),
            current=None,
            datasets=(),
            cycles=(),
            ledger=opened(p) if ledger is None else continued(ledger, p),
            stage=begin_call(p, (self.first_action,)),
        )

    def next_plan(self, state: State) -> Plan | Result:
        """Return the next plan, or the result if the run has ended.

        It depends on fixed values only.
        """
        match state.stage:
            case FindingPeriod() | SamplingPositions() as call:
                return _plan_of_call(state.method.parameters, call)
            case Touring(_, cycle, passes) as tour:
                return Plan(cycle, passes * len(cycle), keeps=_tour_samples(state.model, tour))
            case Accepted() | Contradicted() | NotAccepted() as result:
                return result

    def absorb(
        self,
        state: State,
        loop: Loop[Batch],
        oracle: Class[Batch],
    ) -> State:
        """Return the state after processing the rows of the plan that was run.

        If they contradict an assumption, the run ends as `Contradicted`.
        """
        state = replace(state, ledger=loop.ledger)
        try:
            match state.stage:
                case FindingPeriod() | SamplingPositions() as call:
                    found, ledger = _absorb_call(
                        state.method.parameters, call, state.datasets, loop, oracle
                    )
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
            ended = Contradicted(state.method, state.model, ledger, causes, str(violated))
            return replace(state, ledger=ledger, stage=ended)

    def unfinished(self, state: State) -> Unfinished:
        """Return what is open if the run is stopped now; nothing is suspicious."""
        loops, found = counted(len(state.cycles), "loop"), len(state.model.transitions())
        known = f"{counted(state.model.states, 'state')} and {counted(found, 'transition')}"
        return Unfinished(f"{loops} had shown {known}")


def _with_cycle(state: State, cycle: Cycle, loop: Loop[Batch]) -> State:
    """Add the states and transitions of a cycle (l. 430–441)."""
    model = with_loop(state.model, state.current, cycle.word, cycle.labels, at_step=loop.start)
    return replace(
        state,
        model=model,
        current=cycle.current,
        datasets=state.datasets + cycle.new,
        cycles=(*state.cycles, cycle),
    )


def _after_call(state: State, oracle: Class[Batch]) -> State:
    """Continue to explore while a transition is unknown (l. 310), then tour, then train."""
    p, model = state.method.parameters, state.model
    if not model.is_total:
        return replace(state, stage=begin_call(p, escaping_word(model)))
    require_bounds(model, p)
    require_whole_run(model, state.cycles)
    if not state.method.with_encoder:
        return _accepted(state, None, oracle)
    passes = sampling_passes(p, model.states)
    if not passes:
        return _trained(state, oracle)
    home = _here(state)
    cycle = covering_cycle(model, home, at_least=p.mixing_time)
    return replace(state, stage=Touring(home, cycle, passes))


def _with_samples(
    state: State,
    tour: Touring,
    loop: Loop[Batch],
    oracle: Class[Batch],
) -> State:
    """Add to D(s) the samples of each state from the tour (l. 337–351)."""
    times = tuple((times,) for times in _tour_samples(state.model, tour))
    samples, ledger = read(state.ledger, loop, oracle, times)
    datasets = tuple(
        Dataset(
            SeparatedTimes(
                pieces=(*dataset.times.pieces, *sample.times), apart=dataset.times.apart
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


def _trained(state: State, oracle: Class[Batch]) -> State:
    """Phase 3 (l. 354–359): train one classifier for each state."""
    classifiers, ledger = train(
        state.ledger,
        oracle,
        [dataset.samples for dataset in state.datasets],
        encoder_charge(state.method.parameters, state.model.states),
    )
    return _accepted(replace(state, ledger=ledger), classifiers, oracle)


def _accepted(
    state: State,
    classifiers: tuple[Classifier, ...] | None,
    oracle: Class[Batch],
) -> State:
    here, certified = _here(state), oracle.none_is_proved
    result = Accepted(state.method, state.model, here, classifiers, state.ledger, certified)
    return replace(state, stage=result)


def _here(state: State) -> int:
    """Return the current state; the tour ends where it began."""
    assert state.current is not None, "a call of CycleFind has ended"
    return state.current


# --- Algorithm 2: CycleFind -----------------------------------------------------------------------


def begin_call(parameters: Parameters, word: Word) -> FindingPeriod | SamplingPositions:
    """Return the first phase of a call. If N = 1, there is no period to find."""
    if parameters.max_states == 1:
        return SamplingPositions(word, period=1, done=0)
    return FindingPeriod(word)


def _plan_of_call(parameters: Parameters, call: FindingPeriod | SamplingPositions) -> Plan:
    """Loop the word for c_init steps (l. 371), later for up to c steps in all (l. 397)."""
    word = call.word
    if isinstance(call, FindingPeriod):
        done, until = 0, initial_rollout(parameters, len(word))
    else:
        done, until = call.done, cycle_find_steps(parameters, len(word), call.period)
    # Until the period is known, any step may become a sample or be read again.
    return Plan(word, until - done, done, (Progression.every(done + 1, until),))


def _absorb_call(
    parameters: Parameters,
    call: FindingPeriod | SamplingPositions,
    known: Sequence[Dataset],
    loop: Loop[Batch],
    oracle: Class[Batch],
) -> tuple[SamplingPositions | Cycle, Ledger]:
    """Process the rows of the last plan; return the next phase, or the cycle if it is found."""
    ledger = loop.ledger
    if isinstance(call, FindingPeriod):
        period, ledger = _period(parameters, loop, oracle)
        call = SamplingPositions(call.word, period, done=loop.plan.steps)
        if cycle_find_steps(parameters, len(call.word), period) > call.done:
            return call, ledger
    return _cycle(parameters, call, known, loop, oracle, ledger)


def _period(parameters: Parameters, loop: Loop[Batch], oracle: Class[Batch]) -> tuple[int, Ledger]:
    """Phase 1 (l. 375–392): return the largest n'_cyc whose D_0 and D_1 are separable, or 1."""
    tests = tuple(period_tests(parameters, len(loop.plan.word)))
    for test in tests:
        # The proof pools D_1 with some row of D_0; the first and the last row are the closest.
        test.pooled(1)
        test.pooled(test.hypothesis - 1)
    datasets = tuple((times,) for test in tests for times in (test.zeros, test.ones))
    samples, ledger = read(loop.ledger, loop, oracle, datasets)
    return find_period(
        ledger,
        oracle,
        [
            (test.hypothesis, zeros, ones)
            for test, zeros, ones in zip(tests, samples[::2], samples[1::2], strict=True)
        ],
        partial(period_charge, parameters),
    )


def _cycle(
    parameters: Parameters,
    call: SamplingPositions,
    known: Sequence[Dataset],
    loop: Loop[Batch],
    oracle: Class[Batch],
    ledger: Ledger,
) -> tuple[Cycle, Ledger]:
    """Phase 2 (l. 401–435): make a dataset for each position, and decide its state."""
    positions = position_times(parameters, len(call.word), call.period)
    datasets = tuple((position.early, position.late) for position in positions)
    samples, ledger = read(ledger, loop, oracle, datasets)
    found = [
        Dataset(SeparatedTimes(pieces=sample.times, apart=position.apart), (sample,))
        for position, sample in zip(positions, samples, strict=True)
    ]
    _require_comparable(known, positions, found)
    labels, ledger = find_labels(
        ledger,
        oracle,
        [dataset.samples[0] for dataset in known],
        samples,
        partial(position_charge, parameters),
    )
    require_few_states(labels, parameters.max_states)
    new = tuple(
        found[i]
        for i, label in enumerate(labels)
        if label >= len(known) and label not in labels[:i]
    )
    steps = loop.plan.done + loop.plan.steps
    return Cycle(call.word, loop.start, steps, labels, new=new), ledger


def _require_comparable(
    known: Sequence[Dataset],
    positions: Sequence[PositionTimes],
    found: Sequence[Dataset],
) -> None:
    """Raise `TooClose` if the pooled sets of the tests have times that are too close.

    Two positions are compared by D^A_i and D^B_j (l. 758). All early halves come before all late
    halves, so it is enough to check the closest pair. A known state is compared by all of its
    samples with all new samples (l. 756); its samples were taken before this call.
    """
    last_early = max(positions, key=lambda position: position.early.last)
    first_late = min(positions, key=lambda position: position.late.first)
    last_early.pooled(first_late)
    if known:
        old = max((piece for d in known for piece in d.times.pieces), key=lambda p: p.last)
        new = min((piece for d in found for piece in d.times.pieces), key=lambda p: p.first)
        SeparatedTimes(pieces=(old, new), apart=positions[0].apart)


# --- what contradicts the assumptions -------------------------------------------------------------


def with_loop(
    model: Model, before: int | None, word: Word, labels: tuple[int, ...], *, at_step: int
) -> Model:
    """Return the model with the transitions of a call of CycleFind, whose word must be escaping.

    Raises `AssumptionViolated` if all transitions of the loop are known, or if the model, followed
    from `before`, leads elsewhere.
    """
    grown = model.with_cycle(labels, word)
    if grown.transitions() == model.transitions():
        raise AssumptionViolated(
            f"the word {word} must leave the known graph, but all of its loop is known",
            Condition.DETERMINISTIC,
            Condition.REALISABLE,
            Condition.MAX_STATES,
            Condition.UNCHANGING,
            Condition.MIXING,
        )
    require_consistent(grown, before, word, labels, at_step=at_step)
    return grown


def require_few_states(labels: Iterable[int], max_states: int) -> None:
    """Raise `AssumptionViolated` if more than N states were distinguished."""
    if (states := max(labels) + 1) > max_states:
        raise AssumptionViolated(
            f"{states} states were told apart, more than max_states = {max_states}",
            Condition.MAX_STATES,
            Condition.MIXING,
            Condition.EXOGENOUS,
        )


def require_consistent(
    model: Model, before: int | None, word: Word, labels: tuple[int, ...], *, at_step: int
) -> None:
    """Raise `AssumptionViolated` if the loop, followed from `before`, does not reach `labels`.

    `model` contains the transitions of the cycle. If the path into the cycle takes an unknown
    transition, nothing is checked.
    """
    here, words = before, 0
    first: dict[int, int] = {}
    while here is not None and here not in first:
        first[here] = words
        here = model.walk(here, word)
        words += 1
    if here is None:
        return
    # After `words` words the loop is in its cycle, and it must be at the position that was found.
    found = labels[words * len(word) % len(labels)]
    period = len(labels) // len(word)
    if here == found and words - first[here] == period:
        return
    expected = f"state {found} with the period {period}"
    raise AssumptionViolated(
        f"from state {before} at step {at_step}, the model leads the loop of {word} to state "
        f"{here} with the period {words - first[here]}, but {expected} was found",
        Condition.DETERMINISTIC,
        Condition.REALISABLE,
        Condition.UNCHANGING,
        Condition.MAX_STATES,
        Condition.MIXING,
    )


def require_whole_run(model: Model, calls: Iterable[Call]) -> None:
    """Replay all calls in the finished model; raise `AssumptionViolated` if they disagree.

    The state in which the first call began is not known.
    """
    before: int | None = None
    for call in calls:
        require_consistent(model, before, call.word, call.labels, at_step=call.start)
        before = call.current


def require_bounds(model: Model, parameters: Parameters) -> None:
    """Raise `AssumptionViolated` if a finished model contradicts a given bound."""
    ways = (shortest_words(model, state).items() for state in range(model.states))
    diameter = max(
        (len(word) for state, words in enumerate(ways) for to, word in words if to != state),
        default=0,
    )
    if diameter > parameters.max_diameter:
        raise AssumptionViolated(
            f"two states are {counted(diameter, 'step')} apart, more than max_diameter = "
            f"{parameters.max_diameter}",
            Condition.MAX_DIAMETER,
        )
    if model.states > parameters.class_size:
        raise AssumptionViolated(
            f"{model.states} states need as many classifiers, more than class_size = "
            f"{parameters.class_size}",
            Condition.CLASS_SIZE,
        )


# --- what a ledger says ---------------------------------------------------------------------------


def calls(ledger: Ledger) -> Iterator[Call]:
    """Yield every call of CycleFind, in order."""
    model = Model(0)
    runs: list[Ran] = []
    for entry in ledger.entries:
        if isinstance(entry, Parameters):
            runs = []  # Another algorithm ran before; its plans belong to no call.
        elif isinstance(entry, Ran):
            runs.append(entry)
        elif isinstance(entry, LabelsFound):
            word, before = runs[0].word, model
            actions = max(before.actions, max(word) + 1)
            model = _widened(before, actions).with_cycle(entry.labels, word)
            yield Call(
                word=word,
                start=runs[0].start,
                steps=sum(run.steps for run in runs),
                labels=entry.labels,
                new_states=model.states - before.states,
                new_transitions=tuple(sorted(model.transitions() - before.transitions())),
            )
            runs = []


def datasets(ledger: Ledger) -> tuple[tuple[Progression, ...], ...]:
    """Return, for each state, the times of the samples D(s) on which its classifier was trained.

    The times are counted over the whole trajectory. The result is empty if no encoder was trained.
    """
    times: dict[int, tuple[Progression, ...]] = {}
    for entry in ledger.entries:
        if isinstance(entry, Read):
            for number, sample in enumerate(entry.samples, start=entry.first):
                times[number] = tuple(
                    Progression.of(piece).shifted(entry.loop) for piece in sample.times
                )
        elif isinstance(entry, Trained):
            return tuple(
                tuple(piece for number in numbers for piece in times[number])
                for numbers in entry.datasets
            )
    return ()


def tour(entries: Iterable[object]) -> Ran | None:
    """Return the plan that was run after the last call, or None."""
    last: Ran | None = None
    for entry in entries:
        if isinstance(entry, Ran):
            last = entry
        elif isinstance(entry, LabelsFound):
            last = None
    return last


def _widened(model: Model, actions: int) -> Model:
    """Return the model with more actions, whose transitions are unknown."""
    more = (None,) * (actions - model.actions)
    return Model(actions, tuple((*row, *more) for row in model.table))
