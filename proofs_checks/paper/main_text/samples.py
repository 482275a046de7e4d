"""The samples of period tests and positions, as the overview has them (l. 188, 202-239)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import all_of, beside
from proofs_checks.proofs.deciding import PERIODS
from proofs_checks.replays import proof
from proofs_checks.sections import OVERVIEW
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, period_test, period_tests

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


t, n = (Symbol(name) for name in ("t", "n"))
"""t̂_mix, a number of samples."""
a, period, q, i, j, turns, row, rest, unused, p = (
    Symbol(name) for name in ("a", "period", "q", "i", "j", "turns", "row", "rest", "unused", "p")
)

_HALF: Final = Fraction(1, 2)

_cycle = period * a
_r = q * period
"""r in Algorithm 2, for the hypothesis n' = period and q = ⌈t̂_mix/(n'|â|)⌉."""
_ones = (2 * _r + period) * i
_zeros = _r + (2 * _r + period) * i + j
_wait = t + rest
"""⌈t̂_mix/L⌉·L, `rest` above t̂_mix."""


def _same_datasets(offset: Expr, stride: Expr) -> Evidence:
    """Indices of Section 4 against those of Algorithm 2, in steps."""
    whole = q * period * a
    return all_of(
        identity(a * _ones + offset, (2 * whole + stride) * i + offset),
        identity(a * _zeros + offset, whole + (2 * whole + stride) * i + j * a + offset),
    )


def _one_state_against_others(shift: int) -> Evidence:
    """D_1 at residue 0 modulo n', D_0 at the residues j of 1, …, n' − 1."""
    return all_of(
        identity(_ones + shift, period * ((2 * q + 1) * i)),
        identity(_zeros, period * (q + (2 * q + 1) * i) + j),
    )


def _residues_in_schedule(hypothesis: int, cycle: int, word: int, wait: int) -> list[int]:
    """The residues, modulo the period, of the words at which D_1 is sampled."""
    recipe = paper(parameters(4, wait, actions=1, class_size=4, delta=_HALF))
    ones = period_test(recipe, word, hypothesis, FixedByParameters()).ones
    return [(time - ones.first) // word % cycle for time in ones]


def _partner_row(shift: int) -> Evidence:
    """r + j' is a multiple of n_cyc, and 1 ≤ j' ≤ n_cyc ≤ n' − 1.

    j' = (−r − 1) mod n_cyc + 1 means −r − 1 = −turns·n_cyc + (j' − 1) with 0 ≤ j' − 1 < n_cyc.
    """
    cycle, r = Symbol("n_cyc"), Symbol("r")
    partner = (-r - 1 + turns * cycle) + 1 + shift
    first, second = r + (2 * r + period) * i + partner, (2 * r + period) * i
    return all_of(
        identity(first - second, turns * cycle),
        at_most(row + 1, period - 1, {period: cycle + 1, cycle: row + 1, row: 0}),
    )


def _pool_is_apart(more: Expr | int) -> Evidence:
    """The four kinds of neighbours in D_1 ⊎ D_0^(j'), 1 ≤ j' ≤ n' − 1."""
    least: Mapping[Symbol, Expr | int] = {period: j + 1, j: 1, t: 1, a: 1, rest: 0}
    repeat = 2 * _wait + _cycle
    return all_of(
        at_most(t + more, _wait + j * a, least),
        at_most(t + more, repeat - (_wait + j * a), least),
        at_most(t + more, repeat, least),
    )


def _tests_in_order(last: int) -> Evidence:
    return exhausted(
        range(1, 13),
        lambda most: (
            [
                test.hypothesis
                for test in period_tests(
                    paper(parameters(most, 1, actions=1, class_size=most, delta=_HALF)),
                    1,
                    FixedByParameters(),
                )
            ]
            == list(range(most, last, -1))
        ),
        "N ≤ 12",
    )


def _lucky_noise_separates() -> bool:
    """One state, a fair coin as noise, F = {1, the coin}, n' = 2: all of D_1 heads, D_0 tails."""
    recipe = paper(parameters(2, 1, actions=1, class_size=2, delta=_HALF))
    test = period_test(recipe, 1, 2, FixedByParameters())
    ones, zeros = set(test.ones), set(test.zeros)
    heads = {time: time in ones for time in ones | zeros}
    chance = Fraction(1, 2) ** len(heads)
    return chance > 0 and all(heads[s] for s in ones) and not any(heads[s] for s in zeros)


_LOOP: Final[Mapping[Symbol, Expr | int]] = {n: 1, rest: 0, period: 1, a: 1, t: 1}


def _positions_apart(more: int) -> Evidence:
    """Within a half, between the halves, and from the end of an earlier call."""
    settling, late, early = Symbol("settling"), Symbol("late"), Symbol("early")
    last_early = settling + early + (n - 1) * _wait
    first_late = settling + (n - 1) * _wait + _cycle + t + late
    least: Mapping[Symbol, Expr | int] = {settling: t, late: 0, unused: 0, **_LOOP}
    # A position is at most L − 1 steps into the first cycle.
    within = {early: _cycle - 1 - unused}
    return all_of(
        at_most(t + more, _wait, _LOOP),
        at_most(t + more, (first_late - last_early).subs(within), least),
        at_most(t + more, settling, {settling: t, t: 1}),
    )


def _twice(factor: int) -> Evidence:
    """Two halves and the wait between them, against `factor` rollouts with one half."""
    settling = Symbol("settling")
    one = (n - 1) * _wait + _cycle
    least: Mapping[Symbol, Expr | int] = {settling: t, **_LOOP}
    return at_most(2 * one + t + settling, factor * (one + settling), least)


def _spacing(more: int) -> Evidence:
    """max(t, L) ≤ ⌈t/L⌉·L ≤ 2·max(t, L) − 1, for t ≤ L and for t > L."""
    loop = Symbol("L")
    rounded = t + loop - 1 - unused
    return all_of(
        # t ≤ L: one cycle. The ceiling is 1.
        at_most(loop + more, 2 * loop - 1, {loop: 1}),
        # t ≥ L: at most L − 1 more than t.
        at_most(rounded + more, 2 * t - 1, {unused: 0, t: loop, loop: 1}),
        # From below: it is a positive multiple of L, and not below t.
        at_most(loop, q * loop, {q: 1, loop: 1}),
        at_most(t, _wait, {rest: 0, t: 1}),
    )


CLAIMS: Final = (
    OVERVIEW.proved(
        "M12",
        "188",
        "the samples of a position are at least t̂_mix apart, within a half, between the halves and "
        "from anything before the call",
        partial(_positions_apart, 0),
        Mutant("t̂_mix + 1", partial(_positions_apart, 1)),
    ),
    OVERVIEW.proved(
        "M15",
        "202-203",
        "if n' = n_cyc, D_1 is sampled at residue 0 and D_0 at residues 1, …, n' − 1 modulo n_cyc",
        partial(_one_state_against_others, 0),
        Mutant("D_1 one word later", partial(_one_state_against_others, 1)),
    ),
    OVERVIEW.proved(
        "M16",
        "207",
        "the periods are tested from N down to 2; 1 is what remains",
        beside(partial(_tests_in_order, 1), proof(PERIODS, "M16")),
        Mutant("down to 3", partial(_tests_in_order, 2)),
        proof(PERIODS, "M16").misstated(
            "the period reported fails as well", "M16", given="reported <= n <= N"
        ),
    ),
    OVERVIEW.proved(
        "M17",
        "212, 216, 219",
        "D_0 and D_1 of the overview, in steps, are those of Algorithm 2, in words: t̄_mix = r|â|",
        partial(_same_datasets, Symbol("offs"), _cycle),
        Mutant("n'|â| + 1 for n'|â|", partial(_same_datasets, Symbol("offs"), _cycle + 1)),
    ),
    OVERVIEW.equation(
        "M18",
        "221",
        "(p + 1/4)(5/4 − p) = 9/16 − (p − 1/2)²: a classifier separates a pair of samples of one "
        "state with a chance of at most 9/16, and so k pairs with at most (9/16)ᵏ",
        (p + Rational(1, 4)) * (Rational(5, 4) - p),
        Rational(9, 16) - (p - Rational(1, 2)) ** 2,
        Slip("1/2 for 9/16", right=Rational(1, 2) - (p - Rational(1, 2)) ** 2),
        erratum=Erratum(
            printed="D_1 and D_0 are perfectly distinguishable only if n' = n_cyc",
            counterexample="one state, a fair coin as noise, F = {1, the coin}, n' = 2 > n_cyc = "
            "1: with positive chance the coin is 1 on all of D_1 and 0 on all of D_0",
            refuted=_lucky_noise_separates,
            corrected="for n' > n_cyc they are distinguishable with a chance of at most "
            "|F|·(9/16)ᵏ",
            consequence="none: line 207 and the proof say it with probabilities",
        ),
    ),
    OVERVIEW.proved(
        "M21",
        "229-234",
        "for each i, the i-th samples of D_0^(j') and of D_1 are a multiple of n_cyc words apart, "
        "and 1 ≤ j' ≤ n' − 1, so that D_0^(j') is part of D_0",
        partial(_partner_row, 0),
        Mutant("j' − 1 for j'", partial(_partner_row, -1)),
        assumptions=("n_cyc < n'",),
        erratum=Erratum(
            printed="all samples of D_0^(j') and of D_1 have the same latent state",
            counterexample="n_cyc = 2, n' = 3, |â| = 1, t̂_mix = 3: r = 3, D_1 is sampled every "
            "2r + n' = 9 words and alternates between two states",
            refuted=lambda: len(set(_residues_in_schedule(3, 2, word=1, wait=3))) == 2,
            corrected="for each i, the i-th sample of D_0^(j') has the state of the i-th of D_1",
            consequence="the theorem survives as it is: the proof compares samples in pairs, and "
            "the classifier's chance may differ from pair to pair",
        ),
    ),
    OVERVIEW.proved(
        "M21.apart",
        "234",
        "any two samples of D_1 and D_0^(j') are at least t̂_mix apart",
        partial(_pool_is_apart, 0),
        Mutant("t̂_mix + 2", partial(_pool_is_apart, 2)),
    ),
    OVERVIEW.equation(
        "S.M21",
        "229-234",
        "they all have the same latent state if n_cyc divides n': then 2r + n' is a multiple of "
        "n_cyc",
        2 * q * (turns * period) + turns * period,
        period * (turns * (2 * q + 1)),
        Slip("n' + 1 for n'", left=2 * q * (turns * period) + turns * period + 1),
    ),
    OVERVIEW.proved(
        "S.M21.apart",
        "234",
        "they are at least t̂_mix + |â| apart",
        partial(_pool_is_apart, a),
        Mutant("t̂_mix + |â| + 1", partial(_pool_is_apart, a + 1)),
    ),
    OVERVIEW.proved(
        "M22",
        "239",
        "two halves, the wait between them included, take at most twice the steps of one",
        partial(_twice, 2),
        Mutant("no more steps than one", partial(_twice, 1)),
        assumptions=("n_0 ≥ t̂_mix, which is its definition",),
    ),
    OVERVIEW.proved(
        "M23",
        "239",
        "max(t̂_mix, L) ≤ ⌈t̂_mix/L⌉·L ≤ 2·max(t̂_mix, L) − 1 for L = n_cyc|â|: the spacing of a "
        "half; 'roughly' hides a factor below 2",
        partial(_spacing, 0),
        Mutant("2·max(t̂_mix, L) − 2", partial(_spacing, 1)),
    ),
)
