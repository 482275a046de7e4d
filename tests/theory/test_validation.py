"""How many checks validate an encoder."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steel_verified.strategies import chains, probabilities
from steel_verified.theory.validation import (
    distance_after,
    independent_samples,
    round_share,
    validation_samples,
)
from steel_verified.worlds.chains import (
    Chain,
    Distribution,
    distance_from_stationarity,
    mixing_time,
    stationary,
)

from .kernels import Rows, largest_mean, laws, passing_bounds, power, sticky

HALF = Fraction(1, 2)
errors = st.fractions(Fraction(1, 50), Fraction(99, 100), max_denominator=1000)
shares = st.fractions(Fraction(1, 10**6), HALF, max_denominator=10**6)


def unrounded(epsilon: Fraction, mixing_times: int, samples: int) -> Fraction:
    """Return b_n + η·a_n by the recursion with exact fractions, which grow without limit."""
    far = Fraction(1, 2) ** (mixing_times + 1)
    a = b = Fraction(1)
    for _ in range(samples):
        a, b = min(a, far * a + b), min(b, (1 - epsilon) * b + epsilon * far * a)
    return b + far * a


TINY = Fraction(1, 1 << 200)


@given(
    epsilon=st.fractions(Fraction(1, 10), HALF, max_denominator=100),
    mixing_times=st.integers(1, 6),
    samples=st.integers(1, 40),
)
def test_share_below_the_exact_bound_needs_more_samples_and_above_it_does_not(
    epsilon: Fraction, mixing_times: int, samples: int
) -> None:
    """A share just below the exact bound needs more samples; 2^−200 above it, n are enough."""
    bound = unrounded(epsilon, mixing_times, samples)
    assume(bound + TINY < 1)
    assert validation_samples(epsilon, mixing_times, bound + TINY) <= samples
    assert validation_samples(epsilon, mixing_times, bound - TINY**2) > samples


@given(
    epsilon=st.fractions(Fraction(1, 200), Fraction(99, 100), max_denominator=1000),
    mixing_times=st.integers(1, 100),
    share=shares,
)
def test_validation_samples_equal_a_linear_search(
    epsilon: Fraction, mixing_times: int, share: Fraction
) -> None:
    walked = (n for n, b in enumerate(passing_bounds(epsilon, mixing_times)) if b <= share)
    assert validation_samples(epsilon, mixing_times, share) == next(walked)


@pytest.mark.parametrize("mixing_times", [1, 2, 5])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10**9), Fraction(7, 10**8), Fraction(3, 10**4)])
def test_counts_in_the_billions_agree_with_the_eigenvalue_formula(
    epsilon: Fraction, mixing_times: int
) -> None:
    """The bound is computed in another way, with 300 digits: n samples meet it, n − 1 do not."""
    share, far = Fraction(1, 40), distance_after(mixing_times)
    samples = validation_samples(epsilon, mixing_times, share)
    with localcontext(Context(prec=300)):
        before, after = (_by_roots(epsilon, far, n) for n in (samples - 1, samples))
        assert after <= Decimal(1) / 40 < before


def _by_roots(epsilon: Fraction, far: Fraction, samples: int) -> Decimal:
    """Return b_n + η·a_n: a is 1 while b + η ≥ 1; then both follow the eigenvalues of a matrix."""
    e = Decimal(epsilon.numerator) / epsilon.denominator
    f = Decimal(far.numerator) / far.denominator
    held = int(((1 - 2 * f) / (1 - f)).ln() / (1 - e).ln()) + 1
    b = f + (1 - f) * (1 - e) ** held
    trace, determinant = f + 1 - e, f * (1 - e) - e * f
    root = (trace * trace - 4 * determinant).sqrt()
    large, small = (trace + root) / 2, (trace - root) / 2
    # v = (1, b) = p·(1, large − f) + q·(1, small − f), since (1, λ − η) is the eigenvector of λ.
    p = (b - (small - f)) / (large - small)
    q = 1 - p
    large_now, small_now = large ** (samples - held), small ** (samples - held)
    return (
        p * large_now * (large - f)
        + q * small_now * (small - f)
        + f * (p * large_now + q * small_now)
    )


@given(epsilon=errors, mixing_times=st.integers(1, 60), share=shares)
def test_validation_needs_at_least_as_many_as_independent_samples(
    epsilon: Fraction, mixing_times: int, share: Fraction
) -> None:
    least, n = independent_samples(epsilon, share), validation_samples(epsilon, mixing_times, share)
    assert least <= n
    assert (1 - min(epsilon, HALF)) ** least <= share < (1 - min(epsilon, HALF)) ** (least - 1)
    assert validation_samples(epsilon, 300, share) <= least + 1


@given(delta=probabilities(), rounds=st.integers(1, 60))
def test_all_rounds_together_spend_less_than_delta(delta: Fraction, rounds: int) -> None:
    spent = sum((round_share(delta, k) for k in range(1, rounds + 1)), Fraction(0))
    assert spent == delta * (1 - Fraction(1, rounds + 1)) < delta


# --- against exact chances ------------------------------------------------------------------------


def chances_to_pass(kernel: Rows, passing: Distribution, samples: int) -> list[Distribution]:
    """Return u_0, u_1, …: the chance to pass i checks, the first one now, from each noise state."""
    chances: list[Distribution] = [(Fraction(1),) * len(passing)]
    for _ in range(samples):
        later = tuple(
            sum((p * u for p, u in zip(row, chances[-1], strict=True)), Fraction(0))
            for row in kernel
        )
        first = len(chances) == 1
        chances.append(tuple(g * (1 if first else u) for g, u in zip(passing, later, strict=True)))
    return chances


@given(chain=chains(max_size=3), mixing_times=st.integers(1, 4))
def test_distance_after_bounds_the_distance_of_every_chain(chain: Chain, mixing_times: int) -> None:
    steps = mixing_times * mixing_time(chain)
    assert distance_from_stationarity(chain, steps) <= distance_after(mixing_times)


@given(
    chain=chains(max_size=3),
    mixing_times=st.integers(1, 3),
    data=st.data(),
    samples=st.integers(0, 12),
)
def test_bound_holds_for_chains_a_mixing_time_apart(
    chain: Chain, mixing_times: int, data: st.DataObject, samples: int
) -> None:
    """For every start within η of stationarity and any passing probability in each noise state."""
    tenths = st.integers(0, 10).map(lambda n: Fraction(n, 10))
    size = len(chain)
    passing = tuple(data.draw(st.lists(tenths, min_size=size, max_size=size)))
    pi = stationary(chain)
    epsilon = 1 - sum((p * g for p, g in zip(pi, passing, strict=True)), Fraction(0))
    assume(0 < epsilon < 1)
    kernel = power(chain.rows, mixing_times * mixing_time(chain))
    chances = chances_to_pass(kernel, passing, samples)[samples]
    worst = largest_mean(pi, distance_after(mixing_times), chances)
    assert worst <= list(islice(passing_bounds(epsilon, mixing_times), samples + 1))[samples]


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("mixing_times", [1, 2])
def test_bound_holds_for_kernels_that_rarely_leave_a_state(size: int, mixing_times: int) -> None:
    """The kernel leaves each state as rarely as the distance allows; every error set is tried."""
    far = distance_after(mixing_times)
    for pi in laws(size):
        kernel = sticky(pi, far)
        for wrong in range(1, 2**size - 1):
            passing = tuple(Fraction(not wrong >> e & 1) for e in range(size))
            epsilon = sum(p for p, g in zip(pi, passing, strict=True) if not g)
            chances = chances_to_pass(kernel, passing, 20)
            bounds = islice(passing_bounds(Fraction(epsilon), mixing_times), 21)
            for values, bound in zip(chances, bounds, strict=True):
                assert largest_mean(pi, far, values) <= bound


@pytest.mark.parametrize("mixing_times", [1, 2, 3])
def test_decay_is_attained_at_one_half(mixing_times: int) -> None:
    """There are two noise states, each kept with chance 1/2 + η; each check multiplies by that."""
    far = distance_after(mixing_times)
    keep = HALF + far
    kernel = ((keep, 1 - keep), (1 - keep, keep))
    chances = chances_to_pass(kernel, (Fraction(1), Fraction(0)), 30)
    exact = [largest_mean((HALF, HALF), far, values) for values in chances]
    bounds = list(islice(passing_bounds(HALF, mixing_times), 31))
    grain = Fraction(1, 1 << 140)
    for n in range(3, 30):
        assert exact[n + 1] == keep * exact[n]
        assert keep * bounds[n] <= bounds[n + 1] <= keep * bounds[n] + grain
        assert exact[n] <= bounds[n]


def test_two_checks_fewer_exceed_the_share() -> None:
    """The bound for n checks does not hold for n − 2 checks, so the count is nearly tight."""
    far, keep = distance_after(1), Fraction(3, 4)
    kernel = ((keep, 1 - keep), (1 - keep, keep))
    chances = chances_to_pass(kernel, (Fraction(1), Fraction(0)), 30)
    share = Fraction(1, 40)
    n = validation_samples(HALF, 1, share)
    assert largest_mean((HALF, HALF), far, chances[n]) <= share
    assert largest_mean((HALF, HALF), far, chances[n - 2]) > share
