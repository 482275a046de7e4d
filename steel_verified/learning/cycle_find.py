"""CycleFind: loop a word, find the period of the loop, and the state at each of its positions.

Algorithm 2 of the paper, as frozen states. It asks for at most two plans: the steps from which the
period is found, and, if those are too few to sample every position, more of the same loop.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic

from steel_verified.errors import AssumptionViolated
from steel_verified.learning.omega import Observed, certify
from steel_verified.learning.oracle import (
    Batch,
    Classifier,
    Oracle,
    Summary,
    find_period,
    identify,
    summarised,
)
from steel_verified.learning.plans import Plan
from steel_verified.theory.budget import Charge, period_charge, position_charge
from steel_verified.theory.counts import cycle_find_steps, initial_rollout
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import SeparatedTimes, period_tests, position_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.learning.ledger import Ledger
    from steel_verified.learning.plans import Trajectory, Word
    from steel_verified.theory.recipe import Recipe
    from steel_verified.theory.schedules import PositionTimes, WhyFixed


@dataclass(frozen=True, slots=True)
class Dataset(Generic[Summary]):
    """D(s): samples of one state. When they were taken is fixed, what they show is observed."""

    times: SeparatedTimes
    samples: Observed[Summary]


@dataclass(frozen=True, slots=True)
class FindingPeriod:
    """Phase 1 of a call. `start` is the step of the whole trajectory at which its loop begins."""

    word: Word
    start: int


@dataclass(frozen=True, slots=True)
class SamplingPositions:
    """Phase 2 of a call, once the period is known; `done` steps of the loop have been taken."""

    word: Word
    start: int
    period: int
    done: int


@dataclass(frozen=True, slots=True)
class Cycle(Generic[Summary]):
    """What a call found: the state at each position, and a dataset for each new state."""

    word: Word
    labels: tuple[int, ...]
    steps: int
    new: tuple[Dataset[Summary], ...]

    @property
    def current(self) -> int:
        """The state in which the call ends: position max(c, c_init) of the loop (l. 440)."""
        return self.labels[self.steps % len(self.labels)]


def begin(recipe: Recipe, word: Word, start: int) -> FindingPeriod | SamplingPositions:
    """Start a call. With N = 1 there is no period to find."""
    if recipe.parameters.max_states == 1:
        return SamplingPositions(word, start, period=1, done=0)
    return FindingPeriod(word, start)


def next_plan(recipe: Recipe, call: FindingPeriod | SamplingPositions) -> Plan:
    """Loop the word for c_init steps (l. 371), later for up to c steps in all (l. 397)."""
    word = call.word
    if isinstance(call, FindingPeriod):
        done, until = 0, initial_rollout(recipe, len(word))
    else:
        done, until = call.done, cycle_find_steps(recipe, len(word), call.period)
    # Until the period is known, any step after the noise has mixed may turn out to be a sample.
    first = max(done + 1, recipe.parameters.mixing_time)
    keeps = Progression(first, (Level(until - first + 1, 1),))
    return Plan(word, until - done, done, (keeps,))


def absorb(
    recipe: Recipe,
    call: FindingPeriod | SamplingPositions,
    known: Sequence[Dataset[Summary]],
    trajectory: Trajectory[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    ledger: Ledger,
) -> tuple[SamplingPositions | Cycle[Summary], Ledger]:
    """Take in what the last plan brought: either more steps are needed, or the cycle is found."""
    if isinstance(call, FindingPeriod):
        done = next_plan(recipe, call).steps
        period, ledger = _period(recipe, call.word, trajectory, oracle, ledger)
        call = SamplingPositions(call.word, call.start, period, done)
        if cycle_find_steps(recipe, len(call.word), period) > done:
            return call, ledger
    return _cycle(recipe, call, known, trajectory, oracle, ledger)


def _period(
    recipe: Recipe,
    word: Word,
    trajectory: Trajectory[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    ledger: Ledger,
) -> tuple[int, Ledger]:
    """Phase 1 (l. 375–392): the largest n'_cyc at which D_0 and D_1 can be told apart, or 1."""
    because = ledger.because()

    tests = tuple(period_tests(recipe, len(word), because))
    for test in tests:
        # The proof pools D_1 with some row of D_0; no row is closer than the first or the last.
        test.pooled(1)
        test.pooled(test.hypothesis - 1)
    zeros = trajectory.rows(*((test.zeros,) for test in tests))
    ones = trajectory.rows(*((test.ones,) for test in tests))

    def datasets() -> Iterator[tuple[int, Observed[Summary], Observed[Summary]]]:
        for test, low, high in zip(tests, zeros, ones, strict=True):
            yield test.hypothesis, summarised(oracle, low), summarised(oracle, high)

    def charge(answer: tuple[int, ...]) -> Charge:
        return period_charge(recipe, recipe.parameters.max_states - max(answer[0], 2) + 1)

    verdict = find_period(oracle, datasets())
    (period,), ledger = certify(ledger, verdict, question="period", charge=charge, because=because)
    return period, ledger


def _cycle(
    recipe: Recipe,
    call: SamplingPositions,
    known: Sequence[Dataset[Summary]],
    trajectory: Trajectory[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    ledger: Ledger,
) -> tuple[Cycle[Summary], Ledger]:
    """Phase 2 (l. 401–435): a dataset for each position, and the state that it shows."""
    because = ledger.because()
    positions = position_times(recipe, len(call.word), call.period, because)
    times = [_in_trajectory(position, call.start) for position in positions]
    _require_comparable(known, positions, times, because)
    rows = trajectory.rows(*((position.early, position.late) for position in positions))
    found = [summarised(oracle, batch) for batch in rows]
    labels, ledger = certify(
        ledger,
        identify(oracle, [dataset.samples for dataset in known], found),
        question="labels",
        charge=lambda answer: position_charge(recipe, _tests_of(answer, len(known))),
        because=because,
    )
    if max(labels) >= recipe.parameters.max_states:
        raise AssumptionViolated(
            f"{max(labels) + 1} states were told apart, more than max_states = "
            f"{recipe.parameters.max_states}: give a larger bound"
        )
    new = tuple(
        Dataset(times[i], found[i])
        for i, label in enumerate(labels)
        if label >= len(known) and label not in labels[:i]
    )
    steps = cycle_find_steps(recipe, len(call.word), call.period)
    return Cycle(call.word, labels, steps, new), ledger


def _tests_of(labels: tuple[int, ...], known: int) -> int:
    """How many comparisons the labels stand for: up to the first match, or with all states."""
    tests = 0
    for label in labels:
        tests += min(label + 1, known)
        known = max(known, label + 1)
    return tests


def _in_trajectory(position: PositionTimes, start: int) -> SeparatedTimes:
    """D'_i = D^A_i ⊎ D^B_i, with times counted over the whole trajectory."""
    together = position.together()
    return replace(together, pieces=tuple(piece.shifted(start) for piece in together.pieces))


def _require_comparable(
    known: Sequence[Dataset[Summary]],
    positions: Sequence[PositionTimes],
    times: Sequence[SeparatedTimes],
    because: WhyFixed,
) -> None:
    """Make the pooled sets on which the tests rest: times that are too close are refused.

    Two positions are compared by D^A_i and D^B_j (l. 758): all early halves come before all late
    ones, so the closest pair speaks for all. A known state is compared by all that it has with all
    that is new (l. 756): what it has came before this call.
    """
    last_early = max(positions, key=lambda position: position.early.last)
    first_late = min(positions, key=lambda position: position.late.first)
    last_early.pooled(first_late)
    if known:
        old = max((piece for d in known for piece in d.times.pieces), key=lambda p: p.last)
        new = min((piece for t in times for piece in t.pieces), key=lambda p: p.first)
        SeparatedTimes(pieces=(old, new), apart=times[0].apart, because=because)
