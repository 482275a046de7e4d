"""AC-State and ACDF over all encoders: against exact likelihoods, and on worlds they must learn."""

from collections import Counter
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.baselines.ac_state.encoders import (
    Data,
    Encoder,
    Problem,
    all_encoders,
    outputs_of,
    select,
)
from steel_verified.baselines.ac_state.noisy_pairs import Noisy
from steel_verified.baselines.ac_state.trajectories import Loops, Place, coins, walk
from tests.baselines.ac_state.counting import (
    data_of,
    double_prime_encoder,
    normal_form,
    single_prime_encoder,
)


def test_there_are_as_many_encoders_as_set_partitions() -> None:
    assert [sum(1 for _ in all_encoders(size)) for size in range(9)] == [
        1, 1, 2, 5, 15, 52, 203, 877, 4140,
    ]  # fmt: skip
    every = list(all_encoders(6))
    assert len(set(every)) == len(every)
    assert all(normal_form(encoder) == encoder for encoder in every)


@st.composite
def small_data(draw: st.DrawFn) -> Data:
    length = draw(st.integers(3, 14))
    seen = draw(st.lists(st.integers(0, 3), min_size=length + 1, max_size=length + 1))
    done = draw(st.lists(st.integers(0, 1), min_size=length, max_size=length))
    return Data(np.array(seen), np.array(done))


def likelihood(problem: Problem, encoder: Encoder, *, forward: bool) -> tuple[Fraction, int]:
    """Of the optimisation half: Π g, or Π h, as an exact fraction; and of how many tuples."""
    fits: Counter[tuple[int, ...]] = Counter()
    lags = 1 if forward else problem.most_lags

    def tuples(data: Data) -> list[tuple[int, ...]]:
        codes = [encoder[x] for x in data.observations.tolist()]
        done = data.actions.tolist()
        places = [(t, lag) for lag in range(1, lags + 1) for t in range(len(codes) - lag)]
        if forward:
            return [(codes[t], done[t], codes[t + 1]) for t, _ in places]
        return [(lag, codes[t], codes[t + lag], done[t]) for t, lag in places]

    for one in tuples(problem.fit):
        fits[one] += 1
        fits[one[:-1]] += 1
    outcomes = outputs_of(encoder) if forward else problem.actions
    judged = tuples(problem.optimise)
    chances = (Fraction(fits[one] + 1, fits[one[:-1]] + outcomes) for one in judged)
    return prod(chances, start=Fraction(1)), len(judged)


@given(fit=small_data(), optimise=small_data(), most_lags=st.integers(1, 5), with_forward=...)
def test_the_smallest_minimiser_by_exact_likelihoods(
    *, fit: Data, optimise: Data, most_lags: int, with_forward: bool
) -> None:
    problem = Problem(
        fit=fit,
        optimise=optimise,
        observations=4,
        actions=2,
        most_lags=most_lags,
        with_forward=with_forward,
    )

    def score(encoder: Encoder) -> Fraction:
        """Mean losses add up: each likelihood to the power of the other's number of tuples."""
        inverse, tuples = likelihood(problem, encoder, forward=False)
        if not with_forward:
            return inverse
        forward, steps = likelihood(problem, encoder, forward=True)
        return inverse**steps * forward**tuples

    scores = {encoder: score(encoder) for encoder in all_encoders(4)}
    best = max(scores.values())
    found = select(problem)
    assert scores[found] == best
    assert outputs_of(found) == min(outputs_of(e) for e, value in scores.items() if value == best)


# Losses of log 4 and log 2: exactly at the limit, where rounded numbers do not decide.
@example(
    fit=Data(np.array([0, 0, 0]), np.array([0, 0])),
    optimise=Data(np.array([0, 1]), np.array([1])),
    part=(1, 1),
)
@given(fit=small_data(), optimise=small_data(), part=st.sampled_from([(1, 1), (1, 2), (2, 1)]))
def test_a_tolerance_allows_exactly_the_losses_up_to_its_share(
    fit: Data, optimise: Data, part: tuple[int, int]
) -> None:
    """−log L ≤ (1 + p/q)·(−log L_best) if and only if L^q ≥ L_best^(p + q)."""
    p, q = part
    problem = Problem(
        fit=fit,
        optimise=optimise,
        observations=4,
        actions=2,
        most_lags=3,
        tolerance=Fraction(p, q),
    )
    scores = {e: likelihood(problem, e, forward=False)[0] for e in all_encoders(4)}
    best = max(scores.values())
    allowed = {e: score for e, score in scores.items() if score**q >= best ** (p + q)}
    smallest = min(map(outputs_of, allowed))
    found = select(problem)
    assert outputs_of(found) == smallest
    assert scores[found] == max(v for e, v in allowed.items() if outputs_of(e) == smallest)


def problem_of(fit: Data, optimise: Data, observations: int, most_lags: int) -> Problem:
    return Problem(
        fit=fit,
        optimise=optimise,
        observations=observations,
        actions=2,
        most_lags=most_lags,
        tolerance=Fraction(1, 10_000),
    )


@pytest.mark.parametrize("seed", range(3))
def test_double_prime_is_learned_among_all_encoders(seed: int) -> None:
    """DoublePrime(2, 3): K = pq + q − p = 7 suffices, K = (q − 1)p = 4 gives at most q outputs."""
    fit = walk("uniform", Loops(2, 3), Place(0, 0), 20_000, (seed, 0))
    optimise = walk("uniform", Loops(2, 3), fit.last, 20_000, (seed, 1))
    enough, too_few = (
        select(problem_of(data_of(fit), data_of(optimise), 6, lags)) for lags in (7, 4)
    )
    assert enough == double_prime_encoder(3)
    assert outputs_of(too_few) <= 3


@pytest.mark.parametrize("seed", range(3))
def test_single_prime_is_learned_among_all_encoders(seed: int) -> None:
    loops = Loops(2, 3, copies=1)
    found = []
    for part in range(2):
        half = walk("uniform", loops, Place(0, 0), 20_000, (seed, part))
        noisy = Noisy(half, coins(half, (seed, part, 2)))
        found.append(data_of(noisy))
    assert select(problem_of(found[0], found[1], 6, 7)) == single_prime_encoder(3)


FORK = ((1, 2), (3, 3), (3, 3), (0, 0))
"""0 leads to 1 or 2, as one chooses; both lead to 3, and 3 to 0: every way back takes 3 steps."""


def on_the_fork(seed: int) -> Data:
    actions = np.random.default_rng(seed).integers(0, 2, 6_000)
    seen = [0]
    for action in actions.tolist():
        seen.append(FORK[seen[-1]][action])
    return Data(np.array(seen), actions)


@pytest.mark.parametrize("lags", [1, 3, 6])
@pytest.mark.parametrize("seed", range(2))
def test_periodic_dynamics_need_the_forward_loss(seed: int, lags: int) -> None:
    """AC-State merges two of the four states for every K; ACDF learns all (l. 1722, Claim J02)."""
    found = {}
    for with_forward in (False, True):
        problem = Problem(
            fit=on_the_fork(2 * seed),
            optimise=on_the_fork(2 * seed + 1),
            observations=4,
            actions=2,
            most_lags=lags,
            with_forward=with_forward,
        )
        found[with_forward] = select(problem)
    assert outputs_of(found[False]) == 3
    assert found[True] == (0, 1, 2, 3)
