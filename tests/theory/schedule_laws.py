"""The properties (laws) that the proofs need of a schedule; the functions name each violated one.

They list every timestep and compute its latent state, so they share no code with the closed forms
that they check.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.schedules import PeriodTest, PositionTimes


@dataclass(frozen=True, slots=True)
class Loop:
    """The latent states visited by a looped word: first a transient, then a cycle.

    The transient takes `passing` words. The cycle has `period` words of `word_length` positions.
    Positions within a word may have the same state: `states_within` of them are distinct.
    """

    word_length: int
    passing: int
    period: int
    states_within: int = 1

    def state(self, time: int) -> tuple[int, int]:
        """Return the latent state at a time. At word boundaries, all states of the cycle differ."""
        word, offset = divmod(time, self.word_length)
        if word >= self.passing:
            word = self.passing + (word - self.passing) % self.period
        return word, offset % self.states_within if offset else 0


def closest(times: list[int]) -> int:
    """Return the smallest distance between two of the times; 0 if two are equal."""
    return min((b - a for a, b in pairwise(sorted(times))), default=10**9)


def period_test_violations(
    p: Parameters, loop: Loop, rollout: int, enough: int, test: PeriodTest
) -> Iterator[str]:
    """Yield the laws that a period test violates; the loop's period is at most the hypothesis."""
    ones, zeros = list(test.ones), list(test.zeros)
    settled = max((p.max_states - 1) * loop.word_length, p.mixing_time)
    if len(ones) < enough:
        yield "enough samples"
    if not all(settled <= time <= rollout for time in (*ones, *zeros)):
        yield "after the transient and inside x_CF"
    rows = {j: list(test.row(j)) for j in range(1, test.hypothesis)}
    if sorted(chain.from_iterable(rows.values())) != zeros:
        yield "rows make up D_0"
    if loop.period == test.hypothesis:
        if len({loop.state(time) for time in ones}) != 1:
            yield "D_1 holds one state"
        if {loop.state(time) for time in ones} & {loop.state(time) for time in zeros}:
            yield "D_0 holds no state of D_1"
        return
    words = -(-p.mixing_time // (test.hypothesis * loop.word_length)) * test.hypothesis
    matching = (-words - 1) % loop.period + 1
    if [loop.state(time) for time in ones] != [loop.state(time) for time in rows[matching]]:
        yield "a row of D_0 holds the states of D_1"
    if any(closest(ones + row) < p.mixing_time for row in rows.values()):
        yield "D_1 ⊎ D_0^(j) is separated"


def position_violations(
    p: Parameters, loop: Loop, rollout: int, enough: int, positions: list[PositionTimes]
) -> Iterator[str]:
    """Yield the laws that the datasets of all positions of a cycle violate."""
    cycle = loop.period * loop.word_length
    settled = max((p.max_states - loop.period) * loop.word_length, p.mixing_time)
    early = [list(times.early) for times in positions]
    late = [list(times.late) for times in positions]
    for i, times in enumerate(a + b for a, b in zip(early, late, strict=True)):
        if not all(settled <= time <= rollout for time in times):
            yield "after the transient and inside x_CF"
        if any(time % cycle != i for time in times):
            yield "≡ i mod n_cyc|â|"
        if len({loop.state(time) for time in times}) != 1:
            yield "D'_i holds one state"
        if closest(times) < p.mixing_time:
            yield "D'_i is separated"
    if any(len(set(times)) < enough for times in (*early, *late)):
        yield "enough samples"
    if any(closest(a + b) < p.mixing_time for a in early for b in late):
        yield "D^A_i ⊎ D^B_j is separated"
