"""The bound of the theorem, as the introduction states it (l. 84-90, 148, 239).

Logarithms enter through rational bounds that are enclosed once (`S.M01.logs`); everything after
that is algebra.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Integer, Rational, Symbol, log

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.algebra import formula
from proofs_checks.kernels.intervals import ordered
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import all_of, together
from proofs_checks.sections import INTRODUCTION, NOTATION, OVERVIEW
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory import counts
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


N, S, D, t, A, n, w = (Symbol(name) for name in ("N", "S", "D", "t", "A", "n", "w"))
"""max_states, |S|, diameter, t̂_mix, |A|, a number of samples, |S|·ln(16|S|²|F|/δ)/ε."""
x, y, z, eps = (Symbol(name) for name in ("x", "y", "z", "eps"))
"""ln(|F|/δ), ln N + ln |A|, the logarithm of the theorem's expression, ε."""

_HALF: Final = Fraction(1, 2)

_AT_LEAST_TWO: Final[Mapping[Symbol, Expr | int]] = {N: S, S: 2, D: 1, t: 1, n: 1}
"""More than one state, so that D ≥ 1."""
_word = S * (D + 1)
_period_branch = (2 * t + 3 * N * _word - 2) * n
_position_branch = 2 * (t + S * _word - 1) * n + 2 + (N - 1) * _word

_LOG_BOUNDS: Final[Mapping[Symbol, Expr | int]] = {z: y + 1, y: 0, x: Rational(69, 100)}
_position_samples = Rational(7, 4) * (Rational(209, 100) + 5 * y + x) + 1
_encoder_log = Rational(139, 50) + 2 * y + x

_theorem = (
    N * D * S**2 * A * x + S * A * t * (Symbol("ln_N") + x) + S**2 * D / eps * x + S * t / eps * x
)


def _logarithms(half: Fraction = Fraction(69, 100)) -> Evidence:
    """Enclose the rational bounds on logarithms that the algebra uses."""
    return together(
        partial(ordered, half, log(2)),
        partial(ordered, 1, log(4) + log(formula(half))),
        partial(ordered, log(8), Fraction(209, 100)),
        partial(ordered, log(16), Fraction(139, 50)),
        partial(ordered, Fraction(4, 7), log(Rational(16, 9))),
    )


def _logarithms_of_samples(factor: int) -> Evidence:
    return all_of(
        at_most(_position_samples, factor * x * z, _LOG_BOUNDS),
        at_most(_encoder_log, 6 * x * z, _LOG_BOUNDS),
    )


def _phase_two(factor: int) -> Evidence:
    """Both sides of the maximum max(|S|D, t̂_mix + D), times d − 1 + |S| ≤ 3w + |S|."""
    least: Mapping[Symbol, Expr | int] = {w: S, S: 2, D: 1, t: 1}
    stated = factor * w * (S * D + t)
    return all_of(
        at_most((3 * w + S) * S * D, stated, least),
        at_most((3 * w + S) * (t + D), stated, least),
    )


def _one_state_many_allowed() -> bool:
    """|S| = |A| = |F| = 1, t̂_mix = 1, δ = ε = 1/2, N = 2ᵏ: steps outgrow the printed expression.

    The expression is ln(2N) + 2 ln 2 ≤ k + 3, and (k+3)² bounds it with its logarithm.
    """
    for k in (10, 20, 40, 80):
        recipe = paper(
            parameters(2**k, 1, max_diameter=0, actions=1, class_size=1, delta=_HALF, epsilon=_HALF)
        )
        steps = counts.initial_rollout(recipe, word_length=1)
        if not steps > 2 ** (k // 2) * (k + 3) ** 2:
            return False
    return True


def _diameter_is_felt() -> bool:
    """With D̂ = 2ᵏ, n_samp. ≥ k, while the expression has no D̂ at all."""
    return all(
        counts.position_samples(
            paper(parameters(2, 1, max_diameter=2**k, actions=1, class_size=2, delta=_HALF))
        )
        >= k
        for k in (10, 100, 1000)
    )


_SEVERAL_STATES: Final = ("|S| ≥ 2, so that D ≥ 1",)
_NO_RUNAWAY_DIAMETER: Final = ("|S| ≥ 2", "D̂ ≤ N", "|S| ≤ |F| (realizability)")

CLAIMS: Final = (
    INTRODUCTION.proved(
        "M01",
        "84-88, 174-179, 1059-1063",
        "per call of CycleFind, both branches of the bound are at most (6·N·D·|S| + 2·t̂_mix)·n, "
        "with n ≥ 1 the number of samples and |â| = |S|(D + 1): the theorem's first two terms",
        partial(
            lambda factor: all_of(
                at_most(_period_branch, (factor * N * D * S + 2 * t) * n, _AT_LEAST_TWO),
                at_most(_position_branch, (factor * N * D * S + 2 * t) * n, _AT_LEAST_TWO),
            ),
            6,
        ),
        Mutant(
            "5·N·D·|S|",
            partial(at_most, _period_branch, (5 * N * D * S + 2 * t) * n, _AT_LEAST_TWO),
        ),
        assumptions=_SEVERAL_STATES,
        erratum=Erratum(
            printed="for every |S| ≤ N, the steps are O*(N·D·|S|²|A|·log(|F|/δ) + "
            "|S||A|·t̂_mix·log(N|F|/δ) + |S|²D/ε·log(|F|/δ) + |S|·t̂_mix/ε·log(|F|/δ))",
            counterexample="|S| = |A| = |F| = 1 has D = 0, and both terms with D vanish; but with "
            "t̂_mix = 1, δ = ε = 1/2 and N = 2ᵏ, c_init alone exceeds 2^(k/2)·(k+3)², where "
            "k + 3 bounds the expression",
            refuted=_one_state_many_allowed,
            corrected="the same with max(D, 1) for D; as printed, if |S| ≥ 2",
            consequence="the theorem survives as it is for more than one state, and with max(D, 1) "
            "in general",
        ),
    ),
    INTRODUCTION.proved(
        "M01.phase2",
        "84-88, 174-179, 1059-1063",
        "(d − 1 + |S|)·max(|S|D, t̂_mix + D) ≤ 4·(|S|²D/ε + |S|t̂_mix/ε)·ln(16|S|²|F|/δ): "
        "the last two terms of the theorem",
        partial(_phase_two, 4),
        Mutant("3 for 4", partial(_phase_two, 3)),
        assumptions=("|S| ≥ 2", "w = |S|·ln(16|S|²|F|/δ)/ε ≥ |S|, as ln 32 > 1 > ε"),
    ),
    INTRODUCTION.proved(
        "M01.samples",
        "84-88, 174-179, 1059-1063",
        "with f the theorem's expression, n_samp. ≤ 13·ln(|F|/δ)·ln f and ln(16|S|²|F|/δ) ≤ "
        "6·ln(|F|/δ)·ln f: what O* hides",
        partial(_logarithms_of_samples, 13),
        Mutant("12 for 13", partial(_logarithms_of_samples, 12)),
        assumptions=(*_NO_RUNAWAY_DIAMETER, "the bounds on logarithms of S.M01.logs"),
    ),
    INTRODUCTION.bound(
        "M01.fewer",
        "84-88, 174-179, 1059-1063",
        "n_samp.cyc. ≤ n_samp., as N − 1 ≤ N³(D̂ + 1): one n serves for both branches",
        N - 1,
        N**3 * (D + 1),
        {N: 1, D: 0},
        Slip("N³ for N − 1, N for N³(D̂ + 1)", left=N**3, right=N * (D + 1)),
    ),
    INTRODUCTION.enclosed(
        "S.M01.logs",
        "84-88",
        "ln 2 > 0.69, ln 4 + ln 0.69 > 1, ln 8 < 2.09, ln 16 < 2.78, 1/ln(16/9) < 7/4",
        partial(_logarithms),
        Mutant("ln 2 > 0.7", partial(_logarithms, Fraction(7, 10))),
    ),
    INTRODUCTION.bound(
        "S.M01",
        "84-88",
        "an explicit constant: the steps are at most 78·f·ln f, f being the theorem's expression",
        S * A * (6 * N * D * S + 2 * t) * 13 * x * z + 24 * (S**2 * D + S * t) * w * x * z,
        78 * (N * D * S**2 * A * x + S * A * t * x + (S**2 * D + S * t) * w * x) * z,
        {w: 1, **_LOG_BOUNDS, N: S, S: 2, D: 1, t: 1, A: 1},
        Slip(
            "77 for 78",
            right=77 * (N * D * S**2 * A * x + S * A * t * x + (S**2 * D + S * t) * w * x) * z,
        ),
        assumptions=(
            *_NO_RUNAWAY_DIAMETER,
            "w = 1/ε, and ln(N|F|/δ) is replaced by the smaller ln(|F|/δ)",
            "M01, M01.phase2, M01.samples",
        ),
    ),
    INTRODUCTION.proved(
        "M05",
        "90",
        "the expression under O* has no second derivative in t̂_mix, nor in ln |F|",
        partial(
            lambda expression: all_of(
                identity(expression.diff(t).diff(t), Integer(0)),
                identity(expression.diff(x).diff(x), Integer(0)),
            ),
            _theorem,
        ),
        Mutant("t̂_mix²", partial(identity, (_theorem * t).diff(t).diff(t), Integer(0))),
        assumptions=("the factor ln f of O* is left aside, as printed",),
    ),
    NOTATION.bound(
        "M08",
        "148",
        "if D̂ ≤ N, then N³(D̂ + 1) ≤ 2N⁴, so that n_samp. has no D̂ in it",
        N**3 * (D + 1),
        2 * N**4,
        {N: D + 1, D: 0},
        Slip("N⁴/2 for 2N⁴", left=2 * N**3 * (D + 1), right=N**4),
        assumptions=("D̂ ≤ N (else N − 1 may be used for it)",),
        erratum=Erratum(
            printed="for any D̂ ≥ D, D̂ does not appear in the asymptotic number of steps",
            counterexample="N = 2, |A| = 1, |F| = 2, t̂_mix = 1, δ = 1/2 and D̂ = 2ᵏ: n_samp. ≥ k, "
            "while the printed expression does not change",
            refuted=_diameter_is_felt,
            corrected="it does not if D̂ ≤ N; as D ≤ N − 1, min(D̂, N − 1) may always be used",
            consequence="the theorem survives with D̂ ≤ N added to its assumptions: its proof "
            "uses it (l. 1047)",
        ),
    ),
    OVERVIEW.proved(
        "M24",
        "239",
        "the part of the expression with t̂_mix is linear in |S|, the rest is quadratic",
        partial(
            lambda expression: all_of(
                identity(expression.diff(t).diff(S).diff(S), Integer(0)),
                identity(expression.diff(S).diff(S), 2 * N * D * A * x + 2 * D / eps * x),
            ),
            _theorem,
        ),
        Mutant(
            "|S|² in the second term",
            partial(identity, (_theorem * S).diff(t).diff(S).diff(S), Integer(0)),
        ),
        assumptions=("N and D are held fixed",),
    ),
)
