"""Lemma 1: after the mixing time, what an observation shows is nearly independent of the past.

The proofs are for any number of exogenous states, in `theories/chains`; each is tried as well on
all small chains, with the stationary laws and mixing times that the code computes.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.evidence import Evidence, NotEarned
from proofs_checks.kernels.finite import equal, exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.proofs.chains.lemma1 import (
    before_the_mixing_time,
    from_every_state,
    nearly_independent,
    passes_nearly_as_often,
)
from proofs_checks.proofs.chains.mixing import after_the_mixing_time, distance_never_grows
from proofs_checks.proofs.chains.vocabulary import FINITE
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import LEMMA_1
from proofs_checks.small_cases.chains import (
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
from steel_verified.worlds.chains import MIXED

if TYPE_CHECKING:
    from collections.abc import Iterator


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
        "|Pr(f(x_{t_2}) = 1 | x_{≤t_1}, s) − p_s| ≤ 1/4: what was seen gives e_{t_1} a law w, and "
        "Pr(f(x_{t_2}) = 1 | x_{≤t_1}, s) = Σ w(e)·M^(t_2−t_1)(e, e')·g(e')",
        partial(shown_by, nearly_independent),
        Mutant("within 1/5", partial(shown_by, nearly_independent, Fraction(1, 5))),
        Mutant("no mixing", partial(shown_without, "t_mix", nearly_independent)),
        Mutant("w of any mass", partial(shown_without, "w law", nearly_independent)),
        assumptions=(
            "t_2 − t_1 ≥ t_mix and t_2 > t_1",
            "the actions, t_1 and t_2 do not depend on Ω",
            "e_{t_2} depends on x_{≤t_1} only through e_{t_1}",
            FINITE,
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
    LEMMA_1.proved(
        "F01.worlds",
        "1068-1082",
        "the bounds of Lemma 1, for hidden states and what was seen of them",
        beside(_in_small_worlds, partial(shown_by, nearly_independent)),
        Mutant("w of any sign", partial(shown_without, "w ≥ 0", nearly_independent)),
        Mutant("a lag of t_mix − 1, tried", partial(_in_small_worlds, 1)),
        assumptions=("t_mix ≥ 1",),
    ),
    LEMMA_1.proved(
        "F02",
        "1074",
        "t_2 − t_1 ≥ t_mix is enough for |Pr(e_{t_2} ∈ A | e_{t_1}) − π(A)| ≤ 1/4",
        beside(_lemma_for_every_event, partial(shown_by, from_every_state)),
        Mutant("within 1/5", partial(shown_by, from_every_state, Fraction(1, 5))),
        Mutant("t_2 − t_1 ≥ t_mix − 1, tried", partial(_lemma_for_every_event, lag_short_by=1)),
    ),
    LEMMA_1.proved(
        "S.F02",
        "1074",
        "t_mix is the least lag for which Lemma 1 holds for every f: one step less fails for "
        "some start and some event, whenever t_mix ≥ 2",
        beside(_one_step_less_fails, partial(shown_by, before_the_mixing_time)),
        Mutant("by more than that", partial(shown_by, before_the_mixing_time, Fraction(2, 3))),
        Mutant("t_mix itself fails, tried", partial(_one_step_less_fails, 0)),
    ),
    LEMMA_1.proved(
        "F03",
        "1084-1088",
        "total variation from π, from the worst start, never grows: the law after t + 1 steps is a "
        "mixture, with weights P(e, ·), of laws after t steps; so it is ≤ 1/4 at every lag ≥ t_mix",
        partial(shown_by, distance_never_grows),
        Mutant("weights of any sum", partial(shown_without, "P rows", distance_never_grows)),
        Mutant("weights of any sign", partial(shown_without, "P ≥ 0", distance_never_grows)),
        assumptions=("t_mix is a lag at which it is ≤ 1/4 for every start",),
    ),
    LEMMA_1.proved(
        "F03.chains",
        "1084-1088",
        "‖Pr(e_{t+i} = · | e_t) − π‖_TV ≤ 1/4 for every lag i ≥ t_mix and every start",
        beside(_stay_mixed, partial(shown_by, after_the_mixing_time)),
        Mutant("1/5", partial(shown_by, after_the_mixing_time, Fraction(2, 5))),
        Mutant("from t_mix − 1 on, tried", partial(_stay_mixed, 1)),
    ),
    LEMMA_1.proved(
        "F04.a",
        "1089-1092",
        "the means of g with values in [0, 1] under M^i(e, ·) and π differ by at most their total "
        "variation, and so by at most 1/4",
        partial(shown_by, passes_nearly_as_often),
        Mutant(
            "9/10 of the total variation",
            partial(shown_by, passes_nearly_as_often, Fraction(9, 40)),
        ),
        Mutant("g above 1", partial(shown_without, "g ≤ 1", passes_nearly_as_often)),
    ),
    LEMMA_1.proved(
        "F04.b",
        "1093-1098",
        "what holds within 1/4 from every e_{t_1} holds within 1/4 on average, with the weights w "
        "of e_{t_1} given x_{≤t_1}",
        partial(shown_by, nearly_independent),
        Mutant("weights of any sign", partial(shown_without, "w ≥ 0", nearly_independent)),
        Mutant("weights of any sum", partial(shown_without, "w law", nearly_independent)),
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
