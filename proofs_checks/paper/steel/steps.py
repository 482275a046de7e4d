"""The steps of all phases together (l. 995-1041).

A ceiling enters as a whole number c with c − 1 ≤ x; a maximum through each of its sides.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.together import all_of, beside
from proofs_checks.proofs.collecting import COLLECTING
from proofs_checks.replays import proof
from proofs_checks.sections import TOTALS
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory import bounds
from steel_verified.theory.counts import encoder_samples
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import Recipe, paper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


N, S, A, D, t = (Symbol(name, positive=True) for name in ("N", "S", "A", "D", "t"))
d = Symbol("d", positive=True)
a, n_cyc, n, ceiling, x, y, fail = (
    Symbol(name) for name in ("a", "n_cyc", "n", "ceiling", "x", "y", "fail")
)
most, e = (Symbol(name, positive=True) for name in ("most", "e"))
_longest = S * (D + 1)

_SIZES: Final[Mapping[Symbol, Expr | int]] = {N: S, S: 1, D: 0, t: 1}


def _grid() -> Iterator[tuple[Recipe, Extent]]:
    for actions, max_states, wait, delta_inverse in product(
        (1, 2, 3), (1, 2, 3, 5), (1, 4, 30), (2, 99)
    ):
        for states in range(1, max_states + 1):
            for diameter in range(min(1, states - 1), states):
                given = parameters(
                    max_states,
                    wait,
                    actions=actions,
                    class_size=max_states + 1,
                    delta=Fraction(1, delta_inverse),
                    epsilon=Fraction(1, 3),
                )
                yield paper(given), Extent(states, diameter)


_GRID: Final = (
    "|A| ≤ 3, N in {1, 2, 3, 5}, all |S| ≤ N and D, t̂_mix in {1, 4, 30}, δ in {1/2, 1/99}"
)


def _on_grid(holds: Callable[[tuple[Recipe, Extent]], bool]) -> Evidence:
    return exhausted(_grid(), holds, _GRID)


def _phase_two_steps(case: tuple[Recipe, Extent], *, less: int) -> bool:
    recipe, extent = case
    wanted = encoder_samples(recipe, extent.states)
    wait = recipe.parameters.mixing_time
    longest = max(extent.diameter + wait, extent.states * extent.diameter)
    stated = longest * (wanted - 1 + extent.states)
    return bounds.sampling_steps(recipe, extent) <= stated - less * longest * wanted and (
        bounds.sampling_bound(recipe, extent) == stated
    )


def _total_within(case: tuple[Recipe, Extent], *, part: int) -> bool:
    recipe, extent = case
    needed = bounds.simplified_exploration_bound(recipe, extent) + bounds.sampling_bound(
        recipe, extent
    )
    steps = bounds.exploration_steps(recipe, extent) + bounds.sampling_steps(recipe, extent)
    return steps <= needed <= bounds.total_bound(recipe, extent) // part


def _both_phases_within(less: int) -> Evidence:
    """E14.sampling added to E14.period, and to E14.position, for numbers that are rounded up."""
    sampling, rounded, added = most * (ceiling - 1 + S), most * (x + S), Symbol("added")
    ranges: Mapping[Symbol, Expr | int] = {
        y: n - 1, n: 1, x: ceiling - 1, ceiling: 1, most: 0, added: 0, A: 1, **_SIZES,
    }  # fmt: skip
    period, position = 2 * t + 3 * N * _longest - 2, 2 * (t + S * _longest - 1)
    return all_of(
        at_most(S * A * period * n + sampling, S * A * period * (y + 1) + rounded - less, ranges),
        at_most(
            S * A * (position * n + 2 + added) + sampling,
            S * A * (position * (y + 1) + 2 + added) + rounded - less,
            ranges,
        ),
    )


CLAIMS: Final = (
    TOTALS.bound(
        "E08",
        "995-998",
        "|S||A| calls that fail with chance ≤ δ/(2|A|N) fail with chance ≤ δ/2: over 2N, |S|δ ≤ Nδ",
        S * fail,
        N * fail,
        {N: S, S: 1, fail: 0},
        Slip("a smaller right side", right=S * fail - 1),
        assumptions=("|S| ≤ N",),
    ),
    TOTALS.bound(
        "E09.period",
        "1002-1004",
        "the bound of a call grows with |â| where n_samp.cyc. decides: |â| ≤ |S|(D+1) goes in",
        (2 * t + 3 * N * (_longest - a) - 2) * n_cyc - N * (_longest - a),
        (2 * t + 3 * N * _longest - 2) * n_cyc - N * _longest,
        {a: 0, N: 1, S: 1, D: 0, t: 1, n_cyc: 1},
        Slip(
            "a smaller right side", right=(2 * t + 3 * N * _longest - 2) * n_cyc - N * _longest - 1
        ),
        assumptions=(
            "N ≥ 2: for N = 1 there is no period to test, and n_samp.cyc. is not defined",
            "|â| = |S|(D+1) − a with a ≥ 0",
        ),
    ),
    TOTALS.bound(
        "E09.position",
        "1002-1004",
        "the bound of a call grows with |â| where n_samp. decides, and so does what is added",
        2 * (t + S * (_longest - a) - 1) * n + 1 + (N - 1) * (_longest - a),
        2 * (t + S * _longest - 1) * n + 1 + (N - 1) * _longest,
        {a: 0, N: 1, S: 1, D: 0, t: 1, n: 1},
        Slip("a smaller right side", right=2 * (t + S * _longest - 1) * n + (N - 1) * _longest),
        assumptions=("|â| = |S|(D+1) − a with a ≥ 0",),
    ),
    TOTALS.bound(
        "E12.more",
        "1021-1025",
        "a larger d makes the exponent εd/(3|S|), here over 3|S|, no smaller",
        e * d,
        e * ceiling,
        {ceiling: d, d: 0, e: 0},
        Slip("a smaller right side", right=e * d - 1),
    ),
    TOTALS.proved(
        "E13",
        "1031",
        "phase 2 takes at most max(D + t̂_mix, |S|D)·(⌈3|S|ln(16|S|²|F|/δ)/ε⌉ − 1 + |S|)",
        beside(partial(_on_grid, partial(_phase_two_steps, less=0)), proof(COLLECTING, "D10")),
        Mutant("without d", partial(_on_grid, partial(_phase_two_steps, less=1))),
        proof(COLLECTING, "D10").misstated(
            "a silent pass not counted", "D10", then="steps(n) + waits(plans) <= (d - 2 + S) * most"
        ),
        assumptions=("D10",),
    ),
    TOTALS.bound(
        "E14.sampling",
        "1036-1041",
        "M·(⌈x⌉ − 1 + |S|) ≤ M·(x + |S|)",
        most * (ceiling - 1 + S),
        most * (x + S),
        {x: ceiling - 1, ceiling: 1, most: 0, S: 1},
        Slip("a smaller right side", right=most * (x + S - 1)),
    ),
    TOTALS.bound(
        "E14.period",
        "1036-1041",
        "(2t̂_mix + 3N|S|(D+1) − 2)·⌈y⌉ ≤ (2t̂_mix + 3N|S|(D+1) − 2)·(y + 1), and times |S||A|",
        S * A * (2 * t + 3 * N * _longest - 2) * n_cyc,
        S * A * (2 * t + 3 * N * _longest - 2) * (y + 1),
        {y: n_cyc - 1, n_cyc: 1, A: 1, **_SIZES},
        Slip("a smaller right side", right=S * A * (2 * t + 3 * N * _longest - 2) * y),
        assumptions=("N ≥ 2: the logarithm of N − 1 = 0 is not defined",),
    ),
    TOTALS.bound(
        "E14.position",
        "1036-1041",
        "2(t̂_mix + |S|²(D+1) − 1)·⌈y⌉ ≤ 2(t̂_mix + |S|²(D+1) − 1)·(y + 1), and times |S||A|",
        S * A * 2 * (t + S * _longest - 1) * n,
        S * A * 2 * (t + S * _longest - 1) * (y + 1),
        {y: n - 1, n: 1, A: 1, **_SIZES},
        Slip("a smaller right side", right=S * A * 2 * (t + S * _longest - 1) * y),
    ),
    TOTALS.proved(
        "E14.grid",
        "1036-1041",
        "the sum of the bounds of both phases ≤ the closed form, whichever side of its maximum is "
        "the larger; and exact steps ≤ that sum",
        beside(partial(_on_grid, partial(_total_within, part=1)), partial(_both_phases_within, 0)),
        Mutant("one step less", partial(_both_phases_within, 1)),
        Mutant("half of it, tried", partial(_on_grid, partial(_total_within, part=2))),
    ),
)
