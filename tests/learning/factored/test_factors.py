"""What follows from the tables of factors agrees with their product, where that can be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.learning import factors
from steel_verified.learning.factors import Derived, Factor, Product
from tests.learning.factored.worlds import parts

if TYPE_CHECKING:
    from collections.abc import Sequence


def product_of(*parts: Sequence[Sequence[int]], start: Sequence[int] | None = None) -> Product:
    at = start or [0] * len(parts)
    made = (
        Factor(tuple((n,) for n in range(len(part))), tuple(map(tuple, part)), now)
        for part, now in zip(parts, at, strict=True)
    )
    return Product(tuple(made), len(parts[0][0]))


def joint(product: Product) -> dict[tuple[int, ...], int]:
    """The joint labels that the present ones lead to, with their distances: the slow way."""
    found = {product.current: 0}
    queue = [product.current]
    for labels in queue:
        for action in range(product.actions):
            (to,) = product.walk(labels, (action,))
            if to not in found:
                found[to] = found[labels] + 1
                queue.append(to)
    return found


@st.composite
def products(draw: st.DrawFn) -> Product:
    """Up to four factors, on each of which some of the actions act."""
    tables = draw(parts(4))
    return product_of(*tables, start=[draw(st.integers(0, len(part) - 1)) for part in tables])


@given(products())
def test_joint_states_are_those_that_can_occur(product: Product) -> None:
    assert product.joint_states.number == len(joint(product))
    assert product.joint_states.is_exact


@given(products())
def test_derived_factors_are_functions_of_those_that_are_left(product: Product) -> None:
    occur = list(joint(product))
    for number, derived in product.derived.items():
        seen = {tuple(labels[n] for n in derived.of): labels[number] for labels in occur}
        assert all(seen[tuple(x[n] for n in derived.of)] == x[number] for x in occur)
    left = product.independent
    assert len({tuple(labels[n] for n in left) for labels in occur}) == len(occur)
    for number in left:  # none of them is a function of one other
        for other in set(left) - {number}:
            pairs = {(labels[other], labels[number]) for labels in occur}
            assert len(pairs) > len({label for label, _ in pairs})


@given(products(), st.data())
def test_plans_are_shortest_and_lead_to_the_goal(product: Product, data: st.DataObject) -> None:
    numbers = data.draw(st.sets(st.integers(0, len(product.factors) - 1), min_size=1))
    goal = {n: data.draw(st.integers(0, product.factors[n].values - 1)) for n in numbers}
    far = [
        steps
        for labels, steps in joint(product).items()
        if all(labels[n] == label for n, label in goal.items())
    ]
    if not far:
        with pytest.raises(InvalidArgument, match="labels that occur together"):
            product.plan(goal)
        return
    word = product.plan(goal)
    end = (product.current, *product.walk(product.current, word))[-1]
    assert len(word) == min(far)
    assert all(end[n] == label for n, label in goal.items())


RING = [[1, 0], [2, 1], [3, 2], [0, 3]]
PARITY = [[1, 0], [0, 1]]
OTHER = [[0, 1], [1, 0]]


def test_quotients_products_and_sums_are_named() -> None:
    both = [[2, 1], [3, 0], [0, 3], [1, 2]]
    quotient = product_of(RING, PARITY)
    assert quotient.derived == {1: Derived("quotient", (0,))}
    assert quotient.joint_states.number == 4
    pair = product_of(PARITY, OTHER, both)
    assert pair.derived == {2: Derived("product", (0, 1))}
    total = [[1, 1], [0, 0]]
    sums = product_of(PARITY, OTHER, total)
    assert sums.derived == {2: Derived("function", (0, 1))}
    assert sums.joint_states.number == 4


def test_factors_that_move_together_are_quotients_of_each_other() -> None:
    locks = product_of([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    assert locks.derived == {0: Derived("quotient", (1,))}
    assert locks.joint_states.number == 2
    apart = product_of([[1, 0], [0, 0]], [[1, 0], [0, 0]], start=(0, 1))
    assert apart.joint_states.number == len(joint(apart))


def test_many_factors_are_never_multiplied_out() -> None:
    count = 30
    parts = [
        [[(value + 1) % 8 if a == n else value for a in range(count)] for value in range(8)]
        for n in range(count)
    ]
    product = product_of(*parts)
    assert product.joint_states.number == 8**count
    assert product.joint_states.is_exact
    assert product.derived == {}
    word = product.plan(dict.fromkeys(range(count), 7))
    assert sorted(word) == sorted([*range(count)] * 7)


def test_searches_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factors, "MOST_SEARCHED", 3)
    product = product_of(RING, OTHER)
    assert (product.joint_states.number, product.joint_states.is_exact) == (8, False)
    with pytest.raises(InvalidArgument, match="fewer factors at once"):
        product.plan({0: 3, 1: 1})


@pytest.mark.parametrize(("goal", "text"), [({2: 0}, "to = 2"), ({0: 4}, r"to\[0\] = 4")])
def test_goals_that_do_not_exist_are_named(goal: dict[int, int], text: str) -> None:
    with pytest.raises(InvalidArgument, match=text):
        product_of(RING, OTHER).plan(goal)
