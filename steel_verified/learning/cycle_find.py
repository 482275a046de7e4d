"""CycleFind: loop a word, find the period of the loop, and the state at each of its positions.

This is Algorithm 2 of the paper, written with immutable states. It requests at most two plans: the
steps for the period tests and, if they are too few to sample every position, more steps of the same
loop.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.evidence.observed import find_labels, find_period, read
from steel_verified.evidence.plans import Plan
from steel_verified.learning.replaying import require_few_states
from steel_verified.theory.budget import period_charge, position_charge
from steel_verified.theory.counts import cycle_find_steps, initial_rollout
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import SeparatedTimes, period_tests, position_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Loop, Sample
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.theory.recipe import Recipe
    from steel_verified.theory.schedules import PositionTimes

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Dataset(Generic[Summary]):
    """D(s): samples of one state. Their times are fixed values, their rows are observed values."""

    times: SeparatedTimes
    samples: tuple[Sample[Summary], ...]


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
class Cycle(Generic[Summary]):
    """The result of a call: the state at each position, and a dataset for each new state."""

    word: Word
    labels: tuple[int, ...]
    steps: int
    new: tuple[Dataset[Summary], ...]

    @property
    def current(self) -> int:
        """The state in which the call ends: position max(c, c_init) of the loop (l. 440)."""
        return self.labels[self.steps % len(self.labels)]


def begin(recipe: Recipe, word: Word) -> FindingPeriod | SamplingPositions:
    """Return the first phase of a call. If N = 1, there is no period to find."""
    if recipe.parameters.max_states == 1:
        return SamplingPositions(word, period=1, done=0)
    return FindingPeriod(word)


def next_plan(recipe: Recipe, call: FindingPeriod | SamplingPositions) -> Plan:
    """Loop the word for c_init steps (l. 371), later for up to c steps in all (l. 397)."""
    word = call.word
    if isinstance(call, FindingPeriod):
        done, until = 0, initial_rollout(recipe, len(word))
    else:
        done, until = call.done, cycle_find_steps(recipe, len(word), call.period)
    # Until the period is known, any step may become a sample or be read again.
    keeps = Progression(done + 1, (Level(until - done, 1),))
    return Plan(word, until - done, done, (keeps,))


def absorb(
    recipe: Recipe,
    call: FindingPeriod | SamplingPositions,
    known: Sequence[Dataset[Summary]],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> tuple[SamplingPositions | Cycle[Summary], Ledger]:
    """Process the rows of the last plan; return the next phase, or the cycle if it is found."""
    ledger = loop.ledger
    if isinstance(call, FindingPeriod):
        period, ledger = _period(recipe, loop, oracle)
        call = SamplingPositions(call.word, period, done=loop.plan.steps)
        if cycle_find_steps(recipe, len(call.word), period) > call.done:
            return call, ledger
    return _cycle(recipe, call, known, loop, oracle, ledger)


def _period(
    recipe: Recipe, loop: Loop[Batch], oracle: Oracle[Batch, Summary, Classifier]
) -> tuple[int, Ledger]:
    """Phase 1 (l. 375–392): return the largest n'_cyc whose D_0 and D_1 are separable, or 1."""
    tests = tuple(period_tests(recipe, len(loop.plan.word), loop.ledger.because()))
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
        partial(period_charge, recipe),
    )


def _cycle(
    recipe: Recipe,
    call: SamplingPositions,
    known: Sequence[Dataset[Summary]],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    ledger: Ledger,
) -> tuple[Cycle[Summary], Ledger]:
    """Phase 2 (l. 401–435): make a dataset for each position, and decide its state."""
    because = ledger.because()
    positions = position_times(recipe, len(call.word), call.period, because)
    datasets = tuple((position.early, position.late) for position in positions)
    samples, ledger = read(ledger, loop, oracle, datasets)
    found = [
        Dataset(
            SeparatedTimes(pieces=sample.times, apart=position.apart, because=because), (sample,)
        )
        for position, sample in zip(positions, samples, strict=True)
    ]
    _require_comparable(known, positions, found)
    labels, ledger = find_labels(
        ledger,
        oracle,
        [dataset.samples[0] for dataset in known],
        samples,
        partial(position_charge, recipe),
    )
    require_few_states(labels, recipe.parameters.max_states)
    new = tuple(
        found[i]
        for i, label in enumerate(labels)
        if label >= len(known) and label not in labels[:i]
    )
    steps = loop.plan.done + loop.plan.steps
    return Cycle(call.word, labels, steps, new), ledger


def _require_comparable(
    known: Sequence[Dataset[Summary]],
    positions: Sequence[PositionTimes],
    found: Sequence[Dataset[Summary]],
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
        because = positions[0].because
        SeparatedTimes(pieces=(old, new), apart=positions[0].apart, because=because)
