"""Attacks: proofs that would prove something false if a check of the sums kernel were missing."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from sympy import Expr, Float, Symbol, oo, sqrt

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.sums.building import Function
from proofs_checks.kernels.sums.expressions import (
    Expression,
    Number,
    Term,
    Value,
    constant,
    single,
    total,
)
from proofs_checks.kernels.sums.indices import TIME, Bound, Index, numeral
from proofs_checks.kernels.sums.statements import (
    Cases,
    Cited,
    Combined,
    Enclosed,
    Known,
    Lambda,
    Square,
    Statement,
    Step,
)
from steel_verified.errors import InvalidArgument
from tests.proofs_checks.sums.writing import at_most, attack, equals, part, refused, symbol

x, y = Index("state", "x"), Index("state", "y")
j = Index(TIME, "j")
f, g = Function("f"), Function("g")
a, b, e, s = (symbol(name) for name in "abes")
FALSE = at_most(1, 0)


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["@0.0", "0.0", "?0", "3", "", "j+1", "f(x)", "x y", "x·y", "|x|", "−x", "x\n", "'"]
)
def test_names_are_identifiers(name: str) -> None:
    for make in (
        lambda: Index("state", name),
        lambda: Index(name, "x"),
        lambda: Index(TIME, name),
        lambda: symbol(name),
        lambda: Function(name),
    ):
        with pytest.raises(InvalidArgument, match="name"):
            make()


def test_index_names_may_have_subscripts_and_primes_unlike_bound_names() -> None:
    for name in ("x", "ε", "q₀", "o'", "t_mix"):
        assert str(Index("state", name)) == name
    for like_bound in ("x₁", "o₂"):
        with pytest.raises(InvalidArgument):
            Index("state", like_bound)


def test_fixed_index_is_printed_with_a_star() -> None:
    fixed = Index(TIME, "j", fixed=True)
    assert str(at_most(f(j), f(fixed + 1))) == "f(j) ≤ f(j*+1)"


def test_an_index_is_never_a_bound_one() -> None:
    """Σ_x f(x, y) is not f's sum over both, whatever y is called."""
    (bound,) = total(x, f(x)).terms[0][0].bound
    assert isinstance(bound, Bound)
    for name in ("x", "y"):
        assert Bound("state", name) != Index("state", name)
    free = single(Value("f", (bound,)))
    refused(attack({"one": at_most(1, free)}, Step("s", FALSE, Combined())), "not a normal form")


@pytest.mark.parametrize(
    "index",
    [
        lambda: Index("state", "x", later=1),
        lambda: Index(TIME, "j", later=-1),
        lambda: Index(TIME, "j", later=True),
        lambda: Index(TIME, "j", later=1.5),  # type: ignore[arg-type]  # the attack
        lambda: Index(TIME, ""),
        lambda: Index("state", "", fixed=True),
        lambda: Index(TIME, "j", fixed=1),  # type: ignore[arg-type]  # the attack
        lambda: Index(TIME, "j", of=[j]),  # type: ignore[arg-type]  # the attack
    ],
)
def test_indices_are_well_made(index: Callable[[], Index]) -> None:
    with pytest.raises(InvalidArgument):
        index()


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.1, True, 1j, float("nan"), float("inf"), "1", Float(1)])
def test_numbers_are_exact(value: object) -> None:
    for make in (
        lambda: constant(value),  # type: ignore[arg-type]  # the attack
        lambda: a + value,  # type: ignore[operator]  # the attack
        lambda: a * value,  # type: ignore[operator]  # the attack
        lambda: at_most(a, value),  # type: ignore[arg-type]  # the attack
        lambda: part(times=value),  # type: ignore[arg-type]  # the attack
    ):
        with pytest.raises((NotEarned, TypeError)):
            make()


def test_case_with_a_float_bound_is_refused() -> None:
    line = Cases("c", FALSE, a, 0.5, below=(), above=())  # type: ignore[arg-type]  # the attack
    refused(attack({}, line), "not a float")


# --- expressions that were put together by hand ---------------------------------------------------

ONE = Term((), ())


@pytest.mark.parametrize(
    "of",
    [
        Expression(((ONE, Fraction(1)), (ONE, Fraction(-1)))),
        Expression(((ONE, Fraction(0)),)),
        Expression(((ONE, 1.0),)),  # type: ignore[arg-type]  # the attack
        Expression(((Term((j,), (Value("f", (j,)),)), Fraction(1)),)),
        Expression(((Term((x,), (Value("f", (x,)),)), Fraction(1)),)),
        Expression(((Term((Bound(TIME, "0.0"),), ()), Fraction(1)),)),
        Expression(((Term((Bound("state", "0.0"),) * 2, ()), Fraction(1)),)),
        Expression(((Term((Bound("state", "7"),), ()), Fraction(1)),)),
        single(Number(x)),
        single(Number(j + 1)),
        single(Number(numeral(2))),
        single(Value("f(x)", ())),
        single(Value("3", ())),
    ],
)
def test_expressions_are_normal_forms(of: Expression) -> None:
    given = {"given": Statement(of, "≤", constant(0))}
    refused(
        attack(given, Step("s", FALSE, Combined((part(Known("given")),)))),
        "normal form|exact|finite sort|name|not a|natural number|different",
    )


def test_a_sum_runs_over_different_indices() -> None:
    with pytest.raises(InvalidArgument, match="different indices"):
        total((x, x), f(x))
    arguments = Cited(attack({}), {"f": Lambda((x, x), a)})
    refused(attack({}, Step("s", FALSE, arguments)), "there is no|not shown|twice")


@pytest.mark.parametrize("relation", ["≥", "<", ">", "≠", "", "=="])
def test_a_statement_says_at_most_or_equals(relation: str) -> None:
    """0 ≥ 1 would be shown as 0 ≤ 1 is."""
    with pytest.raises(InvalidArgument, match="relation"):
        Statement(constant(0), relation, constant(1))  # type: ignore[arg-type]  # the attack


# --- real numbers ---------------------------------------------------------------------------------

RANGE = {"low": at_most(0, e), "high": at_most(e, Fraction(1, 2))}
_e = Symbol("e")


def test_a_meaning_is_a_real_number_on_the_range() -> None:
    """For s = √(e − 1), s·s ≤ −1/4 on [0, 1/2] by algebra; but no s there has a square ≥ 0."""
    square = Step("square", at_most(s * s, Fraction(-1, 4)), Enclosed("e", "low", "high"))
    false = at_most(0, Fraction(-1, 4))
    sign = Step("sign", false, Combined((part(Known("square")), part(Square(s)))))
    refused(attack(RANGE, square, sign, goal=false, meanings={"s": sqrt(_e - 1)}), "not shown")


def test_a_meaning_has_no_pole_on_the_range() -> None:
    """(4e − 1)/(4e − 1) ≥ 1/2 everywhere but at e = 1/4, where it would say 0 ≥ 1/2."""
    here = {**RANGE, "e": equals(e, Fraction(1, 4))}
    half = Step("half", at_most(Fraction(1, 2), s * (e * 4 - 1)), Enclosed("e", "low", "high"))
    false = at_most(Fraction(1, 2), 0)
    at = Step("at", false, Combined((part(Known("half")),), using=("e",)))
    refused(attack(here, half, at, goal=false, meanings={"s": 1 / (4 * _e - 1)}), "not shown")


@pytest.mark.parametrize(
    "meaning", [Float(0.5), oo, Symbol("e", positive=True), Symbol("e", zero=True), 0.5]
)
def test_a_meaning_is_an_exact_formula(meaning: Expr) -> None:
    line = Step("s", at_most(0, s + 1), Enclosed("e", "low", "high"))
    use = Step("use", at_most(0, e), Combined((part(Known("low")), part(Known("s"), times=0))))
    wrong = attack(RANGE, line, use, goal=at_most(0, e), meanings={"s": meaning})
    refused(wrong, "exact types|not accepted|not a formula")
