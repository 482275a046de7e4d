"""Figures 2 and 4: which timesteps of a loop form which dataset, from the schedules themselves.

This module computes the data of the figures; `timelines` draws them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.theory.counts import settling_time, settling_time_of_period
from steel_verified.theory.parameters import Parameters
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, period_test, position_times
from steel_verified.theory.wording import counted
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from steel_verified.evidence.plans import Word
    from steel_verified.theory.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Sample:
    """The time of an observation, and the latent state at that time."""

    time: int
    state: int


@dataclass(frozen=True, slots=True)
class ShownDataset:
    """The part of a dataset that lies in the windows that are shown."""

    label: str
    samples: tuple[Sample, ...]
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """Two neighbouring samples that a proof requires to be at least t̂_mix apart."""

    after: int
    before: int
    row: int | None = None
    """The row of both samples, if they are in the same row."""

    @property
    def steps(self) -> int:
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class Span:
    """A named span, from its first to its last sample."""

    label: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Window:
    """A span of timesteps that is shown; what lies between windows is left out."""

    first: int
    last: int

    def __contains__(self, time: int) -> bool:
        return self.first <= time <= self.last


@dataclass(frozen=True, slots=True)
class Picture:
    """The schedule of one test, ready to be drawn."""

    title: str
    word_length: int
    mixing_time: int
    settled: int
    """Before this step the loop may not have been entered, and the noise may not have mixed."""
    windows: tuple[Window, ...]
    passing: tuple[Sample, ...]
    """The latent states at all steps, sampled or not."""
    rows: tuple[ShownDataset, ...]
    gaps: tuple[Gap, ...]
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """A word that is looped from a state, and the learner's parameters."""

    dynamics: Dynamics
    start: int
    word: Word
    recipe: Recipe

    @property
    def period(self) -> int:
        """The true n_cyc."""
        return orbit(self.dynamics, self.start, self.word).cycle // len(self.word)

    def states(self, times: Iterable[int]) -> tuple[Sample, ...]:
        """The latent states at these times."""
        loop = orbit(self.dynamics, self.start, self.word)
        return tuple(Sample(time, loop.at(time)) for time in times)


def example() -> Loop:
    """Four states, of which the first is transient; a word of two actions with period 3."""
    return Loop(
        dynamics=Dynamics(((1, 0), (2, 0), (3, 0), (1, 0))),
        start=0,
        word=(0, 0),
        recipe=paper(
            Parameters(
                actions=2,
                max_states=4,
                max_diameter=3,
                mixing_time=8,
                class_size=4,
                delta=Fraction(1, 20),
                epsilon=Fraction(1, 20),
            )
        ),
    )


def period_picture(loop: Loop, hypothesis: int, until: int) -> Picture:
    """D_1 and the rows of D_0 for one hypothesis, from the start of the loop until some step.

    Marked are the gaps from a sample of D_1 to the next ones of D_0, and from the last of those to
    the next of D_1: the closest that D_1 comes to any row of D_0.
    """
    length = len(loop.word)
    # CycleFind stops at the period, so smaller hypotheses are never tested.
    _at_least("hypothesis", hypothesis, max(loop.period, 2))
    test = period_test(loop.recipe, length, hypothesis, FixedByParameters())
    settled = settling_time(loop.recipe, length)
    window = Window(0, _at_least("until", until, settled))
    ones = loop.states(test.ones)
    zeros = [loop.states(test.row(j)) for j in range(1, hypothesis)]
    shared = {sample.state for sample in ones} & {sample.state for row in zeros for sample in row}
    same = [[sample.state for sample in row] == [sample.state for sample in ones] for row in zeros]
    belongs = dict.fromkeys(test.ones, "D_1") | dict.fromkeys(test.zeros, "D_0")
    return Picture(
        title=_verdict(hypothesis, shared, ones),
        word_length=length,
        mixing_time=test.apart,
        settled=settled,
        windows=(window,),
        passing=loop.states(range(settled % length, until + 1, length)),
        rows=(
            ShownDataset("D_1", _within(ones, (window,)), stands_out=True),
            *(
                ShownDataset(f"D_0^{{({j})}}", _within(row, (window,)), stands_out=same[j - 1])
                for j, row in enumerate(zeros, start=1)
            ),
        ),
        gaps=tuple(
            Gap(after, before)
            for after, before in pairwise(time for time in sorted(belongs) if time in window)
            if belongs[after] != belongs[before]
        ),
    )


def _verdict(hypothesis: int, shared: set[int], ones: Sequence[Sample]) -> str:
    """The correct verdict, given the latent states in the datasets."""
    if shared:
        states = " and ".join(str(state) for state in sorted(shared))
        return f"is the period {hypothesis}?  no: state {states} is in $D_1$ and in $D_0$"
    return (
        f"is the period {hypothesis}?  yes: only the samples of $D_1$ are of state {ones[0].state}"
    )


def position_picture(loop: Loop, blocks: int) -> Picture:
    """D'_i for every position i of the cycle: the first, middle and last `blocks` of samples.

    Marked are the gaps within D'_0, and the one from all early halves to all late halves.
    """
    length, period = len(loop.word), loop.period
    positions = position_times(loop.recipe, length, period, FixedByParameters())
    settled = settling_time_of_period(loop.recipe, length, period)
    stride = positions[0].early.levels[0].stride
    shown = (_at_least("blocks", blocks, 1) - 1) * stride + length * period
    end_of_early = max(position.early.last for position in positions)
    start_of_early = min(position.early.first for position in positions)
    start_of_late = min(position.late.first for position in positions)
    end_of_late = max(position.late.last for position in positions)
    windows = _merged(
        Window(0, min(settled + shown, end_of_late)),
        Window(end_of_early - shown, min(start_of_late + shown, end_of_late)),
        Window(end_of_late - shown, end_of_late),
    )
    together = [loop.states(position.together()) for position in positions]
    return Picture(
        title=f"{counted(len(positions), 'position')} of the cycle, "
        f"{counted(len(together[0]), 'sample')} of each",
        word_length=length,
        mixing_time=positions[0].apart,
        settled=settled,
        windows=windows,
        passing=_within(loop.states(range(end_of_late + 1)), windows),
        rows=tuple(
            ShownDataset(f"D'_{position.position}", _within(samples, windows))
            for position, samples in zip(positions, together, strict=True)
        ),
        gaps=(
            *(
                Gap(after.time, before.time, row=0)
                for after, before in pairwise(together[0])
                if any(after.time in window and before.time in window for window in windows)
            ),
            Gap(end_of_early, start_of_late),
        ),
        spans=(
            Span("early halves $D^A_i$", start_of_early, end_of_early),
            Span("late halves $D^B_i$", start_of_late, end_of_late),
        ),
    )


def _within(samples: Sequence[Sample], windows: Sequence[Window]) -> tuple[Sample, ...]:
    return tuple(s for s in samples if any(s.time in window for window in windows))


def _merged(*windows: Window) -> tuple[Window, ...]:
    """Windows in order of time; windows that overlap or touch are merged."""
    merged = [windows[0]]
    for window in windows[1:]:
        if window.first <= merged[-1].last + 1:
            merged[-1] = Window(merged[-1].first, max(merged[-1].last, window.last))
        else:
            merged.append(window)
    return tuple(merged)


def _at_least(argument: str, value: int, least: int) -> int:
    if value < least:
        raise InvalidArgument(argument, value, f"at least {least}")
    return value
