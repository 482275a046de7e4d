"""Lemma 1: after the mixing time, what an observation shows is nearly independent of the past.

A difference of two laws is d⁺ − d⁻ with d⁺, d⁻ ≥ 0, and Σd⁺ = Σd⁻ is their total variation. The
chance g(e) that f is 1 on an observation of e lies in [0, 1]: it is g where g + r = 1 and both are
≥ 0. An inequality that holds in every term holds for sums of any length, and for integrals; so the
certificates are for one term.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Evidence, Mutant, NotEarned
from proofs_checks.methods.finite import equal, exhausted
from proofs_checks.methods.slack import term_by_term
from proofs_checks.methods.small_chains import (
    WHICH,
    Mixed,
    Weights,
    all_mixed,
    minus,
    norm,
    passing,
    total,
    with_powers,
)
from proofs_checks.sections import LEMMA_1
from steel_verified.worlds.chains import MIXED

if TYPE_CHECKING:
    from collections.abc import Iterator


g, r, above, below, weight, u = (Symbol(name) for name in ("g", "r", "d⁺", "d⁻", "w", "u"))


# --- small worlds ---------------------------------------------------------------------------------

_History = tuple[int, ...]
_World = tuple[Mixed, int, Weights, _History, int]
"""A chain, its start, how likely each state shows a 1 at t_2, the bits seen until t_1, t_2 − t_1"""

_CHANCES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))


def _early(mixed: Mixed) -> Weights:
    """How likely each exogenous state shows a 1 until t_1, where the endogenous state differs."""
    return (Fraction(1), Fraction(1, 2), Fraction(0))[: len(mixed.chain)]


def _worlds(too_early: int) -> Iterator[_World]:
    for mixed in all_mixed():
        for start, late, seen in product(
            range(len(mixed.chain)),
            product(_CHANCES, repeat=len(mixed.chain)),
            product((0, 1), repeat=2),
        ):
            yield mixed, start, late, seen, mixed.t_mix - too_early


def _nearly_independent(world: _World) -> bool:
    """|Pr(f(x_{t_2}) = 1 | what was seen) − p_s| ≤ 1/4, where what was seen is possible."""
    mixed, start, late, seen, lag = world
    early = _early(mixed)
    joint = mixed.unit(start)
    for time, bit in enumerate(seen):
        joint = mixed.after(joint, 1) if time else joint
        joint = passing(joint, early if bit else tuple(1 - chance for chance in early))
    seen_chance = total(joint)
    if not seen_chance:
        return True
    shown = total(passing(mixed.after(joint, lag), late)) / seen_chance
    return abs(shown - total(passing(mixed.law, late))) <= MIXED


def _in_small_worlds(too_early: int = 0) -> Evidence:
    size = f"{WHICH}; every start, chances 0, 1/2, 1 of a 1 in each state, two bits seen, lag t_mix"
    return exhausted(_worlds(too_early), _nearly_independent, size)


# --- distances ------------------------------------------------------------------------------------


def _distance(mixed: Mixed, e: int, steps: int) -> Fraction:
    return norm(minus(mixed.powers[steps][e], mixed.law)) / 2


def _stay_mixed(too_early: int = 0) -> Evidence:
    cases = (
        (mixed, e, mixed.t_mix + later - too_early)
        for mixed in all_mixed()
        for e in range(len(mixed.chain))
        for later in range(4)
    )
    return exhausted(cases, lambda case: _distance(*case) <= MIXED, f"{WHICH}; lags to t_mix + 3")


def _lemma_for_every_event(*, lag_short_by: int = 0) -> Evidence:
    cases = (
        (mixed, e, event, mixed.t_mix + later - lag_short_by)
        for mixed in all_mixed()
        for e in range(len(mixed.chain))
        for event in mixed.events()
        for later in range(4)
    )

    def holds(case: tuple[Mixed, int, Weights, int]) -> bool:
        mixed, e, event, lag = case
        shown = total(passing(mixed.powers[lag][e], event))
        return abs(shown - total(passing(mixed.law, event))) <= MIXED

    return exhausted(cases, holds, f"{WHICH}; every start and event, lags to t_mix + 3")


def _one_step_less_fails(steps_less: int = 1) -> Evidence:
    cases = (mixed for mixed in all_mixed() if mixed.t_mix >= 2)

    def fails(mixed: Mixed) -> bool:
        lag = mixed.t_mix - steps_less
        return any(
            total(passing(minus(mixed.powers[lag][e], mixed.law), event)) > MIXED
            for e in range(len(mixed.chain))
            for event in mixed.events()
        )

    return exhausted(cases, fails, f"{WHICH}, if t_mix ≥ 2")


# --- times that depend on what was seen -----------------------------------------------------------


def _shown_when_stopping(chances: int) -> Fraction:
    """Fair independent bits: take the first 0, or the last of so many bits. How likely is a 1?"""
    ones = sum(all(bits) for bits in product((0, 1), repeat=chances))
    return Fraction(ones, 2**chances)


def _stopping_breaks_the_bound(chances: int) -> Evidence:
    shown = _shown_when_stopping(chances)
    if not shown < Fraction(1, 2) - MIXED:
        raise NotEarned(f"{shown} is within 1/4 of 1/2")
    return equal(shown, Fraction(1, 8))


def _one_noise_state_with_two_observations() -> bool:
    """|E| = 1, t_mix = 0, t_2 = t_1, a fair bit: what is seen fixes f, yet p_s = 1/2."""
    alone = with_powers(((Fraction(1),),))
    bits = (0, 1)
    p_s = Fraction(sum(bits), len(bits))
    seen = [bit for bit in bits if bit == 1]
    given_a_one = Fraction(sum(seen), len(seen))
    return _distance(alone, 0, 0) <= MIXED and given_a_one > p_s + MIXED


CLAIMS: Final = (
    LEMMA_1.proved(
        "F01",
        "1068-1082",
        "|Pr(f(x_{t_2}) = 1 | x_{≤t_1}, s) − p_s| ≤ 1/4: for the law w of e_{t_1} given "
        "x_{≤t_1}, the term w(e)·g(e')·(d⁺ − d⁻)(e, e') is at most w(e)·d⁺(e, e') and at least "
        "−w(e)·d⁻(e, e'), which sum to at most 1/4 and at least −1/4",
        lambda: term_by_term(
            (weight * g * (above - below), weight * (g + r) * above),
            (-weight * (g + r) * below, weight * g * (above - below)),
        ),
        Mutant(
            "only half of d⁺ on the right",
            lambda: term_by_term((weight * g * (above - below), weight * (g + r) * above / 2)),
        ),
        assumptions=(
            "t_2 − t_1 ≥ t_mix and t_2 > t_1",
            "the actions, t_1 and t_2 do not depend on Ω",
            "total variation ≤ 1/4 at lag t_2 − t_1 (F03)",
        ),
        erratum=Erratum(
            printed="the bounds hold for all fixed t_1, t_2 with t_2 − t_1 ≥ t_mix",
            counterexample=(
                "one exogenous state, so that t_mix = 0 by the usual definition over t ≥ 0; "
                "Q(s, e) a fair bit, f(x) = x, t_2 = t_1: given x_{t_1} = 1 the chance is 1, "
                "and p_s + 1/4 = 3/4"
            ),
            refuted=_one_noise_state_with_two_observations,
            corrected="the bounds hold if moreover t_2 > t_1; or take t_mix ≥ 1 by definition",
            consequence=(
                "the theorem survives as is: samples are never taken twice at one time, and "
                "t̂_mix ≥ 1 is no restriction"
            ),
        ),
    ),
    LEMMA_1.exhausted(
        "F01.worlds",
        "1068-1082",
        "the bounds of Lemma 1, for hidden states and what was seen of them",
        _in_small_worlds,
        Mutant("a lag of t_mix − 1", partial(_in_small_worlds, 1)),
        assumptions=("t_mix ≥ 1",),
    ),
    LEMMA_1.exhausted(
        "F02",
        "1074",
        "t_2 − t_1 ≥ t_mix is enough for |Pr(e_{t_2} ∈ A | e_{t_1}) − π(A)| ≤ 1/4",
        _lemma_for_every_event,
        Mutant("t_2 − t_1 ≥ t_mix − 1", partial(_lemma_for_every_event, lag_short_by=1)),
    ),
    LEMMA_1.exhausted(
        "S.F02",
        "1074",
        "t_mix is the least lag for which Lemma 1 holds for every f: one step less fails for "
        "some start and some event, whenever t_mix ≥ 2",
        _one_step_less_fails,
        Mutant("t_mix itself fails", partial(_one_step_less_fails, 0)),
    ),
    LEMMA_1.proved(
        "F03",
        "1084-1088",
        "total variation from π never grows: the law after t + 1 steps is a mixture, with "
        "weights w = P(e, ·), of laws after t steps, and |w·(d⁺ − d⁻)| ≤ w·(d⁺ + d⁻) in every "
        "term; so it is ≤ 1/4 at every lag ≥ t_mix",
        lambda: term_by_term(
            (weight * (above - below), weight * (above + below)),
            (weight * (below - above), weight * (above + below)),
        ),
        Mutant("d⁻ left out", lambda: term_by_term((weight * (below - above), weight * above))),
        assumptions=("t_mix is a lag at which it is ≤ 1/4 for every start",),
    ),
    LEMMA_1.exhausted(
        "F03.chains",
        "1084-1088",
        "‖Pr(e_{t+i} = · | e_t) − π‖_TV ≤ 1/4 for every lag i ≥ t_mix and every start",
        _stay_mixed,
        Mutant("from t_mix − 1 on", partial(_stay_mixed, 1)),
    ),
    LEMMA_1.proved(
        "F04.a",
        "1089-1092",
        "the means of g with values in [0, 1] under two laws differ by at most their total "
        "variation Σd⁺ = Σd⁻: −d⁻ ≤ g·(d⁺ − d⁻) ≤ d⁺ in every term",
        lambda: term_by_term(
            (g * (above - below), (g + r) * above),
            (-(g + r) * below, g * (above - below)),
        ),
        Mutant(
            "9/10 of the total variation",
            lambda: term_by_term((g * (above - below), 9 * (g + r) * above / 10)),
        ),
    ),
    LEMMA_1.proved(
        "F04.b",
        "1093-1098",
        "an average, with the weights w of e_{t_1} given x_{≤t_1}, of deviations 1/4 − u "
        "(u ≥ 0, of either sign) is at most 1/4: w·(1 − 4u) ≤ w in every term, and Σw = 1",
        lambda: term_by_term((weight * (1 - 4 * u), weight)),
        Mutant("numbers 1/4 + u beyond 1/4", lambda: term_by_term((weight * (1 + 4 * u), weight))),
        assumptions=("e_{t_2} depends on x_{≤t_1} only through e_{t_1}, and t_2 > t_1",),
    ),
    LEMMA_1.proved(
        "F05",
        "1080, 1100",
        "Lemma 1 can fail if t_2 depends on Ω: with fair independent bits (t_mix = 1) and t_2 "
        "the first 0 after t_1, or t_1 + 3 if there is none before, the chance of a 1 is 1/8, "
        "below p_s − 1/4 = 1/4; without an end to the wait it is 0",
        partial(_stopping_breaks_the_bound, 3),
        Mutant("a wait of two steps breaks it", partial(_stopping_breaks_the_bound, 2)),
    ),
)
