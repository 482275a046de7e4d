"""Each count is the least one that meets its bound, and equals the printed formula."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.strategies import parameters
from steel_verified.theory import counts
from steel_verified.theory.exact import ball
from steel_verified.theory.parameters import Parameters

from .test_parameters import LOCK

MAZE = replace(LOCK, actions=4, max_states=80, max_diameter=80, mixing_time=300, class_size=1089)


@pytest.mark.parametrize(
    ("parameters", "states", "expected"), [(LOCK, 20, (32, 50, 21598)), (MAZE, 68, (38, 61, 86498))]
)
def test_sample_counts_of_the_lock_and_the_maze(
    parameters: Parameters, states: int, expected: tuple[int, int, int]
) -> None:
    p = parameters
    found = counts.period_test_samples(p), counts.position_samples(p)
    assert (*found, counts.encoder_samples(p, states)) == expected


def period_failures(p: Parameters, n: int) -> Fraction:
    """Return the bound on the chance that some period test of one call is wrong (l. 653)."""
    return (p.max_states - 1) * p.class_size * Fraction(9, 16) ** n


def position_failures(p: Parameters, n: int) -> Fraction:
    """Return the bound on the chance that some position test of one call is wrong (l. 798)."""
    tests = p.max_states**3 * (p.max_diameter + 1)
    return tests * p.class_size * Fraction(9, 16) ** n


@given(p=parameters())
def test_sample_counts_are_the_least_that_meet_their_bound(p: Parameters) -> None:
    share = p.delta / (4 * p.actions * p.max_states)
    n_period, n_position = counts.period_test_samples(p), counts.position_samples(p)
    assert period_failures(p, n_period) <= share
    assert n_period == 0 or period_failures(p, n_period - 1) > share
    assert position_failures(p, n_position) <= share < position_failures(p, n_position - 1)


def exp_bounds(x: Fraction, terms: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds on eˣ for x ≥ 0: the series at x/2ᵏ, then squared k times."""
    halvings = max(0, math.ceil(x).bit_length())
    y = x / 2**halvings
    below = sum((y**k / math.factorial(k) for k in range(terms)), Fraction(0))
    above = below + 2 * y**terms / math.factorial(terms)
    return below ** (2**halvings), above ** (2**halvings)


@given(
    p=parameters(),
    states=st.integers(1, 40),
    epsilon=st.sampled_from([Fraction(1, 2), Fraction(1, 20), Fraction(7, 9)]),
)
def test_encoder_samples_agree_with_the_exponential_series(
    p: Parameters, states: int, epsilon: Fraction
) -> None:
    """d is the least number with 8|S|²|F|·exp(−ε·d/3|S|) ≤ δ/2, here decided by a series."""
    p = replace(p, epsilon=epsilon)
    d = counts.encoder_samples(p, states)
    needed = 16 * states**2 * p.class_size / p.delta
    enough, _ = exp_bounds(epsilon * d / (3 * states), terms=24)
    _, too_few = exp_bounds(epsilon * (d - 1) / (3 * states), terms=24)
    assert too_few < needed <= enough


def printed_ceiling(target: Fraction) -> int | None:
    """Return ⌈ln(target)/ln(9/16)⌉ as printed, or None if a ball does not decide it."""
    with ctx.workprec(300):
        found = (ball(target).log() / ball(Fraction(9, 16)).log()).ceil().unique_fmpz()
    return None if found is None else int(found)


@given(p=parameters())
def test_counts_agree_with_the_printed_logarithms(p: Parameters) -> None:
    n, a, f = p.max_states, p.actions, p.class_size
    position = printed_ceiling(p.delta / (4 * a * n**4 * (p.max_diameter + 1) * f))
    assert position in (None, counts.position_samples(p))
    if n > 1:
        period = printed_ceiling(p.delta / (4 * a * n * (n - 1) * f))
        assert period in (None, counts.period_test_samples(p))


def test_count_is_exact_where_the_printed_logarithm_is_an_integer() -> None:
    """δ is chosen so that the quotient of logarithms is the integer 40."""
    delta = 4 * 2 * 2 * 1 * 3 * Fraction(9, 16) ** 40
    p = replace(LOCK, max_states=2, class_size=3, delta=delta)
    assert printed_ceiling(delta / (4 * 2 * 2 * 1 * 3)) is None
    assert counts.period_test_samples(p) == 40
    assert counts.period_test_samples(replace(p, delta=delta * Fraction(999, 1000))) == 41


@given(p=parameters(), word_length=st.integers(1, 60))
def test_every_hypothesis_gets_enough_repetitions(p: Parameters, word_length: int) -> None:
    """Claim A26: k ≥ n_samp.cyc. for every n'_cyc."""
    enough = counts.period_test_samples(p)
    for period in range(2, p.max_states + 1):
        assert counts.period_test_repetitions(p, word_length, period) >= enough


def test_one_initial_step_fewer_loses_a_repetition() -> None:
    """c_init is tight: for N = n' = 2, |â| = 1, t̂_mix = 1, one step fewer loses a repetition."""
    p = replace(LOCK, max_states=2, mixing_time=1)
    wait, cycle, n = 2, 2, counts.period_test_samples(p)
    usable = counts.initial_rollout(p, 1) - counts.settling_time(p, 1)
    assert (usable + wait) // (2 * wait + cycle) == n
    assert (usable - 1 + wait) // (2 * wait + cycle) == n - 1


@given(p=parameters(), word_length=st.integers(1, 60))
def test_no_period_test_is_made_if_n_is_one(p: Parameters, word_length: int) -> None:
    alone = replace(p, max_states=1)
    assert counts.period_test_samples(alone) == 0
    assert counts.initial_rollout(alone, word_length) == 0
    steps = counts.cycle_find_steps(alone, word_length, 1)
    assert steps == counts.full_rollout(alone, word_length, 1) > 0


@given(p=parameters(), states=st.integers(1, 12))
def test_sampling_passes_complete_every_dataset(p: Parameters, states: int) -> None:
    """CycleFind gives 2·n_samp. samples, each pass except the first gives one, and the sum is d."""
    d, held = counts.encoder_samples(p, states), 2 * counts.position_samples(p)
    passes = counts.sampling_passes(p, states)
    assert max(passes - 1, 0) + held == max(d, held)
    assert passes != 1


@given(p=parameters().filter(lambda p: p.max_states > 1), missing=st.integers(-1, 3))
def test_phase_2_has_no_passes_exactly_if_no_sample_is_missing(p: Parameters, missing: int) -> None:
    """ε is chosen so that d − 2·n_samp. has the wanted value: d = ⌈c/ε⌉, where c is free of ε."""
    tiny, wanted = Fraction(1, 10**9), 2 * counts.position_samples(p) + missing
    c = counts.encoder_samples(replace(p, epsilon=tiny), 1) * tiny
    p = replace(p, epsilon=c / wanted)
    assert counts.encoder_samples(p, 1) == wanted
    assert counts.sampling_passes(p, 1) == (1 + missing if missing > 0 else 0)
