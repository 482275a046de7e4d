"""PPE's gaps: exact on known laws, and the sampled predictor against its definition."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.ppe.gaps import ByGaps, exact_gap, exact_layers, last_law
from steel_verified.classes.finite import tables
from steel_verified.experiments.table1.worlds import (
    SmallWorld,
    hidden_noise,
    masked,
    random_moves,
    random_start,
    toggle,
)
from steel_verified.worlds.tabular import Law, law

if TYPE_CHECKING:
    from collections.abc import Callable

HORIZON = 4


def definition(laws: list[Law], i: int, j: int) -> Fraction:
    """The gap, literally: f*(i | x) by Bayes, averaged over x of a uniformly drawn path."""
    chances = [dict(each) for each in laws]
    total = Fraction(0)
    for x in {x for each in chances for x in each}:
        joint = [each.get(x, Fraction(0)) / len(laws) for each in chances]
        posterior = [chance / sum(joint) for chance in joint]
        total += sum(joint) * abs(posterior[i] - posterior[j])
    return total


@pytest.mark.parametrize("make", [toggle, masked, hidden_noise])
def test_without_slips_a_gap_is_zero_or_two_by_the_number_of_paths(
    make: Callable[[], SmallWorld],
) -> None:
    world = make()
    found = exact_layers(world.model, HORIZON)
    for layer in found.layers:
        laws = [last_law(world.model, word) for word in layer.paths]
        ends = [sum(word) % 2 for word in layer.paths]
        for i, one in enumerate(ends):
            for j, other in enumerate(ends):
                expected = Fraction(0) if one == other else Fraction(2, len(laws))
                assert exact_gap(laws, i, j) == definition(laws, i, j) == expected
        assert layer.states == 2
        assert all(layer.label[i] == layer.label[j] for i, one in enumerate(ends)
                   for j, other in enumerate(ends) if one == other)  # fmt: skip


def test_with_a_random_start_all_paths_look_alike() -> None:
    assert [layer.states for layer in exact_layers(random_start().model, HORIZON).layers] == [1] * 4


def test_random_transitions_give_labels_that_are_no_states() -> None:
    """ "Surely 0" and "either": gap 1/|Υ|, half of what two states have, yet above 5/(8|Υ|)."""
    world = random_moves()
    found = exact_layers(world.model, HORIZON)
    assert [layer.states for layer in found.layers] == [2] * HORIZON
    laws = [last_law(world.model, word) for word in ((0,), (1,))]
    assert exact_gap(laws, 0, 1) == Fraction(1, 2)
    sure, either = (dict(each) for each in found.layers[0].classifiers or ())
    assert sure.keys() < either.keys()


LAWS = (
    st.lists(st.integers(0, 4), min_size=3, max_size=3)
    .filter(any)
    .map(lambda weights: law({x: Fraction(w, sum(weights)) for x, w in enumerate(weights)}))
)


@given(st.lists(LAWS, min_size=2, max_size=4))
def test_exact_gap_equals_its_definition(laws: list[Law]) -> None:
    assert exact_gap(laws, 0, 1) == definition(laws, 0, 1)


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
    compared = ByGaps(tables(functions))([np.array(each) for each in data])
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
