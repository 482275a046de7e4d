"""A classifier that must be 0 on n samples and 1 on n later ones, of the same latent state.

How the datasets of two cycle positions are compared (l. 756–772). In a block of samples with one
wanted value, u(j, x) is the chance that the first j fit and the chain is in x at the last of them
(or t_mix or more before the first, for j = 0); h(x) is the chance that a sample in x fits.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.statements import (
    Cited,
    Combined,
    Induction,
    Known,
    Lambda,
    Proof,
    Square,
    Step,
    at_most,
    equals,
    part,
)
from proofs_checks.proofs.chains.lemma1 import often, passes_nearly_as_often
from proofs_checks.proofs.chains.mixing import CHAIN, LAGS, after_the_mixing_time, powers
from proofs_checks.proofs.chains.vocabulary import (
    HALF,
    LAW,
    PASS,
    QUARTER,
    distance,
    g,
    here,
    instance,
    j,
    law,
    x,
    y,
)

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Line, Statement

_start: Final = numeral(0)
_last: Final = Index(TIME, "n", fixed=True)
"""How many samples there are in each block"""
u, h, fit, power = (Function(name) for name in ("u", "h", "fit", "q"))


def block_of_samples(extra: Fraction = QUARTER) -> Proof:
    """n samples in a row fit with chance at most fit(0)·(Σπh + ¼)^n, which is fit(0)·q(n).

    M(j, y, x) is the chance to be in x at sample j, from y at what comes before it.
    """
    factor = total(x, law(x) * h(x)) + extra
    goals = (at_most(fit(j), fit(_start) * power(j)), at_most(0, u(j, x)))
    return Proof(
        title="a block of samples",
        hypotheses={
            **LAW,
            **{name: LAGS[name] for name in ("rows", "K ≥ 0", "mixed")},
            "h ≥ 0": at_most(0, h(x)),
            "h ≤ 1": at_most(h(x), 1),
            "start ≥ 0": at_most(0, u(_start, x)),
            "Markov": equals(u(j + 1, x), total(y, u(j, y) * powers(j, y, x)) * h(x)),
            "fit": equals(fit(j), total(x, u(j, x))),
            "q(0)": equals(power(_start), 1),
            "q": equals(power(j + 1), power(j) * factor),
        },
        lines=(
            Step(
                "fits",
                at_most(total(x, powers(j, y, x) * h(x)) - total(x, law(x) * h(x)), QUARTER),
                Cited(
                    passes_nearly_as_often(),
                    {"K": Lambda((y, x), powers(j, y, x)), "g": Lambda((x,), h(x))},
                    {"g ≥ 0": "h ≥ 0", "g ≤ 1": "h ≤ 1"},
                ),
            ),
            Induction(
                j,
                {"u ≥ 0": goals[1]},
                start=(),
                onward=(
                    Step(
                        "u ≥ 0 after",
                        at_most(0, u(here + 1, x)),
                        Combined(
                            (
                                part(
                                    Known("u ≥ 0", {x: y}),
                                    Known("K ≥ 0", {j: here}),
                                    Known("h ≥ 0"),
                                    over=(y,),
                                ),
                            ),
                            using=("Markov",),
                        ),
                    ),
                ),
            ),
            Step(
                "one more",
                at_most(fit(j + 1), factor * fit(j)),
                Combined(
                    (part(Known("u ≥ 0", {x: y}), Known("fits"), over=(y,)),),
                    using=("fit", "Markov"),
                ),
            ),
            Step(
                "factor ≥ 0",
                at_most(0, factor),
                Combined((part(Known("law ≥ 0"), Known("h ≥ 0"), over=(x,)), part(times=extra))),
            ),
            Induction(
                j,
                {"all fit": goals[0]},
                start=(
                    Step(
                        "none yet",
                        at_most(fit(_start), fit(_start) * power(_start)),
                        Combined(using=("q(0)",)),
                    ),
                ),
                onward=(
                    Step(
                        "the next",
                        at_most(fit(here + 1), fit(_start) * power(here + 1)),
                        Combined(
                            (
                                part(Known("one more", {j: here})),
                                part(Known("factor ≥ 0"), Known("all fit")),
                            ),
                            using=("q",),
                        ),
                    ),
                ),
            ),
        ),
        goals=goals,
    )


both = Function("q")
_FITS: Final = {"₀": 1 - g(x), "₁": g(x)}
"""How likely a sample fits, in the block that is to be 0 and in the one that is to be 1"""


def _given(mark: str) -> dict[str, Statement]:
    fits = _FITS[mark]
    factor = total(x, law(x) * fits) + QUARTER
    state, fitting, powers_ = (Function(name + mark) for name in ("u", "fit", "q"))
    kernel = powers(Index(TIME, f"ℓ{mark}", of=(j,)), y, x)
    return {
        f"Markov{mark}": equals(state(j + 1, x), total(y, state(j, y) * kernel) * fits),
        f"fit{mark}": equals(fitting(j), total(x, state(j, x))),
        f"q{mark}(0)": equals(powers_(_start), 1),
        f"q{mark}": equals(powers_(j + 1), powers_(j) * factor),
    }


def _cited(mark: str) -> Cited:
    """`block_of_samples` for one of the two."""
    lag, fits = Index(TIME, f"ℓ{mark}", of=(j,)), _FITS[mark]
    functions = {
        "h": Lambda((x,), fits),
        "M": Lambda((j, y, x), powers(lag, y, x)),
        **{name: Lambda((j,), Function(name + mark)(j)) for name in ("fit", "q")},
        "u": Lambda((j, x), Function(f"u{mark}")(j, x)),
    }
    facts = {name: name + mark for name in ("rows", "K ≥ 0", "mixed", "h ≥ 0", "h ≤ 1")}
    facts |= {name: name + mark for name in ("start ≥ 0", "Markov", "fit", "q")}
    return Cited(block_of_samples(), functions, {**facts, "q(0)": f"q{mark}(0)"})


def _block(mark: str) -> tuple[Line, ...]:
    """How likely all samples of a block fit, and that the bound is no negative number."""
    lag, fits = Index(TIME, f"ℓ{mark}", of=(j,)), _FITS[mark]
    fitting, powers_ = Function(f"fit{mark}"), Function(f"q{mark}")
    return (
        instance(f"rows{mark}", equals(total(x, powers(lag, y, x)), 1), "rows", {j: lag}),
        instance(f"K ≥ 0{mark}", at_most(0, powers(lag, y, x)), "K ≥ 0", {j: lag}),
        instance(f"mixed{mark}", at_most(distance(powers(lag, y, x)), HALF), "mixed", {j: lag}),
        Step(f"h ≥ 0{mark}", at_most(0, fits), Combined((part(Known(_sign(mark))),))),
        Step(f"h ≤ 1{mark}", at_most(fits, 1), Combined((part(Known(_sign(mark, other=True))),))),
        Step(f"block{mark}", at_most(fitting(j), fitting(_start) * powers_(j)), _cited(mark)),
        Step(
            f"factor{mark} ≥ 0",
            at_most(0, total(x, law(x) * fits) + QUARTER),
            Combined(
                (part(Known("law ≥ 0"), Known(f"h ≥ 0{mark}"), over=(x,)), part(times=QUARTER))
            ),
        ),
        Induction(
            j,
            {f"q{mark} ≥ 0": at_most(0, powers_(j))},
            start=(
                Step(
                    "q(0) ≥ 0",
                    at_most(0, powers_(_start)),
                    Combined((part(times=1),), using=(f"q{mark}(0)",)),
                ),
            ),
            onward=(
                Step(
                    "q after",
                    at_most(0, powers_(here + 1)),
                    Combined(
                        (part(Known(f"factor{mark} ≥ 0"), Known(f"q{mark} ≥ 0")),),
                        using=(f"q{mark}",),
                    ),
                ),
            ),
        ),
    )


def _sign(mark: str, *, other: bool = False) -> str:
    return "g ≥ 0" if (mark == "₁") != other else "g ≤ 1"


def blocks_are_hard_to_fit(share: Fraction = Fraction(9, 16)) -> Proof:
    """0 on n samples, and 1 on n later ones of the same state: chance at most (9/16)^n (B17)."""
    first, second = Function("u₀"), Function("u₁")
    fit_ones = Function("fit₁")
    zeros, ones = Function("q₀"), Function("q₁")
    goal = at_most(fit_ones(_last), both(_last))
    lags = Cited(after_the_mixing_time())
    return Proof(
        title="two blocks",
        hypotheses={
            **CHAIN,
            **LAW,
            **PASS,
            "start ≥ 0₀": at_most(0, first(_start, x)),
            "start law": equals(total(x, first(_start, x)), 1),
            **_given("₀"),
            "then": equals(second(_start, x), first(_last, x)),
            **_given("₁"),
            "q(0)": equals(both(_start), 1),
            "q": equals(both(j + 1), both(j) * share),
        },
        lines=(
            *(Step(name, LAGS[name], lags) for name in ("rows", "K ≥ 0", "mixed")),
            *_block("₀"),
            Step("u₀ ≥ 0", at_most(0, first(j, x)), _cited("₀")),
            Step(
                "start ≥ 0₁",
                at_most(0, second(_start, x)),
                Combined((part(Known("u₀ ≥ 0", {j: _last})),), using=("then",)),
            ),
            *_block("₁"),
            Step(
                "after the zeros",
                at_most(fit_ones(_start), zeros(_last)),
                Combined(
                    # fit₁(0) is Σ u₀(n, ·) = fit₀(n), and fit₀(0) is 1.
                    (part(Known("block₀", {j: _last})),),
                    using=("fit₁", "then", "fit₀", "start law"),
                ),
            ),
            Step(
                "q₀q₁ ≥ 0",
                at_most(0, zeros(j) * ones(j)),
                Combined((part(Known("q₀ ≥ 0"), Known("q₁ ≥ 0")),)),
            ),
            Induction(
                j,
                {"pairs": at_most(zeros(j) * ones(j), both(j))},
                start=(
                    Step(
                        "no pair",
                        at_most(zeros(_start) * ones(_start), both(_start)),
                        Combined(using=("q₀(0)", "q₁(0)", "q(0)")),
                    ),
                ),
                onward=(
                    Step(
                        "one more pair",
                        at_most(zeros(here + 1) * ones(here + 1), both(here + 1)),
                        Combined(
                            (
                                part(Square(often - HALF), Known("q₀q₁ ≥ 0", {j: here})),
                                part(Known("pairs"), times=share),
                            ),
                            using=("q₀", "q₁", "q", "law"),
                        ),
                    ),
                ),
            ),
            Step(
                "all fit",
                goal,
                Combined(
                    (
                        part(Known("block₁", {j: _last})),
                        part(Known("q₁ ≥ 0", {j: _last}), Known("after the zeros")),
                        part(Known("pairs", {j: _last})),
                    )
                ),
            ),
        ),
        goals=(goal,),
    )
