"""Checks accept true statements of their kind and refuse the others."""

from fractions import Fraction

import pytest
from sympy import Rational, Symbol, exp, expand, log

from proofs_checks.checks import finite
from proofs_checks.checks.algebra import at_most, identity, nonnegative
from proofs_checks.checks.evidence import NotEarned, Strength, all_of
from proofs_checks.checks.finite import equal, exact, exhausted
from proofs_checks.checks.intervals import ordered, positive, positive_from_zero

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


def test_slack_refuses_a_variable_without_a_bound() -> None:
    with pytest.raises(NotEarned, match="no lower bound for"):
        nonnegative(x * y, {x: 0})


def test_slack_refuses_a_bound_on_an_earlier_variable() -> None:
    with pytest.raises(NotEarned):
        nonnegative(y - x, {x: 0, y: x})


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


def test_all_parts_are_as_strong_as_the_weakest() -> None:
    both = all_of(equal(7, 7), exact([1, 2], lambda n: n > 0, "positive"))
    assert both.strength is Strength.EXACT
    assert both.how == "computed exactly: 7; 2 cases, exactly: positive"
    with pytest.raises(NotEarned, match="no parts"):
        all_of()


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
