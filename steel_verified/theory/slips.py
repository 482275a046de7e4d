"""How often located STEEL must find the same, where a step may slip with a small chance.

A step *slips* if it leads elsewhere than it usually does. Suppose that every step slips with chance
at most p, whatever happened before. An attempt of at most T steps has a slip with chance at most
pT: claim S.S01. Without a slip, it errs with chance at most 3δ', where δ' is the δ of the attempt:
in its own validation (δ'), or when it confirms an earlier attempt that is wrong (2δ': S.S04).

So whatever happened before, an attempt is *bad* with chance at most θ = pT + 3δ'. Attempts are made
one after the other, each from nothing. Only bad ones confirm a wrong candidate. Count +1 for each
attempt that confirms it and −1 for each other one: the count of a wrong candidate ever reaches m
with chance at most (θ/(1−θ))^m, for every θ < 1/2: claims S.S02 and S.S03.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.validation import round_share

MOST_SLIPPED: Final = Fraction(1, 5)
"""pT is at most this, and 3δ' at most 1/20: so θ is at most 1/4, and each attempt that confirms a
candidate makes it three times as unlikely to be wrong."""
LONGEST_ATTEMPT: Final = 10**7
"""The default for rates so small that attempts of any length would do."""
_PARTS: Final = 3
"""An attempt without a slip errs in its own validation, or when it confirms a candidate: that is at
most twice as likely, since it has one check of each state less. Claim S.S04."""


@dataclass(frozen=True, slots=True)
class Slips:
    """What is known of slips, and how long an attempt may take."""

    rate: Fraction
    """p: no step slips with a larger chance, whatever happened before."""
    attempt_steps: int
    """T: an attempt ends as not accepted before it would take more steps."""

    def __post_init__(self) -> None:
        if not 0 < self.rate <= MOST_SLIPPED:
            expected = 'more than 0 and at most 1/5, such as exactly("1e-5")'
            raise InvalidArgument("rate", self.rate, expected)
        most = MOST_SLIPPED // self.rate
        if not 1 <= self.attempt_steps <= most:
            expected = f"1 to {most:,}, so that four of five attempts have no slip"
            raise InvalidArgument("attempt_steps", self.attempt_steps, expected)

    def bad_attempt(self, delta: Fraction) -> Fraction:
        """θ = pT + 3δ': a bound on the chance that an attempt is bad, whatever happened before."""
        return self.rate * self.attempt_steps + _PARTS * attempt_delta(delta)


def slips(rate: Fraction, attempt_steps: int | None = None) -> Slips:
    """Slips of at most this rate; without a number of steps, attempts may be as long as allowed."""
    if attempt_steps is None:
        # A rate that is not allowed is refused below.
        attempt_steps = min(MOST_SLIPPED // rate, LONGEST_ATTEMPT) if rate > 0 else 1
    return Slips(rate, attempt_steps)


def attempt_delta(delta: Fraction) -> Fraction:
    """δ', the δ of each attempt: 3δ' is half of δ, or 1/20 if that is less."""
    return min(delta, 2 * (Fraction(1, 4) - MOST_SLIPPED)) / (2 * _PARTS)


def votes_needed(bad: Fraction, delta: Fraction, number: int) -> int:
    """The least m with (θ/(1−θ))^m ≤ δ/(c(c+1)), for candidate c = 1, 2, …: claim S.S03."""
    share, odds = round_share(delta, number), bad / (1 - bad)
    needed, wrong = 1, odds
    while wrong > share:
        needed, wrong = needed + 1, wrong * odds
    return needed
