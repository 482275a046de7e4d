"""Contradictory facts are refuted, and satisfiable facts are not."""

from itertools import product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.kernels.deduction.formulas import (
    Both,
    Either,
    Formula,
    Known,
    Term,
    opposite,
)
from proofs_checks.kernels.deduction.linear import Contradiction, Tableau
from proofs_checks.kernels.deduction.notation import read_formula, read_terms, read_uses
from proofs_checks.kernels.deduction.refuting import refute
from proofs_checks.kernels.evidence import NotEarned


def refuted(*facts: str) -> bool:
    try:
        refute(tuple(map(read_formula, facts)))
    except NotEarned:
        return False
    return True


def test_terms_are_equal_as_polynomials() -> None:
    assert read_terms("(x + y) * (x - y)") == read_terms("x * x - y * y")
    assert read_terms("f(x + y)") == read_terms("f(y + x)")
    assert read_terms("f(x, y)") != read_terms("f(y, x)")
    assert str(read_terms("2 * x * y - 3")[0]) == "- 3 + 2*x*y"


@pytest.mark.parametrize(
    "text", ["x", "x < y < 'z'", "x in y", "f(x=1) > 0", "x / y > 0", "x is y"]
)
def test_malformed_formula_is_refused(text: str) -> None:
    with pytest.raises(NotEarned, match="not a"):
        read_formula(text)


def test_uses_of_rules_are_read_from_calls() -> None:
    assert [name for name, _ in read_uses("one(), two(x + 1, 3)")] == ["one", "two"]
    with pytest.raises(NotEarned, match="not the use of a rule"):
        read_uses("one")


@pytest.mark.parametrize(
    "facts",
    [
        ("x < y", "y < x"),
        ("x < y", "y < x + 1"),  # no integer in between
        ("x == y", "f(x) != f(y)"),
        ("f(f(x)) == x", "f(f(f(x))) == x", "f(x) != x"),
        ("x == y or x == z", "f(x) == 1", "f(y) == 2", "f(z) == 3"),
        ("implies(x > 0, y > 0)", "x > 0", "not y >= 0"),
        ("iff(x > 0, y > 0)", "x > 0", "y <= 0"),
        ("x == y", "x * z != y * z"),
        ("x == 0", "x * y > 0"),
        ("g(x, y) != g(u, v)", "x == u", "y - v == 0"),
    ],
)
def test_contradictory_facts_are_refuted(facts: tuple[str, ...]) -> None:
    assert refuted(*facts)


@pytest.mark.parametrize(
    "facts",
    [
        ("x <= y", "y <= x"),
        ("x < y", "y < x + 2"),
        ("f(x) == f(y)", "x != y"),
        ("f(f(x)) == x", "f(x) != x"),
        ("x == y or x == z", "f(x) == 1", "f(y) == 2"),
        ("implies(x > 0, y > 0)", "y > 0", "x <= 0"),
        ("g(x, y) != g(y, x)",),
        ("2 * x == 2 * y + 1",),  # it cannot hold, but only integers show it: refused all the same
        (),
    ],
)
def test_satisfiable_facts_are_not_refuted(facts: tuple[str, ...]) -> None:
    assert not refuted(*facts)


def test_refusal_shows_values_of_the_open_case() -> None:
    with pytest.raises(NotEarned, match="unless x = 1, y = 0"):
        refute((read_formula("x == y + 1"), read_formula("y == 0")))


numbers = st.integers(-2, 2)
NAMES = ("x", "y")
terms = st.sampled_from(
    ["x", "y", "f(x)", "f(y)", "f(f(x))", "x + 1", "x * y", "2 * y - x", "f(x + 1)", "0", "1"]
)
comparisons = st.builds(
    "{} {} {}".format, terms, st.sampled_from(["==", "!=", "<", "<=", ">="]), terms
)
clauses = st.lists(comparisons, min_size=1, max_size=3).map(" or ".join)


def true_in(formula: Formula, values: dict[str, int], f: tuple[int, ...]) -> bool:
    """Whether a formula holds where f gives these values from −8 on, and then again."""

    def value(term: Term) -> int:
        total = 0
        for monomial, coefficient in term.parts:
            factor = coefficient
            for atom in monomial:
                inner = [value(argument) for argument in atom.arguments]
                factor *= f[inner[0] % len(f)] if inner else values[atom.name]
            total += factor
        return total

    match formula:
        case Known(term):
            return value(term) >= 0
        case Both(parts):
            return all(true_in(part, values, f) for part in parts)
        case Either(parts):
            return any(true_in(part, values, f) for part in parts)


@pytest.mark.properties
@given(st.lists(clauses, max_size=6), st.tuples(numbers, numbers, numbers, numbers, numbers))
def test_random_satisfiable_facts_are_not_refuted(facts: list[str], f: tuple[int, ...]) -> None:
    somewhere = any(
        all(true_in(read_formula(fact), {"x": x, "y": y}, f) for fact in facts)
        for x, y in product(range(-3, 4), repeat=2)
    )
    assert not (somewhere and refuted(*facts))


@pytest.mark.properties
@given(clauses, numbers, numbers, st.tuples(numbers, numbers, numbers))
def test_negation_is_true_where_formula_is_false(
    text: str, x: int, y: int, f: tuple[int, ...]
) -> None:
    formula, values = read_formula(text), {"x": x, "y": y}
    assert true_in(opposite(formula), values, f) != true_in(formula, values, f)


@pytest.mark.properties
@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 4), max_size=8))
def test_linear_arithmetic_finds_values_or_a_sum(rows: list[tuple[int, int, int, int]]) -> None:
    wanted = tuple(read_terms(f"{a} * x + {b} * y + {c} * z + {d}")[0] for a, b, c, d in rows)
    values = Tableau()
    for term in wanted:  # one at a time, as the search does
        found = values.extended((term,))
        if isinstance(found, Contradiction):
            assert found.adds_up()
            assert set(found.multipliers) <= set(wanted)
            return
        values = found
    assert all(values.value(term) >= 0 for term in wanted)


def test_wrong_farkas_multipliers_are_refused() -> None:
    (x,) = read_terms("x")
    (minus,) = read_terms("-x - 1")
    assert Contradiction({x: fmpq(1), minus: fmpq(1)}).adds_up()
    assert not Contradiction({x: fmpq(2), minus: fmpq(1)}).adds_up()
    assert not Contradiction({x: fmpq(-1), minus: fmpq(-1)}).adds_up()


def test_a_contradiction_rests_on_known_terms_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel does not trust the result of the search."""
    (negative,) = read_terms("0 - 1")
    forged = Contradiction({negative: fmpq(1)})
    assert forged.adds_up()
    monkeypatch.setattr(Tableau, "extended", lambda *_: forged)
    assert not refuted("x >= 0")
