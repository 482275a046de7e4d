"""Lemma 2, first half: operators on signed measures, and the matrix inequality they obey.

Everything is shown for g: E → [0, 1], the chance that f is 1 on an observation of e, and not only
for f: E → {0, 1}: so the Lemma covers f(x) with x ~ Q(s, e), which is how it is used. Γ multiplies
by g. As g + r = 1 with g, r ≥ 0, and as a measure with integral 0 is d⁺ − d⁻ with d⁺, d⁻ ≥ 0 and
Σd⁺ = Σd⁻ = ½‖d‖₁, an inequality in every term holds for sums of any length, and for integrals.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from flint import arb, ctx
from sympy import Integer, Rational, Symbol, expand, sqrt

from proofs_checks.claim import Erratum, Evidence, Mutant, NotEarned, Strength
from proofs_checks.methods.finite import exhausted
from proofs_checks.methods.intervals import positive, positive_from_zero
from proofs_checks.methods.slack import term_by_term
from proofs_checks.methods.small_chains import (
    WHICH,
    Mixed,
    Vector,
    Weights,
    all_mixed,
    minus,
    norm,
    passing,
    rest,
    scaled,
    total,
    with_powers,
)
from proofs_checks.methods.symbolic import identities, identity
from proofs_checks.sections import LEMMA_2
from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import Chain, mixing_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sympy import Expr

_HALF: Final = Fraction(1, 2)

g, r, above, below, p, a, b = (Symbol(name) for name in ("g", "r", "d⁺", "d⁻", "p", "a", "b"))
"""Chances to pass and not to, the parts of a measure with integral 0, π(e), the coordinates of v"""
h, k, u, w, x, y, eps = (Symbol(name) for name in ("h", "k", "u", "w", "x", "y", "ε"))
right_above, right_below, length = Symbol("x⁺"), Symbol("x⁻"), Symbol("λ")


# --- chains with three states, by symbols ---------------------------------------------------------

_STATES: Final = range(3)
_step = [[Symbol(f"P{e}{f}") for f in _STATES] for e in _STATES]
_law: Final = [Symbol(f"π{e}") for e in _STATES]
_measure: Final = [Symbol(f"v{e}") for e in _STATES]
_pass: Final = [Symbol(f"g{e}") for e in _STATES]


def _sum(terms: list[Expr]) -> Expr:
    result: Expr = Integer(0)
    for term in terms:
        result = result + term
    return result


def _with_rest(free: list[Symbol]) -> list[Expr]:
    """Three numbers that sum to 1, the last determined by the others."""
    return [free[0], free[1], 1 - free[0] - free[1]]


def _matrix() -> list[list[Expr]]:
    return [_with_rest(row) for row in _step]


def _moved(vector: list[Expr], rows: list[list[Expr]]) -> list[Expr]:
    return [_sum([vector[e] * rows[e][f] for e in _STATES]) for f in _STATES]


def _projected(vector: list[Expr]) -> list[Expr]:
    law = _with_rest(_law)
    return [_sum(vector) * law[f] for f in _STATES]


def _difference(vector: list[Expr]) -> list[Expr]:
    moved, projected = _moved(vector, _matrix()), _projected(vector)
    return [moved[f] - projected[f] for f in _STATES]


def _integral_of_difference(stated: Expr) -> Evidence:
    return identity(_sum(_difference(list(_measure))), stated)


def _splits_into_projection_and_difference(times: int) -> Evidence:
    moved = _moved(list(_measure), _matrix())
    projected, difference = _projected(list(_measure)), _difference(list(_measure))
    return identities(*((moved[f], projected[f] + times * difference[f]) for f in _STATES))


def _stationary_law_stays(roots: int) -> Evidence:
    """π(e) is proportional to the sum over the trees of arrows into e of their chances."""
    chance = {(e, f): _step[e][f] for e in _STATES for f in _STATES if e != f}
    rows = [
        [
            chance[e, f]
            if e != f
            else 1 - _sum([chance[e, other] for other in _STATES if other != e])
            for f in _STATES
        ]
        for e in _STATES
    ]
    law: list[Expr] = []
    for e in _STATES:
        c, d = (other for other in _STATES if other != e)
        trees = [
            chance[c, e] * chance[d, e],
            chance[c, e] * chance[d, c],
            chance[c, d] * chance[d, e],
        ]
        law.append(_sum(trees[:roots]))
    moved = _moved(law, rows)
    return identities(*((moved[f], law[f]) for f in _STATES))


def _coordinate_after(b_times: int) -> Evidence:
    law = _with_rest(_law)
    v = [a * law[e] + b * _measure[e] for e in _STATES]
    moved = _moved([_pass[e] * v[e] for e in _STATES], _matrix())
    passed_law = _sum([_pass[e] * law[e] for e in _STATES])
    passed_rest = _sum([_pass[e] * _measure[e] for e in _STATES])
    return identity(expand(_sum(moved)), expand(a * passed_law + b_times * b * passed_rest))


def _integral_of_two_samples(*, second_passes: bool) -> Evidence:
    """Σ over paths e, f of v(e)·g(e)·P(e, f)·g(f), against ∫MΓMΓv."""
    rows, passes = _matrix(), _pass
    once = _moved([_pass[e] * _measure[e] for e in _STATES], rows)
    twice = _moved([_pass[f] * once[f] for f in _STATES], rows)
    paths = [
        _measure[e] * passes[e] * rows[e][f] * (passes[f] if second_passes else 1)
        for e in _STATES
        for f in _STATES
    ]
    return identity(expand(_sum(twice)), expand(_sum(paths)))


# --- all small chains -----------------------------------------------------------------------------

_Case = tuple[Mixed, Weights, Vector, int]
"""A chain, an event, a measure and a lag"""


def _cases(measures: Callable[[Mixed], Iterator[Vector]]) -> Iterator[_Case]:
    for mixed in all_mixed():
        for weights, measure in product(mixed.events(), list(measures(mixed))):
            yield mixed, weights, measure, mixed.t_mix


def _starts(mixed: Mixed) -> Iterator[Vector]:
    yield from (mixed.unit(e) for e in range(len(mixed.chain)))
    yield mixed.law


def _nonnegative_total(mixed: Mixed) -> Iterator[Vector]:
    yield from (v for v in mixed.signed() if total(v) >= 0)


def _delta(mixed: Mixed, vector: Vector, lag: int) -> Vector:
    return minus(mixed.after(vector, lag), scaled(mixed.law, total(vector)))


def _half_norm(share: Fraction = _HALF) -> Evidence:
    cases = (
        (mixed, v, mixed.t_mix + later)
        for mixed in all_mixed()
        for v in mixed.signed()
        for later in range(2)
    )

    def holds(case: tuple[Mixed, Vector, int]) -> bool:
        mixed, v, lag = case
        return norm(_delta(mixed, v, lag)) <= share * norm(v)

    return exhausted(cases, holds, f"{WHICH}; every measure with weights −1, 0, 1")


def _norm_is_twice_the_variation(times: int = 2) -> Evidence:
    cases = ((mixed, e) for mixed in all_mixed() for e in range(len(mixed.chain)))

    def holds(case: tuple[Mixed, int]) -> bool:
        mixed, e = case
        change = _delta(mixed, mixed.unit(e), mixed.t_mix)
        variation = max(total(passing(change, event)) for event in mixed.events())
        return norm(change) == times * variation <= _HALF

    return exhausted(cases, holds, f"{WHICH}; every start, the largest difference of all events")


def _passed_law_changes_little(share: Fraction) -> Evidence:
    cases = ((mixed, event) for mixed in all_mixed() for event in mixed.events())

    def holds(case: tuple[Mixed, Weights]) -> bool:
        mixed, event = case
        miss = _missed(mixed, event)
        change = norm(_delta(mixed, passing(mixed.law, event), mixed.t_mix))
        return change <= share * min(miss, 1 - miss)

    return exhausted(cases, holds, f"{WHICH}; every event")


def _coordinates(mixed: Mixed, vector: Vector) -> tuple[Fraction, Fraction]:
    return total(vector), norm(rest(vector, mixed.law))


def _missed(mixed: Mixed, weights: Weights) -> Fraction:
    """ε' = Pr(f = 0) under the stationary law."""
    return 1 - total(passing(mixed.law, weights))


def _after_one(
    miss: Fraction, at: tuple[Fraction, Fraction], corner: Fraction
) -> tuple[Fraction, Fraction]:
    """The matrix of the Lemma, with ½ in its corner unless told otherwise."""
    return (1 - miss) * at[0] + at[1] / 2, miss * at[0] / 2 + corner * at[1]


def _matrix_inequality(
    measures: Callable[[Mixed], Iterator[Vector]], corner: Fraction = _HALF
) -> Evidence:
    def holds(case: _Case) -> bool:
        mixed, weights, v, lag = case
        after = _coordinates(mixed, mixed.after(passing(v, weights), lag))
        bound = _after_one(_missed(mixed, weights), _coordinates(mixed, v), corner)
        return after[0] <= bound[0] and after[1] <= bound[1]

    size = f"{WHICH}; every event, every measure with weights −1, 0, 1 and a ≥ 0, i = t_mix"
    return exhausted(_cases(measures), holds, size)


def _paths(mixed: Mixed, start: Vector, steps: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every possible trajectory with its chance."""
    for path in product(range(len(mixed.chain)), repeat=steps + 1):
        chance = start[path[0]]
        for e, f in pairwise(path):
            chance *= mixed.chain.rows[e][f]
        if chance:
            yield path, chance


def _last_law(
    mixed: Mixed, start: Vector, steps: int, event: Weights, times: tuple[int, ...]
) -> tuple[Fraction, Vector]:
    """How likely all samples pass, and the law of the last state if so; summed over paths."""
    mass = [Fraction(0)] * len(mixed.chain)
    for path, chance in _paths(mixed, start, steps):
        if all(event[path[time]] for time in times):
            mass[path[-1]] += chance
    chance = total(tuple(mass))
    return chance, tuple(m / chance for m in mass) if chance else tuple(mass)


def _operators(mixed: Mixed, start: Vector, event: Weights, lags: tuple[int, ...]) -> Vector:
    """…MΓMΓ applied to the law at t_1."""
    v = start
    for lag in lags:
        v = mixed.after(passing(v, event), lag)
    return v


_FEW_PATHS: Final = 250


def _operators_and_paths(
    samples: int, agree: Callable[[Mixed, Vector, Vector, Fraction, Vector, int], bool]
) -> Evidence:
    """Compare the operators with sums over all paths, where these are few."""
    cases = (
        (mixed, event, start)
        for mixed in all_mixed()
        if len(mixed.chain) ** (samples * mixed.t_mix + 1) <= _FEW_PATHS
        for event in mixed.events()
        for start in _starts(mixed)
    )

    def holds(case: tuple[Mixed, Weights, Vector]) -> bool:
        mixed, event, start = case
        lag = mixed.t_mix
        operated = _operators(mixed, start, event, (lag,) * samples)
        times = tuple(lag * sample for sample in range(samples))
        chance, law = _last_law(mixed, start, lag * samples, event, times)
        return agree(mixed, operated, start, chance, law, lag * samples)

    size = f"{WHICH}, of those with at most {_FEW_PATHS} paths; every event, start and π"
    return exhausted(cases, holds, f"{size}, {samples} samples")


def _is_conditional_law(
    _mixed: Mixed, operated: Vector, _start: Vector, chance: Fraction, law: Vector, _steps: int
) -> bool:
    return operated == scaled(law, chance)


def _is_plain_law(
    mixed: Mixed, operated: Vector, start: Vector, chance: Fraction, _law: Vector, steps: int
) -> bool:
    plain = start
    for _ in range(steps):
        plain = mixed.after(plain, 1)
    return operated == scaled(plain, chance)


def _integral_is_chance(
    _mixed: Mixed, operated: Vector, _start: Vector, chance: Fraction, _law: Vector, _steps: int
) -> bool:
    return total(operated) == chance


def _integral_is_chance_of_last(
    _mixed: Mixed, operated: Vector, _start: Vector, _chance: Fraction, _law: Vector, _steps: int
) -> bool:
    return total(operated) == 1


def _fair_and_slow() -> Mixed:
    """Two states, ¾ to stay: t_mix = 1, and π is uniform."""
    stay, go = Fraction(3, 4), Fraction(1, 4)
    return with_powers(((stay, go), (go, stay)))


def _product_is_not_the_plain_law() -> bool:
    mixed, event = _fair_and_slow(), (Fraction(1), Fraction(0))
    operated = _operators(mixed, mixed.law, event, (mixed.t_mix,))
    chance = total(passing(mixed.law, event))
    plain = scaled(mixed.after(mixed.law, mixed.t_mix), chance)
    return operated == (Fraction(3, 8), Fraction(1, 8)) and plain == (Fraction(1, 4),) * 2


# --- the decomposition ----------------------------------------------------------------------------


def _decomposition_is_not_unique() -> bool:
    """v = π has b = 0, and then v̄ is arbitrary."""
    law = _fair_and_slow().law
    directions = ((_HALF, -_HALF), (-_HALF, _HALF))
    decomposed = [
        tuple(m + 0 * d for m, d in zip(law, direction, strict=True)) for direction in directions
    ]
    allowed = all(total(d) == 0 and norm(d) == 1 for d in directions)
    return allowed and all(v == law for v in decomposed)


def _unique_without_direction(extra: int) -> Evidence:
    """v = aπ + z with ∫z = 0 forces a = ∫v and z = v − aπ: take integrals."""
    law = _with_rest(_law)
    z = [_measure[0], _measure[1], extra - _measure[0] - _measure[1]]
    v = [a * law[e] + z[e] for e in _STATES]
    forced = [(v[e] - _sum(v) * law[e], z[e]) for e in _STATES]
    return identities((expand(_sum(v)), a), *((expand(one), expand(two)) for one, two in forced))


# --- N applications -------------------------------------------------------------------------------

_SAMPLES: Final = 6
_MANY_SAMPLES: Final = 30
"""So many that 8·exp(−ε'N/3) is below 1 from ε' = 1/4 on."""
_EVENT: Final = (Fraction(0), Fraction(1))
_OBSERVATION: Final = (Fraction(0), _HALF, Fraction(1))


def _recursion(holds_for: Callable[[Mixed, Weights, list[Vector]], bool]) -> Evidence:
    """v_0, …, v_N for every start and event, with lags t_mix and t_mix + 1 in turn."""
    cases = (
        (mixed, event, start)
        for mixed in all_mixed()
        for event in mixed.events()
        for start in _starts(mixed)
    )

    def holds(case: tuple[Mixed, Weights, Vector]) -> bool:
        mixed, event, start = case
        measures = [start]
        for turn in range(_SAMPLES):
            measures.append(mixed.after(passing(measures[-1], event), mixed.t_mix + turn % 2))
        return holds_for(mixed, event, measures)

    return exhausted(cases, holds, f"{WHICH}; every event, start and π, N ≤ {_SAMPLES}")


def _within_powers(corner: Fraction) -> Evidence:
    def holds(mixed: Mixed, event: Weights, measures: list[Vector]) -> bool:
        bound = _coordinates(mixed, measures[0])
        for v in measures[1:]:
            bound = _after_one(_missed(mixed, event), bound, corner)
            at = _coordinates(mixed, v)
            if at[0] > bound[0] or at[1] > bound[1]:
                return False
        return True

    return _recursion(holds)


def _one_application_for_each_sample(*, last_gap_is_mixing: bool) -> Evidence:
    """N samples have N − 1 gaps; M^t_mix at the end makes N applications of M^iΓ with i ≥ t_mix."""

    def holds(size: tuple[int, int, int]) -> bool:
        samples, t_mix, longer = size
        times = [3 + sample * (t_mix + longer) for sample in range(samples)]
        gaps = [later - earlier for earlier, later in pairwise(times)]
        lags = gaps + [t_mix] * last_gap_is_mixing
        return len(lags) == samples and min(lags) >= t_mix

    cases = product(range(1, 9), range(1, 6), range(3))
    return exhausted(cases, holds, "N ≤ 8, t_mix ≤ 5, gaps to t_mix + 2")


def _coordinate_is_a_chance(below_one: Fraction = Fraction(1)) -> Evidence:
    def holds(_mixed: Mixed, _event: Weights, measures: list[Vector]) -> bool:
        return all(min(v) >= 0 and total(v) <= below_one for v in measures)

    return _recursion(holds)


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
        miss, pass_all = _missed(mixed, weights), weights
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


# --- sharper: a corner of ¼ -----------------------------------------------------------------------


def _sharper_length(miss: arb) -> arb:
    return (
        ball(Fraction(5, 4)) - miss + ((miss - ball(Fraction(1, 4))) ** 2 + _half_ball()).sqrt()
    ) / 2


def _half_ball() -> arb:
    return ball(_HALF)


def _below_exponential(rate: Fraction) -> Evidence:
    def gap(miss: arb) -> arb:
        return (-ball(rate) * miss).exp() - _sharper_length(miss)

    def slope(miss: arb) -> arb:
        shift = miss - ball(Fraction(1, 4))
        root = (shift**2 + _half_ball()).sqrt()
        return -ball(rate) * (-ball(rate) * miss).exp() + (1 - shift / root) / 2

    return positive_from_zero(gap, slope, Fraction(0), Fraction(1, 10), _HALF)


def _simple_below_exponential(rate: Fraction, start: Fraction) -> Evidence:
    def gap(miss: arb) -> arb:
        return (-ball(rate) * miss).exp() - (ball(Fraction(5, 4)) - miss)

    return positive(gap, start, Fraction(1))


def _sharper_combination(corner: Fraction) -> Evidence:
    """a' + c·b' against (1 − ε' + cε'/2)·a + (½ + c·corner)·b for c = 0, 1, 2 on small chains."""

    def holds(case: _Case) -> bool:
        mixed, weights, v, lag = case
        after = _coordinates(mixed, mixed.after(passing(v, weights), lag))
        bound = _after_one(_missed(mixed, weights), _coordinates(mixed, v), corner)
        return all(after[0] + c * after[1] <= bound[0] + c * bound[1] for c in range(3))

    return exhausted(_cases(_nonnegative_total), holds, f"{WHICH}; c = 0, 1, 2")


_quadratic = length**2 - (Rational(5, 4) - eps) * length + (1 - 2 * eps) / 4
_c = 2 / (4 * length - 1)


def _left_eigenvector(scale: int) -> Evidence:
    root = (Rational(5, 4) - eps + sqrt((eps - Rational(1, 4)) ** 2 + Rational(1, 2))) / 2
    return identities(
        ((1 - eps + _c * eps / 2 - length) * (4 * length - 1), -4 * scale * _quadratic),
        (Rational(1, 2) + _c / 4, _c * length),
        (_quadratic.subs({length: root}), Integer(0)),
        # At λ = ¾ the quadratic is (2ε − 1)/8 ≤ 0 for ε ≤ ½: so its larger root is ≥ ¾ and c ≤ 1.
        (_quadratic.subs({length: Rational(3, 4)}), (2 * eps - 1) / 8),
    )


def _constant_after_one_free_sample(rate: Fraction, factor: Fraction) -> Evidence:
    """exp(rate) < factor: the price of (5/4 − ε')^{N−1} instead of the N-th power."""
    with ctx.workprec(128):
        if not ball(rate).exp() < ball(factor):
            raise NotEarned(f"exp({rate}) is not below {factor}")
    return Evidence(Strength.ENCLOSED, f"exp({rate}) < {factor}")


# --- the claims -----------------------------------------------------------------------------------


_MIXING: Final = "i ≥ t_mix, so that total variation after i steps is ≤ 1/4"
_RATE: Final = Fraction(4, 7)

CLAIMS: Final = (
    LEMMA_2.exhausted(
        "G01",
        "1102-1106",
        "Pr(f(e_{t_1}) = … = f(e_{t_N}) = 1) ≤ 8·exp(−εN/3), from every start, with gaps ≥ t_mix",
        partial(_chance_bound, Fraction(8), Fraction(1, 3), _EVENT),
        Mutant("8·exp(−εN)", partial(_chance_bound, Fraction(8), Fraction(1), _EVENT)),
        Mutant("9/10·exp(−εN/3)", partial(_chance_bound, Fraction(9, 10), Fraction(1, 3), _EVENT)),
        assumptions=("gaps between samples only: no gap is needed before t_1",),
    ),
    LEMMA_2.exhausted(
        "G01.observations",
        "972, 1102-1106",
        "the Lemma as Phase 3 uses it, for f(x) with x ~ Q(s, e): Pr(all f(x_{t_i}) = 1) ≤ "
        "8·exp(−εN/3), where Γ multiplies by g(e) = Pr(f(x) = 1 | s, e)",
        partial(_chance_bound, Fraction(8), Fraction(1, 3), _OBSERVATION),
        Mutant("8·exp(−εN)", partial(_chance_bound, Fraction(8), Fraction(1), _OBSERVATION)),
        assumptions=("given e_{t_1}, …, e_{t_N} the observations are independent",),
    ),
    LEMMA_2.exhausted(
        "G01.pairs",
        "972, 1102-1106",
        "the pairs (e_t, x_t) with x_t ~ Q(s, e_t) are a chain with the mixing time of (e_t): so "
        "the Lemma, stated for f(e), applies to f(x) as it stands",
        partial(_pairs_mix_as_fast, 0),
        Mutant("one step later", partial(_pairs_mix_as_fast, 1)),
        assumptions=("t_mix ≥ 1", "pairs of chance 0 are left out"),
    ),
    LEMMA_2.proved(
        "G02",
        "1113",
        "ε' = 1 − Pr_π(f = 1) ≥ ε if Pr_π(f = 1) = 1 − ε − u for some u ≥ 0",
        lambda: term_by_term((eps, 1 - (1 - eps - u))),
        Mutant("if Pr_π(f = 1) = 1 − ε + u", lambda: term_by_term((eps, 1 - (1 - eps + u)))),
    ),
    LEMMA_2.proved(
        "G03",
        "1121-1124",
        "∫Δ^iπ = 0 for every measure π: M^i and Π both keep the integral (three states, by symbols;"
        " each state enters only through its own row, which sums to 1)",
        partial(_integral_of_difference, Integer(0)),
        Mutant("∫Δ^iπ = ∫π", partial(_integral_of_difference, _sum(list(_measure)))),
    ),
    LEMMA_2.exhausted(
        "G04.a",
        "1129-1132",
        "‖Δ^i e⃗‖₁ = 2·‖π_e − M^i e⃗‖_TV ≤ 1/2, total variation as the largest over all events",
        _norm_is_twice_the_variation,
        Mutant("once the total variation", partial(_norm_is_twice_the_variation, 1)),
        assumptions=(_MIXING,),
    ),
    LEMMA_2.proved(
        "G04.b",
        "1125-1136",
        "‖Δ^iπ‖₁ ≤ ½‖π‖₁ for every signed measure, not only for laws: with π(e) = d⁺ − d⁻ and "
        "(Δ^i e⃗)(e') = x⁺ − x⁻, ±(d⁺ − d⁻)(x⁺ − x⁻) ≤ (d⁺ + d⁻)(x⁺ + x⁻) in every term, and "
        "Σ(x⁺ + x⁻) ≤ ½",
        lambda: term_by_term(
            (
                (above - below) * (right_above - right_below),
                (above + below) * (right_above + right_below),
            ),
            (
                -(above - below) * (right_above - right_below),
                (above + below) * (right_above + right_below),
            ),
        ),
        Mutant(
            "|d⁺ − d⁻| replaced by d⁺",
            lambda: term_by_term(
                (
                    (above - below) * (right_above - right_below),
                    above * (right_above + right_below),
                )
            ),
        ),
        assumptions=(_MIXING,),
    ),
    LEMMA_2.exhausted(
        "G04.c",
        "1125-1128",
        "‖Δ^iπ‖₁ ≤ ½‖π‖₁ on small chains",
        _half_norm,
        Mutant("a share of 49/100", partial(_half_norm, Fraction(49, 100))),
        assumptions=(_MIXING,),
    ),
    LEMMA_2.proved(
        "G05",
        "1137-1140",
        "Δ^iπ_e = 0, as M π_e = π_e: for every chain with three states, by its trees",
        partial(_stationary_law_stays, 3),
        Mutant("one kind of tree forgotten", partial(_stationary_law_stays, 2)),
    ),
    LEMMA_2.proved(
        "G07.a",
        "1150-1157",
        "Γπ_0 and (I − Γ)π_0 sum to π_0, and so do their norms to ‖π_0‖₁: "
        "g(d⁺ − d⁻) + r(d⁺ − d⁻) = d⁺ − d⁻ and g(d⁺ + d⁻) + r(d⁺ + d⁻) = d⁺ + d⁻",
        lambda: identities(
            (g * (above - below) + (1 - g) * (above - below), above - below),
            (g * (above + below) + (1 - g) * (above + below), above + below),
        ),
        Mutant(
            "g + (1 + g)",
            lambda: identities(
                (g * (above + below) + (1 + g) * (above + below), above + below),
            ),
        ),
    ),
    LEMMA_2.proved(
        "G07.b",
        "1158-1165",
        "|∫Γπ_0| = x ≤ ‖Γπ_0‖₁ = x + u and x ≤ ‖(I − Γ)π_0‖₁ = x + w combine to x ≤ ½‖π_0‖₁",
        lambda: term_by_term((2 * x, (x + u) + (x + w))),
        Mutant("only one of the two bounds", lambda: term_by_term((2 * x, (x + u) + w))),
    ),
    LEMMA_2.proved(
        "G07",
        "1145-1148",
        "∫Γπ_0 ≤ ½‖π_0‖₁, and ≥ −½‖π_0‖₁, if ∫π_0 = 0: −d⁻ ≤ g(d⁺ − d⁻) ≤ d⁺ in every term",
        lambda: term_by_term(
            (g * (above - below), (g + r) * above), (-(g + r) * below, g * (above - below))
        ),
        Mutant(
            "a third of the norm",
            lambda: term_by_term((g * (above - below), 2 * (g + r) * above / 3)),
        ),
        assumptions=("Σd⁺ = Σd⁻ = ½‖π_0‖₁, as ∫π_0 = 0",),
    ),
    LEMMA_2.exhausted(
        "G08",
        "1166-1170",
        "M^iΓπ is Pr(f(e') = 1) times the law of e_i given f(e') = 1; and 0 where that chance is 0",
        partial(_operators_and_paths, 1, _is_conditional_law),
        Mutant("the law without the condition", partial(_operators_and_paths, 1, _is_plain_law)),
        assumptions=("where Pr(f(e') = 1) = 0 there is no conditional law: both sides are 0",),
    ),
    LEMMA_2.proved(
        "G09",
        "1171-1175",
        "v = aπ_e + z with ∫z = 0 in exactly one way: a = ∫v, z = v − aπ_e; and b = ‖z‖₁",
        partial(_unique_without_direction, 0),
        Mutant("∫z = 1", partial(_unique_without_direction, 1)),
        erratum=Erratum(
            printed=(
                "v = aπ_e + b·v̄ with ∫v̄ = 0, ‖v̄‖₁ = 1 and b ≥ 0 always in exactly one way, with "
                "v̄ = (v − aπ_e)/b"
            ),
            counterexample=(
                "two states, v = π_e = (1/2, 1/2): b = 0, so the quotient is undefined, and "
                "v̄ = (1/2, −1/2) and v̄ = (−1/2, 1/2) both do; with one state there is no v̄ at all"
            ),
            refuted=_decomposition_is_not_unique,
            corrected=(
                "a, b and the product b·v̄ are unique; v̄ is unique if and only if b > 0 (if b = 0, "
                "take any v̄, or leave the product out)"
            ),
            consequence="the theorem survives as is: only a, b and b·v̄ are used",
        ),
    ),
    LEMMA_2.proved(
        "G10",
        "1185-1188",
        "M^i = Π + Δ^i, applied to any measure",
        partial(_splits_into_projection_and_difference, 1),
        Mutant("2Δ^i", partial(_splits_into_projection_and_difference, 2)),
    ),
    LEMMA_2.proved(
        "G12.a",
        "1190-1192",
        "a' = a·∫Γπ_e + b·∫Γv̄ (three states, by symbols)",
        partial(_coordinate_after, 1),
        Mutant("2b", partial(_coordinate_after, 2)),
    ),
    LEMMA_2.proved(
        "G12.b",
        "1194-1196",
        "b' = ‖Δ^iΓ(aπ_e + b·v̄)‖₁ ≤ a‖Δ^iΓπ_e‖₁ + b‖Δ^iΓv̄‖₁: "
        "±(a(d⁺ − d⁻) + b(x⁺ − x⁻)) ≤ a(d⁺ + d⁻) + b(x⁺ + x⁻) in every term",
        lambda: term_by_term(
            (
                a * (above - below) + b * (right_above - right_below),
                a * (above + below) + b * (right_above + right_below),
            ),
            (
                -a * (above - below) - b * (right_above - right_below),
                a * (above + below) + b * (right_above + right_below),
            ),
        ),
        Mutant(
            "a < 0",
            lambda: term_by_term(
                (
                    -a * (above - below) + b * (right_above - right_below),
                    -a * (above + below) + b * (right_above + right_below),
                )
            ),
        ),
        assumptions=("a ≥ 0 and b ≥ 0",),
    ),
    LEMMA_2.proved(
        "G13",
        "1197-1205",
        "a' ≤ a(1 − ε') + b/2: g(aπ_e + b(d⁺ − d⁻)) ≤ a·g·π_e + b·d⁺ in every term, "
        "Σgπ_e = 1 − ε' and Σd⁺ = ½ (or 0, if b = 0)",
        lambda: term_by_term((g * (a * p + b * (above - below)), a * g * p + b * (g + r) * above)),
        Mutant(
            "without the d⁺", lambda: term_by_term((g * (a * p + b * (above - below)), a * g * p))
        ),
    ),
    LEMMA_2.proved(
        "G14",
        "1206-1221",
        "b' ≤ aε'/2 + b/2, as ‖Δ^iΓπ_e‖₁ = ‖Δ^i(I − Γ)π_e‖₁ = x with ε' = 2x + u, and "
        "‖Δ^iΓv̄‖₁ = y with ‖v̄‖₁ = 1 = 2y + w: 2(ax + by) ≤ a(2x + u) + b(2y + w)",
        lambda: term_by_term((2 * (a * x + b * y), a * (2 * x + u) + b * (2 * y + w))),
        Mutant("no use of b", lambda: term_by_term((2 * (a * x + b * y), a * (2 * x + u) + b * w))),
        assumptions=("a ≥ 0", _MIXING),
    ),
    LEMMA_2.exhausted(
        "G15.a",
        "1222-1235",
        "(a', b') ≤ [[1 − ε', ½], [ε'/2, ½]]·(a, b) for v' = M^iΓv, elementwise",
        partial(_matrix_inequality, _nonnegative_total),
        Mutant("a corner of 1/4", partial(_matrix_inequality, _nonnegative_total, Fraction(1, 4))),
        Mutant("without a ≥ 0", partial(_matrix_inequality, lambda mixed: mixed.signed())),
        assumptions=("a ≥ 0", _MIXING),
    ),
    LEMMA_2.proved(
        "G15.b",
        "1236-1267",
        "the matrix keeps ≤: for (x + u, y + w) ≥ (x, y) both components of the difference are ≥ 0",
        lambda: term_by_term(
            (0, expand((r * (x + u) + (y + w) / 2) - (r * x + y / 2))),
            (0, expand((eps * (x + u) + y + w) / 2 - (eps * x + y) / 2)),
        ),
        Mutant(
            "an entry −½",
            lambda: term_by_term((0, expand((r * (x + u) - (y + w) / 2) - (r * x - y / 2)))),
        ),
        assumptions=("0 ≤ ε' ≤ 1, r = 1 − ε'",),
    ),
    LEMMA_2.exhausted(
        "G16",
        "1268-1275",
        "M^t_mix Γ M^(t_2−t_1) Γ π_{t_1} is Pr(all f = 1) times the law of e at the end, given that"
        " all f = 1",
        partial(_operators_and_paths, 2, _is_conditional_law),
        Mutant("the law without the condition", partial(_operators_and_paths, 2, _is_plain_law)),
        assumptions=("where some condition has chance 0, both sides are 0",),
        erratum=Erratum(
            printed=(
                "the product of operators is π_{t_N+t_mix}, the law of the chain at that time, "
                "times the product of the conditional chances"
            ),
            counterexample=(
                "two states, 3/4 to stay (t_mix = 1), π_{t_1} uniform, f = 1 in the first state, "
                "N = 1: the operators give (3/8, 1/8); the law at t_1 + 1 is (1/2, 1/2), times "
                "1/2 is (1/4, 1/4)"
            ),
            refuted=_product_is_not_the_plain_law,
            corrected="the law at t_N + t_mix given that all f(e_{t_i}) = 1 takes its place",
            consequence="the theorem survives as is: only the integral, 1, of that law is used",
        ),
    ),
    LEMMA_2.proved(
        "G17",
        "1276-1285",
        "∫MΓMΓv = Σ v(e)·g(e)·P(e, e')·g(e'), the chance that two samples pass (three states, by "
        "symbols, P for any number of steps); a further MΓ puts a further factor in the same way",
        partial(_integral_of_two_samples, second_passes=True),
        Mutant("the second sample is free", partial(_integral_of_two_samples, second_passes=False)),
    ),
    LEMMA_2.exhausted(
        "G17.chains",
        "1276-1285",
        "∫M^t_mix Γ M^(t_2−t_1) Γ π_{t_1} = Pr(all f = 1) = a_N",
        partial(_operators_and_paths, 2, _integral_is_chance),
        Mutant("always 1", partial(_operators_and_paths, 2, _integral_is_chance_of_last)),
    ),
    LEMMA_2.exhausted(
        "G18.a",
        "1281, 1286",
        "N samples make N applications of M^iΓ with i ≥ t_mix: N − 1 gaps, and t_mix at the end",
        partial(_one_application_for_each_sample, last_gap_is_mixing=True),
        Mutant(
            "nothing at the end",
            partial(_one_application_for_each_sample, last_gap_is_mixing=False),
        ),
    ),
    LEMMA_2.exhausted(
        "G18.b",
        "1300",
        "every v_j is a nonnegative measure of mass a_j ≤ 1, so that a_j ≥ 0",
        _coordinate_is_a_chance,
        Mutant("a_j ≤ 9/10", partial(_coordinate_is_a_chance, Fraction(9, 10))),
    ),
    LEMMA_2.proved(
        "G19",
        "1288-1416",
        "the step of the induction: (a', b') ≤ A(a, b) and (a, b) ≤ (x, y) := A^j(a_0, b_0) give "
        "(a', b') ≤ A^(j+1)(a_0, b_0), with a = x − u, b = y − w and the rest h, k below A(a, b)",
        lambda: term_by_term(
            (0, expand((r * x + y / 2) - (r * (x - u) + (y - w) / 2 - h))),
            (0, expand((eps * x + y) / 2 - ((eps * (x - u) + y - w) / 2 - k))),
        ),
        Mutant(
            "(a, b) ≥ A^j(a_0, b_0)",
            lambda: term_by_term((0, expand((r * x + y / 2) - (r * (x + u) + (y + w) / 2 - h)))),
        ),
        assumptions=("0 ≤ ε' ≤ 1, r = 1 − ε'",),
    ),
    LEMMA_2.exhausted(
        "G19.chains",
        "1288-1416",
        "(a_j, b_j) ≤ A^j(a_0, b_0) on small chains",
        partial(_within_powers, _HALF),
        Mutant("a corner of 1/4", partial(_within_powers, Fraction(1, 4))),
    ),
    LEMMA_2.exhausted(
        "S.G14",
        "1209-1219",
        "‖Δ^iΓπ_e‖₁ ≤ ½·min(ε', 1 − ε'), where ε'/2 is used: it is ½‖(I − Γ)π_e‖₁ and ½‖Γπ_e‖₁",
        partial(_passed_law_changes_little, _HALF),
        Mutant("2/5 in place of ½", partial(_passed_law_changes_little, Fraction(2, 5))),
        assumptions=(_MIXING,),
    ),
    LEMMA_2.proved(
        "S.G15",
        "1222-1235",
        "a' + c·b' ≤ (1 − ε' + cε'/2)·a + (½ + c/4)·b for 0 ≤ c ≤ 2: a corner of ¼ instead of ½ in "
        "the matrix, for such combinations; with c = 2h, h + k = 1, in every term",
        lambda: term_by_term(
            (
                (h + k) * g * (a * p + b * (above - below))
                + h * (a * r * p + b * g * (above + below)),
                (h + k) * a * g * p + h * a * r * p + b * (h + k + h) * (g + r) * above,
            )
        ),
        Mutant(
            "c up to 4 (k the other way)",
            lambda: term_by_term(
                (
                    (h - k) * g * (a * p + b * (above - below))
                    + h * (a * r * p + b * g * (above + below)),
                    (h - k) * a * g * p + h * a * r * p + b * (h - k + h) * (g + r) * above,
                )
            ),
        ),
        assumptions=("a ≥ 0, b ≥ 0", _MIXING),
    ),
    LEMMA_2.exhausted(
        "S.G15.chains",
        "1222-1235",
        "a' + c·b' ≤ (1 − ε' + cε'/2)·a + (½ + c/4)·b on small chains, for c = 0, 1, 2",
        partial(_sharper_combination, Fraction(1, 4)),
        Mutant("a corner of 1/8", partial(_sharper_combination, Fraction(1, 8))),
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
    LEMMA_2.exhausted(
        "S.G01",
        "1105",
        "Pr(all f = 1) ≤ 3·exp(−4εN/7), by S.G19 and S.G01.a–c: better than 8·exp(−εN/3) for every "
        "N ≥ 1; here on small chains",
        partial(_chance_bound, Fraction(3), _RATE, _EVENT),
        Mutant("3·exp(−εN)", partial(_chance_bound, Fraction(3), Fraction(1), _EVENT)),
    ),
)
