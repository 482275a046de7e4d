"""Schedules: the timesteps of each dataset, with the check that they are far enough apart.

Times are counted from the start of a call of CycleFind: x_1 is observed after its first action.
All times are computed from the parameters, the length of the word and the period alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument, TooClose
from steel_verified.theory.counts import (
    late_start,
    period_test_repetitions,
    position_samples,
    settling_time,
    settling_time_of_period,
    whole_cycles,
)
from steel_verified.theory.progressions import Level, Progression, gap_between

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.theory.parameters import Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class SeparatedTimes:
    """Timesteps fixed independently of Ω (the noise), every two at least `apart` steps apart.

    Lemmas 1 and 2 require this of the times at which samples are kept. They depend on parameters
    and verdicts only: `evidence/observed.py` seals everything else. The constructor checks the
    distances: it raises `TooClose` for times that are too close or equal.
    """

    pieces: tuple[Progression, ...]
    apart: int

    def __post_init__(self) -> None:
        for piece in self.pieces:
            if piece.gap is not None and piece.gap < self.apart:
                raise TooClose(piece.gap, self.apart, f"within {piece}")
        for one, other in combinations(self.pieces, 2):
            if (gap := gap_between(one, other)) < self.apart:
                raise TooClose(gap, self.apart, f"between {one} and {other}")

    def __len__(self) -> int:
        return sum(len(piece) for piece in self.pieces)

    def __iter__(self) -> Iterator[int]:
        for piece in self.pieces:
            yield from piece


@dataclass(frozen=True, slots=True)
class PeriodTest:
    """D_1 and D_0 for the hypothesis that the period is n'_cyc. Claims P13, A14–A20 (l. 380–384).

    If n'_cyc is the period, D_1 contains samples of one state only, and D_0 contains none of it. If
    the period is smaller, some row of D_0 has the same states as D_1, sample by sample. The proof
    needs this row `pooled` with D_1.
    """

    hypothesis: int
    ones: Progression
    zeros: Progression
    apart: int

    def row(self, j: int) -> Progression:
        """Return D_0^(j): the samples of D_0 taken j words past whole cycles, 1 ≤ j < n'_cyc."""
        if not 1 <= j < self.hypothesis:
            raise InvalidArgument("j", j, f"1 to {self.hypothesis - 1}")
        repetition, within = self.zeros.levels
        return Progression(self.zeros.first + (j - 1) * within.stride, (repetition,))

    def pooled(self, j: int) -> SeparatedTimes:
        """Return D_1 ⊎ D_0^(j), which are at least t̂_mix apart. Claim A20 (l. 601)."""
        return SeparatedTimes(pieces=(self.ones, self.row(j)), apart=self.apart)


def period_test(parameters: Parameters, word_length: int, hypothesis: int) -> PeriodTest:
    """Return the two datasets of the test whether the period is `hypothesis` or smaller."""
    cycle_length = hypothesis * word_length
    wait = whole_cycles(parameters, cycle_length)
    repeat = Level(
        period_test_repetitions(parameters, word_length, hypothesis), 2 * wait + cycle_length
    )
    start = settling_time(parameters, word_length)
    return PeriodTest(
        hypothesis=hypothesis,
        ones=Progression(start, (repeat,)),
        zeros=Progression(start + wait + word_length, (repeat, Level(hypothesis - 1, word_length))),
        apart=parameters.mixing_time,
    )


@dataclass(frozen=True, slots=True)
class PositionTimes:
    """D^A_i and D^B_i for one position i of the cycle. Claims B03–B11 (l. 680–717).

    The early halves of all positions come before the late halves of all positions, so that any two
    positions can be compared: D^A_i against D^B_j.
    """

    position: int
    early: Progression
    late: Progression
    apart: int

    def together(self) -> SeparatedTimes:
        """Return D'_i = D^A_i ⊎ D^B_i. Claim B07 (l. 712)."""
        return SeparatedTimes(pieces=(self.early, self.late), apart=self.apart)

    def pooled(self, other: PositionTimes) -> SeparatedTimes:
        """Return D^A_i ⊎ D^B_j for another position j of the same cycle. Claim B09 (l. 714)."""
        return SeparatedTimes(pieces=(self.early, other.late), apart=self.apart)


def period_tests(parameters: Parameters, word_length: int) -> Iterator[PeriodTest]:
    """Yield the period tests, for the hypotheses N down to 2 (Alg. 2, l. 379)."""
    for hypothesis in range(parameters.max_states, 1, -1):
        yield period_test(parameters, word_length, hypothesis)


def position_times(
    parameters: Parameters, word_length: int, period: int
) -> tuple[PositionTimes, ...]:
    """Return, for each position of the cycle, 2·n_samp. times at which the loop is there."""
    cycle_length = period * word_length
    repeat = Level(position_samples(parameters), whole_cycles(parameters, cycle_length))
    early = settling_time_of_period(parameters, word_length, period)
    late = late_start(parameters, word_length, period)
    return tuple(
        PositionTimes(
            position=position,
            early=Progression(early + (position - early) % cycle_length, (repeat,)),
            late=Progression(late + (position - late) % cycle_length, (repeat,)),
            apart=parameters.mixing_time,
        )
        for position in range(cycle_length)
    )
