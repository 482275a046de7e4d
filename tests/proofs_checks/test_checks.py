"""Checks accept true statements of their kind; numbers, formulas and texts that attack fail."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from sympy import (
    Dummy,
    Expr,
    Float,
    Integer,
    Rational,
    Symbol,
    exp,
    expand,
    log,
    nan,
    oo,
    sqrt,
    zoo,
)

from proofs_checks.checks import finite, intervals
from proofs_checks.checks.algebra import at_most, identity, nonnegative
from proofs_checks.checks.evidence import NotEarned, Strength
from proofs_checks.checks.finite import equal, exact, exhausted
from proofs_checks.checks.formulas import formula
from proofs_checks.checks.intervals import ordered, positive, positive_from_zero
from proofs_checks.kinds_of_evidence import Notation, show

if TYPE_CHECKING:
    from collections.abc import Callable

x, y = Symbol("x"), Symbol("y")
ZERO, ONE = Fraction(0), Fraction(1)


def test_slack_returns_difference_as_polynomial_in_slacks() -> None:
    proof = nonnegative(x * y - y, {x: y, y: 1})
    slacks = {symbol.name: symbol for symbol in proof.free_symbols}
    above_x, above_y = slacks["x_more"], slacks["y_more"]
    assert expand(proof - (above_x + above_y) * (above_y + 1)).is_zero
    assert at_most(y, x * y, {x: y, y: 1}).strength is Strength.IDENTITY


def test_slack_refuses_false_inequality() -> None:
    with pytest.raises(NotEarned, match="coefficients"):
        nonnegative(x - y, {x: 0, y: 1})


def test_slack_refuses_true_inequality_with_negative_coefficient() -> None:
    with pytest.raises(NotEarned, match="coefficients"):
        nonnegative((x - y) ** 2, {x: 0, y: 0})


def test_true_identities_are_shown_and_false_ones_refused() -> None:
    assert identity(7, 7 + 0 * x).strength is Strength.IDENTITY
    assert identity((x + y) ** 2, x**2 + 2 * x * y + y**2).strength is Strength.IDENTITY
    with pytest.raises(NotEarned, match="the difference is"):
        identity((x + y) ** 2, x**2 + y**2)


def test_intervals_on_the_whole_range() -> None:
    found = positive(exp(x) - x, x, ZERO, ONE)
    assert found.strength is Strength.ENCLOSED


def test_intervals_refuse_a_crossing() -> None:
    """e^x − 2 changes sign at ln 2; an interval that ends just before it is accepted."""
    with pytest.raises(NotEarned, match="not shown"):
        positive(2 - exp(x), x, ZERO, ONE)
    positive(2 - exp(x), x, ZERO, Fraction(693, 1000))
    with pytest.raises(NotEarned):
        positive(2 - exp(x), x, ZERO, Fraction(694, 1000))


def test_intervals_refuse_equality_at_an_end_unless_it_is_handled() -> None:
    with pytest.raises(NotEarned):
        positive(exp(x) - 1, x, ZERO, ONE)
    found = positive_from_zero(exp(x) - 1, x, ZERO, Fraction(1, 4), ONE)
    assert found.strength is Strength.ENCLOSED
    with pytest.raises(NotEarned, match="is 1, not 0"):
        positive_from_zero(exp(x), x, ZERO, Fraction(1, 4), ONE)
    with pytest.raises(NotEarned, match="not shown"):
        positive_from_zero(-x, x, ZERO, Fraction(1, 4), ONE)


def test_intervals_refuse_reversed_range() -> None:
    with pytest.raises(NotEarned, match="not an interval"):
        positive(x + 1, x, ONE, ZERO)


def test_intervals_refuse_other_variables_and_cube_roots() -> None:
    with pytest.raises(NotEarned, match="not a formula in x"):
        positive(x + y + 1, x, ZERO, ONE)
    with pytest.raises(NotEarned, match="no balls for"):
        positive(2 + x ** Rational(1, 3), x, ZERO, ONE)


def test_increasing_numbers_are_shown_and_others_refused() -> None:
    assert ordered(Fraction(1, 2), log(2), 1).strength is Strength.ENCLOSED
    assert finite.ordered(3, 4).strength is Strength.COMPUTED
    with pytest.raises(NotEarned, match="is not shown"):
        ordered(log(2), Fraction(1, 2))
    with pytest.raises(NotEarned, match="is not shown"):
        ordered(log(4), 2 * log(2))
    with pytest.raises(NotEarned, match="nothing to compare"):
        ordered(1)
    with pytest.raises(NotEarned, match="no balls for x"):
        ordered(0, x)


def test_finite_cases_are_counted_and_failures_named() -> None:
    found = exhausted(range(10), lambda n: n < 10, "n < 10")
    assert (found.strength, found.how) == (Strength.EXHAUSTED, "all 10 cases: n < 10")
    assert exact([1, 2], lambda n: n > 0, "positive").strength is Strength.EXACT
    with pytest.raises(NotEarned, match="fails for 9"):
        exhausted(range(10), lambda n: n < 9, "n < 10")
    with pytest.raises(NotEarned, match="no cases"):
        exhausted(list[int](), lambda n: n < 9, "none")
    assert equal(7, 7).strength is Strength.COMPUTED
    with pytest.raises(NotEarned, match="7, not 8"):
        equal(7, 8)
    assert finite.ordered(1, Fraction(3, 2), 2).strength is Strength.COMPUTED
    with pytest.raises(NotEarned, match="not strictly increasing"):
        finite.ordered(1, 2, 2)
    with pytest.raises(NotEarned, match="not strictly increasing"):
        finite.ordered(1)


POSITIVE = Symbol("p", positive=True)
NONNEGATIVE = Symbol("n", nonnegative=True)


class Odd(int):
    """An integer that is equal to any other."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class Sly(Symbol):
    """A symbol of another class."""


INEXACT: list[object] = [
    0.1,
    True,
    1j,
    float("nan"),
    float("inf"),
    np.float64(0.1),
    np.int64(1),
    Odd(1),
    "1",
    None,
    Float(0.1),
    x + Float(0.1),
    exp(Float(1)),
    nan,
    oo,
    zoo,
    x + oo,
    Dummy("x"),
    Sly("x"),
    Symbol("0"),
    Symbol("x = 0, and x"),
    Symbol("x", zero=True),
    Symbol("x", integer=True),
    Symbol("x", commutative=False),
    x + Symbol("x", positive=True),
]


@pytest.mark.parametrize("value", INEXACT, ids=repr)
def test_formulas_are_exact(value: Expr) -> None:
    for check in (
        lambda: formula(value),
        lambda: identity(value, value),
        lambda: at_most(0, value, {x: 0}),
        lambda: at_most(value, value, {}),
        lambda: at_most(0, y, {y: value}),
        lambda: nonnegative(value, {x: 0}),
        lambda: intervals.positive(value, x, ZERO, ONE),
        lambda: intervals.positive_from_zero(value, x, ZERO, Fraction(1, 2), ONE),
        lambda: intervals.ordered(-1, value),
    ):
        with pytest.raises(NotEarned):
            check()


@pytest.mark.parametrize("value", INEXACT[:10], ids=repr)
def test_numbers_are_exact(value: Fraction) -> None:
    checks: list[Callable[[], object]] = [
        lambda: finite.ordered(-1, value),
        lambda: intervals.positive(1 + x**2, x, ZERO, value),
        lambda: intervals.positive(1 + x**2, x, value, Fraction(2)),
        lambda: intervals.positive_from_zero(x, x, ZERO, value, Fraction(2)),
    ]
    for check in checks:
        with pytest.raises(NotEarned):
            check()


@pytest.mark.parametrize(
    "value",
    [
        0.1,
        1j,
        np.float64(1),
        Odd(1),
        Fraction,
        x,
        [0.1],
        (1, 0.1),
        {0.1},
        {1: 0.1},
        {0.1: 1},
        [Odd(1)],
    ],
    ids=repr,
)
def test_equal_refuses_inexact_values(value: object) -> None:
    with pytest.raises(NotEarned, match="expected an exact value"):
        finite.equal(value, value)


@pytest.mark.parametrize(
    ("found", "stated"),
    [(1, True), ([1], [True]), ((1,), [1]), ({1: 1}, {True: 1}), ("1", 1), ({1}, [1]), (0, None)],
)
def test_equal_refuses_values_of_different_types(found: object, stated: object) -> None:
    with pytest.raises(NotEarned, match="not"):
        finite.equal(found, stated)


def test_equal_accepts_equal_values_of_compatible_types() -> None:
    assert finite.equal(2, Fraction(2)).strength is Strength.COMPUTED
    assert finite.equal({(1, "a")}, frozenset({(1, "a")})).strength is Strength.COMPUTED


@pytest.mark.parametrize("answer", [1, "yes", np.True_, [0], object()])
def test_a_case_holds_if_the_answer_is_true(answer: object) -> None:
    for check in (finite.exhausted, finite.exact):
        with pytest.raises(NotEarned, match="fails for"):
            check([1], lambda _: answer, "one")  # type: ignore[arg-type, return-value]  # attack


def test_slacks_are_new_symbols() -> None:
    """x ≥ 2 and x_more ≥ 0: x − x_more can be negative, though x_more is also x's slack."""
    clash = Symbol("x_more")
    with pytest.raises(NotEarned, match="coefficients"):
        at_most(clash, x, {x: 2, clash: 0})
    with pytest.raises(NotEarned, match="no lower bound for"):
        at_most(clash, x, {x: 2})
    assert at_most(clash, x + clash, {x: 2, clash: 0}).strength is Strength.IDENTITY


@pytest.mark.parametrize(
    "of", [1 / x, sqrt(x), exp(x), log(1 + x), x * sqrt(2), x**y, (1 + x) ** -1]
)
def test_slack_is_about_polynomials_with_rational_coefficients(of: Expr) -> None:
    with pytest.raises(NotEarned):
        nonnegative(of, {x: 0, y: 0})


def test_circular_bounds_are_refused() -> None:
    with pytest.raises(NotEarned):
        at_most(1, 0, {x: y + 1, y: x + 1})
    with pytest.raises(NotEarned):
        at_most(y, x, {x: 0, y: x})


@pytest.mark.parametrize(
    "check",
    [
        # √(x²) is x for sympy if x ≥ 0 is assumed, and −x on this range
        lambda: intervals.positive(-sqrt(POSITIVE**2), POSITIVE, Fraction(-2), Fraction(-1)),
        lambda: intervals.positive(-sqrt(NONNEGATIVE**2), NONNEGATIVE, Fraction(-2), Fraction(-1)),
        lambda: intervals.positive(1 + POSITIVE, POSITIVE, ZERO, ONE),
    ],
)
def test_assumption_false_on_the_range_is_refused(check: Callable[[], object]) -> None:
    with pytest.raises(NotEarned, match="has an assumption that is false"):
        check()


def test_a_formula_that_rises_is_defined_on_the_way() -> None:
    """ln(x) − ln(2x) + x + 1 + ln 2 is 0 at −1 and has the derivative 1, but is not real there."""
    of = log(x) - log(2 * x) + x + 1 + log(2)
    with pytest.raises(NotEarned):
        intervals.positive_from_zero(of, x, Fraction(-1), Fraction(1, 2), ONE)


def test_a_zero_that_balls_do_not_see_is_decided_by_algebra() -> None:
    little = Rational(1, 10**60)
    with pytest.raises(NotEarned, match="not 0"):
        intervals.positive_from_zero(x + little, x, ZERO, Fraction(1, 2), ONE)
    with pytest.raises(NotEarned, match="is not shown"):
        intervals.ordered(1, 1 + little)
    assert finite.ordered(1, 1 + Fraction(1, 10**60)).strength is Strength.COMPUTED


@pytest.mark.parametrize("of", [1 / x, log(x), sqrt(x - 1), Integer(0) * x, -Integer(1) + 0 * x])
def test_intervals_refuse_a_formula_that_is_not_positive(of: Expr) -> None:
    with pytest.raises(NotEarned):
        intervals.positive(of, x, Fraction(-1), ONE)


def test_identities_hold_for_all_values() -> None:
    for left, right in ((sqrt(x**2), x), (log(exp(x)), x), (sqrt(x) * sqrt(y), sqrt(x * y))):
        with pytest.raises(NotEarned, match="the difference is"):
            identity(left, right)


NOTATION_OF_TEXTS = Notation({"one": "1", "later": "one + x"}, {}, "tests.proofs_checks.checks")


@pytest.mark.parametrize(
    "way",
    [
        "interval: x == x + 1 for x in [0, 1]",  # the gap is positive
        "interval: x == x + 1 for x in [0, 1], equal at 0, rising to 1/2",
        "interval: x < x + 1 < x for x in [0, 1]",
        "interval: log(x) < x for x in [-1, -1/2]",
        "interval: 0 < 1 + y for x in [0, 1]",
        "bound: 0 <= 1 # - 2",
        "bound: 1 <= 0 where x >= x + 1",
        "bound: x <= 0 where x >= 0, x >= -1",
        "bound: 0 <= x where x + 1 >= 1",
        "bound: 0 < 1",
        "bound: 0 <= one where one >= 2",
        "algebra: sqrt(x**2) == x",
        "algebra: 0 <= 1",
        "algebra: x == 0 where x == 0",
        "number: 1 == 1.0",
        "number: True == 1",
        "number: 0/0 == 1",
        "number: (-1)**(1/2) < 1",
        "number: log(4) == 2*log(2)",
        "number: log(2) < 1",
        "interval: log(4) == 2*log(2)",
        "interval: 0 < x",
        "number: 0 < x",
        "number: 0 < diff(1 + x, one)",
    ],
)
def test_false_or_malformed_statement_is_refused(way: str) -> None:
    with pytest.raises((NotEarned, ValueError)):
        show(way, NOTATION_OF_TEXTS)
