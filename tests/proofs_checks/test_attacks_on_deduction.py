"""Attacks: theories that would prove 0 = 1 if a check of the deduction kernel were missing."""

from collections.abc import Callable

import pytest

from proofs_checks.kernels.deduction import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Proof,
    Recursion,
    Theory,
    replay,
)
from proofs_checks.kernels.deduction.notation import read_formula, read_term, read_uses
from proofs_checks.kernels.deduction.statements import Step
from proofs_checks.kernels.evidence import NotEarned
from steel_verified.errors import InvalidArgument

FALSE = "0 == 1"


def attack(*steps: Step, symbols: str = "c, e(n)", by: str = "", lemma: str = "false") -> Proof:
    """Return these steps followed by a lemma 0 = 1 that uses them."""
    return Proof(
        Theory("An attack", symbols, (*steps, Lemma("false", "", "", FALSE, by))), (lemma,)
    )


def refused(proof: Proof, why: str) -> None:
    with pytest.raises((NotEarned, InvalidArgument), match=why):
        replay(proof)


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("2 * f(x)", "expected a function"),
        ("f(x) + 1", "expected a function"),
        ("-f(x)", "expected a function"),
        ("f(x) * f(x)", "expected a function"),
        ("f(x), g(x)", "expected one term"),
        ("f(2 * x)", "expected a name"),
        ("f(x, x)", "all different"),
        ("f(f)", "all different"),
        ("f(0)", "expected a name"),
        ("x % 2", "expected a"),
        ("implies(x, y)", "expected a function"),
        ("3", "expected a function"),
        ("", "expected one term"),
        ("f(x", "not readable"),
        ("f(x) # ", "plain letters"),
        ("ｆ(x)", "plain letters"),
        ("f(*x)", "not a term"),
        ("f(x=1)", "not a term"),
    ],
)
@pytest.mark.parametrize(
    "step",
    [
        lambda head: Let(head, "x"),
        lambda head: Indicator(head, "0 == 0"),
        lambda head: Recursion(head, "0", "1"),
        lambda head: Least(head, "", "k", "0 == 0", "0"),
    ],
)
def test_the_head_of_a_definition_is_a_new_function(
    step: Callable[[str], Step], head: str, why: str
) -> None:
    refused(attack(step(head), by="f_is(1)"), why)


@pytest.mark.parametrize(
    "text", ["x >= 0) and (0 == 1", "(x >= 0", "x >= 0)", "0 == 0\n) or (0 == 1", "x >= 0 # and"]
)
def test_text_that_is_not_a_whole_formula_is_refused_in_every_field(text: str) -> None:
    for step in (
        Indicator("f(x)", text),
        Assume("f_is", "x", text, "0 == 0"),
        Assume("f_is", "x", "", text),
        Lemma("f_is", "x", text, "0 == 0"),
        Least("f(x)", text, "k", "k >= 0", "0"),
        Least("f(x)", "", "k", text, "0"),
    ):
        refused(attack(step, by="f_is(0)"), "not readable|one line|plain letters")


@pytest.mark.parametrize("text", ["0) + (1", "1, 2", "", "True", "1.0", "1j", "'a'", "[1]"])
def test_a_term_is_one_term(text: str) -> None:
    for step in (
        Let("f(x)", text),
        Recursion("f(x)", text, "0"),
        Recursion("f(x)", "0", text),
        Least("f(x)", "", text, "k >= 0", "0"),
        Apply("f_is", "", "", OTHER, "same", f"c := {text}", ()),
    ):
        refused(attack(step, by="f_is(0)"), "not readable|expected|not a term")
    witness = Least("f(x)", "", "k", "k >= 0", text)
    refused(attack(witness, by="f_holds(0)"), "not readable|expected|not a term")
    with pytest.raises(NotEarned):
        read_term(text)


def test_truth_value_as_number_is_refused() -> None:
    with pytest.raises(NotEarned, match="not a term"):
        read_formula("x == True")


@pytest.mark.parametrize("text", ["rule(i, j=0)", "rule(*i)", "rule(**i)", "a.rule(i)", "rule[i]"])
def test_use_of_a_rule_with_other_than_plain_arguments_is_refused(text: str) -> None:
    with pytest.raises(NotEarned, match="not"):
        read_uses(text)


@pytest.mark.parametrize("text", ["x in y", "x is y", "0 <= x in y", "0 <= x is y", "x < (y := 1)"])
def test_a_comparison_is_one_of_numbers(text: str) -> None:
    with pytest.raises(NotEarned, match="not"):
        read_formula(text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Lemma("l", "", "", "0 == 0"), Assume("l", "", "", FALSE)),
        (Assume("l", "", "", FALSE), Lemma("l", "", "", "0 == 0")),
        (Lemma("f_is", "", "", "0 == 0"), Let("f(x)", "x")),
        (Lemma("f_start", "", "", "0 == 0"), Recursion("f(x)", "0", "1")),
        (Lemma("f_next", "", "", "0 == 0"), Recursion("f(x)", "0", "1")),
        (Lemma("f_least", "", "", "0 == 0"), Least("f(x)", "", "k", "k >= 0", "0")),
        (Lemma("l", "", "", "0 == 0"), Lemma("product", "", "", "0 == 0")),
    ],
)
def test_a_name_is_used_once_in_the_whole_theory(first: Step, second: Step) -> None:
    name = getattr(first, "name", "l")
    refused(attack(first, second, lemma=name), "two rules are called")


def test_a_symbol_is_defined_once_in_the_whole_theory() -> None:
    for symbols, steps in (
        ("c, c", ()),
        ("f(x)", (Let("f(x)", "x"),)),
        ("c", (Let("f(x)", "0"), Recursion("f(x)", "1", "1"))),
    ):
        refused(attack(*steps, symbols=symbols), "two symbols are called")
    for symbols in ("2 * c", "c + 1", "e(2 * n)", "e(n, n)", "%", "c;d"):
        refused(attack(symbols=symbols), "expected|not readable")


@pytest.mark.parametrize("name", ["", "a b", "l()", "l, m", "1", " l", "l # ", "implies", "not"])
def test_the_name_of_a_lemma_is_a_name(name: str) -> None:
    refused(attack(Lemma(name, "", "", "0 == 0")), "expected|not readable|not a|plain letters")


def test_the_number_of_a_least_is_new() -> None:
    for k in ("n", "c", "l", "e", "e(n)", "k + 1", "k, n"):
        refused(
            attack(Least("l(n)", "", k, "c >= 0", "0"), by="l_holds(0)"), "hide|number|expected"
        )


def test_a_recursion_counts_up() -> None:
    refused(attack(Recursion("f", "0", "1"), by="f_start()"), "no first parameter")
    refused(attack(Recursion("f(n, m)", "n", "0"), by="f_start(1)"), "n is not defined")
    refused(attack(Recursion("f(n)", "0", "f(f(n)) + 1"), by="f_next(0)"), "mentions other values")
    refused(attack(Recursion("f(n)", "f(0) + 1", "0"), by="f_start()"), "not defined")


OTHER = Theory(
    "Other",
    "c",
    (Assume("all", "n", "", "n == c"), Lemma("same", "n, m", "", "n == m", "all(n), all(m)")),
)
"""It holds in a world with one number only, so an application of it must be refused."""


@pytest.mark.parametrize(
    ("each", "meaning", "by", "why"),
    [
        ("n", "c := n", "", "listed twice"),  # the n that it stands for is not the n of `all`
        ("k", "c := n", "", "n is not defined"),
        ("k", "c := k", "", "does not follow"),
        ("k", "c := k; c := n", "", "two meanings"),
        ("k", "c := k := n", "", "expected one meaning"),
        ("k", "c := k;", "", "expected one meaning"),
        ("k", "", "", "meanings for"),
        ("k", "c := k; d := 0", "", "meanings for"),
        ("c", "c := c", "", "hide symbols"),
        ("k, k", "c := k", "", "listed twice"),
    ],
)
def test_an_application_captures_no_variable(each: str, meaning: str, by: str, why: str) -> None:
    step = Apply("same", each, "", OTHER, "same", meaning, (("all", by),))
    count = len(each.split(","))
    refused(attack(step, by=f"same({'0, ' * count}0, 1)"), why)


def test_an_application_gives_each_reason_once_and_for_a_hypothesis() -> None:
    for by in ((("all", ""), ("all", "all(0)")), (("same", ""),), (("nothing", ""),)):
        step = Apply("applied", "k", "", OTHER, "same", "c := k", by)
        refused(attack(step, by="applied(0, 0, 1)"), "reasons for")
    given = Apply("applied", "k", "", OTHER, "all", "c := k", ())
    refused(attack(given, by="applied(0, 1)"), "is given, not shown")
    absent = Apply("applied", "k", "", OTHER, "nothing", "c := k", ())
    refused(attack(absent, by="applied(0, 1)"), "has no nothing")


def test_variables_named_like_internal_ones_prove_nothing_false() -> None:
    steps = (
        Lemma("l", "here", "here >= 0", FALSE, by="l(here)", induction="here"),
        Lemma("l", "there", "there >= 0", FALSE, by="l(there)", induction="there"),
        Lemma("l", "here, there", "0 <= there < here", FALSE, "l(there, here)", "there"),
        Lemma("l", "x", "x >= 0", FALSE, by="l(x - 1)", induction="x"),
        Lemma("l", "x", "", FALSE, by="l(x - 1)", induction="0 - x"),
    )
    for step in steps:
        refused(attack(step, lemma="l"), "does not follow")
    refused(attack(Lemma("l", "x", "", FALSE, "l(x - 1)", "x, y"), lemma="l"), "expected one term")
    refused(attack(Lemma("l", "x", "", FALSE, "l(x - 1)", "y"), lemma="l"), "y is not defined")


def test_the_variables_of_arithmetic_are_not_those_of_a_lemma() -> None:
    swapped = Lemma("l", "a, b", "a >= 1", "b * a >= 0", by="product(b, a)")
    refused(attack(swapped, lemma="l"), "does not follow")
    hidden = Lemma("l", "a, b", "", "b // a * a == b", by="division(b, a)")
    refused(attack(hidden, lemma="l"), "does not follow")


def test_instance_with_an_undefined_symbol_is_refused() -> None:
    refused(attack(Assume("all", "n", "", "e(n) >= 0"), by="all(d)"), "d is not defined")
    refused(attack(Assume("all", "n", "", "e(n) >= 0"), by="all(e)"), "e is not defined")


def test_symbols_with_two_arities_are_not_one() -> None:
    refused(attack(Assume("a", "", "", "e == 0"), by="a()"), "e is not defined")
    refused(attack(Assume("a", "", "", "c(0) == 0"), by="a()"), r"c\(0\) is not defined")


# --- odd types ------------------------------------------------------------------------------------


class Lie(str):
    """A text that says it is another one."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(FALSE)


class Trick(Lemma):
    """A lemma with another class."""


def test_texts_and_steps_have_exact_types() -> None:
    lemma = Lemma("false", "", "", Lie("0 == 0"))
    refused(Proof(Theory("An attack", "", (lemma,)), ("false",)), "exact types only, not a Lie")
    with pytest.raises(NotEarned, match="expected text, not a Lie"):
        read_formula(Lie("0 == 0"))
    refused(attack(), "does not follow")  # nothing of the lie is left in a cache
    trick = Trick("false", "", "", "0 == 0")
    refused(Proof(Theory("An attack", "", (trick,)), ("false",)), "exact types only, not a Trick")
    steps = [Lemma("l", "", "", "0 == 0")]
    changing = Theory("An attack", "", steps)  # type: ignore[arg-type]  # the attack
    refused(Proof(changing, ("l",)), "exact types only, not a list")
    names = ("l", 1)
    refused(Proof(OTHER, names), "is not there")  # type: ignore[arg-type]  # the attack


def test_texts_are_on_one_line() -> None:
    told = Theory("Fine\n    false: 0 = 1", "", (Lemma("l", "", "", "0 == 0"),))
    refused(Proof(told, ("l",)), "on one line")


def test_lemma_with_an_unsatisfiable_condition_is_printed_with_it() -> None:
    """A lemma with an unsatisfiable condition is printed with the condition."""
    other = Theory("Other", "c", (Assume("no", "", "", FALSE), Lemma("l", "", "", FALSE, "no()")))
    never = Apply("l", "k", "k < k", other, "l", "c := k", ())
    assert "for all k: if - 1 ≥ 0, then - 1 ≥ 0" in replay(attack(never, lemma="l")).how
    least = Least("f(n)", "n < n", "k", FALSE, "0")
    used = Lemma("l", "n", "n < n", "f(n) >= 0", "f_holds(n)")
    told = replay(attack(least, used, lemma="l")).how
    assert "let f(n) be the least k ≥ 0 with 0 = 1, if n < n" in told


def test_too_deep_nesting_is_refused() -> None:
    deep = "f(" * 5000 + "0" + ")" * 5000
    for text in (deep, "-" * 50_000 + "1", f"({'0 + ' * 50_000}0)"):
        with pytest.raises((NotEarned, RecursionError, MemoryError)):
            replay(attack(Assume("a", "", "", f"{text} == 1"), symbols="f(x)", by="a(), a()"))
