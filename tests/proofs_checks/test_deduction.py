"""The deduction kernel accepts lemmas that follow and refuses lemmas that do not."""

import pytest

from proofs_checks.kernels.deduction import Proof, replay, restated, without
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


def test_lemma_by_induction_is_proved_and_told() -> None:
    found = proved(SUMS, "within")
    assert found.strength is Strength.PROVED
    assert "terms: suppose that for all n: if n ≥ 0, then 0 ≤ e(n) ≤ c" in found.how
    assert "within: for all n: if n ≥ 0, then 0 ≤ sum(n) ≤ n·c [induction on n;" in found.how


def test_tell_prints_only_needed_steps() -> None:
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


def test_mistake_that_changes_nothing_raises() -> None:
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
        (Recursion("l(n)", "0", "l(n + 1) + 1"), "mentions other values"),
        (Recursion("l(n, m)", "0", "l(n, m + 1) + 1"), "mentions other values"),
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


def test_definitions_of_applied_theory_do_not_capture_local_names() -> None:
    inner = application(MEANING, BY, lemma="inner")
    clash = Theory(inner.name, f"{inner.symbols}, own", inner.steps)
    with pytest.raises(NotEarned, match="own is not defined"):
        proved(clash, "counted")


def test_a_theory_is_looked_up_in_a_model() -> None:
    model = Model({}, {"c": 2}, {"e": lambda n: n % 3})
    assert broken(SUMS, model) == []
    assert broken(restated(SHOWN, "within", then="sum(n) <= n - 1").theory, model) == ["within"]
    assert broken(SUMS, Model({}, {"c": 1}, {"e": lambda n: n % 3})) == ["terms"]
