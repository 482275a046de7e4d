"""Bounds on the number of ones, against the exact law of that number on small chains."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.strategies import chains
from steel_verified.theory.frequencies import tail_bound
from steel_verified.theory.tails import binomial_tail, weighted_bound, weighted_tail
from steel_verified.theory.validation import distance_after
from steel_verified.worlds.chains import Chain, mixing_time, stationary

from .counting import Law, binomial_law, count_laws, mean, upper_tails, worst_tails
from .kernels import laws, power, sticky

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = Fraction(1, 2)
FINEST = Fraction(1, 1 << 256)
tenths = st.integers(0, 10).map(lambda n: Fraction(n, 10))


@pytest.mark.parametrize("samples", [1, 7, 40, 300])
@pytest.mark.parametrize("p", [Fraction(1, 1000), Fraction(1, 7), HALF, Fraction(99, 100)])
def test_binomial_tails_are_exact_above_the_mean(samples: int, p: Fraction) -> None:
    tails = upper_tails(binomial_law(samples, p))
    for k, exact in enumerate(tails):
        bound = binomial_tail(samples, k, p)
        if k <= samples * p:
            assert bound == 1
        else:
            assert exact <= bound <= exact * (1 + Fraction(1, 1 << 50)) + FINEST


def test_binomial_tail_of_many_samples() -> None:
    """n = 5000 and p = 1/3, in whole numbers: Σ C(n, k)·2^(n−k) / 3^n."""
    samples, least, term, total = 5000, 1800, 1, 0
    for k in range(samples, -1, -1):
        total += term if k >= least else 0
        term = term * 2 * k // (samples - k + 1)
    exact = Fraction(total, 3**samples)
    assert (
        exact <= binomial_tail(samples, least, Fraction(1, 3)) <= exact * Fraction(10**9 + 1, 10**9)
    )


def test_tails_at_the_ends() -> None:
    assert binomial_tail(5, 6, HALF) == 0 == weighted_tail(5, 6, HALF, Fraction(1, 4))[0]
    assert binomial_tail(5, 1, Fraction(0)) == 0
    assert binomial_tail(5, 5, Fraction(1)) == 1 == tail_bound(5, 0, Fraction(0), 1)
    assert tail_bound(100_000, 100_000, Fraction(1, 1000), 1) == FINEST


def unrounded(samples: int, ones: int, p: Fraction, far: Fraction, s: Fraction) -> Fraction:
    """(b_n + η·d_n)/z^k as it is stated, with its minimum in every step."""
    b, d = Fraction(1), Fraction(0)
    for _ in range(samples):
        b, d = (
            (1 + s * p) * b + s * min(p, 1 - p) * far * d,
            s * b + (1 + s) * far * d + min(b, far * d),
        )
    return (b + far * d) / (1 + s) ** ones


@pytest.mark.properties
@given(
    samples=st.integers(1, 40),
    p=st.fractions(0, 1, max_denominator=50),
    mixing_times=st.integers(1, 6),
    s=st.sampled_from([Fraction(1, 64), Fraction(3, 8), Fraction(5, 2), Fraction(640)]),
    data=st.data(),
)
def test_rounding_is_upwards_and_small(
    samples: int, p: Fraction, mixing_times: int, s: Fraction, data: st.DataObject
) -> None:
    ones, far = data.draw(st.integers(0, samples)), distance_after(mixing_times)
    stated = unrounded(samples, ones, p, far, s)
    bound = weighted_bound(samples, ones, p, far, s)
    assert bound >= min(stated, Fraction(1))
    if 2 * far * (1 + s) <= 1 + s * (p + min(p, 1 - p)):  # then η·d ≤ b in every step
        assert bound <= stated * (1 + Fraction(1, 1 << 100)) + FINEST


@pytest.mark.parametrize("samples", [1, 2, 3])
def test_no_rounding_goes_down(samples: int) -> None:
    for p, s in product((Fraction(n, 7) for n in range(8)), (Fraction(1, 64), Fraction(5, 2))):
        stated = unrounded(samples, samples, p, Fraction(1, 4), s)
        assert stated <= weighted_bound(samples, samples, p, Fraction(1, 4), s) or stated >= 1


@pytest.mark.parametrize("p", [Fraction(1, 50), Fraction(1, 5)])
def test_large_weights_make_the_spread_exceed_the_mean(p: Fraction) -> None:
    """Then the other recursion is used; it is exceeded by no more than a third."""
    for samples in (6, 30):
        stated = unrounded(samples, samples, p, Fraction(1, 4), Fraction(640))
        bound = weighted_bound(samples, samples, p, Fraction(1, 4), Fraction(640))
        assert stated <= bound <= stated * Fraction(4, 3)


@pytest.mark.properties
@given(
    samples=st.integers(1, 3000),
    share=st.integers(1, 99),
    p=st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
    mixing_times=st.integers(1, 9),
    place=st.integers(0, 159),
)
def test_search_ends_near_one_bound_from_every_place(
    samples: int, share: int, p: Fraction, mixing_times: int, place: int
) -> None:
    ones, far = max(1, samples * share // 100), distance_after(mixing_times)
    found, other = (
        weighted_tail(samples, ones, p, far)[0],
        weighted_tail(samples, ones, p, far, place)[0],
    )
    assert found <= other * Fraction(101, 100)
    assert other <= found * Fraction(101, 100)


# --- against exact chances ------------------------------------------------------------------------


Stream = tuple[Fraction, Law]
"""p, and the largest chance of k ones or more for each k."""


@cache
def sticky_streams(mixing_times: int, size: int, samples: int) -> tuple[Stream, ...]:
    """Streams that leave every noise state as rarely as η allows, from the worst start."""
    far, chances = distance_after(mixing_times), (Fraction(0), HALF, Fraction(1))
    return tuple(
        (mean(pi, ones), worst_tails(count_laws([sticky(pi, far)] * samples, ones)))
        for pi in laws(size, parts=6)
        for ones in product(chances, repeat=size)
    )


def exceeded(streams: tuple[Stream, ...], bound: Callable[[int, Fraction], Fraction]) -> int:
    """How many of the tails are above a bound."""
    return sum(tail > bound(k, p) for p, tails in streams for k, tail in enumerate(tails))


@pytest.mark.parametrize(("size", "samples"), [(2, 3), (2, 9), (3, 3)])
@pytest.mark.parametrize("mixing_times", [1, 2])
def test_bounds_hold_for_the_stickiest_kernels(size: int, samples: int, mixing_times: int) -> None:
    streams = sticky_streams(mixing_times, size, samples)
    assert not exceeded(streams, lambda k, p: tail_bound(samples, k, p, mixing_times))


MISTAKES: dict[str, Callable[[int, Fraction], Fraction]] = {
    "η forgotten in the sandwich": lambda k, p: binomial_tail(12, k, p),
    "η forgotten in the weights": lambda k, p: weighted_tail(12, k, p, Fraction(0))[0],
    "η of the sandwich halved": lambda k, p: binomial_tail(
        12, k, min(Fraction(1), p + Fraction(1, 8))
    ),
    "z^(k + 1) in the place of z^k": lambda k, p: weighted_tail(12, k + 1, p, Fraction(1, 4))[0],
    "one sample too few": lambda k, p: tail_bound(11, k, p, 1) if k < 12 else Fraction(1),
    "j + 1 in the place of j": lambda k, p: tail_bound(12, k, p, 2),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_seen_on_the_stickiest_kernels(mistake: str) -> None:
    assert exceeded(sticky_streams(1, 2, 12), MISTAKES[mistake])


@pytest.mark.properties
@given(
    chain=chains(max_size=3),
    mixing_times=st.integers(1, 2),
    gaps=st.lists(st.integers(0, 2), min_size=1, max_size=7),
    data=st.data(),
)
def test_bounds_hold_for_chains_with_uneven_gaps(
    chain: Chain, mixing_times: int, gaps: list[int], data: st.DataObject
) -> None:
    """Gaps of at least j·t_mix steps, any chance of a one in each noise state, and any start."""
    ones = tuple(data.draw(st.lists(tenths, min_size=len(chain), max_size=len(chain))))
    least = mixing_times * mixing_time(chain)
    tails = worst_tails(count_laws([power(chain.rows, least + gap) for gap in gaps], ones))
    p = mean(stationary(chain), ones)
    for k, tail in enumerate(tails):
        assert tail <= tail_bound(len(gaps), k, p, mixing_times)


def test_the_allowed_variance_is_attained_at_one_half() -> None:
    """Two noise states, each kept with 3/4: the exponent of the bound is that of the exact tail.

    From 48 to 96 samples with 5/8 ones, both fall by nearly the same factor.
    """
    keep, samples = Fraction(3, 4), 96
    kernel = ((keep, 1 - keep), (1 - keep, keep))
    falls = []
    for n in (samples // 2, samples):
        exact = worst_tails(count_laws([kernel] * n, (Fraction(1), Fraction(0))))[5 * n // 8]
        bound = tail_bound(n, 5 * n // 8, HALF, 1)
        assert exact <= bound <= 40 * exact
        falls.append((exact, bound))
    (exact, bound), (later_exact, later_bound) = falls
    assert later_bound / bound < Fraction(3, 2) * later_exact / exact
