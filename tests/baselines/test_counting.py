"""The fast ways to count give the counts, and the decisions, of counting every tuple."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.round_pairs import count_pairs
from steel_verified.baselines.rounds import Half
from steel_verified.baselines.tabular_losses import tuple_counts
from tests.baselines.counting import data_of, halves

pytestmark = pytest.mark.properties


@given(halves(), st.integers(1, 200))
def test_pairs_of_rounds_count_every_tuple(half: Half, most_lags: int) -> None:
    p, q = half.loops.p, half.loops.q
    lags = min(most_lags, half.seen - 1)
    expected = tuple_counts(data_of(half), lags, 2 * q, 2).reshape(lags, 2, q, 2, 2, q)
    counts = count_pairs(half, most_lags)
    for before in range(q):
        for target in range(q):
            ones, total = counts.cells(
                before, long_only=target >= p, with_last=bool(counts.last_visited >> target & 1)
            )
            for lag in range(1, lags + 1):
                apart = lag - before + target
                for copy in range(2):
                    for changed in range(2):
                        cell, zeros_ones = 2 * copy + changed, expected[lag - 1, copy, -before % q]
                        of_target = zeros_ones[:, copy ^ changed, -target % q]
                        found = (ones[cell, apart], total[cell, apart]) if apart >= 0 else (0, 0)
                        assert found == (of_target[1], of_target.sum())
