"""The exported obligations agree with the texts of the theories; no solver is needed here."""

import pytest

from proofs_checks.kernels.deduction.reading import read_blocks
from proofs_checks.kernels.deduction.statements import Theory
from proofs_checks.proofs import theories
from proofs_checks.second_opinion.notation import Unwritable, formula
from proofs_checks.second_opinion.obligations import obligations
from proofs_checks.second_opinion.rules import HERE

SMALL = """
theory SMALL "Small"
  symbols S, f(i)
  assume bounded for i, if 0 <= i < S: 0 <= f(i) < S
  recursion p(0, u) = u, p(n + 1, u) = f(p(n, u))
  lemma stays for n, u, if n >= 0, 0 <= u < S: 0 <= p(n, u) < S
    by induction on n, from p_start(u), p_next(n - 1, u), bounded(p(n - 1, u)), stays(n - 1, u)
  least half(u), if u >= 0: i with 2 * i >= u
    witness u, from product(u, 1)

theory LARGER "Larger"
  symbols k
  assume large: k >= 2
  apply within for m, if m >= 1: stays of SMALL
    with S := m; f(i) := m - 1
  apply steps for m, if m >= 1: stays of SMALL
    with S := m; f(i) := m - 1; p(n, u) := 0

theory LARGEST "Largest"
  symbols k
  let twice(i) = 2 * i
  apply inside: stays of SMALL
    with S := 1; f(i) := twice(0); p(n, u) := 0
    bounded from twice_is(0)

theory ABOVE "Above"
  symbols c
  apply outside: inside of LARGEST
    with k := c
"""


def small(name: str) -> Theory:
    found = read_blocks("small.proof", SMALL, {})[name]
    assert isinstance(found, Theory)
    return found


def step(theory: str, name: str) -> list[str]:
    """The lines of an obligation after the rules that every theory may use."""
    (text,) = (o.text for o in obligations(small(theory)) if (o.name, o.kind) == (name, "step"))
    return text[text.index("v.b))))") :].splitlines()[1:]


def test_an_induction_has_the_goal_for_smaller_values() -> None:
    there = "(let ((v.n (- v.n 1)) (v.u v.u)) v.n)"
    assert step("SMALL", "stays") == [
        "(define-fun rule.p_start ((v.u Int)) Bool",
        "  (= (f.p 0 v.u) v.u))",
        "(define-fun rule.p_next ((v.n Int) (v.u Int)) Bool",
        "  (=> (>= v.n 0) (= (f.p (+ v.n 1) v.u) (f.f (f.p v.n v.u)))))",
        "(define-fun rule.bounded ((v.i Int)) Bool",
        "  (=> (and (<= 0 v.i) (< v.i f.S)) (and (<= 0 (f.f v.i)) (< (f.f v.i) f.S))))",
        "(define-fun goal ((v.n Int) (v.u Int)) Bool",
        (
            "  (=> (and (>= v.n 0) (and (<= 0 v.u) (< v.u f.S)))"
            " (and (<= 0 (f.p v.n v.u)) (< (f.p v.n v.u) f.S))))"
        ),
        "(declare-const v.n Int)",
        "(declare-const v.u Int)",
        "(assert (rule.p_start v.u))",
        "(assert (rule.p_next (- v.n 1) v.u))",
        "(assert (rule.bounded (f.p (- v.n 1) v.u)))",
        f"(assert (=> (and (<= 0 {there}) (< {there} v.n)) (goal (- v.n 1) v.u)))",
        "(assert (not (goal v.n v.u)))",
        "(check-sat)",
    ]


def test_a_least_number_has_a_witness() -> None:
    assert step("SMALL", "half")[:2] == [
        "(define-fun goal ((v.u Int)) Bool",
        "  (=> (>= v.u 0) (let ((v.i v.u)) (and (<= 0 v.i) (>= (* 2 v.i) v.u)))))",
    ]


def test_symbols_of_an_applied_theory_get_their_meaning() -> None:
    assert step("LARGER", "within: bounded") == [
        "(define-fun f.within.S ((v.m Int)) Int v.m)",
        "(define-fun f.within.f ((v.m Int) (v.i Int)) Int (- v.m 1))",
        "(define-fun goal ((v.m Int) (v.i Int)) Bool",
        (
            "  (=> (>= v.m 1) (=> (and (<= 0 v.i) (< v.i (f.within.S v.m)))"
            " (and (<= 0 (f.within.f v.m v.i)) (< (f.within.f v.m v.i) (f.within.S v.m))))))"
        ),
        "(declare-const v.m Int)",
        "(declare-const v.i Int)",
        "(assert (not (goal v.m v.i)))",
        "(check-sat)",
    ]


def test_definitions_that_get_a_meaning_must_hold_in_it() -> None:
    made = [each.name for each in obligations(small("LARGER")) if each.kind == "step"]
    assert made == [
        "within: bounded",
        "steps: bounded",
        "steps: p_start",
        "steps: p_next",
    ]
    assert "(define-fun f.steps.p ((v.m Int) (v.n Int) (v.u Int)) Int 0)" in step(
        "LARGER", "steps: p_start"
    )


def test_a_definition_without_a_meaning_is_an_unknown_function() -> None:
    (text,) = (each.text for each in obligations(small("ABOVE")) if each.kind == "reading")
    unknown, use = "(declare-fun f.outside.twice (Int) Int)", "(f.outside.twice 0)"
    assert 0 <= text.index(unknown) < text.index(use)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", "true"),
        ("x < 1", "(< v.x 1)"),
        ("0 <= x != y", "(and (<= 0 v.x) (distinct v.x f.y))"),
        ("not (x == -1 or x > 2)", "(not (or (= v.x (- 1)) (> v.x 2)))"),
        ("implies(x >= 1, iff(x == 1, x % 2 == x // 2))",
         "(=> (>= v.x 1) (= (= v.x 1) (= (remainder v.x 2) (quotient v.x 2))))"),
    ],
)  # fmt: skip
def test_formulas_are_written_for_solvers(text: str, written: str) -> None:
    assert formula(text, ["x"], HERE) == written


@pytest.mark.parametrize("text", ["x", "x + 1", "f(x, y=1) == 0", "x ** 2 == 1", "[x] == 0"])
def test_text_that_is_not_a_formula_is_refused(text: str) -> None:
    with pytest.raises(Unwritable):
        formula(text, ["x"], HERE)


def test_every_theory_can_be_written() -> None:
    written = {name: obligations(theory) for name, theory in theories().items()}
    assert all(any(each.kind == "step" for each in found) for found in written.values())
