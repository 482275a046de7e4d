"""Confidence limits for frequencies, and the tests that rest on them: exact false alarms."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.theory.frequencies import (
    GRID,
    Counted,
    depends,
    detectable_difference,
    disagree,
    highest_frequency,
    lowest_frequency,
    lowest_in_sandwich,
    tail_bound,
)
from steel_verified.theory.validation import distance_after, validation_samples

from .counting import binomial_law, count_laws, upper_tails

HALF = Fraction(1, 2)
ONCE = Fraction(1, GRID)
levels = st.sampled_from([Fraction(1, 4), Fraction(1, 40), Fraction(1, 1000), Fraction(1, 10**9)])


@st.composite
def counts(draw: st.DrawFn, most: int = 400) -> tuple[int, int]:
    samples = draw(st.integers(1, most))
    return samples, draw(st.integers(0, samples))


@pytest.mark.properties
@given(counted=counts(), mixing_times=st.integers(1, 9), level=levels)
def test_limits_are_where_the_bound_crosses_the_level(
    counted: tuple[int, int], mixing_times: int, level: Fraction
) -> None:
    low = lowest_frequency(*counted, mixing_times, level)
    assert 0 <= low <= Fraction(counted[1], counted[0])
    if low > 0:
        assert tail_bound(*counted, low, mixing_times) <= level
    for further in (1, 2, 30, 1000):
        if low + further * ONCE <= 1 and counted[1]:
            assert tail_bound(*counted, low + further * ONCE, mixing_times) > level


@pytest.mark.parametrize(("samples", "mixing_times"), [(9, 1), (25, 1), (25, 3)])
@pytest.mark.parametrize("level", [Fraction(1, 4), Fraction(1, 500)])
def test_limits_rise_with_the_ones(samples: int, mixing_times: int, level: Fraction) -> None:
    lows = [lowest_frequency(samples, k, mixing_times, level) for k in range(samples + 1)]
    highs = [highest_frequency(samples, k, mixing_times, level) for k in range(samples + 1)]
    assert lows[0] == 0
    assert highs[samples] == 1
    assert all(a <= b for a, b in (*pairwise(lows), *pairwise(highs)))
    for k in range(samples + 1):
        assert lows[k] <= Fraction(k, samples) <= highs[k]
        assert highs[k] == 1 - lows[samples - k]
        assert lowest_frequency(samples, k, mixing_times, level / 2) <= lows[k]
        assert lowest_frequency(samples, k, mixing_times + 1, level) >= lows[k]


@pytest.mark.parametrize(("samples", "ones"), [(5, 5), (30, 1), (30, 17), (120, 60), (120, 119)])
@pytest.mark.parametrize("level", [Fraction(1, 40), Fraction(1, 10**6)])
def test_limits_of_nearly_independent_samples_are_those_of_clopper_and_pearson(
    samples: int, ones: int, level: Fraction
) -> None:
    low = lowest_frequency(samples, ones, 80, level)
    assert upper_tails(binomial_law(samples, low))[ones] <= level
    assert upper_tails(binomial_law(samples, low + 2 * ONCE))[ones] > level


@pytest.mark.parametrize("mixing_times", [1, 2, 5])
def test_a_classifier_that_never_errs_has_the_limit_of_its_validation(mixing_times: int) -> None:
    """No error in n checks shows the ε for which n is enough, to within a hundredth of it."""
    share = Fraction(1, 40)
    for epsilon in (Fraction(1, 20), Fraction(1, 5)):
        samples = validation_samples(epsilon, mixing_times, share)
        assert highest_frequency(samples, 0, mixing_times, share) <= epsilon * Fraction(101, 100)


@pytest.mark.parametrize("mixing_times", [1, 4])
def test_width_shrinks_with_the_root_of_the_samples(mixing_times: int) -> None:
    """Also below η: four times the samples halve the width, to within a tenth of it."""
    widths = [
        HALF - lowest_frequency(n, n // 2, mixing_times, Fraction(1, 1000))
        for n in (5_000, 20_000, 80_000)
    ]
    assert widths[-1] < distance_after(mixing_times)
    for wide, narrow in pairwise(widths):
        assert Fraction(45, 100) < narrow / wide < Fraction(55, 100)


# --- false alarms, exactly ------------------------------------------------------------------------

Kernel = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
FIRST_SHOWS_ONE = (Fraction(1), Fraction(0))


def keeping(first: Fraction, second: Fraction) -> Kernel:
    """Two noise states, kept with these chances."""
    return ((first, 1 - first), (1 - second, second))


@cache
def joint_law(kernel: Kernel, one: int, other: int) -> dict[tuple[int, int], Fraction]:
    """How many ones two streams have, one after the other, from the first noise state."""
    law = {(0, 0, 0): Fraction(1)}
    for place in range(one + other):
        onward: dict[tuple[int, int, int], Fraction] = {}
        for (noise, a, b), chance in law.items():
            for after, p in enumerate(kernel[noise]):
                seen = after == 0
                key = (after, a + (seen and place < one), b + (seen and place >= one))
                onward[key] = onward.get(key, Fraction(0)) + chance * p
        law = onward
    found: dict[tuple[int, int], Fraction] = {}
    for (_, a, b), chance in law.items():
        found[a, b] = found.get((a, b), Fraction(0)) + chance
    return found


KERNELS = {
    "1/2": keeping(Fraction(3, 4), Fraction(3, 4)),  # a distance of 1/4, from both states
    "1/5": keeping(Fraction(2, 5), Fraction(17, 20)),  # π = (1/5, 4/5); 1/5 from the first
    "3/4": keeping(Fraction(5, 6), HALF),  # π = (3/4, 1/4); 1/4 from the second
}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize(("one", "other"), [(14, 14), (6, 30)])
def test_streams_with_one_frequency_rarely_disagree(kernel: Kernel, one: int, other: int) -> None:
    for level in (HALF, Fraction(1, 20)):
        alarm = sum(
            (
                chance
                for (a, b), chance in joint_law(kernel, one, other).items()
                if disagree(Counted(one, a, 1), Counted(other, b, 1), level)
            ),
            Fraction(0),
        )
        assert alarm <= level


def test_false_alarms_happen_and_are_too_many_if_the_gap_is_overstated() -> None:
    """With j = 1, but limits for j = 8: the level is exceeded. So the test above has teeth."""
    law = joint_law(keeping(Fraction(3, 4), Fraction(3, 4)), 30, 30)
    level = Fraction(1, 100)
    alarms = [
        sum(p for (a, b), p in law.items() if disagree(Counted(30, a, j), Counted(30, b, j), level))
        for j in (1, 8)
    ]
    assert 0 < alarms[0] <= level < alarms[1]


def test_streams_with_different_frequencies_disagree() -> None:
    assert disagree(Counted(120, 10, 1), Counted(120, 110, 1), Fraction(1, 1000))
    assert not disagree(Counted(120, 50, 1), Counted(120, 70, 1), Fraction(1, 1000))


def chance_of(stream: tuple[bool, ...], keep: Fraction) -> Fraction:
    """From the stationary law of two noise states, each kept with this chance."""
    chance = HALF
    for before, now in pairwise(stream):
        chance *= keep if before == now else 1 - keep
    return chance


@pytest.mark.parametrize("sign", [1, -1])
def test_mixing_noise_rarely_seems_to_depend(sign: int) -> None:
    """All streams of 12 samples, j = 3: honest neighbours are alike, or unlike, by η at most."""
    far, level = distance_after(3), HALF
    alarms = {
        keep: sum(
            (
                chance_of(s, keep)
                for s in product((False, True), repeat=12)
                if depends(s, 4, 3, level)
            ),
            Fraction(0),
        )
        for keep in (HALF + sign * far, HALF + sign * 7 * far)
    }
    honest, far_too_sticky = alarms.values()
    assert 0 < honest <= level
    assert far_too_sticky > 2 * honest


def test_selected_trials_have_the_sandwich_only() -> None:
    """A one follows a one, and a zero a zero, with chance 3/4: honest for j = 1, not for j = 2.

    The limits for streams would say that ones and zeros are followed by different frequencies.
    """
    level, runs = Fraction(1, 1000), ((True,) * 4 + (False,) * 4) * 300
    assert lowest_frequency(1000, 750, 1, level / 4) > highest_frequency(1000, 250, 1, level / 4)
    assert lowest_in_sandwich(1000, 750, 1, level / 4) < HALF
    assert not depends(runs, 1000, 1, level)
    assert depends(runs, 1000, 2, level)


def test_dependence_is_seen_and_too_few_trials_say_nothing() -> None:
    blocks = tuple(n // 50 % 2 == 0 for n in range(1000))
    turns = tuple(n % 2 == 0 for n in range(1000))
    level = Fraction(1, 1000)
    assert depends(blocks, 200, 4, level)
    assert depends(turns, 200, 4, level)
    assert not depends(blocks, 600, 4, level)
    assert not depends((True,) * 1000, 200, 4, level)


def test_only_the_first_trials_are_counted() -> None:
    """400 trials after each value show no dependence, and what comes later is not looked at."""
    even = (True, True, False, False) * 200
    later = even + tuple(n // 50 % 2 == 0 for n in range(1000))
    assert not depends(later, 390, 4, Fraction(1, 1000))
    assert depends(later, 850, 4, Fraction(1, 1000))


# --- power ----------------------------------------------------------------------------------------


def power_of(one: int, other: int, p: Fraction, q: Fraction, level: Fraction) -> Fraction:
    return sum(
        (
            chance * another
            for a, chance in enumerate(binomial_law(one, p))
            for b, another in enumerate(binomial_law(other, q))
            if chance * another and disagree(Counted(one, a, 3), Counted(other, b, 3), level)
        ),
        Fraction(0),
    )


@pytest.mark.parametrize(("one", "other"), [(9, 9), (7, 12)])
def test_detectable_difference_is_the_least_with_the_power(one: int, other: int) -> None:
    level, power = HALF, Fraction(4, 5)
    found = detectable_difference(one, other, 3, level, power)
    steps = int(found * 32)
    assert 1 < steps <= 32

    def worst(difference: int) -> Fraction:
        places = [(Fraction(a, 32), Fraction(a + difference, 32)) for a in range(33 - difference)]
        pairs = (*places, *((q, p) for p, q in places))
        return min(power_of(one, other, p, q, level) for p, q in pairs)

    assert worst(steps) >= power > worst(steps - 1)


def test_more_samples_detect_smaller_differences() -> None:
    level = Fraction(1, 20)
    found = [detectable_difference(n, 2 * n, 4, level) for n in (8, 16, 32)]
    assert found[0] > found[1] > found[2]
    with pytest.raises(InvalidArgument, match="samples = 2 and 2: expected enough to tell"):
        detectable_difference(2, 2, 1, level)


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("samples", "ones"), [(-1, 0), (3, -1), (3, 4)])
def test_impossible_counts_are_refused(samples: int, ones: int) -> None:
    for refused in (
        lambda: Counted(samples, ones, 1),
        lambda: tail_bound(samples, ones, HALF, 1),
        lambda: lowest_frequency(samples, ones, 1, HALF),
        lambda: highest_frequency(samples, ones, 1, HALF),
    ):
        with pytest.raises(InvalidArgument, match=r"ones|samples"):
            refused()


def test_refusals() -> None:
    with pytest.raises(InvalidArgument, match="mixing_times"):
        Counted(3, 1, 0)
    with pytest.raises(InvalidArgument, match="frequency"):
        tail_bound(3, 1, Fraction(-1, 2), 1)
    with pytest.raises(InvalidArgument, match="trials"):
        depends((True, False), 0, 1, HALF)
    for level in (Fraction(0), Fraction(1), Fraction(1, 1 << 201)):
        with pytest.raises(InvalidArgument, match="level"):
            lowest_frequency(3, 1, 1, level)


def test_no_samples_say_nothing() -> None:
    assert lowest_frequency(0, 0, 1, HALF) == 0
    assert highest_frequency(0, 0, 1, HALF) == 1


def test_the_count_of_a_stream_is_exact() -> None:
    """The two ways in which these tests compute the law of a count agree."""
    kernel = keeping(Fraction(3, 4), Fraction(2, 3))
    (law, _) = count_laws([kernel] * 6, FIRST_SHOWS_ONE)
    assert law == tuple(joint_law(kernel, 6, 0)[k, 0] for k in range(7))
