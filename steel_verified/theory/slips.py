"""How many attempts of located STEEL must agree if a step may slip with a small chance.

A step *slips* if it leads to another state than it usually does. Suppose that every step slips with
chance at most p, whatever happened before. An attempt of at most T steps has a slip with chance at
most pT: claim S.S01. An attempt without a slip errs with chance at most 3δ', where δ' is the δ of
the attempt: δ' for its own validation, and 2δ' for confirming an earlier attempt that is wrong
(S.S04).

So, whatever happened before, an attempt is *bad* with chance at most θ = pT + 3δ'. Attempts are
made one after the other, and each one starts without earlier knowledge. Only bad attempts confirm a
wrong candidate. For each candidate, count +1 for an attempt that confirms it and −1 for one that
does not. The count of a wrong candidate ever reaches m with chance at most (θ/(1−θ))^m, for every
θ < 1/2: claims S.S02 and S.S03.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import require_probability
from steel_verified.theory.validation import round_share

MOST_SLIPPED: Final = Fraction(1, 5)
"""An upper bound on pT. As 3δ' is at most 1/20, θ is at most 1/4, and each attempt that confirms a
candidate divides the bound on the chance that it is wrong by three."""
LONGEST_ATTEMPT: Final = 10**7
"""The default for rates so small that attempts could be longer."""
_PARTS: Final = 3
"""3δ' = δ' + 2δ'. An attempt without a slip errs in its own validation with chance at most δ'. When
it confirms a candidate it errs with chance at most 2δ', because it has one check fewer for each
state. Claim S.S04."""


@dataclass(frozen=True, slots=True)
class Slips:
    """An upper bound on the chance of a slip, and the largest length of an attempt."""

    rate: Fraction
    """p: every step slips with at most this chance, whatever happened before."""
    attempt_steps: int
    """T: an attempt that would take more steps is ended and not accepted."""

    def __post_init__(self) -> None:
        require_probability("rate", self.rate)
        if self.rate > MOST_SLIPPED:
            expected = 'more than 0 and at most 1/5, such as exactly("1e-5")'
            raise InvalidArgument("rate", self.rate, expected)
        most = MOST_SLIPPED // self.rate
        if not 1 <= self.attempt_steps <= most:
            expected = f"1 to {most:,}, so that four of five attempts have no slip"
            raise InvalidArgument("attempt_steps", self.attempt_steps, expected)

    def bad_attempt(self, delta: Fraction) -> Fraction:
        """Return θ = pT + 3δ', which bounds the chance that an attempt is bad."""
        return self.rate * self.attempt_steps + _PARTS * attempt_delta(delta)


def slips(rate: Fraction, attempt_steps: int | None = None) -> Slips:
    """Return slips with at most this rate; by default, attempts are as long as allowed."""
    require_probability("rate", rate)
    if attempt_steps is None:
        attempt_steps = min(MOST_SLIPPED // rate, LONGEST_ATTEMPT)
    return Slips(rate, attempt_steps)


def attempt_delta(delta: Fraction) -> Fraction:
    """Return δ', the δ of each attempt: 3δ' is the smaller of δ/2 and 1/20."""
    return min(delta, 2 * (Fraction(1, 4) - MOST_SLIPPED)) / (2 * _PARTS)


def votes_needed(bad: Fraction, delta: Fraction, number: int) -> int:
    """Return the least m with (θ/(1−θ))^m ≤ δ/(c(c+1)), for candidate c = 1, 2, …: claim S.S03."""
    share, odds = round_share(delta, number), bad / (1 - bad)
    needed, wrong = 1, odds
    while wrong > share:
        needed, wrong = needed + 1, wrong * odds
    return needed
