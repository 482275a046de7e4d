"""Bets of the self-check that were won, in words: what was seen, in which state, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10, sqrt
from typing import TYPE_CHECKING

from steel_verified.learning.wagers import NEXT_ROW, OF_RUN, Kind
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Won:
    """A bet that was won: evidence that a condition does not hold."""

    kind: Kind
    label: int
    measured: tuple[str, ...]
    """What was measured in each row, such as "classifier 4": one measurement, or two."""
    told: str
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
            f"{self.seen} (samples at least {far} apart); if all conditions hold, a bet on such a "
            f"difference pays {needed} times its stake or more with chance at most 1/{needed}, and "
            f"this one paid 10^{paid} times its stake"
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
        later = ", one step later," if self.told == NEXT_ROW else ""
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
                return f"for which {first} was {number} {self.told}"
            case Kind.HALF if self.told == OF_RUN:
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
