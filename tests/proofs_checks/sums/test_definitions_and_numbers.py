"""Definitions are conservative, and numbers with a formula are enclosed by interval arithmetic."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from sympy import Expr, Symbol, sqrt

from proofs_checks.kernels.evidence import Strength
from proofs_checks.kernels.sums.building import Function, exponential, number
from proofs_checks.kernels.sums.expressions import constant, total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.replaying import replay
from proofs_checks.kernels.sums.statements import (
    Counted,
    Enclosed,
    Growing,
    Known,
    Power,
    Proof,
    Statement,
    Step,
)
from tests.proofs_checks.sums.writing import (
    accepted,
    at_most,
    combined,
    equals,
    part,
    proof,
    refused,
    symbol,
)

x, y = Index("state", "x"), Index("state", "y")
j, here = Index(TIME, "j"), Index(TIME, "j", fixed=True)
zero = numeral(0)
f, g, h, q = (Function(name) for name in "fghq")
a, b, c, e = (symbol(name) for name in "abce")


# --- definitions ----------------------------------------------------------------------------------

GIVEN = at_most(a, b)


@pytest.mark.parametrize(
    ("definitions", "why"),
    [
        ({"d": equals(a, 1)}, "already has a meaning"),
        ({"d": at_most(q(x), 1)}, "not a definition"),
        ({"d": equals(q(x) * 2, 1)}, "not a definition"),
        ({"d": equals(q(x), q(x) + 1)}, "is defined by"),
        ({"d": equals(q(x), f(y))}, "depends on"),
        ({"d": equals(q(x), 1), "e": equals(q(x), 2)}, "not defined in one of the two ways"),
        ({"d": equals(q(here), 1)}, "not defined in one of the two ways"),
        ({"d": equals(h(x, x), 1)}, "not defined in one of the two ways"),
        ({"d": equals(q(j + 1), 1)}, "not defined in one of the two ways"),
        ({"d": equals(q(zero), 1), "e": equals(q(j + 1), q(j + 1) * 2)}, "is defined by"),
        ({"d": equals(q(zero), q(zero) + 1), "e": equals(q(j + 1), 1)}, "is defined by"),
        ({"d": equals(q(x), g(x)), "e": equals(g(x), q(x) + 1)}, "come later"),
    ],
)
def test_invalid_definition_is_refused(definitions: Mapping[str, Statement], why: str) -> None:
    line = combined("same", GIVEN, part(Known("given")))
    refused(proof({"given": GIVEN}, line, definitions=definitions), why)


def test_definitions_can_be_used() -> None:
    definitions = {"d": equals(q(zero), 1), "e": equals(q(j + 1), q(j) + a)}
    lines = (
        combined("q(1)", equals(q(numeral(1)), a + 1), using=("d", "e")),
        combined("goal", equals(q(numeral(1)) - q(numeral(1)), 0), part(Known("q(1)"), times=0)),
    )
    accepted(proof({}, *lines, definitions=definitions))


# --- real numbers ---------------------------------------------------------------------------------

RANGE = {"low": at_most(0, e), "high": at_most(e, 1)}


def enclosed(statement: Statement, high: str = "high", rising: Fraction | None = None) -> Proof:
    return proof(RANGE, Step("enclosed", statement, Enclosed("e", "low", high, rising)))


def test_interval_arithmetic_shows_true_bounds_and_refuses_false_ones() -> None:
    found = replay(enclosed(at_most(exponential(-e), Fraction(11, 10))))
    assert found.strength is Strength.ENCLOSED
    refused(enclosed(at_most(exponential(-e), Fraction(9, 10))), "not shown")
    refused(enclosed(at_most(exponential(-e), a)), "has no formula")
    refused(enclosed(at_most(exponential(-e), f(x))), "has no formula")
    refused(enclosed(at_most(exponential(-e), total(x, f(x)))), "is a sum")


def test_equality_at_the_low_end_needs_a_rising_gap() -> None:
    line = at_most(1 - e, exponential(-e))
    refused(enclosed(line), "not shown")
    curve = at_most(1 - e, exponential(-e / 2))
    assert replay(enclosed(curve, rising=Fraction(1, 10))).strength is Strength.ENCLOSED
    refused(enclosed(at_most(1 - e, exponential(-e / 2) + 1), rising=Fraction(1, 10)), "not 0")
    # So little that a ball does not see it: at 0, equality is decided by algebra.
    little = Fraction(1, 10**60)
    refused(enclosed(at_most(1 - e + little, exponential(-e / 2)), rising=Fraction(1, 10)), "not 0")


def test_interval_reason_needs_known_bounds_of_its_range() -> None:
    statement = at_most(exponential(-e), Fraction(11, 10))
    refused(enclosed(statement, high="low"), "expected a bound of e")
    refused(proof({}, Step("enclosed", statement, Enclosed("e", "low", "high"))), "not known here")


def with_meaning(meaning: Expr, *steps: Step) -> Proof:
    return Proof(
        title="",
        hypotheses=RANGE,
        meanings={"s": meaning},
        lines=steps,
        goals=(steps[-1].statement,),
    )


def test_number_with_a_formula_is_used_in_interval_arithmetic() -> None:
    s, x_ = symbol("s"), Symbol("e")
    square = Step("square", equals(s * s, e + 1), Enclosed("e", "low", "high"))
    use = combined("use", at_most(e + 1, e + 1), part(Known("square"), times=0))
    assert replay(with_meaning(sqrt(x_ + 1), square, use)).strength is Strength.ENCLOSED
    refused(with_meaning(sqrt(x_ + 2), square, use), "the difference is -1, not 0")
    refused(with_meaning(sqrt(x_ + 1), square), "must not use them")


def test_a_meaning_is_defined_on_the_whole_range() -> None:
    """(2e − 1)·1/(2e − 1) = 1 is an identity, but there is no such number at e = 1/2."""
    s, x_ = symbol("s"), Symbol("e")
    inverse = Step("inverse", equals(s * (e * 2 - 1), 1), Enclosed("e", "low", "high"))
    use = combined("use", at_most(e, e), part(Known("inverse"), times=0))
    refused(with_meaning(1 / (2 * x_ - 1), inverse, use), "not shown")


def test_exponential_is_increasing() -> None:
    grows = combined("grows", at_most(exponential(a), exponential(b)), part(Growing("one")))
    accepted(proof({"one": GIVEN}, grows))
    falls = combined("falls", at_most(exponential(b), exponential(a)), part(Growing("one")))
    refused(proof({"one": GIVEN}, falls), "left over")
    signs = combined("signs", at_most(0, exponential(a) * number(j)), part(Power(a), Counted(j)))
    accepted(proof({}, signs))
    assert constant(0) == number(zero)
