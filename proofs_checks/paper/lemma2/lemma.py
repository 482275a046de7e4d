"""Lemma 2 itself, for observations, and with a sharper matrix (l. 972, 1102-1106, 1414-1418)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from flint import ctx
from sympy import Integer, Rational, Symbol, exp, sqrt

from proofs_checks.claim import Mutant
from proofs_checks.kernels.algebra import formula
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.intervals import ordered, positive, positive_from_zero
from proofs_checks.kernels.symbolic import identities
from proofs_checks.kernels.together import beside
from proofs_checks.paper.lemma2.one_sample import missed
from proofs_checks.proofs.chains.eigenvector import all_pass, all_pass_sharper
from proofs_checks.proofs.chains.observations import pairs_mix_as_states_do
from proofs_checks.proofs.chains.vocabulary import FINITE
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import LEMMA_2
from proofs_checks.small_cases.chains import WHICH, Mixed, Weights, all_mixed, passing, total
from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import Chain, mixing_time

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence

_HALF: Final = Fraction(1, 2)
eps = Symbol("ε")
length = Symbol("λ")
_MANY_SAMPLES: Final = 30
"""So many that 8·exp(−ε'N/3) is below 1 from ε' = 1/4 on."""
_EVENT: Final = (Fraction(0), Fraction(1))
_OBSERVATION: Final = (Fraction(0), _HALF, Fraction(1))


def _chance_bound(factor: Fraction, rate: Fraction, chances: tuple[Fraction, ...]) -> Evidence:
    """Pr(all pass) ≤ factor·exp(−rate·ε'·N) from the worst start, for every N up to a number.

    Backwards: the chance from e that all N pass is g(e) times the mean, after the gap, of the
    chance that N − 1 pass. So all starts come at once, and Γ is not used.
    """
    cases = (
        (mixed, weights)
        for mixed in all_mixed()
        for weights in product(chances, repeat=len(mixed.chain))
    )

    def holds(case: tuple[Mixed, Weights]) -> bool:
        mixed, weights = case
        miss, pass_all = missed(mixed, weights), weights
        with ctx.workprec(128):
            for count in range(1, _MANY_SAMPLES + 1):
                bound = ball(factor) * (-ball(rate * miss * count)).exp()
                if not ball(max(pass_all)) <= bound:
                    return False
                rows = mixed.powers[mixed.t_mix + count % 2]
                pass_all = passing(weights, tuple(total(passing(row, pass_all)) for row in rows))
        return True

    passes = ", ".join(str(chance) for chance in chances)
    size = f"every start, chances {passes} to pass in each state, N ≤ {_MANY_SAMPLES}"
    return exhausted(cases, holds, f"{WHICH}; {size}")


def _pairs_mix_as_fast(later: int) -> Evidence:
    """The chain of states with the bits they show, for chances ½ and 1 of a 1."""
    chances = (_HALF, Fraction(1))
    cases = (
        (mixed, shows)
        for mixed in all_mixed()
        for shows in product(chances, repeat=len(mixed.chain))
    )

    def holds(case: tuple[Mixed, Weights]) -> bool:
        mixed, shows = case
        pairs = [(e, chance) for e, one in enumerate(shows) for chance in (one, 1 - one) if chance]
        rows = tuple(
            tuple(mixed.chain.rows[e][f] * chance for f, chance in pairs) for e, _ in pairs
        )
        return mixing_time(Chain(rows)) == mixed.t_mix + later

    return exhausted(cases, holds, f"{WHICH}; a bit that is 1 with chance ½ or 1 in each state")


_sharper_length = (Rational(5, 4) - eps + sqrt((eps - Rational(1, 4)) ** 2 + Rational(1, 2))) / 2


def _below_exponential(rate: Fraction) -> Evidence:
    gap = exp(-formula(rate) * eps) - _sharper_length
    return positive_from_zero(gap, eps, Fraction(0), Fraction(1, 10), _HALF)


def _simple_below_exponential(rate: Fraction, start: Fraction) -> Evidence:
    return positive(exp(-formula(rate) * eps) - (Rational(5, 4) - eps), eps, start, Fraction(1))


_quadratic = length**2 - (Rational(5, 4) - eps) * length + (1 - 2 * eps) / 4
_c = 2 / (4 * length - 1)


def _left_eigenvector(scale: int) -> Evidence:
    return identities(
        ((1 - eps + _c * eps / 2 - length) * (4 * length - 1), -4 * scale * _quadratic),
        (Rational(1, 2) + _c / 4, _c * length),
        (_quadratic.subs({length: _sharper_length}), Integer(0)),
        # At λ = ¾ the quadratic is (2ε − 1)/8 ≤ 0 for ε ≤ ½: so its larger root is ≥ ¾ and c ≤ 1.
        (_quadratic.subs({length: Rational(3, 4)}), (2 * eps - 1) / 8),
    )


def _constant_after_one_free_sample(rate: Fraction, factor: Fraction) -> Evidence:
    """exp(rate) < factor: the price of (5/4 − ε')^{N−1} instead of the N-th power."""
    return ordered(exp(formula(rate)), factor)


_RATE: Final = Fraction(4, 7)

CLAIMS: Final = (
    LEMMA_2.enclosed(
        "G01",
        "1102-1106",
        "Pr(f(e_{t_1}) = … = f(e_{t_N}) = 1) ≤ 8·exp(−εN/3), from every start, with gaps ≥ t_mix, "
        "for every N ≥ 1 and every chain with finitely many states",
        beside(
            partial(_chance_bound, Fraction(8), Fraction(1, 3), _EVENT), partial(shown_by, all_pass)
        ),
        Mutant("8·exp(−εN)", partial(shown_by, all_pass, rate=Fraction(1))),
        Mutant("2·exp(−εN/3)", partial(shown_by, all_pass, Fraction(2))),
        Mutant("no mixing", partial(shown_without, "t_mix", all_pass)),
        Mutant("no Markov property", partial(shown_without, "Markov", all_pass)),
        Mutant("8·exp(−εN), tried", partial(_chance_bound, Fraction(8), Fraction(1), _EVENT)),
        Mutant(
            "9/10·exp(−εN/3), tried",
            partial(_chance_bound, Fraction(9, 10), Fraction(1, 3), _EVENT),
        ),
        assumptions=(
            "gaps between samples only: no gap is needed before t_1",
            FINITE,
        ),
    ),
    LEMMA_2.enclosed(
        "G01.observations",
        "972, 1102-1106",
        "the Lemma as Phase 3 uses it, for f(x) with x ~ Q(s, e): Pr(all f(x_{t_i}) = 1) ≤ "
        "8·exp(−εN/3), where Γ multiplies by g(e) = Pr(f(x) = 1 | s, e), any number in [0, 1]",
        beside(
            partial(_chance_bound, Fraction(8), Fraction(1, 3), _OBSERVATION),
            partial(shown_by, all_pass),
        ),
        Mutant("g above 1", partial(shown_without, "g ≤ 1", all_pass)),
        Mutant("8·exp(−εN), tried", partial(_chance_bound, Fraction(8), Fraction(1), _OBSERVATION)),
        assumptions=("given e_{t_1}, …, e_{t_N} the observations are independent", FINITE),
    ),
    LEMMA_2.proved(
        "G01.pairs",
        "972, 1102-1106",
        "the pairs (e_t, x_t) with x_t ~ Q(s, e_t) are a chain with the mixing time of (e_t): so "
        "the Lemma, stated for f(e), applies to f(x) as it stands",
        beside(partial(_pairs_mix_as_fast, 0), partial(shown_by, pairs_mix_as_states_do)),
        Mutant("twice as far", partial(shown_by, pairs_mix_as_states_do, 2)),
        Mutant(
            "chances of observations that do not sum to 1",
            partial(shown_without, "Q law", pairs_mix_as_states_do),
        ),
        Mutant("one step later, tried", partial(_pairs_mix_as_fast, 1)),
        assumptions=("t_mix ≥ 1", "pairs of chance 0 are left out"),
    ),
    LEMMA_2.proved(
        "S.G19",
        "1414-1418",
        "(1, c) with c = 2/(4λ − 1) is a left eigenvector of [[1 − ε', ½], [ε'/2, ¼]] for "
        "λ = (5/4 − ε' + √((ε' − ¼)² + ½))/2, and λ ≥ ¾, c ≤ 1 for ε' ≤ ½: so that "
        "Pr(all f = 1) ≤ (1 + c·b_0)·λ^N ≤ 3·λ^N there",
        partial(_left_eigenvector, 1),
        Mutant("the quadratic twice", partial(_left_eigenvector, 2)),
        assumptions=("S.G15", "b_0 ≤ 2"),
    ),
    LEMMA_2.enclosed(
        "S.G01.a",
        "1105",
        "λ ≤ exp(−4ε'/7) for 0 ≤ ε' ≤ ½ (both are 1 at 0)",
        partial(_below_exponential, _RATE),
        Mutant("exp(−3ε'/5)", partial(_below_exponential, Fraction(3, 5))),
    ),
    LEMMA_2.enclosed(
        "S.G01.b",
        "1105",
        "5/4 − ε' < exp(−4ε'/7) for ½ ≤ ε' ≤ 1",
        partial(_simple_below_exponential, _RATE, _HALF),
        Mutant("from 2/5 on", partial(_simple_below_exponential, _RATE, Fraction(2, 5))),
    ),
    LEMMA_2.enclosed(
        "S.G01.c",
        "1105",
        "(5/4 − ε')^(N−1) ≤ exp(4/7)·exp(−4ε'N/7) < 3·exp(−4ε'N/7) for ½ ≤ ε' ≤ 1",
        partial(_constant_after_one_free_sample, _RATE, Fraction(3)),
        Mutant("a factor of 7/4", partial(_constant_after_one_free_sample, _RATE, Fraction(7, 4))),
        assumptions=("S.G01.b",),
    ),
    LEMMA_2.enclosed(
        "S.G01",
        "1105",
        "Pr(all f = 1) ≤ 3·exp(−4εN/7) for every N ≥ 1 and every chain with finitely many states: "
        "better than 8·exp(−εN/3)",
        beside(
            partial(_chance_bound, Fraction(3), _RATE, _EVENT), partial(shown_by, all_pass_sharper)
        ),
        Mutant("3·exp(−εN)", partial(shown_by, all_pass_sharper, rate=Fraction(1))),
        Mutant("2·exp(−4εN/7)", partial(shown_by, all_pass_sharper, Fraction(2))),
        Mutant("3·exp(−εN), tried", partial(_chance_bound, Fraction(3), Fraction(1), _EVENT)),
        assumptions=(FINITE,),
    ),
)
