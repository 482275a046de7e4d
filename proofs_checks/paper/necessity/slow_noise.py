"""How slowly that noise mixes: so many steps are needed, up to a constant (l. 1692)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from flint import arb
from sympy import Rational, Symbol, log

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exact
from proofs_checks.kernels.intervals import positive
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import together
from proofs_checks.paper.necessity.two_worlds import two_state_noise
from proofs_checks.sections import MIXING_BOUND
from steel_verified.theory.exact import ball, ceiling, least_power
from steel_verified.worlds.chains import mixing_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


_HALF: Final = Fraction(1, 2)

gamma, n_power = Symbol("γ"), Symbol("power")


def _noise_distance(factor: Expr) -> Evidence:
    """From either state the law after n steps is ½ ± ½(1 − 2γ)ⁿ."""
    half = Rational(1, 2)
    power = n_power
    here, there = half + power / 2, half - power / 2
    return together(
        partial(identity, here.subs({n_power: 1 + 0 * gamma}), 1 + 0 * gamma),
        partial(
            identity,
            (1 - gamma) * here + gamma * there,
            here.subs({n_power: power * (1 - factor * gamma)}),
        ),
        partial(identity, (here - half) + (there - half), 0 * gamma),
    )


def _mixing_formula(stated: Callable[[Fraction], int], gammas: tuple[Fraction, ...]) -> Evidence:
    def holds(gamma: Fraction) -> bool:
        return mixing_time(two_state_noise(gamma)) == stated(gamma)

    return exact(gammas, holds, f"γ from {min(gammas)} to {max(gammas)}")


def _printed_mixing_time(gamma: Fraction, factor: int = 2) -> int:
    """⌈−1/log₂(1 − 2γ)⌉; −1/log₂(1/2) is 1, which no enclosure can tell from more."""
    if 1 - factor * gamma == _HALF:
        return 1
    return ceiling(lambda: -arb(2).log() / ball(1 - factor * gamma).log())


def _mixing_time_of_any(gamma: Fraction) -> int:
    remaining = abs(1 - 2 * gamma)
    return max(1, least_power(remaining, _HALF)) if remaining else 1


_SMALL_GAMMAS: Final = (
    *(Fraction(k, 100) for k in range(1, 50)),
    Fraction(1, 1000),
    Fraction(1, 9999),
    Fraction(249, 1000),
    Fraction(251, 1000),
    Fraction(499, 1000),
)
_ALL_GAMMAS: Final = tuple(Fraction(k, 60) for k in range(1, 60))


def _excess(c: int, g: Expr) -> Expr:
    """log(1 − 2γ) − (2 + cγ)·log(1 − γ): positive if the quotient is less than 2 + cγ."""
    return log(1 - 2 * g) - (2 + c * g) * log(1 - g)


def _limit(c: int, below: int = 2) -> Evidence:
    """2 ≤ log(1 − 2γ)/log(1 − γ) ≤ 2 + cγ for 0 < γ ≤ 1/10.

    The first as 1 − 2γ ≤ (1 − γ)²; the second as the excess and its derivative are 0 at γ = 0 and
    its second derivative is positive.
    """
    low = Symbol("g")
    excess = _excess(c, low)
    return together(
        partial(at_most, 1 - below * gamma, (1 - gamma) ** 2, {gamma: 0}),
        partial(identity, excess.subs({low: 0}), 0 * low),
        partial(identity, excess.diff(low).subs({low: 0}), 0 * low),
        partial(positive, excess.diff(low).diff(low), low, Fraction(0), Fraction(1, 10)),
        _ceilings_do_not_matter,
    )


def _ceilings_do_not_matter() -> Evidence:
    """x/(y + 1) ≤ ⌈x⌉/⌈y⌉ ≤ (x + 1)/y, cross-multiplied, and x, y grow without bound."""
    real_x, real_y, up_x, up_y = (Symbol(name) for name in ("x", "y", "up_x", "up_y"))
    less_x, less_y = Symbol("less_x"), Symbol("less_y")
    least: dict[Symbol, Expr | int] = {real_x: 0, real_y: 0, up_x: 0, up_y: 0, less_x: 0, less_y: 0}
    # ⌈x⌉ = x + up_x, and x + 1 = ⌈x⌉ + less_x.
    return together(
        partial(
            at_most, real_x * (real_y + up_y), (real_x + up_x) * (real_y + up_y + less_y), least
        ),
        partial(
            at_most, (real_x + up_x) * real_y, (real_x + up_x + less_x) * (real_y + up_y), least
        ),
    )


def _linear(factor: int) -> Evidence:
    """steps ≥ x = ℓ/a and t_mix − 1 ≤ y = log 2/b for a = −log(1 − γ), b = −log(1 − 2γ) ≥ 2a.

    With ℓ = c·log 2 for c = log₂(1/(2δ)): 2c·y ≤ x is 2c·log 2·a ≤ c·log 2·b.
    """
    a, more, c, two = (Symbol(name) for name in ("a", "more", "c", "log2"))
    up, late, y = Symbol("up"), Symbol("late"), Symbol("y")
    return together(
        partial(at_most, 1 - 2 * gamma, (1 - gamma) ** 2, {gamma: 0}),
        partial(
            at_most,
            factor * c * two * a,
            c * two * (2 * a + more),
            {a: 0, more: 0, c: 0, two: 0},
        ),
        # y = t_mix − 1 + late; steps = 2c·y + up.
        partial(at_most, 2 * c * (y - late), 2 * c * y + up, {c: 0, y: 0, late: 0, up: 0}),
    )


CLAIMS: Final = (
    MIXING_BOUND.proved(
        "I16.a",
        "1692",
        "After n steps the noise is exactly ½|1 − 2γ|ⁿ from uniform, from either state",
        partial(_noise_distance, Rational(2)),
        Mutant("1 − γ", partial(_noise_distance, Rational(1))),
    ),
    MIXING_BOUND.exact(
        "I16.b",
        "1692",
        "t_mix = ⌈−1/log₂(1 − 2γ)⌉ for 0 < γ < 1/2",
        partial(_mixing_formula, _printed_mixing_time, _SMALL_GAMMAS),
        Mutant(
            "1 − γ",
            partial(_mixing_formula, partial(_printed_mixing_time, factor=1), _SMALL_GAMMAS),
        ),
        assumptions=("0 < γ < 1/2, as in the construction, where γ ≤ 0.1",),
    ),
    MIXING_BOUND.exact(
        "S.I16",
        "1692",
        "t_mix = max(1, least n with |1 − 2γ|ⁿ ≤ 1/2) for every 0 < γ < 1, also from 1/2 on, "
        "where the printed logarithm is not defined",
        partial(_mixing_formula, _mixing_time_of_any, _ALL_GAMMAS),
        Mutant(
            "0 steps at γ = 1/2",
            partial(
                _mixing_formula,
                lambda g: 0 if g == _HALF else _mixing_time_of_any(g),
                _ALL_GAMMAS,
            ),
        ),
    ),
    MIXING_BOUND.enclosed(
        "I17",
        "1692",
        "⌈log(2δ)/log(1 − γ)⌉/⌈−1/log₂(1 − 2γ)⌉ → 2·log₂(1/(2δ)) as γ → 0: without the ceilings "
        "it is between this and (1 + γ) times this for γ ≤ 1/10",
        partial(_limit, 2),
        Mutant("(1 + γ/2) times", partial(_limit, 1)),
        Mutant("the limit of log(1 − 2γ)/log(1 − γ) is 1", partial(_limit, 2, 1)),
        assumptions=("0 < δ < 1/2: the limit is positive",),
    ),
    MIXING_BOUND.proved(
        "S.I17",
        "1692",
        "⌈log(2δ)/log(1 − γ)⌉ ≥ 2·log₂(1/(2δ))·(t_mix − 1) for every 0 < γ < 1/2: linear not only "
        "in the limit",
        partial(_linear, 2),
        Mutant("3·log₂(1/(2δ))", partial(_linear, 3)),
        assumptions=("0 < δ < 1/2",),
    ),
)
