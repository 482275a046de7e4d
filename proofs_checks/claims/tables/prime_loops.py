"""The tables of prime loops: against themselves, the bounds, and predicted runs (l. 1941-2029)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.claims.tables.simulations import OTHER_DRAWS, in_all, theorem_bound
from proofs_checks.methods.finite import equal, exact
from proofs_checks.sections import LOOPS_TABLE, LOOPS_TABLES
from steel_verified.experiments import settings
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.prime_loops import PrimeLoops

if TYPE_CHECKING:
    from proofs_checks.claim import Evidence

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Loops:
    """A column of the table of prime loops: steps, and the ratios as printed."""

    pair: Pair
    steel: int
    ac_state: int
    ratio: str
    steel_median: int
    ac_state_median: int
    ratio_median: str


_LOOPS: Final = (
    Loops((3, 5), 59_700, 4_000, "0.07", 25_000, 3_000, "0.1"),
    Loops((5, 7), 149_000, 40_000, "0.3", 74_800, 30_000, "0.4"),
    Loops((11, 13), 907_000, 1_000_000, "1", 523_000, 800_000, "1.5"),
    Loops((17, 19), 2_600_000, 8_000_000, "3", 1_080_000, 7_000_000, "6"),
    Loops((29, 31), 11_000_000, 100_000_000, "9", 1_740_000, 90_000_000, "5e1"),
    Loops((41, 43), 28_300_000, 500_000_000, "18", 3_290_000, 500_000_000, "15e1"),
)
"""A ratio is written with the digits that are meant: 50 with one, 150 with two."""

_UNIFORM: Final = {
    (3, 5): (4_000, 3_000),
    (5, 7): (40_000, 30_000),
    (11, 13): (1_000_000, 800_000),
    (17, 19): (8_000_000, 7_000_000),
    (29, 31): (100_000_000, 90_000_000),
}
"""Maximum and median in the second table of prime loops."""
_EXPLORING: Final = {
    (3, 5): (8_000, 6_000),
    (5, 7): (60_000, 40_000),
    (11, 13): (2_000_000, 2_000_000),
    (17, 19): (20_000_000, 20_000_000),
    (29, 31): (200_000_000, 200_000_000),
}


def _loops_within(column: Loops, share: Fraction) -> bool:
    return column.steel <= theorem_bound(settings.double_prime(*column.pair)) * share


@cache
def _steps_from_all_starts(pair: Pair) -> tuple[int, ...]:
    """On DoublePrime, from every state of a copy and with either first action, in order.

    Exchanging the copies changes nothing but names, so the other copy's starts give the same.
    """
    given = settings.double_prime(*pair).parameters
    loops = PrimeLoops(2, *pair, start=0, first_action=0).dynamics()
    runs = (
        ideal_run(loops, start, given, first_action=action)
        for start in range(pair[1])
        for action in (0, 1)
    )
    return tuple(sorted(run.ledger.steps for run in runs))


def _maximum_agrees(column: Loops, percent: int) -> bool:
    most = _steps_from_all_starts(column.pair)[-1]
    return abs(column.steel - most) * 100 <= percent * most


def _median_possible(column: Loops, factor: int) -> bool:
    steps = _steps_from_all_starts(column.pair)
    return steps[0] <= column.steel_median * factor <= steps[-1]


def _rounds_to(value: Fraction, shown: str) -> bool:
    """Whether a value, rounded to the last digit shown, is what is shown."""
    digits, _, power = shown.partition("e")
    unit = Fraction(10) ** (int(power or 0) - len(digits.partition(".")[2]))
    return abs(value - Fraction(shown)) <= unit / 2


def _ratios(column: Loops) -> bool:
    most = Fraction(column.ac_state, column.steel)
    median = Fraction(column.ac_state_median, column.steel_median)
    return _rounds_to(most, column.ratio) and _rounds_to(median, column.ratio_median)


def _inverse_ratios(column: Loops) -> bool:
    return _rounds_to(Fraction(column.steel, column.ac_state), column.ratio)


def _where_ac_state_is_better() -> list[int]:
    return [2 * column.pair[1] for column in _LOOPS if column.ac_state < column.steel]


def _on_one_grid(case: tuple[int, int]) -> bool:
    """Whether both are among g, 2g, …, 20g for a power of ten g, the median not after the maximum.

    A search in steps of g ends soon after 10g, where the validation had succeeded.
    """
    most, median = case
    grids = (10**m for m in range(1, 10))
    return median <= most and any(not most % g and not median % g and most <= 20 * g for g in grids)


def _all_on_grids(shift: int) -> Evidence:
    first = [(column.ac_state, column.ac_state_median) for column in _LOOPS]
    cases = [*first, *_UNIFORM.values(), *_EXPLORING.values()]
    moved = [(most + shift, median) for most, median in cases]
    return in_all(moved, _on_one_grid)


def _uniform_rows() -> dict[Pair, tuple[int, int]]:
    return {
        column.pair: (column.ac_state, column.ac_state_median)
        for column in _LOOPS
        if column.pair in _UNIFORM
    }


def _cost_of_exploring() -> list[Fraction]:
    return sorted(
        Fraction(exploring, uniform)
        for pair in _UNIFORM
        for exploring, uniform in zip(_EXPLORING[pair], _UNIFORM[pair], strict=True)
    )


_FIRST_THREE: Final = _LOOPS[:3]
_STARTS: Final = "(3, 5), (5, 7), (11, 13): every start and first action"

CLAIMS: Final = (
    LOOPS_TABLE.proved(
        "K05.bound",
        "1953",
        "the six maxima for STEEL are within the theorem's bound, by a factor of at least 20",
        lambda: in_all(_LOOPS, partial(_loops_within, share=Fraction(1, 20))),
        Mutant(
            "a factor of 25", lambda: in_all(_LOOPS, partial(_loops_within, share=Fraction(1, 25)))
        ),
    ),
    LOOPS_TABLE.exact(
        "K05",
        "1953",
        "the printed maxima are within 4% of the most steps over all starts and first "
        "actions on DoublePrime",
        lambda: exact(_FIRST_THREE, partial(_maximum_agrees, percent=4), _STARTS),
        Mutant(
            "within 1%", lambda: exact(_FIRST_THREE, partial(_maximum_agrees, percent=1), _STARTS)
        ),
        assumptions=(OTHER_DRAWS, "the columns (3, 5), (5, 7) and (11, 13)"),
    ),
    LOOPS_TABLE.exact(
        "K06",
        "1957",
        "the printed medians lie between the fewest and the most steps over all starts "
        "and first actions on DoublePrime",
        lambda: exact(_FIRST_THREE, partial(_median_possible, factor=1), _STARTS),
        Mutant(
            "three times the medians",
            lambda: exact(_FIRST_THREE, partial(_median_possible, factor=3), _STARTS),
        ),
        assumptions=(OTHER_DRAWS, "the columns (3, 5), (5, 7) and (11, 13)"),
    ),
    LOOPS_TABLE.proved(
        "K09",
        "1955, 1960",
        "each of the twelve ratios is the quotient of the printed steps, rounded to the "
        "digits shown",
        lambda: in_all(_LOOPS, _ratios),
        Mutant("STEEL over AC-State", lambda: in_all(_LOOPS, _inverse_ratios)),
    ),
    LOOPS_TABLE.proved(
        "K11",
        "1941",
        "in the printed maxima AC-State needs fewer steps than STEEL exactly for |S| = 10 and 14",
        lambda: equal(_where_ac_state_is_better(), [10, 14]),
        Mutant("for 26 too", lambda: equal(_where_ac_state_is_better(), [10, 14, 26])),
    ),
    LOOPS_TABLES.proved(
        "K12.rows",
        "1954, 1959, 2025, 2028",
        "the rows for the uniform policy are the same in both tables",
        lambda: equal(_uniform_rows(), _UNIFORM),
        Mutant("those for exploration", lambda: equal(_uniform_rows(), _EXPLORING)),
    ),
    LOOPS_TABLES.proved(
        "K12.grid",
        "1954, 1959, 2025-2029",
        "maximum and median of AC-State are multiples, up to 20, of one power of ten in "
        "each column, the median being no later: as the search over T prescribes",
        partial(_all_on_grids, 0),
        Mutant("maxima 500 later", partial(_all_on_grids, 500)),
    ),
    LOOPS_TABLES.proved(
        "K13.order",
        "1990, 2025-2029",
        "in the printed rows exploration needs more steps than the uniform policy in "
        "every column, by factors from 4/3 to 20/7",
        lambda: equal(
            (_cost_of_exploring()[0], _cost_of_exploring()[-1]), (Fraction(4, 3), Fraction(20, 7))
        ),
        Mutant("at most 2.5 times", lambda: equal(_cost_of_exploring()[-1], Fraction(5, 2))),
        assumptions=("the printed entries; the experiments themselves are not repeated",),
    ),
)
