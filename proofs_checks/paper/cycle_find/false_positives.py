"""The chance that a wrong period is accepted, and the union over all of them (l. 606-653)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Integer, Rational, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exact
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.proofs.chains.events import union_bound
from proofs_checks.proofs.chains.pairs import pairs_are_hard_to_fit
from proofs_checks.proofs.chains.vocabulary import FINITE
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import PERIOD
from proofs_checks.small_cases.period_settings import TESTABLE, Setting, on_settings
from steel_verified.theory.budget import period_charge
from steel_verified.worlds.chains import Chain, mixing_time, stationary

if TYPE_CHECKING:
    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


_HALVES: Final = tuple(Fraction(i, 2) for i in range(3))


@cache
def _chains() -> tuple[Chain, ...]:
    """Two states with rates in fifths, three states with rows in halves (where they are chains)."""
    found = [
        Chain(((1 - p, p), (q, 1 - q)))
        for p, q in product([Fraction(i, 5) for i in range(1, 6)], repeat=2)
        if p + q < 2
    ]
    rows = [row for row in product(_HALVES, repeat=3) if sum(row) == 1]
    for table in product(rows, repeat=3):
        try:
            found.append(Chain(table))
        except ValueError:
            continue
    return tuple(found)


def _after(chain: Chain, law: tuple[Fraction, ...], steps: int) -> tuple[Fraction, ...]:
    for _ in range(steps):
        law = tuple(
            sum((law[e] * chain.rows[e][f] for e in range(len(chain))), Fraction(0))
            for f in range(len(chain))
        )
    return law


def _mean(law: tuple[Fraction, ...], values: tuple[Fraction, ...]) -> Fraction:
    return sum((weight * value for weight, value in zip(law, values, strict=True)), Fraction(0))


def _near_stationary(chain: Chain, within: Fraction) -> bool:
    """Two pairs of samples, t_mix apart: each factor and the product are as Lemma 1 bounds them.

    The start stands for all that was seen before. `chances` are Pr(f' = 1 | e) in the latent states
    of the two pairs.
    """
    mixing, size = mixing_time(chain), len(chain)
    pi = stationary(chain)
    points = [tuple(Fraction(e == f) for f in range(size)) for e in range(size)]
    step = [_after(chain, point, mixing) for point in points]
    for chances in product(product((Fraction(0), Fraction(1)), repeat=size), repeat=2):
        for start in range(size):
            law, bound, seen = points[start], Fraction(1), Fraction(1)
            for position in range(4):
                chance = chances[position // 2]
                p = _mean(pi, chance)
                law = tuple(
                    sum((law[e] * step[e][f] for e in range(size)), Fraction(0))
                    for f in range(size)
                )
                one = _mean(law, chance)
                if not (p - within) * seen <= one <= (p + within) * seen:
                    return False
                wanted = chance if position % 2 == 0 else tuple(1 - c for c in chance)
                bound *= p + within if position % 2 == 0 else 1 - (p - within)
                law = tuple(weight * w for weight, w in zip(law, wanted, strict=True))
                seen = sum(law, Fraction(0))
            if seen > bound:
                return False
    return True


def _noise(within: Fraction) -> Evidence:
    return exact(
        _chains(),
        partial(_near_stationary, within=within),
        "chains of 2 states with rates in fifths and of 3 states with rows in halves, all starts, "
        "all pairs of classifiers, two pairs of samples",
    )


N, A, F, t = (Symbol(name) for name in ("N", "A", "F", "t"))
"""max_states, |A|, |F|, t̂_mix."""
p, delta = (Symbol(name) for name in ("p", "delta"))
cyc, more = (Symbol(name) for name in ("cyc", "more"))
"""n_cyc, what rounding up adds."""

_zero: Final = Integer(0)


def _first_sample(least: Expr) -> Evidence:
    """x̄_0 is at least t̂_mix after the call begins: (N−1)|â| = t̂_mix + more, or t̂_mix itself."""
    return together(
        partial(at_most, least, t + more, {t: 1, more: 0}),
        partial(at_most, least, t + _zero, {t: 1}),
    )


_factor: Final = (p + Rational(1, 4)) * (1 - (p - Rational(1, 4)))
_expanded: Final = -(p**2) + p + Rational(5, 16)


def _square(top: Expr) -> Evidence:
    return identity(top - _expanded, (p - Rational(1, 2)) ** 2)


so_far, bound, below, complement = (
    Symbol(name) for name in ("so_far", "bound", "below", "complement")
)


def _products(rate: Expr) -> Evidence:
    """One factor more, from 0 to 9/16, keeps a product below the power.

    A factor is (p + 1/4)(q + 1/4) with p, q ≥ 0 (and p + q = 1), so never negative.
    """
    quarter = Rational(1, 4)
    factor = Rational(9, 16) - below
    return together(
        partial(at_most, 0, (p + quarter) * (complement + quarter), {p: 0, complement: 0}),
        partial(at_most, so_far * factor, bound * rate, {bound: so_far, so_far: 0, below: 0}),
    )


def _tests_at_most(tests: Expr) -> Evidence:
    """The hypotheses above n_cyc are N − n_cyc many, each charged at most |F|·power ≥ 0."""
    power = Symbol("power")
    return at_most((N - cyc) * F * power, tests * F * power, {N: cyc, cyc: 1, F: 1, power: 0})


def _share(part: int) -> Evidence:
    """The tests' chance is that part of δ/(|A|N) at the defining share, and no more below it."""
    share = delta / (4 * A * N * (N - 1) * F)
    return together(
        partial(identity, (N - 1) * F * share, delta / (part * A * N)),
        partial(
            at_most,
            (N - 1) * F * so_far,
            (N - 1) * F * bound,
            {bound: so_far, so_far: 0, N: 2, F: 1},
        ),
    )


def _charge_within(setting: Setting, fewer: int) -> bool:
    """(N − 1)|F|(9/16)ⁿ ≤ δ/(4|A|N) at n = n_samp.cyc. − fewer."""
    parameters = setting.recipe.parameters
    amount = period_charge(setting.recipe, setting.most - 1).amount
    share = parameters.delta / (4 * parameters.actions * setting.most)
    return amount / setting.recipe.separation_rate**fewer <= share


CLAIMS: Final = (
    PERIOD.proved(
        "A21.times",
        "606",
        "x̄_0 is taken at least t̂_mix steps after the call begins, and (A20) every later sample of "
        "D_1 ⊎ D_0^(j') at least t̂_mix after the one before: Lemma 1 applies to each in turn",
        partial(_first_sample, t),
        Mutant("t̂_mix + 1 steps", partial(_first_sample, t + 1)),
        assumptions=("the times are fixed by s_0, T and the parameters (A01)",),
    ),
    PERIOD.proved(
        "A21.chance",
        "606-613",
        "Given all that was seen t_mix before, Pr(f' = 1) is within 1/4 of p_s; so f' fits k pairs "
        "of samples with chance at most the product of the (p_s + 1/4)(1 − (p_s − 1/4)), and at "
        "most (9/16)^k",
        beside(partial(_noise, Fraction(1, 4)), partial(shown_by, pairs_are_hard_to_fit)),
        Mutant("within 1/5", partial(shown_by, pairs_are_hard_to_fit, extra=Fraction(1, 5))),
        Mutant("(1/2)^k", partial(shown_by, pairs_are_hard_to_fit, Fraction(1, 2))),
        Mutant("no mixing", partial(shown_without, "t_mix", pairs_are_hard_to_fit)),
        Mutant("within 1/5, tried", partial(_noise, Fraction(1, 5))),
        assumptions=(FINITE,),
    ),
    PERIOD.equation(
        "A23",
        "615-623",
        "(p + 1/4)(1 − (p − 1/4)) = −p² + p + 5/16",
        _factor,
        _expanded,
        Slip("3/16 for 5/16", right=_expanded - Rational(1, 8)),
    ),
    PERIOD.proved(
        "A24.top",
        "625-627",
        "9/16 − (−p² + p + 5/16) = (p − 1/2)² ≥ 0 for every p, and 0 at p = 1/2 only",
        partial(_square, Rational(9, 16)),
        Mutant("1/2 for 9/16", partial(_square, Rational(1, 2))),
    ),
    PERIOD.proved(
        "A24.power",
        "625-627",
        "The factors lie in [0, 9/16] for p in [0, 1], so that k of them multiply to at most "
        "(9/16)^k: X ≤ B and 0 ≤ x ≤ 9/16 give X·x ≤ B·9/16",
        partial(_products, Rational(9, 16)),
        Mutant("rate 1/2", partial(_products, Rational(1, 2))),
    ),
    PERIOD.proved(
        "A24.class",
        "631",
        "The chance that some f' in F fits by accident is at most |F|·max FPR(f')",
        partial(shown_by, union_bound),
        Mutant("one classifier is not counted", partial(shown_by, union_bound, 1)),
        Mutant("chances below 0", partial(shown_without, "Pr ≥ 0", union_bound)),
    ),
    PERIOD.proved(
        "A27.tests",
        "653",
        "Only the tests of n' in {n_cyc + 1, …, N} can be false positives: N − n_cyc ≤ N − 1 "
        "tests, each with chance at most |F|(9/16)^k ≤ |F|(9/16)^n_samp.cyc.",
        partial(_tests_at_most, N - 1),
        Mutant("N − 2 tests", partial(_tests_at_most, N - 2)),
        assumptions=("k ≥ n_samp.cyc. (A26)",),
    ),
    PERIOD.proved(
        "A27.share",
        "653",
        "(N−1)|F|(9/16)ⁿ ≤ (N−1)|F|·δ/(4|A|N(N−1)|F|) = δ/(4|A|N) for n = n_samp.cyc.",
        partial(_share, 4),
        Mutant("δ/(8|A|N)", partial(_share, 8)),
        assumptions=(TESTABLE, "(9/16)ⁿ ≤ δ/(4|A|N(N−1)|F|): the definition of n_samp.cyc."),
    ),
    PERIOD.exhausted(
        "A27.code",
        "653",
        "(N−1)|F|(9/16)^n_samp.cyc. ≤ δ/(4|A|N), as the code charges it",
        partial(on_settings, partial(_charge_within, fewer=0)),
        Mutant("one sample fewer", partial(on_settings, partial(_charge_within, fewer=1))),
        assumptions=(TESTABLE,),
    ),
)
