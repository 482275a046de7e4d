"""PPE's gaps: exact on known laws, and the sampled predictor against its definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.ppe import ByGaps
from steel_verified.classes.finite import tables


@st.composite
def layers_of_data(draw: st.DrawFn) -> tuple[list[list[bool]], list[list[int]]]:
    """Some classifiers on four observations, and the data of some paths."""
    row = st.lists(st.booleans(), min_size=4, max_size=4)
    functions = draw(st.lists(row, min_size=1, max_size=5))
    data = draw(
        st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), min_size=2, max_size=4)
    )
    return functions, data


@given(layers_of_data())
def test_sampled_gap_equals_its_definition(given: tuple[list[list[bool]], list[list[int]]]) -> None:
    functions, data = given
    compared = ByGaps(tables(functions), [np.array(each) for each in data])
    for path, own in enumerate(data):
        others = [x for number, each in enumerate(data) if number != path for x in each]

        def cost(f: int, own: list[int] = own, others: list[int] = others) -> tuple[int, int, int]:
            misses = sum(not functions[f][x] for x in own)
            return misses, sum(functions[f][x] for x in others), f

        assert compared.chosen[path] == min(range(len(functions)), key=cost)

    def predictor(path: int, x: int) -> Fraction:
        fires = [functions[f][x] for f in compared.chosen]
        if not any(fires):
            return Fraction(1, len(fires))
        return Fraction(int(fires[path]), sum(fires))

    everything = [x for each in data for x in each]
    for j in range(1, len(data)):
        apart = [abs(predictor(0, x) - predictor(j, x)) for x in everything]
        assert compared.gap(0, j) == sum(apart, Fraction(0)) / len(everything)
