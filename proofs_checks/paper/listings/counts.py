"""The formulas of both listings are those of the proofs and of the code (l. 328, 369, 395-401)."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from flint import arb, ctx
from sympy import Symbol, exp, log

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.evidence import Evidence, NotEarned
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import all_of
from proofs_checks.sections import LISTING_OF_CYCLE_FIND, LISTING_OF_STEEL
from proofs_checks.small_cases.worlds import parameters, recipes, words_and_periods
from steel_verified.theory.counts import (
    cycle_find_steps,
    encoder_samples,
    full_rollout,
    initial_rollout,
    late_start,
    period_test_samples,
    position_samples,
    settling_time_of_period,
)
from steel_verified.theory.exact import ball
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.theory.recipe import Recipe


GRID: Final = "N ≤ 4, t̂_mix in {1,2,3,5,8}, |F| in {1,7,100}, δ in {1/20,1/3}"


def _rounded_up(real: Callable[[], arb]) -> int:
    with ctx.workprec(256):
        found = real().ceil().unique_fmpz()
    if found is None:
        raise NotEarned("a ceiling is not decided")
    return int(found)


def _printed_samples(recipe: Recipe, tests: int) -> int:
    """⌈ln(δ/(4|A|·tests·|F|)) / ln(9/16)⌉."""
    p = recipe.parameters
    share = p.delta / (4 * p.actions * tests * p.class_size)
    return _rounded_up(lambda: ball(share).log() / (arb(9) / 16).log())


def _period_samples_agree(recipe: Recipe, *, squared: bool = False) -> bool:
    bound = recipe.parameters.max_states
    tests = bound * bound if squared else bound * (bound - 1)
    return period_test_samples(recipe) == _printed_samples(recipe, tests)


def _position_samples_agree(recipe: Recipe, *, power: int = 4) -> bool:
    p = recipe.parameters
    found = position_samples(recipe)
    share = p.delta / (4 * p.actions * p.max_states**4 * (p.max_diameter + 1) * p.class_size)
    tests = p.max_states**power * (p.max_diameter + 1)
    return found == _printed_samples(
        recipe, tests
    ) and recipe.separation_rate**found <= share < recipe.separation_rate ** (found - 1)


def _encoder_samples_agree(case: tuple[Recipe, int], *, factor: int = 16) -> bool:
    recipe, states = case
    p = recipe.parameters
    inside = factor * states**2 * p.class_size / p.delta
    printed = _rounded_up(lambda: ball(3 * states / p.epsilon) * ball(inside).log())
    return encoder_samples(recipe, states) == printed


def _no_quotient() -> bool:
    """N = 1: the printed δ/(4|A|N(N−1)|F|) has the denominator 0."""
    try:
        _printed_samples(paper(parameters(1, 1)), 1 * (1 - 1))
    except ZeroDivisionError:
        return True
    return False


def _counts_agree(case: tuple[Recipe, int, int], *, longer: int = 0) -> bool:
    recipe, a_, cycles = case
    p, n_ = recipe.parameters, position_samples(recipe)
    rounds = -(-p.mixing_time // (a_ * cycles))
    first = max((p.max_states - cycles) * a_, p.mixing_time)
    late = first + (n_ - 1) * a_ * cycles * rounds + a_ * cycles + p.mixing_time
    full = 2 * cycles * a_ * ((n_ - 1) * rounds + 1) + p.mixing_time + first + longer
    return (
        settling_time_of_period(recipe, a_, cycles) == first
        and late_start(recipe, a_, cycles) == late
        and full_rollout(recipe, a_, cycles) == full
        and cycle_find_steps(recipe, a_, cycles) == max(full, initial_rollout(recipe, a_))
    )


a, t, n = (Symbol(name) for name in ("a", "t", "n"))
"""|â| or |ā|, t̂_mix, n_samp."""
r, cycles_, L, stride, start = (Symbol(name) for name in ("r", "cycles", "L", "stride", "start"))
x, rate, up = Symbol("x", positive=True), Symbol("rate", positive=True), Symbol("up", real=True)
_late_start = start + (n - 1) * stride + L + t


def _least_power(before: int) -> Evidence:
    """For n = ln x/ln ρ + u with 0 ≤ u < 1, ρⁿ = x·ρᵘ ≤ x, and ρⁿ⁻¹ = x·ρᵘ⁻¹ > x.

    `decay` is −ln ρ > 0; u is 1 − `spare`, with spare > 0.
    """
    exponent, spare, decay = log(x) / log(rate) + up, Symbol("spare"), Symbol("decay")
    return all_of(
        identity(exp(exponent * log(rate)), x * exp(up * log(rate))),
        at_most(0, up * decay, {up: 0, decay: 0}),
        identity(exp((exponent - 1) * log(rate)), x * exp((up - before) * log(rate))),
        at_most(0, (1 - (1 - spare)) * decay, {spare: 0, decay: 0}),
    )


def _enough_for_the_encoder(factor: int) -> Evidence:
    """8|S|²|F|·exp(−εd/(3|S|)) for what is rounded, and `up` more."""
    states, size, delta, eps = (Symbol(s, positive=True) for s in ("S", "F", "delta", "eps"))
    d = 3 * states * log(factor * states**2 * size / delta) / eps + up
    failing = 8 * states**2 * size * exp(-eps * d / (3 * states))
    return all_of(
        identity(failing, delta / 2 * exp(-eps * up / (3 * states))),
        at_most(0, eps * up, {eps: 0, up: 0}),
    )


CLAIMS: Final = (
    LISTING_OF_STEEL.proved(
        "P05",
        "328, 455, 931",
        "d = ⌈3|S'|·ln(16|S'|²|F|/δ)/ε⌉ is enough: it is at least what is rounded, and "
        "8|S'|²|F|·exp(−εd/(3|S'|)) = δ/2·exp(−ε·up/(3|S'|)) for d = 3|S'|·ln(16|S'|²|F|/δ)/ε + up",
        partial(_enough_for_the_encoder, 16),
        Mutant("8 for 16", partial(_enough_for_the_encoder, 8)),
        assumptions=("up ≥ 0, as d is rounded up",),
    ),
    LISTING_OF_STEEL.exhausted(
        "P05.code",
        "328, 455, 931",
        "d = ⌈3|S'|·ln(16|S'|²|F|/δ)/ε⌉ is the count in use",
        lambda: exhausted(
            product(recipes(), range(1, 5)), _encoder_samples_agree, GRID + ", |S'| ≤ 4, ε = 1/10"
        ),
        Mutant(
            "8 for 16",
            lambda: exhausted(
                product(recipes(), range(1, 5)), partial(_encoder_samples_agree, factor=8), GRID
            ),
        ),
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P11",
        "369, 542",
        "for N ≥ 2, n_samp.cyc. = ⌈ln(δ/(4|A|N(N − 1)|F|))/ln(9/16)⌉ is the least n with "
        "(9/16)ⁿ ≤ δ/(4|A|N(N − 1)|F|)",
        partial(_least_power, 1),
        Mutant("one less", partial(_least_power, 2)),
        assumptions=("N ≥ 2",),
        erratum=Erratum(
            printed="n_samp.cyc. as a quotient by 4|A|N(N − 1)|F|, for every N ≥ |S|",
            counterexample="N = 1: the denominator is 0",
            refuted=_no_quotient,
            corrected="N ≥ 2; for N = 1 there is no hypothesis to test: n_samp.cyc. = c_init = 0",
            consequence="The theorem survives with N ≥ 2, or with this convention for N = 1.",
        ),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P11.code",
        "369, 542",
        "for N ≥ 2, n_samp.cyc. as printed is the count in use",
        lambda: exhausted(recipes(2), _period_samples_agree, GRID + ", N ≥ 2"),
        Mutant(
            "N² for N(N − 1)",
            lambda: exhausted(recipes(2), partial(_period_samples_agree, squared=True), GRID),
        ),
        assumptions=("N ≥ 2",),
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P15",
        "395, 478",
        "with n = ln x/ln ρ + u, ρⁿ = x·ρᵘ: rounding up (0 ≤ u < 1) gives ρⁿ ≤ x for "
        "ρ = 9/16 and x = δ/(4|A|N⁴(D̂ + 1)|F|)",
        lambda: identity(exp((log(x) / log(rate) + up) * log(rate)), x * exp(up * log(rate))),
        Mutant(
            "rounded by 2u",
            lambda: identity(
                exp((log(x) / log(rate) + 2 * up) * log(rate)), x * exp(up * log(rate))
            ),
        ),
        assumptions=("0 < ρ < 1, so that ρᵘ ≤ 1",),
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P15.least",
        "395, 478",
        "n_samp. = ⌈ln(δ/(4|A|N⁴(D̂ + 1)|F|))/ln(9/16)⌉ is the least n with "
        "(9/16)ⁿ ≤ δ/(4|A|N⁴(D̂ + 1)|F|)",
        partial(_least_power, 1),
        Mutant("one less", partial(_least_power, 2)),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P15.count",
        "395, 478",
        "n_samp. as printed is the count in use, and the least with (9/16)ⁿ ≤ δ/(4|A|N⁴(D̂ + 1)|F|)",
        lambda: exhausted(recipes(), _position_samples_agree, GRID),
        Mutant(
            "N³ for N⁴",
            lambda: exhausted(recipes(), partial(_position_samples_agree, power=3), GRID),
        ),
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P18",
        "401, 685, 696",
        "n_0' of the listing, with L⌈t̂_mix/L⌉ multiplied out, is that of the proof",
        lambda: identity(
            start + (n - 1) * a * cycles_ * r + a * cycles_ + t,
            _late_start.subs({stride: L * r}).subs({L: a * cycles_}),
        ),
        Mutant(
            "n_samp. for n_samp. − 1",
            lambda: identity(
                start + n * a * cycles_ * r + a * cycles_ + t,
                _late_start.subs({stride: L * r}).subs({L: a * cycles_}),
            ),
        ),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P18.counts",
        "397, 401, 663, 685, 696",
        "n_0, n_0', c and max(c, c_init) as printed are those in use",
        lambda: exhausted(words_and_periods(), _counts_agree, GRID + ", |â| ≤ 3, every n_cyc"),
        Mutant(
            "c + 1",
            lambda: exhausted(words_and_periods(), partial(_counts_agree, longer=1), GRID),
        ),
    ),
)
