"""The bets of the self-check have the counts and winnings of their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning.self_check.bets import (
    Bets,
    Kind,
    Samples,
    bets_on,
    bets_on_all,
    grouped,
    values_of,
)
from steel_verified.learning.self_check.probes import changing
from steel_verified.theory.self_check import winnings

SEEDS = st.integers(0, 10**6)


@given(
    seed=SEEDS,
    many=st.sampled_from([1, 9, 255, 256, 700]),
    different=st.integers(1, 3),
    probes=st.sampled_from([1, 3, 8, 9]),
)
def test_grouped_counts_equal_counting_one_by_one(
    seed: int, many: int, different: int, probes: int
) -> None:
    draw = np.random.default_rng(seed)
    contexts = draw.integers(0, different, many)
    one, other = draw.random((2, many, probes)) < draw.random((2, 1, probes))
    groups, values = grouped(contexts), values_of(one)
    single, same = groups.ones(values), groups.same(values, values_of(other))
    joint, (first, second) = groups.joint(values, values_of(other))
    within, (lower, upper) = groups.joint(values, values)
    for place, context in enumerate(np.unique(contexts).tolist()):
        here = np.flatnonzero(contexts == context).tolist()
        for probe in range(probes):
            assert single[place, probe] == sum(bool(one[n, probe]) for n in here)
            both = Counter(2 * one[n, probe] + other[n, probe] for n in here)
            assert same[place, :, probe].tolist() == [both[k] for k in range(4)]
        for number, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            both = Counter(2 * one[n, a] + other[n, b] for n in here)
            assert joint[place, :, number].tolist() == [both[k] for k in range(4)]
        for number, (a, b) in enumerate(zip(lower.tolist(), upper.tolist(), strict=True)):
            both = Counter(2 * one[n, a] + one[n, b] for n in here)
            assert within[place, :, number].tolist() == [both[k] for k in range(4)]


def samples(seed: int, probes: int) -> Samples:
    """Return samples of one label in three loops; every third probe never changes."""
    draw, many = np.random.default_rng(seed), 60
    values = draw.random((2, many, probes)) < 0.5
    values[:, :, ::3] = np.arange(probes)[::3] % 2
    columns = changing(values.reshape(-1, probes)) if probes > 24 else np.arange(probes)
    return Samples(
        label=0,
        times=np.arange(1, many + 1) * 10,
        loops=np.arange(many) // 20,
        within=np.arange(1, many + 1) * 10,
        lengths=np.full(many, 3),
        ways=draw.integers(0, 2, many),
        after=draw.integers(0, 2, many),
        at=np.arange(many),
        now=values_of(values[0][:, columns]),
        later=values_of(values[1][:, columns]),
        columns=columns,
        probes=probes,
    )


@pytest.mark.parametrize("probes", [1, 5, 24, 25, 40])
def test_floating_point_winnings_equal_exact_winnings(probes: int) -> None:
    for bets in bets_on(samples(probes, probes), mixing_time=3, max_states=2):
        found = bets.log_winnings()
        for number in range(0, len(found), 17):
            exact = winnings(bets.counts[:, :, number].tolist(), bets.mixing_times)
            assert found[number] == pytest.approx(log(exact.numerator) - log(exact.denominator))


def test_bets_that_cannot_be_won_are_counted() -> None:
    """The number of bets depends only on the times, and the omitted bets pay at most 1."""
    every = list(bets_on(samples(1, 40), mixing_time=3, max_states=2))
    assert {bets.kind for bets in every} == set(Kind) - {Kind.ANY}
    for bets in every:
        assert bets.made == 40
        assert [each.tolist() for each in bets.probes] == [
            [probe for probe in range(40) if probe % 3]
        ] * len(bets.probes)
        sizes = bets.counts[:, :, 0].sum(axis=1).tolist()
        if bets.kind is not Kind.EARLIER:
            unchanging = [[size, *[0] * (bets.counts.shape[1] - 1)] for size in sizes]
            assert winnings(unchanging, bets.mixing_times) <= 1


def of_two_labels(slow: int) -> tuple[Samples, Samples]:
    """Return samples of two alternating labels; probe 0 changes after `slow` samples."""
    draw = np.random.default_rng(slow)
    values = draw.random((120, 5)) < 0.5
    values[:, 0] = np.arange(120) // slow % 2
    times = 2 * np.arange(1, 121)

    def of(label: int) -> Samples:
        own = slice(label, None, 2)
        one = np.ones(60, dtype=np.int64)
        return Samples(
            label=label,
            times=times[own],
            loops=one,
            within=times[own],
            lengths=one,
            ways=one,
            after=one,
            at=np.arange(60),
            now=values_of(values[own]),
            later=values_of(values[own]),
            columns=np.arange(5),
            probes=5,
        )

    return of(0), of(1)


def test_bets_on_all_labels_equal_counting_one_by_one() -> None:
    one, other = of_two_labels(1)
    every = sorted(
        (time, label, row.tolist())
        for label, of in enumerate((one, other))
        for time, row in zip(of.times.tolist(), of.now.bits, strict=True)
    )
    found = list(bets_on_all((one, other), mixing_time=2))
    assert [bets.mixing_times for bets in found] == [1, 2, 4, 8]
    for bets in found:
        chosen = [each for each in every if each[0] % (2 * bets.mixing_times) == 0]
        after = list(pairwise(chosen))
        for probe in range(5):
            pairs = Counter((a[2][probe], b[2][probe]) for a, b in after)
            shown = Counter((b[1], b[2][probe]) for _, b in after)
            own = [[pairs[was, now] for now in (False, True)] for was in (False, True)]
            labels = sorted({b[1] for _, b in after})
            of_labels = [[shown[label, now] for now in (False, True)] for label in labels]
            assert bets.counts[:, :, probe].tolist() == own
            assert bets.totals[:, :, probe].tolist() == of_labels
            exact = winnings(own, bets.mixing_times, of_labels)
            logarithm = log(exact.numerator) - log(exact.denominator)
            assert bets.log_winnings()[probe] == pytest.approx(logarithm)


def test_bet_on_all_labels_detects_slow_noise_best() -> None:
    """A bet on both labels pays more than any bet on one of them."""
    samples_of_both = of_two_labels(40)
    together = max(bets.log_winnings()[0] for bets in bets_on_all(samples_of_both, 2))
    alone = max(
        bets.log_winnings()[0]
        for each in samples_of_both
        for bets in bets_on(each, 2, 2)
        if not bets.joint
    )
    assert together > max(alone, log(10**5))
    assert not list(bets_on_all(samples_of_both[:1], 2))


def test_samples_that_are_too_close_get_no_bets() -> None:
    found: list[Bets] = list(bets_on(samples(0, 5), mixing_time=11, max_states=2))
    assert found
    assert min(bets.mixing_times for bets in found) >= 1
