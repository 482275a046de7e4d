"""Exact laws of finite chains."""

from fractions import Fraction
from itertools import combinations, pairwise, product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.strategies import chains, distributions
from steel_verified.worlds.chains import (
    Chain,
    Distribution,
    common_denominator,
    distance_from_stationarity,
    mixing_time,
    stationary,
    thresholds,
)

HALF = Fraction(1, 2)


@given(chain=chains())
def test_stationary_distribution_is_invariant_under_a_step(chain: Chain) -> None:
    pi = stationary(chain)
    after = tuple(
        sum((pi[e] * chain.rows[e][f] for e in range(len(chain))), Fraction(0))
        for f in range(len(chain))
    )
    assert after == pi
    assert sum(pi) == 1
    assert min(pi) > 0


@given(chain=chains(max_size=3))
def test_mixing_time_is_the_least_one_found_step_by_step(chain: Chain) -> None:
    """Against walking one step at a time, and the distance never grows."""
    t = mixing_time(chain)
    assert t >= 1
    distances = [distance_from_stationarity(chain, n) for n in range(1, min(t, 40) + 1)]
    assert all(a >= b for a, b in pairwise(distances))
    assert distance_from_stationarity(chain, t) <= Fraction(1, 4)
    assert t == 1 or distance_from_stationarity(chain, t - 1) > Fraction(1, 4)


@given(on=st.integers(1, 11), off=st.integers(1, 11), steps=st.integers(1, 30))
def test_distance_of_two_state_chain_equals_the_papers_formula(
    on: int, off: int, steps: int
) -> None:
    """|1 − ε₀ − ε₁|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) (l. 1607)."""
    up, down = Fraction(on, 12), Fraction(off, 12)
    chain = Chain(((1 - up, up), (down, 1 - down)))
    expected = abs(1 - up - down) ** steps * max(up, down) / (up + down)
    assert distance_from_stationarity(chain, steps) == expected


@given(law=distributions(4))
def test_thresholds_give_the_law_exactly(law: Distribution) -> None:
    whole = common_denominator([law])
    edges = thresholds(law, whole)
    drawn = [sum(edge <= u for edge in edges) for u in range(whole)]
    assert tuple(Fraction(drawn.count(x), whole) for x in range(4)) == law


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (((HALF, HALF), (Fraction(0), Fraction(1))), "reaches"),
        (((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))), "aperiodic"),
        (((HALF, Fraction(1, 3)), (HALF, HALF)), "sum to 1"),
        (((Fraction(3, 2), -HALF), (HALF, HALF)), "nonnegative"),
        (((HALF, HALF),), "entries"),
    ],
)
def test_reducible_or_periodic_chains_raise(rows: tuple[Distribution, ...], why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        Chain(rows)


def test_accepted_chains_agree_with_networkx_on_all_small_graphs() -> None:
    for n in (1, 2, 3):
        sets = [own for size in range(1, n + 1) for own in combinations(range(n), size)]
        for leads in product(sets, repeat=n):
            rows = tuple(
                tuple(Fraction(int(f in own), len(own)) for f in range(n)) for own in leads
            )
            graph: nx.DiGraph[int] = nx.DiGraph()
            graph.add_edges_from((e, f) for e, own in enumerate(leads) for f in own)
            if nx.is_strongly_connected(graph) and nx.is_aperiodic(graph):
                assert Chain(rows)
            else:
                with pytest.raises(InvalidArgument):
                    Chain(rows)


def test_weights_with_a_huge_common_denominator_raise() -> None:
    with pytest.raises(InvalidArgument, match="common denominator"):
        common_denominator([(Fraction(1, 3**40), 1 - Fraction(1, 3**40))])
