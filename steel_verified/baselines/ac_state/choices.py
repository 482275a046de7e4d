"""What the appendix leaves open about the test of AC-State, each as a choice with a default.

One run of the protocol is a draw: its T_max depends on the trajectories as well. How much a choice
matters is therefore measured on several repeats with and without it (`repeats`). On (3, 5)
no choice changes T_max or the median in any of ten repeats with the uniform policy, while T_max
itself goes from 4,000 to 7,000 between them. With the exploration policy the weights of goals
change every trajectory, and so give another draw: five repeats have T_max from 9,000 to 10,000 in
one way, from 8,000 to 10,000 in the other. The rule for decades can matter where T_max is close to
a power of ten, as for (11, 13).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.baselines.ac_state.policies import Unvisited


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """How we read the protocol (l. 1905–1914, 1985–1990)."""

    ties: Literal["larger", "smaller"] = "larger"
    """Which encoder an exact tie gives. The text says the larger (l. 1905), the objective the
    smaller. Only data that never shows i and i' ties: with T = 100 one trajectory in seven of the
    largest pairs, for all K alike; hardly any of the small pairs, or with T = 1,000.
    """
    decade_right: int = 20
    """How many of 20 trajectories must be right, for some K, at T = 10^m. The text says all; then
    a single wrong one makes all later steps ten times as coarse.
    """
    shared_state: bool = True
    """Whether the state between the halves is the last observation of the one and the first of the
    other. If not, it is the second half's, and the first has one tuple less for each k.
    """
    unvisited: Unvisited = "first"
    """The weight of a goal is 1/n, with n its visits; a state with none comes first, or all have
    the weight 1/(n + 1).
    """
    median: Literal["low", "mean", "high"] = "low"
    """The median of an even number of K: the lower or higher of the middle two, or their mean,
    rounded down. Only the lower and the higher are certain to be right for all 20 themselves.
    """
    beyond_the_data: Literal["repeat", "ignore"] = "repeat"
    """K runs to 50,000 even where no lag is that long. Such K give what the longest lag gives, and
    so count in the median; or they are not candidates.
    """


def variations() -> Iterator[tuple[str, Choices]]:
    """The default, and everything that differs from it in one choice."""
    usual = Choices()
    yield "as assumed", usual
    yield "ties go to the smaller encoder", replace(usual, ties="smaller")
    yield "19 of 20 are enough to end the decades", replace(usual, decade_right=19)
    yield "the halves share no state", replace(usual, shared_state=False)
    yield "goals by 1/(visits + 1)", replace(usual, unvisited="as if once more")
    yield "K_opt: the mean of the middle two", replace(usual, median="mean")
    yield "K_opt: the higher of the middle two", replace(usual, median="high")
    yield "no K beyond the data", replace(usual, beyond_the_data="ignore")
