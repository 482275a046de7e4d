"""While the noise is quiet, no learner succeeds in both worlds (l. 1684-1692)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol, exp, log

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import equal, exact
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import together
from proofs_checks.sections import MIXING_BOUND
from steel_verified.theory.exact import ball, ceiling, least_power

if TYPE_CHECKING:
    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


_HALF: Final = Fraction(1, 2)

gamma, delta, n_power = Symbol("γ"), Symbol("δ"), Symbol("power")

spare = Symbol("spare")

only_a, only_b, neither = (Symbol(name) for name in ("only_a", "only_b", "neither"))


def _quiet_runs(chance: Fraction, with_start: Fraction) -> Evidence:
    """The union bound over two failures of chance 0.1, and an even chance to start at e₁."""
    certain = 1 - only_a - only_b - neither
    failures = (only_b + neither) + (only_a + neither)
    return together(
        partial(at_most, 1 - failures, certain, {only_a: 0, only_b: 0, neither: 0}),
        lambda: equal(1 - 2 * Fraction(1, 10), chance),
        lambda: equal(_HALF * chance, with_start),
    )


def _independent_quiet_runs(chance: Fraction, with_start: Fraction) -> Evidence:
    """The noise does not depend on actions: up to the first change, A runs as on M₁ beside it.

    So the chance of both is the product of two that are at least 0.9.
    """
    stay, halts = Symbol("stay"), Symbol("halts")
    nine = Rational(9, 10)
    product_of_both = Rational(chance.numerator, chance.denominator)
    return together(
        partial(at_most, product_of_both, stay * halts, {stay: nine, halts: nine}),
        lambda: equal(_HALF * chance, with_start),
    )


inside, outside, quiet = Symbol("inside"), Symbol("outside"), Symbol("quiet")


def _fails(times: int) -> Evidence:
    """Of the chance δ to fail on M₂, `inside` lies in quiet runs, whose chance is at least 0.4.

    1 − inside/quiet ≥ 1 − δ/0.4, and quiet − inside ≥ 0.4 − δ.
    """
    most = inside + outside + spare
    two_fifths = Rational(2, 5)
    least: dict[Symbol, Expr | int] = {quiet: two_fifths, inside: 0, outside: 0, spare: 0}
    return together(
        partial(at_most, inside * two_fifths * times, most * quiet, least),
        partial(at_most, two_fifths - most, quiet - inside * times, least),
    )


def _contradiction(quiet_chance: Expr, limit: Expr) -> Evidence:
    """For δ = limit − gap: the chance to fail on M₃ exceeds δ by 2·gap at least."""
    gap = Symbol("gap")
    small = limit - gap
    return at_most(2 * gap, (quiet_chance - small) - small, {gap: 0})


def _unseen(start: Expr) -> Evidence:
    """e₂ is not met in n steps with chance ½(1 − γ)ⁿ; this is δ for n = log(2δ)/log(1 − γ)."""
    chance = n_power / 2
    steps, decay, more = Symbol("steps"), Symbol("decay"), Symbol("more")
    exactly = log(2 * delta) / log(1 - gamma)
    return together(
        partial(identity, chance.subs({n_power: start}), Rational(1, 2)),
        partial(identity, chance * (1 - gamma), chance.subs({n_power: n_power * (1 - gamma)})),
        partial(identity, exp(exactly * log(1 - gamma)) / 2, delta),
        # More steps only lower it: log(1 − γ) = −decay.
        partial(at_most, -decay * (steps + more), -decay * steps, {steps: 0, decay: 0, more: 0}),
    )


_GAMMAS: Final = (*(Fraction(k, 20) for k in range(1, 10)), Fraction(1, 100), Fraction(1, 999))
_DELTAS: Final = tuple(Fraction(1, d) for d in (3, 5, 7, 20, 100, 1000))


def _unseen_steps(factor: int) -> Evidence:
    """Against the least n with ½(1 − γ)ⁿ ≤ δ, in rational arithmetic."""

    def holds(case: tuple[Fraction, Fraction]) -> bool:
        chance, unlikely = case
        stated = ceiling(lambda: ball(factor * unlikely).log() / ball(1 - chance).log())
        return least_power(1 - chance, 2 * unlikely) == stated

    return exact(product(_GAMMAS, _DELTAS), holds, "γ from 1/999 to 9/20, δ from 1/1000 to 1/3")


def _not_both(limit: int) -> Evidence:
    """If e₂ is not met, an encoder fails M₂ or M₃: their chances to fail add up to `unseen`.

    If neither exceeds δ, then unseen ≤ 2δ: the steps for which ½(1 − γ)ⁿ ≤ 2δ are needed.
    """
    fails2, fails3, spare2, spare3 = (
        Symbol(name) for name in ("fails2", "fails3", "spare2", "spare3")
    )
    least: dict[Symbol, Expr | int] = {fails2: 0, fails3: 0, spare2: 0, spare3: 0}
    total = (fails2 + spare2) + (fails3 + spare3)
    return together(
        # δ is fails2 + spare2 and fails3 + spare3 alike, so that 2δ is their sum.
        partial(at_most, fails2 + fails3, total * Rational(limit, 2), least),
        partial(identity, exp(log(4 * delta) / log(1 - gamma) * log(1 - gamma)) / 2, 2 * delta),
    )


CLAIMS: Final = (
    MIXING_BOUND.proved(
        "I13",
        "1684-1686",
        "From e_1 the run is quiet and ends with chance ≥ 1 − 0.1 − 0.1 = 0.8; from a uniform "
        "start, ≥ 0.4",
        partial(_quiet_runs, Fraction(8, 10), Fraction(4, 10)),
        Mutant("0.9 · 0.9", partial(_quiet_runs, Fraction(81, 100), Fraction(81, 200))),
        assumptions=("A ends before step t with chance ≥ 0.9 on M_1",),
    ),
    MIXING_BOUND.proved(
        "S.I13",
        "1684-1686",
        "The noise is independent of what A does: quiet runs have chance ≥ 0.81 from e_1, ≥ 0.405 "
        "from a uniform start",
        partial(_independent_quiet_runs, Fraction(81, 100), Fraction(81, 200)),
        Mutant("0.82", partial(_independent_quiet_runs, Fraction(82, 100), Fraction(41, 100))),
    ),
    MIXING_BOUND.proved(
        "I14",
        "1686-1688",
        "At least 1 − δ/0.4 of the encoders of quiet runs succeed on M_2(γ); A on M_3(γ) gives "
        "one of them with chance ≥ 0.4 − δ",
        partial(_fails, 1),
        Mutant("failures counted twice", partial(_fails, 2)),
        assumptions=("A fails on M_2(γ) with chance ≤ δ", "quiet runs have chance ≥ 0.4"),
    ),
    MIXING_BOUND.proved(
        "S.I14",
        "1688-1690",
        "The contradiction holds for every δ < 1/5: the chance 0.4 − δ to fail on M_3 exceeds δ",
        partial(_contradiction, Rational(2, 5), Rational(1, 5)),
        Mutant("δ < 1/4", partial(_contradiction, Rational(2, 5), Rational(1, 4))),
        assumptions=("ε < 1/4, so that 1/2 + ε < 1 − ε",),
    ),
    MIXING_BOUND.proved(
        "I15.a",
        "1692",
        "e_2 is not met in n steps with chance ½(1 − γ)ⁿ, which is δ for "
        "n = log(2δ)/log(1 − γ) and more before",
        partial(_unseen, Rational(1)),
        Mutant("a start that is always e_1", partial(_unseen, Rational(2))),
        assumptions=("0 < γ < 1", "0 < δ ≤ 1/2", "steps are transitions: one observation more"),
    ),
    MIXING_BOUND.exact(
        "I15.b",
        "1692",
        "⌈log(2δ)/log(1 − γ)⌉ is the least n with ½(1 − γ)ⁿ ≤ δ",
        partial(_unseen_steps, 2),
        Mutant("log(δ)", partial(_unseen_steps, 1)),
    ),
    MIXING_BOUND.proved(
        "S.I15",
        "1692",
        "Success on M_2 and on M_3, each with chance ≥ 1 − δ, needs only that e_2 is missed with "
        "chance ≤ 2δ: ⌈log(4δ)/log(1 − γ)⌉ steps are necessary",
        partial(_not_both, 2),
        Mutant("missed with chance ≤ δ", partial(_not_both, 1)),
        assumptions=("0 < δ ≤ 1/4", "ε < 1/4, N ≥ 2"),
    ),
)
