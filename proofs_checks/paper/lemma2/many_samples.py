"""Lemma 2: N samples as N operators and as a power of the matrix (l. 1166-1170, 1268-1416)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import all_of, beside
from proofs_checks.paper.lemma2.decomposition import fair_and_slow
from proofs_checks.paper.lemma2.one_sample import after_one_sample, coordinates, missed
from proofs_checks.proofs.chains.closing import powers_of_the_matrix
from proofs_checks.proofs.chains.next_sample import one_more_sample
from proofs_checks.proofs.chains.samples import (
    last_lag_is_free,
    measures_are_chances,
    passing_and_arriving,
)
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import LEMMA_2
from proofs_checks.small_cases.chains import (
    WHICH,
    Mixed,
    Vector,
    Weights,
    all_mixed,
    passing,
    scaled,
    total,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.kernels.evidence import Evidence


_HALF: Final = Fraction(1, 2)

u = Symbol("u")
"""What a gap exceeds t_mix by."""


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


def _applications(at_the_end: int) -> Evidence:
    """N − 1 gaps, and some applications at the end, are N; each lag is t_mix and a slack."""
    samples, lag = Symbol("N"), Symbol("t_mix")
    return all_of(
        identity((samples - 1) + at_the_end, samples), at_most(lag, lag + u, {u: 0, lag: 0})
    )


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
    LEMMA_2.proved(
        "G08",
        "1166-1170",
        "M^iΓπ is Pr(f(e') = 1) times the law of e_i given f(e') = 1; and 0 where that chance is 0",
        beside(
            partial(_operators_and_paths, 1, _is_conditional_law),
            partial(shown_by, passing_and_arriving),
        ),
        Mutant("without Γ", partial(shown_by, passing_and_arriving, with_condition=False)),
        Mutant("the law without the condition", partial(_operators_and_paths, 1, _is_plain_law)),
        assumptions=("where Pr(f(e') = 1) = 0 there is no conditional law: both sides are 0",),
    ),
    LEMMA_2.proved(
        "G16",
        "1268-1275",
        "M^t_mix Γ … M^(t_2−t_1) Γ π_{t_1} is Pr(all f = 1) times the law of e at the end, given "
        "that all f = 1; and 0 where that chance is 0",
        beside(
            partial(_operators_and_paths, 2, _is_conditional_law),
            partial(shown_by, passing_and_arriving),
        ),
        Mutant("weights of any sign", partial(shown_without, "g ≥ 0", passing_and_arriving)),
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
        "∫MΓMΓv = Σ v(e)·g(e)·P(e, e')·g(e'): each MΓ puts a further factor, and the M at the end "
        "puts none",
        partial(shown_by, last_lag_is_free),
        Mutant("the second sample is free", partial(shown_by, last_lag_is_free, all_pass=False)),
    ),
    LEMMA_2.proved(
        "G17.chains",
        "1276-1285",
        "∫M^t_mix Γ … M^(t_2−t_1) Γ π_{t_1} = Pr(all f = 1) = a_N",
        beside(
            partial(_operators_and_paths, 2, _integral_is_chance),
            partial(shown_by, last_lag_is_free),
        ),
        Mutant("rows of any sum", partial(shown_without, "rows", last_lag_is_free)),
        Mutant("always 1", partial(_operators_and_paths, 2, _integral_is_chance_of_last)),
    ),
    LEMMA_2.proved(
        "G18.a",
        "1281, 1286",
        "N samples make N applications of M^iΓ with i ≥ t_mix: N − 1 gaps, and t_mix at the end",
        beside(
            partial(_one_application_for_each_sample, last_gap_is_mixing=True),
            partial(_applications, 1),
        ),
        Mutant("nothing at the end, for every N", partial(_applications, 0)),
        Mutant(
            "nothing at the end",
            partial(_one_application_for_each_sample, last_gap_is_mixing=False),
        ),
    ),
    LEMMA_2.proved(
        "G18.b",
        "1300",
        "every v_j is a nonnegative measure of mass a_j ≤ 1, so that a_j ≥ 0",
        beside(_coordinate_is_a_chance, partial(shown_by, measures_are_chances)),
        Mutant("a_j ≤ 9/10", partial(shown_by, measures_are_chances, Fraction(9, 10))),
        Mutant("chances above 1", partial(shown_without, "g ≤ 1", measures_are_chances)),
        Mutant("a_j ≤ 9/10, tried", partial(_coordinate_is_a_chance, Fraction(9, 10))),
    ),
    LEMMA_2.proved(
        "G19",
        "1288-1416",
        "(a', b') ≤ A(a, b) for each sample gives (a_j, b_j) ≤ A^j(a_0, b_0), by induction over j, "
        "as the entries of A are ≥ 0",
        partial(shown_by, powers_of_the_matrix),
        Mutant("a corner of 1/4", partial(shown_by, powers_of_the_matrix, Fraction(1, 4))),
        Mutant("ε' above 1", partial(shown_without, "ε ≤ 1", powers_of_the_matrix)),
    ),
    LEMMA_2.proved(
        "G19.chains",
        "1288-1416",
        "(a_j, b_j) ≤ A^j(a_0, b_0) for every chain and every j: (a_{j+1}, b_{j+1}) ≤ A(a_j, b_j)",
        beside(
            partial(_within_powers, _HALF),
            partial(shown_by, one_more_sample),
            partial(shown_by, powers_of_the_matrix),
        ),
        Mutant("a corner of 1/4", partial(shown_by, one_more_sample, Fraction(1, 4))),
        Mutant("lags below t_mix", partial(shown_without, "mixed", one_more_sample)),
        Mutant("a corner of 1/4, tried", partial(_within_powers, Fraction(1, 4))),
    ),
)
