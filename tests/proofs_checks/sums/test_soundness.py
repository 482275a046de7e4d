"""Soundness of the sums kernel: accepted random proofs are evaluated on random instances.

The hypotheses of each proof are made to be true in an instance. Half of the proofs are then
tampered with; whatever the kernel accepts must be true in the instance as well.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.sums import replay
from proofs_checks.kernels.sums.building import Function, moved, names, rebuilt
from proofs_checks.kernels.sums.expressions import (
    Atom,
    Expression,
    Size,
    Value,
    constant,
    indices,
    single,
    total,
)
from proofs_checks.kernels.sums.indices import Index
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Cited,
    Combined,
    Excess,
    Gap,
    Known,
    Lambda,
    Others,
    Part,
    Proof,
    Square,
    Statement,
    Step,
    Triangle,
    Unsigned,
)
from steel_verified.errors import InvalidArgument
from tests.proofs_checks.sums.instances import Instance
from tests.proofs_checks.sums.writing import at_most, equals, symbol

if TYPE_CHECKING:
    from collections.abc import Mapping

x, y, z, u, v = (Index("state", name) for name in "xyzuv")
f, g, h = (Function(name) for name in "fgh")
a, b = symbol("a"), symbol("b")


@dataclass
class Author:
    """Writes random proofs whose hypotheses are true in an instance."""

    r: Random
    instance: Instance
    facts: dict[str, Statement] = field(default_factory=dict)

    def expression(self, depth: int = 2) -> Expression:
        r = self.r
        one, other = r.choice((x, y)), r.choice((x, y, z))
        if not depth:
            small = constant(Fraction(r.randint(-2, 2), r.randint(1, 2)))
            return r.choice((f(one), g(one, other), g(other, one), a, small))
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        kinds = (left + right, left - right, left * right, total(one, left), abs(left), left)
        return r.choice(kinds)

    def least(self, of: Expression) -> Fraction:
        """Its least value over all indices."""
        free = sorted(indices(of), key=str)
        members = range(self.instance.states)
        return min(
            self.instance.of(of, dict(zip(free, at, strict=True)))
            for at in product(members, repeat=len(free))
        )

    def fact(self, *, nonnegative: bool = False) -> str:
        """A new hypothesis that is true: a least value, or the value of a number."""
        of = self.expression(1)
        least = self.least(of)
        name = f"fact {len(self.facts)}"
        if not indices(of) and not nonnegative and self.r.random() < 0.5:
            self.facts[name] = equals(of, least)
        else:
            self.facts[name] = at_most(0, of - least) if nonnegative else at_most(least, of)
        return name

    def gap(self) -> tuple[Gap, Expression]:
        """What is at least 0, and the expression for it."""
        of, other, one = self.expression(1), self.expression(1), self.r.choice((x, y))
        match self.r.randrange(8):
            case 0 | 1:
                name, at = self.fact(), {one: self.r.choice((x, y, z))}
                return Known(name, at), moved(self.facts[name].gap, at)
            case 2:
                return Excess(of), abs(of) - of
            case 3:
                return Absolute(of), abs(of)
            case 4:
                return Square(of), of * of
            case 5:
                sizes, whole = total(one, abs(of) + abs(other)), total(one, of + other)
                return Triangle((one,), (of, other)), sizes - abs(whole)
            case 6:
                name = self.fact(nonnegative=True)
                value = self.facts[name].right
                return Unsigned(name), value - abs(value)
            case _:
                name = self.fact(nonnegative=True)
                value = self.facts[name].right
                return Others(name, one), total(one, value) - value

    def step(self, name: str) -> Step:
        """A statement that follows from what is at least 0; every second time with a mistake."""
        r, sides = self.r, self.expression()
        parts, found = list[Part](), constant(0)
        for _ in range(r.randint(1, 2)):
            gaps, product_of_gaps = list[Gap](), constant(1)
            for _ in range(r.choice((1, 1, 2))):
                gap, value = self.gap()
                gaps.append(gap)
                product_of_gaps = product_of_gaps * value
            over = r.choice(((), (), (x,), (x, y), (y,)))
            times = r.choice((constant(1), constant(Fraction(1, 2)), -a, self.expression(0)))
            parts.append(Part(tuple(gaps), over, times))
            product_of_gaps = product_of_gaps * times
            found = found + (total(over, product_of_gaps) if over else product_of_gaps)
        stated = r.choice((at_most, at_most, at_most, equals))(sides, sides + found)
        if r.random() < 0.5:
            stated = self.tampered(stated)
        equations = [name for name, fact in self.facts.items() if fact.relation == "="]
        using = tuple(name for name in equations if r.random() < 0.5)
        return Step(name, stated, Combined(tuple(parts), using))

    def tampered(self, stated: Statement) -> Statement:
        r = self.r
        more = r.choice((constant(Fraction(1, 7)), f(x), abs(f(y)), a, g(x, y) - g(y, x)))
        one, other = r.sample((x, y, z), 2)
        return r.choice(
            (
                replace(stated, left=stated.left + more),
                replace(stated, right=moved(stated.right, {one: other})),
                replace(stated, right=abs(stated.right)),
                replace(stated, left=total(one, stated.left), right=total(one, stated.right)),
                replace(stated, relation="="),
                Statement(stated.right, stated.relation, stated.left),
            )
        )

    def proof(self) -> Proof:
        line = self.step("line")
        return Proof(title="random", hypotheses=self.facts, lines=(line,), goals=(line.statement,))


def accepts(proof: Proof) -> bool:
    try:
        replay(proof)
    except (NotEarned, InvalidArgument):
        return False
    return True


@dataclass(frozen=True)
class Substituted(Instance):
    """An instance in which some functions are expressions in others."""

    functions: Mapping[str, Lambda] = field(default_factory=dict)

    def value(self, name: str, at: tuple[int, ...]) -> Fraction:
        if name not in self.functions:
            return super().value(name, at)
        lambda_ = self.functions[name]
        env = dict.fromkeys((x, y, z, u, v), 0) | dict(zip(lambda_.arguments, at, strict=True))
        return Instance(self.states, self.seed).of(lambda_.body, env)


def translated(of: Expression, functions: Mapping[str, Lambda]) -> Expression:
    def at(atom: Atom) -> Expression:
        match atom:
            case Value(name, indices) if name in functions:
                arguments = functions[name].arguments
                return moved(functions[name].body, dict(zip(arguments, indices, strict=True)))
            case Size(inside):
                return abs(rebuilt(inside, at))
            case _:
                return single(atom)

    return rebuilt(of, at)


def citing(r: Random, cited: Proof, functions: Mapping[str, Lambda]) -> Proof:
    """A proof that has something else for the functions of another."""

    def here(statement: Statement) -> Statement:
        left, right = (translated(side, functions) for side in (statement.left, statement.right))
        return replace(statement, left=left, right=right)

    spoken = {*cited.hypotheses.values(), *cited.goals}
    spoken_of = frozenset[str]().union(*(names(each.gap) for each in spoken))
    kept = {name: each for name, each in functions.items() if name in spoken_of}
    hypotheses = {name: here(each) for name, each in cited.hypotheses.items()}
    goal = here(cited.goals[0])
    if r.random() < 0.3:
        goal = Author(r, Instance(1, 0)).tampered(goal)
    line = Step("cited", goal, Cited(cited, kept))
    return Proof(title="citing", hypotheses=hypotheses, lines=(line,), goals=(goal,))


def lambdas(r: Random) -> dict[str, Lambda]:
    """Something for f and a; now and then with an index that is not an argument."""
    of_f = r.choice((h(u, u), total(v, h(u, v)), h(u, u) * b, abs(h(u, u)) - b, h(u, x), h(u, v)))
    of_a = r.choice((b, b * b, total(u, h(u, u)), h(x, x), h(v, v), constant(1)))
    return {"f": Lambda((u,), of_f), "a": Lambda((), of_a)}


@pytest.mark.properties
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_accepted_proof_is_true_in_random_models(r: Random, states: int) -> None:
    instance = Instance(states, r.randrange(1000))
    proof = Author(r, instance).proof()
    assert all(instance.holds(each) for each in proof.hypotheses.values())
    if accepts(proof):
        assert instance.holds(proof.goals[0]), proof


@pytest.mark.properties
@given(st.randoms(use_true_random=False), st.integers(1, 2))
def test_accepted_citation_is_true_in_random_models(r: Random, states: int) -> None:
    functions, seed = lambdas(r), r.randrange(1000)
    cited = Author(r, Substituted(states, seed, functions)).proof()
    outer, instance = citing(r, cited, functions), Instance(states, seed)
    if accepts(outer) and all(instance.holds(each) for each in outer.hypotheses.values()):
        assert instance.holds(outer.goals[0]), outer


def test_many_random_proofs_are_accepted() -> None:
    """Otherwise the tests above would show little."""
    kinds = Counter[str]()
    for seed in range(120):
        r = Random(seed)
        proof = Author(r, Instance(2, seed)).proof()
        line = proof.lines[0]
        if accepts(proof) and isinstance(line, Step) and isinstance(line.because, Combined):
            kinds.update(type(gap).__name__ for part in line.because.parts for gap in part.gaps)
            kinds[line.statement.relation] += 1
            kinds["cited"] += accepts(citing(r, proof, lambdas(r)))
    assert len(kinds) == 10, kinds
    assert min(kinds.values()) > 0, kinds
