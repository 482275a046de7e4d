"""The tables of prime loops: against themselves, the bounds, and predicted runs (l. 1941-2029)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Final, Literal

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import equal, exact
from proofs_checks.paper.tables.simulations import OTHER_DRAWS, in_all, theorem_bound
from proofs_checks.sections import LOOPS_TABLE, LOOPS_TABLES
from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS, PrimeLoopSteps
from steel_verified.worlds.catalogue import instance, setting
from steel_verified.worlds.ideal import ideal_run

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence

Pair = tuple[int, int]
Column = tuple[Pair, PrimeLoopSteps]

_LOOPS: Final[tuple[Column, ...]] = tuple(PRIME_LOOPS.items())


def _loops_within(column: Column, share: Fraction) -> bool:
    (p, q), printed = column
    return printed.steel.value <= theorem_bound(setting("double-prime", p=p, q=q)) * share


@cache
def _steps_from_all_starts(pair: Pair) -> tuple[int, ...]:
    """On DoublePrime, from every state of a copy and with either first action, in order.

    Exchanging the copies changes nothing but names, so the other copy's starts give the same.
    """
    p, q = pair
    chosen = instance("double-prime", 0, p=p, q=q)
    runs = (
        ideal_run(chosen.dynamics, start, chosen.parameters, first_action=action)
        for start in range(q)
        for action in (0, 1)
    )
    return tuple(sorted(run.ledger.steps for run in runs))


def _maximum_agrees(column: Column, percent: int) -> bool:
    pair, printed = column
    most = _steps_from_all_starts(pair)[-1]
    return abs(printed.steel.value - most) * 100 <= percent * most


def _median_possible(column: Column, factor: int) -> bool:
    pair, printed = column
    steps = _steps_from_all_starts(pair)
    return steps[0] <= printed.steel_median.value * factor <= steps[-1]


def _ratios(column: Column) -> bool:
    printed = column[1]
    most = printed.ac_state.value / printed.steel.value
    median = printed.ac_state_median.value / printed.steel_median.value
    return printed.ratio.agrees_with(most) and printed.ratio_of_medians.agrees_with(median)


def _inverse_ratios(column: Column) -> bool:
    printed = column[1]
    return printed.ratio.agrees_with(printed.steel.value / printed.ac_state.value)


def _where_ac_state_is_better() -> list[int]:
    return [2 * q for (_, q), printed in _LOOPS if printed.ac_state.value < printed.steel.value]


def _on_one_grid(case: tuple[Fraction, Fraction]) -> bool:
    """Whether both are among g, 2g, …, 20g for a power of ten g, the median not after the maximum.

    A search in steps of g ends soon after 10g, where the validation had succeeded.
    """
    most, median = case
    grids = (10**m for m in range(1, 10))
    return median <= most and any(not most % g and not median % g and most <= 20 * g for g in grids)


def _all_on_grids(shift: int) -> Evidence:
    first = [(printed.ac_state.value, printed.ac_state_median.value) for _, printed in _LOOPS]
    cases = [*first, *_exploration("uniform"), *_exploration("exploring")]
    moved = [(most + shift, median) for most, median in cases]
    return in_all(moved, _on_one_grid)


def _exploration(policy: Literal["uniform", "exploring"]) -> list[tuple[Fraction, Fraction]]:
    """Maximum and median in the second table, with a policy."""
    columns = EXPLORATION.values()
    if policy == "uniform":
        return [(printed.uniform.value, printed.uniform_median.value) for printed in columns]
    return [(printed.exploring.value, printed.exploring_median.value) for printed in columns]


def _uniform_rows() -> list[tuple[Fraction, Fraction]]:
    """The same rows in the first table."""
    columns = (PRIME_LOOPS[pair] for pair in EXPLORATION)
    return [(printed.ac_state.value, printed.ac_state_median.value) for printed in columns]


def _cost_of_exploring() -> list[Fraction]:
    return sorted(
        slower / faster
        for exploring, uniform in zip(
            _exploration("exploring"), _exploration("uniform"), strict=True
        )
        for slower, faster in zip(exploring, uniform, strict=True)
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
        lambda: equal(_uniform_rows(), _exploration("uniform")),
        Mutant("those for exploration", lambda: equal(_uniform_rows(), _exploration("exploring"))),
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
        assumptions=("the printed entries; K13 and J20 are about runs of ours",),
    ),
)
