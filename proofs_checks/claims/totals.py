"""Phase 3 and the totals: union bounds, the steps of all phases, and what they grow like.

A ceiling enters as a whole number c with c − 1 ≤ x; a maximum through each of its sides. Logarithms
enter as variables with what is known of them: ln 2 ≥ 1/2, ln N ≥ ln |S| ≥ ln 2, ln |F| ≥ ln 2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from flint import arb
from sympy import Rational, Symbol, exp, log

from proofs_checks.claim import Erratum, Evidence, Mutant, NotEarned, Strength
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import exact, exhausted
from proofs_checks.methods.small_worlds import parameters
from proofs_checks.sections import PHASE_3, TOTALS
from steel_verified.theory import bounds
from steel_verified.theory.counts import encoder_samples
from steel_verified.theory.exact import ball
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import Recipe, paper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

_ONE_HALF: Final = Rational(1, 2)

N, S, A, D, t = (Symbol(name, positive=True) for name in ("N", "S", "A", "D", "t"))
F, eps, delta, d = (Symbol(name, positive=True) for name in ("F", "eps", "delta", "d"))
a, n_cyc, n, ceiling, x, y, calls, fail = (
    Symbol(name) for name in ("a", "n_cyc", "n", "ceiling", "x", "y", "calls", "fail")
)
most, q, e, w, inv_eps, rest = (
    Symbol(name, positive=True) for name in ("most", "q", "e", "w", "inv_eps", "rest")
)
ln_2, ln_actions, ln_bound, ln_states, ln_class, ln_delta, ln_f = (
    Symbol(name)
    for name in ("ln_2", "ln_actions", "ln_bound", "ln_states", "ln_class", "ln_delta", "ln_f")
)
"""ln_delta is ln(1/δ)."""

_fits = 8 * exp(-eps * d / (3 * S))
"""Lemma 2's bound for one classifier and one state."""
_longest = S * (D + 1)

_SIZES: Final[Mapping[Symbol, Expr | int]] = {N: S, S: 1, D: 0, t: 1}
_LOGS: Final[Mapping[Symbol, Expr | int]] = {
    ln_actions: 0,
    ln_bound: ln_states,
    ln_states: ln_2,
    ln_class: ln_2,
    ln_2: _ONE_HALF,
    ln_delta: 0,
}
_TWO_STATES: Final = "|S| ≥ 2, so that D ≥ 1, and |F| ≥ |S| by realizability"


# Phase 3


def _function_of_noise_alone() -> bool:
    """With one noise state and a fair coin as observation, is no function of e equal to f'(x)?"""
    law = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    return not any(all(g == x for x, weight in law.items() if weight) for g in (0, 1))


def _bad_pairs_of(states: int, *, each: int) -> bool:
    """How many (value wanted, state) pairs the |S|² tests of one classifier really are."""
    pairs = {(wanted == s, s) for wanted in range(states) for s in range(states)}
    return len(pairs) <= each * states


def _emissions() -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Two noise states that swap with chances `on` and `off`, and how often f' errs in each."""
    swaps = [Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)]
    errs = [Fraction(0), Fraction(1, 3), Fraction(1)]
    yield from product(swaps, swaps, errs, errs)


def _fits_rarely(
    case: tuple[Fraction, Fraction, Fraction, Fraction], *, factor: int, rate: Fraction
) -> bool:
    """Lemma 2 for random emissions: exact chances from both starts, samples t_mix apart."""
    on, off, *errs = case
    stationary = (off / (on + off), on / (on + off))
    # Of two states, the total variation after m steps is |1 − on − off|^m times the farther one.
    wait = next(
        m for m in range(1, 99) if abs(1 - on - off) ** m * max(stationary) <= Fraction(1, 4)
    )
    shrunk = (1 - on - off) ** wait
    jump = [[p + shrunk * ((s == e) - p) for e, p in enumerate(stationary)] for s in (0, 1)]
    eta = sum(p * err for p, err in zip(stationary, errs, strict=True))
    for start in (0, 1):
        weights = [Fraction(s == start) for s in (0, 1)]
        for samples in range(1, 31):
            weights = [
                sum((weights[s] * jump[s][e] for s in (0, 1)), Fraction(0)) * (1 - errs[e])
                for e in (0, 1)
            ]
            if not ball(sum(weights, Fraction(0))) <= factor * ball(-rate * eta * samples).exp():
                return False
    return True


# Steps


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


def _numbers(largest_rate: Fraction) -> Evidence:
    """ln 2 ≥ 1/2, and the printed rate ln(16/9) is at least a half as well."""
    if not (
        arb(2).log() > 0.5
        and (arb(16) / 9).log() * largest_rate.numerator > (largest_rate.denominator)
    ):
        raise NotEarned("not so")
    return Evidence(Strength.ENCLOSED, f"ln 2 > 1/2 and 1/ln(16/9) < {largest_rate}")


def _two_logs(times: int) -> Evidence:
    value = times * arb(2).log() + arb(2).log().log()
    if not value >= 1:
        raise NotEarned(f"{value}")
    return Evidence(Strength.ENCLOSED, f"{value}")


def _grows_without_bound() -> bool:
    """|S| = 1, D = 0: the closed form over the four printed terms, as N grows a hundredfold."""
    ratios: list[float] = []
    for max_states in (10**2, 10**4, 10**6):
        given = parameters(
            max_states,
            1,
            max_diameter=0,
            actions=1,
            class_size=2,
            delta=Fraction(1, 2),
            epsilon=Fraction(1, 2),
        )
        logs = float((arb(max_states) * 4).log())
        printed = 0 + 1 * logs + 0 + 2 * float(arb(4).log())
        ratios.append(bounds.total_bound(paper(given), Extent(1, 0)) / printed)
    return all(later > 50 * earlier for earlier, later in pairwise(ratios))


_L1 = ln_actions + ln_bound + ln_class + ln_delta
_L2 = ln_states + ln_class + ln_delta
_samples = 17 * w
"""n_samp. and n_samp.cyc. are at most 17·w for w = ln |A| + ln N + ln |F| + ln(1/δ) ≥ 1."""
_UP_TO_D: Final[Mapping[Symbol, Expr | int]] = {N: S, S: 2, D: 1, t: 1, w: 1, inv_eps: 1, A: 1}

CLAIMS: Final = (
    PHASE_3.equation(
        "E01",
        "964",
        "|S| classifiers that each err on a state with chance ≤ ε/|S| are all right on it with "
        "chance ≥ 1 − |S|·ε/|S| = 1 − ε",
        1 - S * (eps / S),
        1 - eps,
        Slip("another factor", right=1 - 2 * eps),
    ),
    PHASE_3.equation(
        "E03",
        "972-978",
        "the pair (e_t, f'(x_t)) with x_t ~ Q(s, e_t) is a chain with the mixing time of e_t: "
        "where e has `rest` more or less weight than π gives it, the pair has rest·q and "
        "rest·(1 − q), which sum to `rest` again, so that total variation is unchanged",
        rest * q + rest * (1 - q),
        rest,
        Slip("emissions that do not sum to 1", left=rest * q + rest),
        assumptions=(
            "times are fixed independently of Ω, t_mix apart within each D(s)",
            "given the noise states, observations are drawn independently",
        ),
        erratum=Erratum(
            printed="Lemma 2, which is about a function f of the noise state e, bounds the chance "
            "that a classifier f'(x) fits",
            counterexample=(
                "one noise state, and x a fair coin given it: f'(x) = x is 0 and 1 at the same e, "
                "so it is no function of e"
            ),
            refuted=_function_of_noise_alone,
            corrected=(
                "Lemma 2 bounds it when it is applied to the chain of pairs (e, f'(x)), on those "
                "that have positive probability; its mixing time is that of e"
            ),
            consequence="survives as is, with the same constants",
        ),
    ),
    PHASE_3.exact(
        "E03.chains",
        "972-978",
        "a classifier that errs on a state with chance η fits n samples of it, t_mix apart, "
        "with chance ≤ 8·exp(−ηn/3), where observations are random given the noise",
        partial(
            exact,
            tuple(_emissions()),
            partial(_fits_rarely, factor=8, rate=Fraction(1, 3)),
            "two noise states, both starts, n ≤ 30",
        ),
        Mutant(
            "exp(−ηn)",
            partial(
                exact,
                tuple(_emissions()),
                partial(_fits_rarely, factor=1, rate=Fraction(1)),
                "two noise states, both starts, n ≤ 30",
            ),
        ),
    ),
    PHASE_3.equation(
        "E04",
        "974, 978",
        "Lemma 2 at chance ε/|S| and d samples is 8·exp(−εd/(3|S|))",
        8 * exp(-(eps / S) * d / 3),
        _fits,
        Slip("another factor", right=8 * exp(-eps * d / S)),
    ),
    PHASE_3.equation(
        "E05",
        "982",
        "one bound for s and |S|−1 for the other states: 8|S|·exp(−εd/(3|S|))",
        _fits + (S - 1) * _fits,
        S * _fits,
        Slip("another factor", right=(S - 1) * _fits),
    ),
    PHASE_3.equation(
        "E06",
        "986",
        "over all of F: 8|S||F|·exp(−εd/(3|S|))",
        F * (8 * S * exp(-eps * d / (3 * S))),
        S * F * _fits,
        Slip("another factor", right=S * (F - 1) * _fits),
    ),
    PHASE_3.equation(
        "E07",
        "990",
        "over the classifiers of |S| states: 8|S|²|F|·exp(−εd/(3|S|))",
        S * (8 * S * F * exp(-eps * d / (3 * S))),
        S**2 * F * _fits,
        Slip("another factor", right=S * F * _fits),
    ),
    PHASE_3.bound(
        "S.E07",
        "990",
        "16|S||F|·exp(−εd/(3|S|)) is enough, and never more than 8|S|²|F|·exp(…) for |S| ≥ 2: a "
        "classifier can only fit all of D(s') as 1, or all of it as 0, whichever f_s it is for",
        16 * S,
        8 * S**2,
        {S: 2},
        Slip("a smaller right side", right=8 * S),
        assumptions=("S.E07.pairs",),
    ),
    PHASE_3.exhausted(
        "S.E07.pairs",
        "990",
        "the |S|² tests of one classifier are at most 2|S| different events",
        partial(exhausted, range(1, 41), partial(_bad_pairs_of, each=2), "|S| ≤ 40"),
        Mutant(
            "|S| events",
            partial(exhausted, range(1, 41), partial(_bad_pairs_of, each=1), "|S| ≤ 40"),
        ),
    ),
    PHASE_3.equation(
        "S.E12",
        "990, 1025",
        "so d = 3|S|·ln(32|S||F|/δ)/ε samples of each state keep phase 3 within δ/2",
        16 * S * F * exp(-eps * (3 * S * log(32 * S * F / delta) / eps) / (3 * S)),
        delta / 2,
        Slip("another factor", right=delta / 4),
    ),
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
    PHASE_3.equation(
        "E08.share",
        "995-998",
        "|S||A|·δ/(2|A|N) = (|S|/N)·δ/2",
        S * A * (delta / (2 * A * N)),
        S / N * delta / 2,
        Slip("another factor", right=S / N * delta),
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
    PHASE_3.equation(
        "E12",
        "1021-1025",
        "8|S|²|F|·exp(−εd/(3|S|)) is exactly δ/2 at d = 3|S|·ln(16|S|²|F|/δ)/ε",
        8 * S**2 * F * exp(-eps * (3 * S * log(16 * S**2 * F / delta) / eps) / (3 * S)),
        delta / 2,
        Slip("another factor", right=delta),
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
    TOTALS.exhausted(
        "E13",
        "1031",
        "phase 2 takes at most max(D + t̂_mix, |S|D)·(⌈3|S|ln(16|S|²|F|/δ)/ε⌉ − 1 + |S|)",
        partial(_on_grid, partial(_phase_two_steps, less=0)),
        Mutant("without d", partial(_on_grid, partial(_phase_two_steps, less=1))),
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
    TOTALS.exhausted(
        "E14.grid",
        "1036-1041",
        "exact steps ≤ the sum of the bounds of both phases ≤ the closed form",
        partial(_on_grid, partial(_total_within, part=1)),
        Mutant("half of it", partial(_on_grid, partial(_total_within, part=2))),
    ),
    TOTALS.enclosed(
        "E15.numbers",
        "1048-1054",
        "ln 2 > 1/2 and 1/ln(16/9) < 2",
        partial(_numbers, Fraction(2)),
        Mutant("1/ln(16/9) < 3/2", partial(_numbers, Fraction(3, 2))),
    ),
    TOTALS.bound(
        "E15.samples",
        "1048-1054",
        "2·ln(4|A|N⁴(D̂+1)|F|/δ) + 1 ≤ 17·(ln |A| + ln N + ln |F| + ln(1/δ)), with D̂+1 ≤ 2N: this "
        "bounds n_samp., and n_samp.cyc. ≤ n_samp.",
        2 * (2 * ln_2 + ln_actions + 4 * ln_bound + (ln_2 + ln_bound) + ln_class + ln_delta) + 1,
        17 * _L1,
        _LOGS,
        Slip("a smaller right side", right=5 * _L1),
        assumptions=(
            _TWO_STATES,
            "D̂ ≤ N",
        ),
    ),
    TOTALS.bound(
        "E15.encoder",
        "1048-1054",
        "3·ln(16|S|²|F|/δ) + 1 ≤ 19·(ln |S| + ln |F| + ln(1/δ)): this bounds d + |S|, over |S|/ε",
        3 * (4 * ln_2 + 2 * ln_states + ln_class + ln_delta) + 1,
        19 * _L2,
        _LOGS,
        Slip("a smaller right side", right=9 * _L2),
        assumptions=(
            _TWO_STATES,
            "ε ≤ 1",
        ),
    ),
    TOTALS.bound(
        "E15.period",
        "1048-1054",
        "phase 1 is at most 102·|S|²ND|A|·w + 34·|S||A|t̂_mix·w where n_samp.cyc. decides",
        S * A * (2 * t + 3 * N * _longest - 2) * _samples,
        102 * S**2 * N * D * A * w + 34 * S * A * t * w,
        _UP_TO_D,
        Slip("a smaller right side", right=50 * S**2 * N * D * A * w + 34 * S * A * t * w),
        assumptions=(
            _TWO_STATES,
            "E15.samples: n_samp.cyc. ≤ 17·w, w = ln |A| + ln N + ln |F| + ln(1/δ) ≥ 1",
        ),
    ),
    TOTALS.bound(
        "E15.position",
        "1048-1054",
        "phase 1 is at most 102·|S|²ND|A|·w + 34·|S||A|t̂_mix·w where n_samp. decides",
        S * A * (2 * (t + S * _longest - 1) * _samples + 2 + (N - 1) * _longest),
        102 * S**2 * N * D * A * w + 34 * S * A * t * w,
        _UP_TO_D,
        Slip("a smaller right side", right=102 * S**2 * N * D * A * w + 33 * S * A * t * w),
        assumptions=(
            _TWO_STATES,
            "E15.samples: n_samp. ≤ 17·w",
        ),
    ),
    TOTALS.bound(
        "E15",
        "1048-1054",
        "phase 2 is at most 19·(|S|²D + |S|t̂_mix)·(1/ε)·v, v = ln |S| + ln |F| + ln(1/δ); so all "
        "of it is at most 102 times the sum of the theorem's four terms",
        (D + t) * S * inv_eps * 19 * w,
        19 * (S**2 * D * inv_eps * w + S * t * inv_eps * w),
        _UP_TO_D,
        Slip("a smaller right side", right=18 * (S**2 * D * inv_eps * w + S * t * inv_eps * w)),
        assumptions=(
            _TWO_STATES,
            "D̂ ≤ N",
            "the side D + t̂_mix of the maximum; the other, |S|D, is the first term alone",
            "E15.encoder, with w for v",
        ),
        erratum=Erratum(
            printed="the closed form is O(the sum of four terms) without a condition on D",
            counterexample=(
                "|S| = 1, so D = 0: the first term vanishes, yet the closed form holds "
                "3N|S|²(D+1)|A|·n_samp.cyc.; with |A| = t̂_mix = 1, |F| = 2, δ = ε = 1/2 it "
                "grows like N·ln N, the four terms like ln N"
            ),
            refuted=_grows_without_bound,
            corrected=(
                "the closed form is at most 102 times the sum of the four terms when |S| ≥ 2 (so "
                "that D ≥ 1) and D̂ ≤ N"
            ),
            consequence="survives under an added assumption, |S| ≥ 2",
        ),
    ),
    TOTALS.bound(
        "E15.star.first",
        "1057-1063",
        "the first term of O is at most 3·f·ln f for the f of O*: for g = N·D·|S|²|A| and "
        "w = ln(|F|/δ), g·(ln |A| + ln N + w) ≤ 3·g·w·ln f (here over g)",
        ln_actions + ln_bound + w,
        3 * w * ln_f,
        {ln_f: ln_actions + ln_bound + 1, w: _ONE_HALF, ln_actions: 0, ln_bound: 0},
        Slip("a smaller right side", right=w * ln_f),
        assumptions=(
            _TWO_STATES,
            "ln f ≥ ln(g·w) ≥ ln |A| + ln N + 2·ln 2 + ln ln 2 ≥ ln |A| + ln N + 1",
        ),
    ),
    TOTALS.bound(
        "E15.star.second",
        "1057-1063",
        "the second term of O is at most 3·f·ln f: ln |A| + ln N + w ≤ 3·(ln N + w)·ln f",
        ln_actions + ln_bound + w,
        3 * (ln_bound + w) * ln_f,
        {ln_f: ln_actions + ln_bound + 1, w: _ONE_HALF, ln_actions: 0, ln_bound: _ONE_HALF},
        Slip("a smaller right side", right=_ONE_HALF * (ln_bound + w) * ln_f),
        assumptions=(
            _TWO_STATES,
            "ln f ≥ ln |A| + ln N + 1",
        ),
    ),
    TOTALS.bound(
        "E15.star.others",
        "1057-1063",
        "the third and fourth terms of O are at most 3·f·ln f: ln |S| + w ≤ 3·w·ln f",
        ln_states + w,
        3 * w * ln_f,
        {ln_f: ln_states + 1, w: _ONE_HALF, ln_states: 0},
        Slip("a smaller right side", right=w * ln_f),
        assumptions=(
            _TWO_STATES,
            "ln f ≥ ln N + 1 ≥ ln |S| + 1",
        ),
    ),
    TOTALS.enclosed(
        "E15.star.numbers",
        "1057-1063",
        "2·ln 2 + ln ln 2 ≥ 1",
        partial(_two_logs, 2),
        Mutant("ln 2 + ln ln 2 ≥ 1", partial(_two_logs, 1)),
    ),
)
