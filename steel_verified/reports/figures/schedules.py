"""Figures 2 and 4: which timesteps of a loop form which dataset, from the schedules themselves.

Time runs to the right, and each dataset has a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import mean
from typing import TYPE_CHECKING, Final, NamedTuple

from steel_verified.reports.figures import style
from steel_verified.reports.graphs import hue
from steel_verified.theory.counts import settling_time, settling_time_of_period
from steel_verified.theory.parameters import Parameters
from steel_verified.theory.schedules import period_test, position_times
from steel_verified.theory.wording import counted
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steel_verified.evidence.plans import Word

    _Boxes = tuple[list[tuple[float, float]], tuple[float, float]]


class Sample(NamedTuple):
    """The time of an observation, and the latent state at that time."""

    time: int
    state: int


class ShownDataset(NamedTuple):
    """The part of a dataset that lies in the windows that are shown."""

    label: str
    samples: tuple[Sample, ...]
    stands_out: bool = False


class Gap(NamedTuple):
    """The times of two samples that a proof requires to be at least t̂_mix apart, and their row."""

    after: int
    before: int
    row: int | None = None
    """None if they are in different rows."""


class Span(NamedTuple):
    """A span of timesteps: one with a name is marked, one without is a window that is shown."""

    first: int
    last: int
    label: str = ""

    def has(self, time: int) -> bool:
        return self.first <= time <= self.last


@dataclass(frozen=True, slots=True)
class Picture:
    """The schedule of one test, ready to be drawn."""

    title: str
    word_length: int
    mixing_time: int
    settled: int
    """Before this step the loop may not have been entered, and the noise may not have mixed."""
    windows: tuple[Span, ...]
    """What lies between windows is left out."""
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
    parameters: Parameters

    @property
    def period(self) -> int:
        """The true n_cyc."""
        return orbit(self.dynamics, self.start, self.word).cycle // len(self.word)

    def states(self, times: Iterable[int]) -> tuple[Sample, ...]:
        loop = orbit(self.dynamics, self.start, self.word)
        return tuple(Sample(time, loop.at(time)) for time in times)


def example() -> Loop:
    """Four states, of which the first is transient; a word of two actions with period 3."""
    return Loop(
        dynamics=Dynamics(((1, 0), (2, 0), (3, 0), (1, 0))),
        start=0,
        word=(0, 0),
        parameters=Parameters(
            actions=2,
            max_states=4,
            max_diameter=3,
            mixing_time=8,
            class_size=4,
            delta=Fraction(1, 20),
            epsilon=Fraction(1, 20),
        ),
    )


def period_picture(loop: Loop, hypothesis: int, until: int) -> Picture:
    """D_1 and the rows of D_0 for one hypothesis, from the start of the loop until some step.

    Marked are the gaps between a sample of D_1 and the next one of any row of D_0.
    """
    length = len(loop.word)
    test = period_test(loop.parameters, length, hypothesis)
    settled = settling_time(loop.parameters, length)
    window = Span(0, until)
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
            for after, before in pairwise(time for time in sorted(belongs) if window.has(time))
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
    positions = position_times(loop.parameters, length, period)
    settled = settling_time_of_period(loop.parameters, length, period)
    stride = positions[0].early.levels[0].stride
    shown = (blocks - 1) * stride + length * period
    end_of_early = max(position.early.last for position in positions)
    start_of_early = min(position.early.first for position in positions)
    start_of_late = min(position.late.first for position in positions)
    end_of_late = max(position.late.last for position in positions)
    windows = _merged(
        Span(0, min(settled + shown, end_of_late)),
        Span(end_of_early - shown, min(start_of_late + shown, end_of_late)),
        Span(end_of_late - shown, end_of_late),
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
                if any(window.has(after.time) and window.has(before.time) for window in windows)
            ),
            Gap(end_of_early, start_of_late),
        ),
        spans=(
            Span(start_of_early, end_of_early, "early halves $D^A_i$"),
            Span(start_of_late, end_of_late, "late halves $D^B_i$"),
        ),
    )


def _within(samples: Sequence[Sample], windows: Sequence[Span]) -> tuple[Sample, ...]:
    return tuple(s for s in samples if any(window.has(s.time) for window in windows))


def _merged(*windows: Span) -> tuple[Span, ...]:
    """Windows in order of time; windows that overlap or touch are merged."""
    merged = [windows[0]]
    for window in windows[1:]:
        if window.first <= merged[-1].last + 1:
            merged[-1] = Span(merged[-1].first, max(merged[-1].last, window.last))
        else:
            merged.append(window)
    return tuple(merged)


_BREAK: Final = 4.0
"""The space between two windows, in steps."""
_ROW: Final = 0.155
"""The height of a row, in inches."""


def period_figure(loop: Loop | None = None, until: int = 72) -> Figure:
    """Figure 2: the tests for the period that CycleFind makes, from N down to the right one."""
    loop = loop or example()
    most = loop.parameters.max_states
    hypotheses = range(most, max(loop.period, 2) - 1, -1)
    return _figure([period_picture(loop, hypothesis, until) for hypothesis in hypotheses])


def position_figure(loop: Loop | None = None, blocks: int = 2) -> Figure:
    """Figure 4: the samples of every position of the cycle, an early half and a late half."""
    return _figure([position_picture(loop or example(), blocks)])


def _figure(pictures: Sequence[Picture]) -> Figure:
    heights = [len(picture.rows) + 4.4 for picture in pictures]
    with style.styled():
        figure = style.blank(style.PAGE, _ROW * sum(heights) + 0.25 * len(pictures))
        axes = figure.subplots(len(pictures), squeeze=False, height_ratios=heights).ravel()
        for place, picture in zip(axes, pictures, strict=True):
            _draw(place, picture)
        last = pictures[-1]
        text = rf"$|\hat{{a}}| = {last.word_length}$, $\hat{{t}}_{{mix}} = {last.mixing_time}$"
        axes[-1].set_xlabel(f"step of the loop ({text})", labelpad=1)
        if any(dataset.stands_out for picture in pictures for dataset in picture.rows):
            text = "red names: $D_1$, and each row of $D_0$ that goes through the same states"
            axes[0].set_title(text, loc="right", pad=3, color=style.RED, fontsize=style.SMALL)
    return figure


def place_of(time: float, windows: Sequence[Span]) -> float:
    """The horizontal position of a time: windows follow each other with a small space."""
    offset = 0.0
    for window in windows:
        if time <= window.last + 0.5:
            return offset + max(time, window.first - 0.5) - window.first
        offset += window.last - window.first + 1 + _BREAK
    return offset - _BREAK


def _draw(axes: Axes, picture: Picture) -> None:
    rows, windows = len(picture.rows), picture.windows
    lane, bottom = -rows - 0.15, -rows - 1.25

    def at(*times: float) -> list[float]:
        return [place_of(time, windows) for time in times]

    def boxes(spans: Iterable[tuple[float, float]], low: float, high: float) -> _Boxes:
        return [(left, right - left) for left, right in spans], (low, high - low)

    for window in windows:
        left, right = at(window.first - 0.5, window.last + 0.5)
        words = boxes(_words(picture, window), 0.5 - rows, 0.5)
        axes.broken_barh(*words, color=style.FAINT, lw=0, zorder=0)
        axes.hlines([-row for row in range(rows)], left, right, color=style.QUIET, lw=0.4, zorder=1)
        axes.hlines(bottom, left, right, color=style.INK, lw=1.2)
    for before, after in pairwise(windows):
        axes.text(mean(at(before.last, after.first)), bottom, "⋯", ha="center", va="center")
    half = min(0.5 * (picture.passing[1].time - picture.passing[0].time), 0.65)
    for sample in picture.passing:
        (here,) = at(sample.time)
        cell = boxes([(here - half, here + half)], 0.65, 1.5)
        axes.broken_barh(*cell, color=hue(sample.state), lw=0, zorder=2)
        number = axes.text(here, 1.06, str(sample.state), fontsize=style.SMALL, color=style.PAPER)
        number.set(ha="center", va="center_baseline")
    settling = at(-0.5, picture.settled)
    nothing_kept = boxes([(settling[0], settling[1])], 0.5 - rows, 0.5)
    axes.broken_barh(*nothing_kept, color=style.SHADE, lw=0, zorder=0.5)
    middle = mean(settling), -(rows - 1) / 2
    axes.text(*middle, "settling", ha="center", va="center", fontsize=style.SMALL)
    for row, dataset in enumerate(picture.rows):
        axes.scatter(
            at(*(sample.time for sample in dataset.samples)),
            [-row for _ in dataset.samples],
            s=20,
            c=[hue(sample.state) for sample in dataset.samples],
            edgecolors=style.PAPER,
            linewidths=0.4,
            zorder=3,
        )
    _draw_marks(axes, picture, lane)
    ticks = [t for w in windows for t in range(-(-w.first // 10) * 10, w.last + 1, 10)]
    axes.set_xticks(at(*ticks), [str(t) for t in ticks])
    names = ["state", *(f"${dataset.label}$" for dataset in picture.rows)]
    axes.set_yticks([1.05, *(-row for row in range(rows))], names)
    axes.tick_params(axis="y", length=0, labelsize=style.TEXT)
    for name, dataset in zip(axes.get_yticklabels()[1:], picture.rows, strict=True):
        name.set_color(style.RED if dataset.stands_out else style.INK)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlim(-1.1, place_of(windows[-1].last, windows) + 1.1)
    axes.set_ylim(bottom, 1.6)
    axes.set_title(picture.title, loc="left", pad=3)


def _draw_marks(axes: Axes, picture: Picture, lane: float) -> None:
    windows = picture.windows
    _bracket(axes, 0, place_of(picture.word_length, windows), lane, r"$\hat{a}$")
    for gap in picture.gaps:
        left, right = (place_of(time, windows) for time in (gap.after, gap.before))
        label = rf"${gap.before - gap.after}\geq\hat{{t}}_{{mix}}$"
        if gap.row is None:
            _bracket(axes, left, right, lane, label)
        else:
            _bracket(axes, left + 0.5, right - 0.5, -gap.row, label)
    for span in picture.spans:
        parts = [(max(span.first, one.first), min(span.last, one.last)) for one in windows]
        seen = [[place_of(t, windows) for t in part] for part in parts if part[0] <= part[1]]
        for left, right in seen:
            axes.hlines(lane, left, right, color=style.QUIET, lw=3)
        widest = max(seen, key=lambda part: part[1] - part[0])
        axes.text(
            mean(widest), lane - 0.15, span.label, ha="center", va="top", fontsize=style.SMALL
        )


def _words(picture: Picture, window: Span) -> Iterator[tuple[float, float]]:
    """Every other run of the word, from the observation before it to its last."""
    length = picture.word_length
    for start in range(
        window.first - window.first % (2 * length) + length, window.last, 2 * length
    ):
        ends = max(start, window.first - 0.5), min(start + length, window.last + 0.5)
        yield place_of(ends[0], picture.windows), place_of(ends[1], picture.windows)


def _bracket(axes: Axes, left: float, right: float, y: float, label: str) -> None:
    axes.hlines(y, left, right, color=style.INK, lw=0.6)
    axes.vlines([left, right], y - 0.16, y + 0.16, color=style.INK, lw=0.6)
    axes.text((left + right) / 2, y - 0.15, label, ha="center", va="top", fontsize=style.SMALL)
