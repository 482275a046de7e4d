"""Lemma 2: N samples as N operators and as a power of the matrix (l. 1166-1170, 1268-1416)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from sympy import Symbol, expand

from proofs_checks.claim import Erratum, Evidence, Mutant
from proofs_checks.claims.lemma2.decomposition import fair_and_slow
from proofs_checks.claims.lemma2.one_sample import after_one_sample, coordinates, missed
from proofs_checks.methods.finite import exhausted
from proofs_checks.methods.slack import term_by_term
from proofs_checks.methods.small_chains import (
    WHICH,
    Mixed,
    Vector,
    Weights,
    all_mixed,
    passing,
    scaled,
    total,
)
from proofs_checks.methods.symbolic import identity
from proofs_checks.methods.three_states import (
    STATES,
    any_measure,
    move,
    pass_chances,
    sum_of,
    transition_matrix,
)
from proofs_checks.sections import LEMMA_2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_HALF: Final = Fraction(1, 2)

r = Symbol("r")
h, k, u, w, x, y, eps = (Symbol(name) for name in ("h", "k", "u", "w", "x", "y", "ε"))


def _integral_of_two_samples(*, second_passes: bool) -> Evidence:
    """Σ over paths e, f of v(e)·g(e)·P(e, f)·g(f), against ∫MΓMΓv."""
    rows, passes = transition_matrix(), pass_chances
    once = move([pass_chances[e] * any_measure[e] for e in STATES], rows)
    twice = move([pass_chances[f] * once[f] for f in STATES], rows)
    paths = [
        any_measure[e] * passes[e] * rows[e][f] * (passes[f] if second_passes else 1)
        for e in STATES
        for f in STATES
    ]
    return identity(expand(sum_of(twice)), expand(sum_of(paths)))


def _starts(mixed: Mixed) -> Iterator[Vector]:
    yield from (mixed.unit(e) for e in range(len(mixed.chain)))
    yield mixed.law


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


def _product_is_not_the_plain_law() -> bool:
    mixed, event = fair_and_slow(), (Fraction(1), Fraction(0))
    operated = _operators(mixed, mixed.law, event, (mixed.t_mix,))
    chance = total(passing(mixed.law, event))
    plain = scaled(mixed.after(mixed.law, mixed.t_mix), chance)
    return operated == (Fraction(3, 8), Fraction(1, 8)) and plain == (Fraction(1, 4),) * 2


_SAMPLES: Final = 6


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
        bound = coordinates(mixed, measures[0])
        for v in measures[1:]:
            bound = after_one_sample(missed(mixed, event), bound, corner)
            at = coordinates(mixed, v)
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


CLAIMS: Final = (
    LEMMA_2.exhausted(
        "G08",
        "1166-1170",
        "M^iΓπ is Pr(f(e') = 1) times the law of e_i given f(e') = 1; and 0 where that chance is 0",
        partial(_operators_and_paths, 1, _is_conditional_law),
        Mutant("the law without the condition", partial(_operators_and_paths, 1, _is_plain_law)),
        assumptions=("where Pr(f(e') = 1) = 0 there is no conditional law: both sides are 0",),
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
)
