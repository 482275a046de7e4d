"""The normal form preserves the value, and identifies only reordered sums and products.

Every expression is built twice: as an `Expression`, and as the number it stands for in a small
model, where each sort has so many members and each function a table of values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.kernels.sums.building import Function, exponential, moved, names, number
from proofs_checks.kernels.sums.expressions import (
    Expression,
    constant,
    indices,
    total,
)
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from steel_verified.errors import InvalidArgument
from tests.proofs_checks.sums.instances import Env, Instance
from tests.proofs_checks.sums.writing import symbol

x, y, z = (Index("state", name) for name in "xyz")
j = Index(TIME, "j")
f, g, h = Function("f"), Function("g"), Function("h")

models = st.builds(Instance, st.integers(0, 3), st.integers(0, 999))


@dataclass(frozen=True)
class Tree:
    """An expression before anything is done to it."""

    kind: str
    parts: tuple[Tree, ...] = ()
    name: str = ""
    at: tuple[Index, ...] = ()
    number: int = 0

    def built(self, *, flipped: bool = False) -> Expression:
        """As an expression; flipped, with the sides of sums and products exchanged."""
        parts = [part.built(flipped=flipped) for part in self.parts]
        if flipped:
            parts.reverse()
        match self.kind:
            case "value":
                return Function(self.name)(*self.at)
            case "number":
                return constant(self.number)
            case "+":
                return parts[0] + parts[1]
            case "·":
                return parts[0] * parts[1]
            case "| |":
                return abs(-parts[0] if flipped else parts[0])
            case _:
                return total(self.at, parts[0])

    def evaluated(self, model: Instance, env: Env) -> Fraction:
        """As a number."""
        match self.kind:
            case "value":
                return model.value(self.name, tuple(env[index] for index in self.at))
            case "number":
                return Fraction(self.number)
            case "+":
                return self.parts[0].evaluated(model, env) + self.parts[1].evaluated(model, env)
            case "·":
                return self.parts[0].evaluated(model, env) * self.parts[1].evaluated(model, env)
            case "| |":
                return abs(self.parts[0].evaluated(model, env))
            case _:
                return sum(
                    (
                        self.parts[0].evaluated(model, {**env, self.at[0]: e})
                        for e in range(model.states)
                    ),
                    Fraction(0),
                )


states = st.sampled_from([x, y, z])
leaves = st.one_of(
    st.builds(Tree, st.just("value"), name=st.sampled_from("fg"), at=st.tuples(states)),
    st.builds(Tree, st.just("value"), name=st.just("h"), at=st.tuples(states, states)),
    st.builds(Tree, st.just("number"), number=st.integers(-2, 2)),
)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Tree, st.sampled_from("+·"), st.tuples(inner, inner)),
        st.builds(Tree, st.just("| |"), st.tuples(inner)),
        st.builds(Tree, st.just("Σ"), st.tuples(inner), at=st.tuples(states)),
    ),
    max_leaves=6,
)


@pytest.mark.properties
@given(trees, models, st.data())
def test_the_normal_form_keeps_the_value(tree: Tree, model: Instance, data: st.DataObject) -> None:
    if not model.states:
        model = Instance(1, model.seed)
    env = {index: data.draw(st.integers(0, model.states - 1)) for index in (x, y, z)}
    assert model.of(tree.built(), env) == tree.evaluated(model, env)


@pytest.mark.properties
@given(trees)
def test_expression_does_not_depend_on_the_order_of_its_parts(tree: Tree) -> None:
    assert tree.built() == tree.built(flipped=True)


@pytest.mark.properties
@given(trees, models, st.data())
def test_moved_expression_has_the_value_at_the_other_indices(
    tree: Tree, model: Instance, data: st.DataObject
) -> None:
    """Moving indices is the same as looking up other members, also if two become one."""
    if not model.states:
        model = Instance(2, model.seed)
    to = {index: data.draw(states) for index in (x, y, z)}
    env = {index: data.draw(st.integers(0, model.states - 1)) for index in (x, y, z)}
    there = {index: env[to[index]] for index in (x, y, z)}
    assert model.of(moved(tree.built(), to), env) == model.of(tree.built(), there)


def test_sum_over_empty_set_is_0() -> None:
    assert Instance(0, 1).of(total(x, f(x) * 3 + 1), {}) == 0


def test_exchanged_and_factored_sums_are_the_same_expression() -> None:
    assert total(x, total(y, h(x, y))) == total(y, total(x, h(x, y)))
    assert total(x, f(x) * g(y)) == g(y) * total(x, f(x))
    assert total(x, f(x)) * total(x, g(x)) == total((x, y), f(x) * g(y))
    assert total(x, f(x)) == total(y, f(y))
    assert total((x, y), h(x, y)) == total((x, y), h(y, x))
    assert total((x, y), h(x, y) * h(y, x)) != total((x, y), h(x, y) * h(x, y))


def test_absolute_values_are_kept_without_common_factors() -> None:
    assert abs(f(x) - g(x)) == abs(g(x) - f(x))
    assert abs(f(x) * -2) == 2 * abs(f(x))
    assert abs(f(x) * g(y) - f(x) * g(z)) == abs(f(x)) * abs(g(y) - g(z))
    assert abs(abs(f(x))) == abs(f(x))
    assert abs(f(x) - f(x)) == constant(0)
    assert abs(f(x) + g(x)) != abs(f(x)) + abs(g(x))
    assert abs(total(x, f(x) * g(y))) == abs(g(y)) * abs(total(x, f(x)))


def test_offsets_of_numbers_and_products_of_exponentials_are_normalised() -> None:
    assert number(j + 2) == number(j) + 2
    assert number(numeral(3)) == constant(3)
    e = symbol("ε")
    assert exponential(number(j + 1) * e) == exponential(number(j) * e) * exponential(e)
    assert exponential(e) * exponential(-e) == constant(1)
    assert exponential(constant(0)) == constant(1)
    assert exponential(e) != exponential(e * 2)


def test_free_indices_and_names_of_an_expression() -> None:
    expression = abs(total(x, h(x, y) - f(z))) + number(j + 1)
    assert indices(expression) == {y, z, j}
    assert names(expression) == {"f", "h"}
    assert str(total(x, abs(h(y, x) - f(x)))) == "Σ_{y₁} |f(y₁) − h(y, y₁)|"


def test_impossible_expressions_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="finite sort"):
        total(j, number(j))
    with pytest.raises(InvalidArgument, match="finite sort"):
        total(Index("state", "x", fixed=True), f(x))
    with pytest.raises(InvalidArgument, match="natural number"):
        number(x)
    with pytest.raises(InvalidArgument, match="count up"):
        x + 1
    with pytest.raises(InvalidArgument, match="stand for"):
        moved(f(x), {x: j})
