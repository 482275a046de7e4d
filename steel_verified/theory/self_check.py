"""Which observations the self-check uses, its chance of a false alarm, and its bets.

A bet is a test martingale: evidence that samples do not all come from one latent state.

All samples that the learner assigns to one state are taken at times that were fixed beforehand, at
least j·t̂_mix apart. If all conditions hold, there is a distribution π such that each sample shows
the symbol x with chance at most π(x) + η, whatever came before, where η = 2^(−j−1): claims S.T06,
S.T07. So a whole sequence has chance at most Π (π(x_i) + η). `most_likely` returns the largest
value of this product over all π.

A forecaster predicts each sample from its context. A context is, for example, the action by which
the state was reached, the phase of a loop, or the symbol of an earlier sample. `forecast` returns
the probability that the forecaster gives to the whole sequence. It uses the estimator of
Krichevsky and Trofimov, with separate counts for each context. Its probabilities for each sample
sum to 1. So the ratio forecast / most_likely (the `winnings` of the bet) has an expected value of
at most 1 (claim S.T08). By Markov's inequality it reaches 1/α with chance at most α (claim S.T11).
If the symbols depend on the contexts, the ratio grows exponentially.

Example: a state is reached by two actions and shows 0 after one action and 1 after the other, 30
times each. `winnings([[30, 0], [0, 30]], 1)` is more than 100,000. With 15 zeros and 15 ones after
each action it is less than 1.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import factorial, prod
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import require_integer, require_probability
from steel_verified.theory.validation import distance_after

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ROWS: Final = 1 << 14
"""About this many observations (rows) are kept from all loops of CycleFind together, and at most
this many from a tour or a validation."""
LEAST_ROWS: Final = 128
"""At least this many rows are kept from each loop."""
DENSE_ROWS: Final = 256
"""This many consecutive rows are kept from each loop, to look for the cause of a failure."""
MOST_ON_THE_WAY: Final = 1 << 12
"""At most this many single rows are kept, to replay the whole run in the model."""
_MOST_BYTES: Final = 1 << 25
"""Of wide rows fewer are kept: at most this many bytes, 32 MB, of each of these kinds of rows."""
MOST_FRESH_STEPS: Final = 10**7
"""Fresh steps are one walk that is held in memory: some 20 bytes for each step, and 3 µs."""
LEAST_FRESH_STEPS: Final = 1_000
"""By default fresh steps are at most as many as those of the run, or this many."""
FAULT: Final = Fraction(1, 20)
POWER: Final = Fraction(99, 100)
"""A fault that shows with chance `FAULT` on each visit of a state is noticed so probably."""
LEAST_SAMPLES: Final = 64
"""With fewer samples hardly any bet can succeed, so the model is reported as not checked."""
LEAST_FOR_ONE_STATE: Final = 1024
"""Unless N is 1, a model with one state is accepted only if it was checked with at least this many
samples, because every run passes the other tests of such a model."""
STEPS_TO_EXPLAIN_LOOPED: Final = 2_000
STEPS_TO_EXPLAIN_LOCATED: Final = 600
"""After a run that was not accepted, this many random steps are taken to find the causes. A located
run also has all its rows. Measured on `tests/studies/violations`, for looped runs whose cause is
two states that look alike: this cause is named first in 81 % of runs with 600 steps, in 93 % with
2,000."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """How a learned model is checked before it is accepted.

    If all conditions hold and no verdict was wrong, the check rejects the model with chance at most
    `level`. After the run it takes about `steps` more steps, on a walk that `seed` draws; by
    default as many as its power needs (`FreshSteps`), at most as many as the run took, or 1,000.

    If a model is not accepted, at most `steps_to_explain` random steps are then taken to find the
    causes (None: the usual number for the method).
    """

    level: Fraction = Fraction(1, 1000)
    steps: int | None = None
    seed: int = 0
    steps_to_explain: int | None = None

    def __post_init__(self) -> None:
        require_probability("level", self.level)
        if self.steps is not None:
            require_integer("steps", self.steps, at_least=0)
            if self.steps > MOST_FRESH_STEPS:
                raise InvalidArgument("steps", self.steps, f"0 to {MOST_FRESH_STEPS:,}")
        if self.steps_to_explain is not None:
            require_integer("steps_to_explain", self.steps_to_explain, at_least=0)


DEFAULT_CHECK: Final = SelfCheck()


@dataclass(frozen=True, slots=True)
class FreshSteps:
    """When a fresh walk has enough steps, and how many it may take at most."""

    most: int
    wanted: int | None
    """The number of steps; None if the visits decide."""

    def are_enough(self, steps: int, visits: int) -> bool:
        """Return whether a walk is long enough that visited each state so often."""
        return visits >= visits_for(FAULT) if self.wanted is None else steps >= self.wanted


def fresh_steps(wanted: int | None, steps_of_run: int, left: int | None) -> FreshSteps:
    """Return how many fresh steps are taken after a run, if a limit leaves so many (None: all)."""
    if wanted is not None:
        return FreshSteps(2 * MOST_FRESH_STEPS, wanted)
    most = min(max(LEAST_FRESH_STEPS, steps_of_run), MOST_FRESH_STEPS)
    return FreshSteps(most if left is None else min(most, left), None)


@cache
def visits_for(fault: Fraction) -> int:
    """Return the least v with (1 − q)^v ≤ 1/100, for a fault that shows with chance q on a visit.

    Then v visits notice it with probability `POWER`.
    """
    missed, visits = 1 - POWER, 0
    chance = Fraction(1)
    while chance > missed:
        chance *= 1 - fault
        visits += 1
    return visits


def rows_of_call(max_calls: int, row_bytes: int = 1) -> int:
    """Return how many rows are kept from each of at most `max_calls` calls of CycleFind."""
    return max(LEAST_ROWS, rows_of_walk(row_bytes) // max_calls)


def rows_of_walk(row_bytes: int) -> int:
    """Return how many rows of a tour or a validation are kept as samples, at most."""
    return min(MOST_ROWS, _MOST_BYTES // row_bytes)


def rows_on_the_way(row_bytes: int) -> int:
    """Return how many single rows are kept; the class stores about two packed rows for each."""
    return min(MOST_ON_THE_WAY, _MOST_BYTES // (2 * row_bytes))


def rounds(length: int, first: int, last: int, most: int) -> tuple[int, ...]:
    """Return all times from `first` to `last`, or about `most`, in whole rounds spread evenly."""
    if last - first < most or length > most:
        return tuple(range(first, min(last, first + most - 1) + 1))
    stride = length * -(-(last - first + 1) // most)
    return tuple(
        time
        for begin in range(first, last + 1, stride)
        for time in range(begin, begin + length)
        if time <= last
    )


@lru_cache(maxsize=16)
def windows(
    cycle: tuple[int, ...], first: int, last: int, mixing_time: int, most: int
) -> tuple[int, ...]:
    """Return the times in a loop at which labels are checked, each with the row after it, in order.

    `cycle[t % len(cycle)]` is the label after step t. The times of each label are at least t̂_mix
    apart, and every second gap is one step longer, so that a periodic pattern cannot fall between
    them. All labels together have at most `most` times (or one each), spread evenly.
    """
    labels = sorted(set(cycle))
    each = max(1, most // len(labels))
    apart = max(mixing_time, (last - first) // each)
    found: list[int] = []
    for label in labels:
        places = [place for place, at in enumerate(cycle) if at == label]
        time, taken = _next(places, len(cycle), first), 0
        while time < last and taken < each:
            found.append(time)
            taken += 1
            time = _next(places, len(cycle), time + apart + taken % 2)
    return tuple(sorted(found))


def _next(places: list[int], length: int, time: int) -> int:
    """Return the first time, at or after `time`, at which the loop is at one of the places."""
    turns, place = divmod(time, length)
    at = bisect_left(places, place)
    return turns * length + (places[at] if at < len(places) else length + places[0])


def winnings(
    counts: Sequence[Sequence[int]],
    mixing_times: int,
    of_labels: Sequence[Sequence[int]] | None = None,
) -> Fraction:
    """Return forecast / most_likely: at least x with chance at most 1/x if all conditions hold.

    `counts[c][x]` says how often the symbol x was seen in the context c. Samples are at least
    `mixing_times` mixing times apart. Samples may also be of several states, at times that were
    fixed together with their labels: then each label has its own distribution π, and its counts are
    `of_labels`. Claims S.T08, S.T11.
    """
    together = [[sum(column) for column in zip(*counts, strict=True)]]
    of_each = together if of_labels is None else of_labels
    return forecast(counts) / prod(most_likely(totals, mixing_times) for totals in of_each)


def forecast(counts: Sequence[Sequence[int]]) -> Fraction:
    """Return the probability that the forecaster gives to a sequence with these counts.

    It is the estimator of Krichevsky and Trofimov, in each context separately: if a of the n
    earlier samples in the context showed a symbol, the next one shows it with probability
    (a + 1/2)/(n + K/2), for K symbols. The order of the samples does not matter. Claim S.T09.
    Raises `InvalidArgument` unless all rows have the same even number of symbols.
    """
    if len({len(row) for row in counts}) != 1 or len(counts[0]) % 2:
        raise InvalidArgument("counts", counts, "an even number of symbols, the same in each row")
    half = len(counts[0]) // 2
    value = Fraction(1)
    for row in counts:
        above = prod(_half_factorial(seen) for seen in row)
        below = Fraction(factorial(sum(row) + half - 1), factorial(half - 1))
        value *= above / below
    return value


def most_likely(totals: Sequence[int], mixing_times: int) -> Fraction:
    """Return an upper bound on the chance of a sequence with these counts, for every π.

    It is the largest Π u(x)^n(x) with u(x) ≤ 1 and Σ u(x) ≤ 1 + Kη over the K symbols that were
    seen. There u is proportional to n, except that no value exceeds 1. Claim S.T10.
    """
    seen = sorted((n for n in totals if n), reverse=True)
    room = 1 + len(seen) * distance_after(mixing_times)
    left, value = sum(seen), Fraction(1)
    for n in seen:
        share = min(Fraction(1), room * n / left)
        value *= share**n
        room -= share
        left -= n
    return value


def _half_factorial(n: int) -> Fraction:
    """(1/2)(3/2)…(n − 1/2). Claim S.T09."""
    return Fraction(factorial(2 * n), factorial(n) << 2 * n)
