"""The self-check: a statistical test whether samples of a label depend on their context.

If all conditions hold, samples of one label must not depend on the loop, the phase, the action
before or an earlier sample. For each such dependence there is a bet (`theory/self_check.py`). All
bets are counted beforehand. α is divided equally among the kinds of bets, and the part of each kind
equally among its bets. A bet is won if it pays at least 1/share. If all conditions hold, each bet
is won with chance at most its share of α, by Markov's inequality. By the union bound, any bet is
won with chance at most α: claim S.T11.

A table in assumptions.md says how small a difference is detected.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import log, log10, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.self_check.bets import (
    NEXT_ROW,
    OF_RUN,
    Kind,
    bets_on,
    bets_on_all,
    samples_of,
)
from steel_verified.learning.self_check.probes import blocks, number_of_probes, probe_name
from steel_verified.learning.self_check.rows import LoopRows, Terms, transitions_of
from steel_verified.theory.self_check import winnings
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from steel_verified.evidence.oracle import Declared
    from steel_verified.learning.self_check.bets import Bets


_ROUNDING: Final = 1e-6
"""Bets that floating-point rounding might decide wrongly are decided exactly."""


@dataclass(frozen=True, slots=True)
class SelfChecked:
    """The bets that were made and those that were won; none is won if all is well."""

    level: Fraction
    samples: int
    bets: tuple[tuple[str, int], ...]
    """The number of bets of each kind: on one classifier (or bit), or on two at a time."""
    won: tuple[Won, ...]
    transitions: int
    """How many transitions the loops take on which there are bets. Bets say nothing of others."""
    left: int | None = None
    """The last step in a part of the world that the run has left for ever, if there was one."""

    def __str__(self) -> str:
        made = sum(many for _, many in self.bets)
        text = f"{made:,} bets on {counted(self.samples, 'sample')}"
        text += f" and {counted(self.transitions, 'transition')}"
        return f"{len(self.won) or 'none'} of {text} won"


def check(
    watched: Sequence[LoopRows], tested: Terms, *, mixing_time: int, max_states: int
) -> SelfChecked:
    """Make all bets against a run that has ended.

    Probes are read in blocks. Which bets are made depends only on the times, so they are the same
    in each block, in the same order.
    """
    kept = [each.rows for each in watched]
    skipped, fixed_at, level = 0, tested.fixed_at, tested.level / tested.walks
    if any(each.declared.entries != "bits" for each in kept):
        # The first rows determine with which values numbers are compared. So there are no bets on
        # the first rows, and the noise must mix after the last of them.
        first, *watched = watched
        last_row = first.start + first.times[-1] + 1 if first.times else 0
        skipped, fixed_at = first.rows.rows, max(fixed_at, last_row)
    if not watched:
        return SelfChecked(tested.level, 0, (), (), transitions=0)
    declared, samples = kept[0].declared, 0
    made: dict[tuple[Kind, bool], int] = {}
    best: dict[int, tuple[tuple[float, int], Bets]] = {}
    for block in blocks(kept):
        of_all = number_of_probes(declared)
        of_labels = tuple(samples_of(watched, block, skipped, of_all, fixed_at))
        on_each = (bets_on(each, mixing_time, max_states) for each in of_labels)
        is_first, samples = not samples, sum(len(each.times) for each in of_labels)
        for number, bets in enumerate(chain(*on_each, bets_on_all(of_labels, mixing_time))):
            if is_first:
                key = bets.kind, bets.joint
                made[key] = made.get(key, 0) + bets.made
            if bets.seen.size:
                gains = bets.log_winnings()
                place = int(np.argmax(gains))
                # Of several bets that pay the same, the one on the first probe is the best. A bet
                # that pays less than 1/α is never won.
                order = float(gains[place]), -int(bets.probes[0][place])
                if order > (best[number][0] if number in best else (-log(level) - _ROUNDING, 0)):
                    best[number] = order, bets.only(place)
    won = []
    for _, ((gain, _), bet) in sorted(best.items()):
        needed = made[bet.kind, bet.joint] * len(made) / level  # Claim S.T11: 1/share
        if gain > log(needed) - _ROUNDING and (paid := _won(bet, needed, declared)):
            won.append(paid)
    won.sort(key=lambda each: each.winnings / each.needed, reverse=True)
    return SelfChecked(
        tested.level,
        samples,
        tuple(
            (f"{kind.value}{', two at a time' * joint}", many)
            for (kind, joint), many in made.items()
        ),
        tuple(won),
        transitions=len(transitions_of(watched)),
    )


def _won(bet: Bets, needed: Fraction, declared: Declared) -> Won | None:
    """Return a single bet if it was won, decided exactly, otherwise None."""
    counts, totals = (
        tuple(map(tuple, each[:, :, 0].tolist())) for each in (bet.counts, bet.totals)
    )
    paid = winnings(counts, bet.mixing_times, totals)
    if paid < needed:
        return None
    measured = tuple(probe_name(declared, int(each[0])) for each in bet.probes)
    return Won(bet.kind, bet.label, measured, bet.text, counts, bet.mixing_times, paid, needed)


@dataclass(frozen=True, slots=True)
class Won:
    """A bet that was won: evidence that a condition does not hold."""

    kind: Kind
    label: int
    measured: tuple[str, ...]
    """What was measured in each row, such as "classifier 4": one measurement, or two."""
    text: str
    counts: tuple[tuple[int, ...], ...]
    """For each context, the number of times that each symbol was seen."""
    mixing_times: int
    winnings: Fraction
    needed: Fraction

    @property
    def sentence(self) -> str:
        """What was seen, and how unlikely it is if all conditions hold."""
        needed = f"{float(self.needed):,.0f}"
        # log10, not digits: Python refuses to write integers of more than 4,300 digits.
        paid = int(log10(self.winnings.numerator) - log10(self.winnings.denominator))
        far = "t̂_mix" if self.mixing_times == 1 else f"{self.mixing_times}·t̂_mix"
        return (
            f"{self.seen} (samples at least {far} apart); if all conditions hold, the e-value of "
            f"such a difference reaches {needed} with chance at most 1/{needed}, and here it is "
            f"10^{paid}"
        )

    @property
    def seen(self) -> str:
        """The two contexts that differ most, with the frequency of what was seen in each."""
        symbol, contexts = self._most_different()
        of = "over all states" if self.kind is Kind.ANY else f"in state {self.label}"
        low, high = (
            f"in {_share(self.counts[number], symbol)} {self._context(number, place)}"
            for place, number in enumerate(contexts)
        )
        return f"{of}, {self._shown(symbol)} {low}, and {high}"

    @property
    def what(self) -> str:
        """What was measured, as the heading of a table of `counts`."""
        *_, last = self.measured
        if len(self.counts[0]) == 2:
            return last
        later = ", one step later," if self.text == NEXT_ROW else ""
        return f"{self.measured[0]} and{later} {last}"

    def _shown(self, symbol: int) -> str:
        if len(self.counts[0]) == 2:
            return f"{self.what} was {symbol}"
        return f"{self.what} were {symbol // 2} and {symbol % 2} together"

    def _context(self, number: int, place: int) -> str:
        """What the samples of a context have in common; `place` is 0 for the first of two."""
        match self.kind:
            case Kind.EARLIER | Kind.ANY:
                first = "it" if len(set(self.measured)) == 1 else self.measured[0]
                return f"for which {first} was {number} {self.text}"
            case Kind.HALF if self.text == OF_RUN:
                return f"in the {('first', 'second')[number]} half of the run"
            case Kind.HALF:
                return ("in one half of a loop", "in another")[place]
            case Kind.PHASE:
                return ("at one phase of a loop", "at another")[place]
            case Kind.WAY:
                return ("after one pair of state and action", "after another")[place]
            case Kind.LOOP:
                return ("in one loop", "in another")[place]

    def _most_different(self) -> tuple[int, tuple[int, int]]:
        """The symbol whose frequency differs most between two contexts; the lower one is first.

        The deviation of a context counts in units of its standard error.
        """
        total = sum(map(sum, self.counts))
        best = (-1.0, 0, (0, 0))
        symbols = len(self.counts[0])
        for symbol in range(symbols) if symbols > 2 else (1,):
            mean = sum(counts[symbol] for counts in self.counts) / total
            far = [
                (counts[symbol] / sum(counts) - mean) * sqrt(sum(counts)) for counts in self.counts
            ]
            low, high = far.index(min(far)), far.index(max(far))
            best = max(best, (far[high] - far[low], symbol, (low, high)))
        return best[1], best[2]


def _share(counts: tuple[int, ...], symbol: int) -> str:
    many, share = sum(counts), counts[symbol] / sum(counts)
    shown = f"{100 * share:.0f}"
    if shown == "0" and share > 0:
        shown = "less than 1"
    elif shown == "100" and share < 1:
        shown = "more than 99"
    return f"{shown} % of {counted(many, 'sample')}"
