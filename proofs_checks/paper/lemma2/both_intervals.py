"""Lemma 2: small and large ε' together give 8·exp(−εN/3), and no faster rate (l. 1491-1525)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol, exp

from proofs_checks.claim import Mutant
from proofs_checks.kernels.evidence import Evidence, NotEarned
from proofs_checks.kernels.finite import equal, exhausted
from proofs_checks.kernels.intervals import ordered
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.paper.lemma2.decay import (
    eigenvalue_below,
    line_below,
    products_keep_order,
    three,
)
from proofs_checks.paper.lemma2.eigenvalues import (
    MATRIX_BOUND,
    UNIT,
    exact,
    larger,
    number,
    on_unit,
)
from proofs_checks.proofs.chains.eigenvector import all_pass
from proofs_checks.proofs.chains.events import product_of_conditionals
from proofs_checks.proofs.chains.lemma1 import passes_nearly_as_often
from proofs_checks.proofs.chains.samples import each_after_the_first
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import LEMMA_2_CLOSING
from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import Chain, distance_from_stationarity, mixing_time, stationary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sympy import Expr

x = Symbol("x", nonnegative=True)
"""ε'."""
p, q, u = (Symbol(name) for name in ("p", "q", "u"))
rest = Symbol("rest")
"""What a number is below the end of its range."""


def _inverse_at_most(most: int, last: Expr) -> Evidence:
    """1 ≤ most·(5/4 − x) for all x ≤ last."""
    return at_most(1, most * (Rational(5, 4) - (last - rest)), {rest: 0})


def _covered(rate: str, last: str, first: str) -> Evidence:
    """One of the two bounds serves at each x in [0, 1]: [0, last] and [first, 1] meet."""
    if Fraction(first) > Fraction(last):
        raise NotEarned(f"nothing is shown between {last} and {first}")
    return together(
        partial(eigenvalue_below, rate, last),
        partial(line_below, rate, first),
        partial(products_keep_order, 1),
    )


def _sharper(most: str, rate: str, meeting: str) -> Evidence:
    """most·exp(−rate·xN): by λ₊ up to the meeting point; after it (5/4 − x)^(N−1) does.

    There exp(−rate·x(N−1)) = exp(rate·x)·exp(−rate·xN), and exp(rate·x) < most.
    """
    return together(
        partial(three, most),
        partial(_covered, rate, meeting, meeting),
        # Where the two bounds cross, neither is better than 7/8.
        partial(identity, larger.subs({x: Rational(3, 8)}), Rational(7, 8)),
        partial(on_unit, exact(most) - exp(exact(rate) * x)),
    )


_EIGHTHS: Final = tuple(Fraction(k, 8) for k in range(1, 8))
_FIFTHS: Final = tuple(
    (Fraction(i, 5), Fraction(j, 5), Fraction(5 - i - j, 5))
    for i in range(1, 4)
    for j in range(1, 5 - i)
)
_SIZE: Final = (
    "chains with 2 states and rates in eighths, or 3 states and positive entries in fifths; "
    "all starts, all events, samples every t_mix and every t_mix + 1 steps"
)

Case = tuple[Chain, int, frozenset[int]]
"""A chain, a number of steps between samples, and the states where f = 1."""


def _chains() -> Iterator[Chain]:
    for leave, enter in product(_EIGHTHS, repeat=2):
        yield Chain(((1 - leave, leave), (enter, 1 - enter)))
    for rows in product(_FIFTHS, repeat=3):
        yield Chain(rows)


def _cases() -> Iterator[Case]:
    for chain in _chains():
        states = range(len(chain))
        mixed = mixing_time(chain)
        for gap, marks in product((mixed, mixed + 1), product((False, True), repeat=len(chain))):
            if any(marks):
                yield chain, gap, frozenset(e for e in states if marks[e])


def _all_ones(case: Case, start: int, most: int) -> list[Fraction]:
    """Pr(f = 1 at the first n samples), for n = 1 … most, when the first sample is the start."""
    chain, gap, ones = case
    states = range(len(chain))
    law = [Fraction(e == start and e in ones) for e in states]
    joint = [sum(law, Fraction(0))]
    for _ in range(most - 1):
        for _ in range(gap):
            law = [
                sum((law[e] * chain.rows[e][after] for e in states), Fraction(0))
                for after in states
            ]
        law = [weight if e in ones else Fraction(0) for e, weight in enumerate(law)]
        joint.append(sum(law, Fraction(0)))
    return joint


def _missing(case: Case) -> Fraction:
    """ε' = Pr(f = 0) under the stationary law."""
    chain, _, ones = case
    return 1 - sum((w for e, w in enumerate(stationary(chain)) if e in ones), Fraction(0))


def _conditionals_within(extra: Fraction) -> Evidence:
    def holds(case: Case) -> bool:
        most = 1 - _missing(case) + extra
        joints = (_all_ones(case, start, 4) for start in case[2])
        return all(after <= most * before for joint in joints for before, after in pairwise(joint))

    return exhausted(_cases(), holds, f"{_SIZE}; N ≤ 4")


def _probabilities_within(most: str, rate: str) -> Evidence:
    def holds(case: Case) -> bool:
        missing = _missing(case)
        return all(
            ball(joint) <= number(most) * (-number(rate) * ball(missing) * count).exp()
            for start in case[2]
            for count, joint in enumerate(_all_ones(case, start, 5), start=1)
        )

    return exhausted(_cases(), holds, f"{_SIZE}; N ≤ 5")


_LAZY: Final = Chain(
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
)


def _no_faster_than(rate: str) -> Evidence:
    """On the lazy chain Pr = (3/4)^N exactly, which is not within any K·exp(−rate·N/2)."""

    def slower() -> Evidence:
        return ordered(exp(-exact(rate) / 2), Fraction(3, 4))

    return together(
        partial(equal, mixing_time(_LAZY), 1),
        partial(equal, distance_from_stationarity(_LAZY, 1), Fraction(1, 4)),
        partial(equal, stationary(_LAZY), (Fraction(1, 2), Fraction(1, 2))),
        # The event is a single state, so one step from it is every step.
        partial(equal, _LAZY.rows[0][0], Fraction(3, 4)),
        slower,
    )


CLAIMS: Final = (
    LEMMA_2_CLOSING.proved(
        "G35",
        "1491-1498",
        "δ is the product of Pr(f(e_{t_i}) = 1 | all before) over i = 2 … N, times "
        "Pr(f(e_{t_1}) = 1)",
        partial(shown_by, product_of_conditionals),
        Mutant(
            "without Pr(f(e_{t_1}) = 1)",
            partial(shown_by, product_of_conditionals, with_first=False),
        ),
        assumptions=("each conditioning event has positive probability; else δ = 0",),
    ),
    LEMMA_2_CLOSING.proved(
        "G36.step",
        "1499-1501",
        "A law within 1/4 of π_e in total variation gives f = 1 at most 1/4 more than π_e does",
        partial(shown_by, passes_nearly_as_often),
        Mutant("1/5 more", partial(shown_by, passes_nearly_as_often, Fraction(1, 5))),
        assumptions=("t_mix = t_mix(1/4)", "t_i − t_{i−1} ≥ t_mix"),
    ),
    LEMMA_2_CLOSING.proved(
        "G36",
        "1499-1501",
        "Pr(f(e_{t_i}) = 1 | f = 1 at all samples before) ≤ 5/4 − ε' for i > 1: "
        "a_{i+1} ≤ (5/4 − ε')·a_i for i ≥ 1",
        beside(
            partial(_conditionals_within, Fraction(1, 4)), partial(shown_by, each_after_the_first)
        ),
        Mutant("6/5 − ε'", partial(shown_by, each_after_the_first, Fraction(1, 5))),
        Mutant("lags below t_mix", partial(shown_without, "mixed", each_after_the_first)),
        Mutant("6/5 − ε', tried", partial(_conditionals_within, Fraction(1, 5))),
        assumptions=("t_1, …, t_N are fixed", "t_i − t_{i−1} ≥ t_mix"),
    ),
    LEMMA_2_CLOSING.proved(
        "G37",
        "1503-1509",
        "δ ≤ (5/4 − ε')^(N−1) ≤ 8(5/4 − ε')^N: 8(5/4 − ε') ≥ 1, and products keep the order",
        partial(
            together,
            partial(_inverse_at_most, 8, Rational(1)),
            partial(products_keep_order, 1),
        ),
        Mutant("for ε' up to 6/5", partial(_inverse_at_most, 8, Rational(6, 5))),
        assumptions=(UNIT, "N ≥ 1"),
    ),
    LEMMA_2_CLOSING.proved(
        "S.G37",
        "1503-1509",
        "δ ≤ 4(5/4 − ε')^N, and 4 is needed at ε' = 1",
        partial(_inverse_at_most, 4, Rational(1)),
        Mutant("3 in place of 4", partial(_inverse_at_most, 3, Rational(1))),
        assumptions=(UNIT, "N ≥ 1"),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G39.cover",
        "1514-1521",
        "[0, 0.44] and [0.37, 1] overlap and cover [0, 1], so Pr(all f = 1) ≤ 8·exp(−Nε'/3)",
        partial(_covered, "1/3", "0.44", "0.37"),
        Mutant("the second from 0.45 on", partial(_covered, "1/3", "0.44", "0.45")),
        Mutant("with the rate 0.36", partial(_covered, "0.36", "0.375", "0.375")),
        assumptions=(UNIT, "δ ≤ 8λ₊^N", "δ ≤ 8(5/4 − ε')^N"),
    ),
    LEMMA_2_CLOSING.proved(
        "G39.monotone",
        "1522-1525",
        "exp(−Nε'/3) ≤ exp(−Nε/3): Nε/3 ≤ Nε'/3 for ε' ≥ ε",
        partial(at_most, u * p / 3, u * q / 3, {q: p, p: 0, u: 0}),
        Mutant("for ε' ≤ ε", partial(at_most, u * p / 3, u * q / 3, {p: q, q: 0, u: 0})),
        assumptions=("ε' ≥ ε ≥ 0",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "G39.chains",
        "1516-1525",
        "Pr(f(e_{t_i}) = 1 for all i ≤ N) ≤ 8·exp(−Nε'/3) ≤ 8·exp(−Nε/3)",
        beside(partial(_probabilities_within, "8", "1/3"), partial(shown_by, all_pass)),
        Mutant("small ε' up to 1/2", partial(shown_by, all_pass, split=Fraction(1, 2))),
        Mutant("large ε' from 1/3 on", partial(shown_by, all_pass, split=Fraction(1, 3))),
        Mutant("without ε ≤ ε'", partial(shown_without, "η ≤ ε", all_pass)),
        Mutant("9/10 in place of 8", partial(_probabilities_within, "9/10", "1/3")),
        assumptions=("t_i − t_{i−1} ≥ t_mix",),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G39",
        "1516-1525",
        "Pr(f(e_{t_i}) = 1 for all i ≤ N) ≤ 3·exp(−0.356·ε'N); λ₊ = 5/4 − ε' = 7/8 at ε' = 3/8, so "
        "these two bounds give no rate above (8/3)·ln(8/7) ≈ 0.3561",
        partial(_sharper, "3", "0.356", "3/8"),
        Mutant("the rate 0.357", partial(_sharper, "3", "0.357", "3/8")),
        Mutant("2.9 in place of 3", partial(_sharper, "2.9", "0.356", "3/8")),
        assumptions=(UNIT, "N ≥ 1", MATRIX_BOUND, "δ ≤ (5/4 − ε')^(N−1)"),
    ),
    LEMMA_2_CLOSING.enclosed(
        "S.G39.limit",
        "1516-1525",
        "No bound K·exp(−rε'N) with r ≥ 0.576 holds for all chains: the symmetric chain that stays "
        "with chance 3/4 has t_mix = 1, ε' = 1/2 and Pr = (3/4)^N from e_0 with t_i = i",
        partial(_no_faster_than, "0.576"),
        Mutant("r = 0.575", partial(_no_faster_than, "0.575")),
    ),
)
