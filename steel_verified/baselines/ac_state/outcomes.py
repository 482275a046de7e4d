"""What a run of AC-State's protocol found, and how that is kept as a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.baselines.ac_state.jobs import TRAJECTORIES
from steel_verified.baselines.ac_state.stages import listed, numbers
from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from steel_verified.sweeps.study import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the protocol found."""

    decade: int
    """m: at T = 10^m some K was right on enough trajectories."""
    searched_length: int
    """The T at which K_opt was found."""
    right_lags: tuple[int, int, int]
    """The least and the largest K that were right on all 20 there, and how many there were."""
    k_opt: int
    tested: tuple[tuple[int, int, int], ...]
    """Each T of the test, how many trajectories were right, and how many were judged: all 20, or,
    of long ones, as many as tell whether all are right and whether half are."""
    single_right: int = 0
    """How many trajectories of SinglePrime gave φ_SP."""
    single_judged: int = 0
    """How many of the 20 were judged: fewer while the check is under way."""

    @property
    def t_max(self) -> int:
        """The first T with all right."""
        return self.tested[-1][0]

    @property
    def t_median(self) -> int:
        """The first T with at least half right."""
        return next(length for length, right, _ in self.tested if 2 * right >= TRAJECTORIES)


def as_row(found: Outcome) -> Row:
    """As plain data."""
    return {
        "decade": found.decade,
        "searched_length": found.searched_length,
        "right_lags": list(found.right_lags),
        "k_opt": found.k_opt,
        "tested": [list(one) for one in found.tested],
        "single": [found.single_right, found.single_judged],
    }


def outcome_of(row: Row) -> Outcome:
    """Back again; raise `SteelError` if it is no row of an outcome."""
    try:
        decade, length, k_opt = numbers(
            [row[name] for name in ("decade", "searched_length", "k_opt")]
        )
        least, most, number = numbers(row["right_lags"])
        tested = [
            (steps, right, judged) for steps, right, judged in map(numbers, listed(row["tested"]))
        ]
        single_right, single_judged = numbers(row["single"])
    except (KeyError, ValueError) as error:
        raise SteelError(f"{dict(row)} is not the outcome of a run ({error})") from error
    return Outcome(
        decade=decade,
        searched_length=length,
        right_lags=(least, most, number),
        k_opt=k_opt,
        tested=tuple(tested),
        single_right=single_right,
        single_judged=single_judged,
    )
