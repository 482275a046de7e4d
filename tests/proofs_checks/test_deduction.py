"""The proof checker shows what follows, and refuses what does not."""

from itertools import product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.kernels.deduction import Proof, replay, restated, without
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
from proofs_checks.kernels.deduction.rules import rules_of
from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
    Step,
    Theory,
)
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength
from tests.proofs_checks.models import Model, broken


def refuted(*facts: str) -> bool:
    try:
        refute(tuple(map(read_formula, facts)))
    except NotEarned:
        return False
    return True


def test_terms_are_polynomials() -> None:
    assert read_terms("(x + y) * (x - y)") == read_terms("x * x - y * y")
    assert read_terms("f(x + y)") == read_terms("f(y + x)")
    assert read_terms("f(x, y)") != read_terms("f(y, x)")
    assert str(read_terms("2 * x * y - 3")[0]) == "- 3 + 2*x*y"


@pytest.mark.parametrize(
    "text", ["x", "x < y < 'z'", "x in y", "f(x=1) > 0", "x / y > 0", "x is y"]
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(NotEarned, match="not a"):
        read_formula(text)


def test_uses_are_calls() -> None:
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
def test_what_cannot_hold_is_refuted(facts: tuple[str, ...]) -> None:
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
def test_what_can_hold_is_not(facts: tuple[str, ...]) -> None:
    assert not refuted(*facts)


def test_the_open_case_is_shown() -> None:
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
def test_nothing_that_holds_somewhere_is_refuted(facts: list[str], f: tuple[int, ...]) -> None:
    somewhere = any(
        all(true_in(read_formula(fact), {"x": x, "y": y}, f) for fact in facts)
        for x, y in product(range(-3, 4), repeat=2)
    )
    assert not (somewhere and refuted(*facts))


@pytest.mark.properties
@given(clauses, numbers, numbers, st.tuples(numbers, numbers, numbers))
def test_the_opposite_holds_where_a_formula_does_not(
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


def test_a_sum_that_does_not_add_up_is_noticed() -> None:
    (x,) = read_terms("x")
    (minus,) = read_terms("-x - 1")
    assert Contradiction({x: fmpq(1), minus: fmpq(1)}).adds_up()
    assert not Contradiction({x: fmpq(2), minus: fmpq(1)}).adds_up()
    assert not Contradiction({x: fmpq(-1), minus: fmpq(-1)}).adds_up()


def test_a_contradiction_rests_on_known_terms_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the search for it returns: it is not to be trusted."""
    (negative,) = read_terms("0 - 1")
    forged = Contradiction({negative: fmpq(1)})
    assert forged.adds_up()
    monkeypatch.setattr(Tableau, "extended", lambda *_: forged)
    assert not refuted("x >= 0")


# Theories

SUMS = Theory(
    "Sums",
    "c, e(n)",
    (
        Assume("terms", "n", "n >= 0", "0 <= e(n) <= c"),
        Recursion("sum(n)", "0", "sum(n) + e(n)"),
        Lemma(
            "within",
            "n",
            "n >= 0",
            "0 <= sum(n) <= n * c",
            by="sum_start(), sum_next(n - 1), terms(n - 1), within(n - 1)",
            induction="n",
        ),
    ),
)


SHOWN = Proof(SUMS, ("within",))


def proved(theory: Theory, *lemmas: str) -> Evidence:
    return replay(Proof(theory, lemmas))


def with_steps(*steps: Step) -> Theory:
    return Theory("More", "c, e(n)", (*SUMS.steps, *steps))


def test_induction() -> None:
    found = proved(SUMS, "within")
    assert found.strength is Strength.PROVED
    assert "terms: suppose that for all n: if n ≥ 0, then 0 ≤ e(n) ≤ c" in found.how
    assert "within: for all n: if n ≥ 0, then 0 ≤ sum(n) ≤ n·c [induction on n;" in found.how


def test_only_what_is_needed_is_told() -> None:
    more = with_steps(
        Assume("apart", "", "", "c == 1"), Lemma("small", "", "", "c <= 1", "apart()")
    )
    assert "apart" not in proved(more, "within").how
    assert "within" not in proved(more, "small").how


@pytest.mark.parametrize(
    "wrong",
    [
        restated(SHOWN, "within", then="sum(n) <= n * c - 1"),
        restated(SHOWN, "within", given=""),
        restated(SHOWN, "terms", given="n >= 1"),
        without(SHOWN, "terms"),
    ],
)
def test_mistakes_in_an_induction_are_refused(wrong: Proof) -> None:
    with pytest.raises(NotEarned, match="does not follow"):
        replay(wrong)


def test_a_mistake_that_changes_nothing_is_none() -> None:
    with pytest.raises(ValueError, match="nothing changes"):
        restated(SHOWN, "within", given="n >= 0")
    with pytest.raises(ValueError, match="nothing changes"):
        restated(SHOWN, "no such thing", then="0 == 0")
    with pytest.raises(ValueError, match="has no hypothesis within"):
        without(SHOWN, "within")
    with pytest.raises(ValueError, match="d is not defined"):
        restated(SHOWN, "within", then="d >= 0")


def test_a_hypothesis_is_not_shown() -> None:
    with pytest.raises(NotEarned, match="terms is given, not shown"):
        proved(SUMS, "terms")
    with pytest.raises(NotEarned, match="nothing is not there"):
        proved(SUMS, "nothing")
    with pytest.raises(NotEarned, match="has no lemma to show"):
        proved(SUMS)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Lemma("l", "n", "", "0 == 1", by="l(n - 1)", induction="n"), "does not follow"),
        (Lemma("l", "n", "n >= 0", "0 == 1", by="l(n)", induction="n"), "does not follow"),
        (Lemma("l", "n", "n >= 0", "0 == 1", by="l(n - 1)", induction="n"), "does not follow"),
        (Lemma("l", "n", "", "0 == 1", by="l(n + 1)", induction="-n"), "does not follow"),
        (Lemma("l", "n", "n >= 0", "0 == 1", by="l(n - 1)"), "no rule l"),
        (Lemma("l", "n", "", "sum(n) >= 0", by="within(n)"), "does not follow"),
        (Lemma("l", "n", "", "d >= 0"), "d is not defined"),
        (Lemma("l", "n", "", "e(n, n) >= 0"), "not defined"),
        (Lemma("l", "c", "", "c >= 0"), "hide symbols"),
        (Lemma("l", "n, n", "", "n == n"), "listed twice"),
        (Lemma("l", "", "", "0 == 1", by="terms()"), "0 values for the variables"),
        (Lemma("l", "a", "", "a == 0 * (a // 0) + a % 0", by="division(a, 0)"), "does not follow"),
        (Lemma("l", "a, b", "", "a * b >= 0", by="product(a, b)"), "does not follow"),
        (Let("c", "1"), "two symbols are called c"),
        (Let("l(n)", "l(n) + 1"), "not defined"),
        (Least("l(n)", "", "k", "k >= n", "n"), "does not follow"),
        (Least("l(n)", "n >= 0", "k", "e(k) == n", "n"), "does not follow"),
        (Least("l(n)", "", "k", "l(n) == k", "0"), "not defined"),
        (Recursion("l(n)", "0", "l(n + 1) + 1"), "looks further"),
        (Recursion("l(n, m)", "0", "l(n, m + 1) + 1"), "looks further"),
        (Recursion("l(n)", "n", "l(n)"), "n is not defined"),
        (Indicator("l(n)", "l(n) == 0"), "not defined"),
    ],
)
def test_wrong_steps_are_refused(step: Step, reason: str) -> None:
    theory = with_steps(step)
    user = Lemma("user", "", "", "c == c", by=f"{next(iter(rules_of(step)))}()")
    with pytest.raises(NotEarned, match=reason):
        proved(Theory("More", theory.symbols, (*theory.steps, user)), "user")


def test_symbols_and_rules_have_one_meaning() -> None:
    twice = with_steps(Assume("within", "", "", "0 == 0"), Lemma("l", "", "", "c == c"))
    with pytest.raises(NotEarned, match="two rules are called within"):
        proved(twice, "l")
    with pytest.raises(NotEarned, match="two rules are called product"):
        proved(with_steps(Assume("product", "", "", "0 == 1"), Lemma("l", "", "", "c == c")), "l")
    with pytest.raises(NotEarned, match=r"expected a name, not 1 \+ n"):
        proved(with_steps(Let("d(n + 1)", "n"), Lemma("l", "", "", "c == c")), "l")


def application(meaning: str, by: tuple[tuple[str, str], ...], lemma: str = "within") -> Theory:
    """The numbers 0 or 1 that h gives to even numbers."""
    return Theory(
        "Even numbers",
        "h(n)",
        (
            Assume("bits", "n", "n >= 0", "0 <= h(n) <= 1"),
            Recursion("count(n)", "0", "count(n) + h(2 * n)"),
            Apply("counted", "", "", COUNTED, lemma, meaning, by),
        ),
    )


COUNTED = Theory(
    "Counted",
    "c, e(n), sum(n)",
    (
        SUMS.steps[0],
        Assume("sum_start", "", "", "sum(0) == 0"),
        Assume("sum_next", "n", "n >= 0", "sum(n + 1) == sum(n) + e(n)"),
        Let("own", "c + 1"),
        SUMS.steps[2],
        Lemma("inner", "", "", "own > c", by="own_is()"),
    ),
)
MEANING = "c := 1; e(n) := h(2 * n); sum(n) := count(n)"
BY = (("terms", "bits(2 * n)"), ("sum_start", "count_start()"), ("sum_next", "count_next(n)"))


def test_another_theory_is_applied() -> None:
    found = proved(application(MEANING, BY), "counted").how
    assert "count(n) ≥ 0, - count(n) + n ≥ 0 [within in “Counted”, with" in found


@pytest.mark.parametrize(
    ("theory", "reason"),
    [
        (application(MEANING, BY[1:]), "does not follow"),
        (application(MEANING.replace("c := 1", "c := 0"), BY), "does not follow"),
        (application(MEANING.replace("count(n)", "h(n)"), BY), "does not follow"),
        (application(MEANING.removeprefix("c := 1; "), BY), "meanings for"),
        (application(MEANING.replace("c := 1", "c(n) := 1"), BY), "number of parameters"),
        (application(MEANING.replace("c := 1", "c := d"), BY), "d is not defined"),
        (application(MEANING, BY, lemma="inner"), "own is not defined"),
    ],
)
def test_an_application_whose_hypotheses_fail_is_refused(theory: Theory, reason: str) -> None:
    with pytest.raises(NotEarned, match=reason):
        proved(theory, "counted")


def test_what_another_theory_defines_is_not_what_is_called_so_here() -> None:
    inner = application(MEANING, BY, lemma="inner")
    clash = Theory(inner.name, f"{inner.symbols}, own", inner.steps)
    with pytest.raises(NotEarned, match="own is not defined"):
        proved(clash, "counted")


def test_a_theory_is_looked_up_in_a_model() -> None:
    model = Model({}, {"c": 2}, {"e": lambda n: n % 3})
    assert broken(SUMS, model) == []
    assert broken(restated(SHOWN, "within", then="sum(n) <= n - 1").theory, model) == ["within"]
    assert broken(SUMS, Model({}, {"c": 1}, {"e": lambda n: n % 3})) == ["terms"]
