"""What the proofs need of a schedule, as functions that name every law it breaks.

They look at each timestep one by one and at the latent states themselves, so that they share
nothing with the closed forms that they check.
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
    """The latent states of a looped word: some that pass, then a cycle that returns.

    `passing` states come before the cycle, in words; the cycle has `period` words of `word_length`
    positions. Within a word, positions may share states: `states_within` of them are distinct.
    """

    word_length: int
    passing: int
    period: int
    states_within: int = 1

    def state(self, time: int) -> tuple[int, int]:
        """The latent state at a time. At whole words all states of the cycle are different."""
        word, offset = divmod(time, self.word_length)
        if word >= self.passing:
            word = self.passing + (word - self.passing) % self.period
        return word, offset % self.states_within if offset else 0


def closest(times: list[int]) -> int:
    """The smallest distance between two of the times; 0 if two coincide."""
    return min((b - a for a, b in pairwise(sorted(times))), default=10**9)


def period_test_violations(
    p: Parameters, loop: Loop, rollout: int, enough: int, test: PeriodTest
) -> Iterator[str]:
    """The laws that a period test breaks on a loop whose period is at most its hypothesis."""
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
    """The laws that the datasets of all positions of a cycle break."""
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
