"""Proofs about sums are read correctly from text."""

from fractions import Fraction
from importlib.resources import files
from textwrap import dedent

import pytest
from sympy import Rational, Symbol, sqrt

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.layout import Unreadable
from proofs_checks.kernels.sums import Proof, replay
from proofs_checks.kernels.sums.building import Function, exponential, number
from proofs_checks.kernels.sums.context import Template
from proofs_checks.kernels.sums.expressions import Expression, total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.lines import instance
from proofs_checks.kernels.sums.reading import read_proofs
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Between,
    Cases,
    Cited,
    Combined,
    Counted,
    Enclosed,
    Excess,
    Gap,
    Growing,
    Induction,
    Known,
    Lambda,
    Others,
    Power,
    Square,
    Statement,
    Step,
    Triangle,
    Unsigned,
)
from proofs_checks.proofs import chains
from tests.proofs_checks.sums.texts import DECLARED, LEMMA, read
from tests.proofs_checks.sums.writing import at_most, equals, part, symbol

x, y = Index("state", "x"), Index("state", "y")
j, n = Index(TIME, "j"), Index(TIME, "n", fixed=True)
here = Index(TIME, "j", fixed=True)
K, w, a = Function("K"), Function("w"), Function("a")
t, s = symbol("t"), symbol("s")


def lag(of: Index) -> Index:
    return Index(TIME, "ℓ", of=(of,))


# --- what is written comes back -------------------------------------------------------------------


def stated(text: str) -> Statement:
    """The statement that is read from this text."""
    base = read_proofs("some.proof", f"{DECLARED}facts ONE\n  fact one: {text}\n", {})["ONE"]
    assert not isinstance(base, Template)
    return base["one"]


MEAN = total(x, K(y, x) * w(x))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("2*t - s", t * 2 - s),
        ("t - s - 1", t - s - 1),
        ("t - (s - 1)", t - s + 1),
        ("t/2*s", t * s / 2),
        ("t/(1/2)", t * 2),
        ("-t*s + 1", 1 - t * s),
        ("2*(t + s)", t * 2 + s * 2),
        ("Σ[x] w(x)*t + s", total(x, w(x)) * t + s),
        ("Σ[x] (w(x) + t)", total(x, w(x) + t)),
        ("t*Σ[x] w(x)*s - 1", total(x, w(x)) * t * s - 1),
        ("-Σ[x, y] K(y, x)/2", total((x, y), K(y, x)) * Fraction(-1, 2)),
        ("Σ[x] w(x)*Σ[y] K(y, x)", total((x, y), w(x) * K(y, x))),
        ("|t - |s||*2", abs(t - abs(s)) * 2),
        ("|Σ[x] w(x)| + |t|", abs(total(x, w(x))) + abs(t)),
        ("exp(-t*(j + 1))", exponential(-(t * number(j)) - t)),
        ("a(j + 2) + a(ℓ(j)) + a(3)", a(j + 2) + a(lag(j)) + a(numeral(3))),
        ("a(ℓ(j) + 1) + n", a(lag(j) + 1) + number(n)),
        ("mean(y)", MEAN),
        ("Σ[y] mean(y)", total(y, MEAN)),
        ("Σ[y] Σ[x] K(x, y)*mean(y)", total((x, y), K(x, y) * MEAN)),
    ],
)
def test_formulas_are_read_as_expressions(text: str, formula: Expression) -> None:
    assert stated(f"{text} ≤ 0") == at_most(formula, 0)
    assert stated(f"0 = {text}") == equals(0, formula)


def reason(text: str) -> Combined:
    proof = read(f'{DECLARED}proof lemma "A lemma"\n  given BASE\n  goal g: 0 ≤ t\n    {text}\n')
    (step,) = proof.lines
    assert isinstance(step, Step)
    assert isinstance(step.because, Combined)
    return step.because


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("[w ≥ 0]", Known("w ≥ 0")),
        ("[w ≥ 0](x := y)", Known("w ≥ 0", {x: y})),
        ("unsigned [w ≥ 0](x := y)", Unsigned("w ≥ 0", {x: y})),
        ("growing [t ≥ 0]", Growing("t ≥ 0")),
        ("others[x] [w ≥ 0]", Others("w ≥ 0", x)),
        ("|t - s|", Absolute(t - s)),
        ("excess(-t)", Excess(-t)),
        ("square(t + 1)", Square(t + 1)),
        ("exp(-t)", Power(-t)),
        ("natural(j + 1)", Counted(j + 1)),
        ("triangle(t, -s)", Triangle((), (t, -s))),
        ("triangle[x, y](w(x))", Triangle((x, y), (w(x),))),
    ],
)
def test_nonnegative_parts_are_read(text: str, gap: Gap) -> None:
    assert reason(f"by {text}") == Combined((part(gap),))
    assert reason(f"by Σ[y] 1/2*{text}") == Combined((part(gap, over=(y,), times=Fraction(1, 2)),))


def test_sums_of_parts_are_read_as_reasons() -> None:
    written = reason("by -[rows] + t*[rows]*|s|/3 - 2*[t ≥ 0] + 5, using rows, w ≥ 0")
    assert written == Combined(
        (
            part(Known("rows"), times=-1),
            part(Known("rows"), Absolute(s), times=t / 3),
            part(Known("t ≥ 0"), times=-2),
            part(times=5),
        ),
        using=("rows", "w ≥ 0"),
    )
    assert reason("by algebra") == Combined()
    assert reason("by algebra, using rows") == Combined(using=("rows",))
    assert reason("using rows, t ≥ 0") == Combined(using=("rows", "t ≥ 0"))


def test_all_kinds_of_lines_are_read() -> None:
    text = f"""{LEMMA}
proof whole(bound = 1/4, share = 2) "All lines"
  let twice = 2*bound
  given rows, w ≥ 0 of BASE; t ≥ 0 of BASE
  given t ≤ 1: t ≤ share
  define a: a(j) = bound
  meaning s = sqrt(t**2 + 1/4)
  goal above: t ≤ twice
    and below: -t ≤ twice
    from lemma(bound) with K(y, x) := w(x); [w ≤ 1] := [t ≤ 1]
  step near: |t| ≤ twice
    between above and below
  induction on j
    claim first: a(j) ≤ j
      first using a
      next by [first] + [near], using a
    goal second: a(ℓ(j)) = 0
      next by [w ≥ 0]
  cases either: t ≤ 3
    if t ≤ bound
      step low: s ≤ 3
        by intervals in t from t ≥ 0 to case, rising to 1/10
    if bound ≤ t
      step high: s ≤ 3
        by intervals in t from case to t ≤ 1
"""
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    claim = at_most(a(j), number(j))
    cited = Cited(read(text, "lemma", quarter), {"K": Lambda((y, x), w(x))}, {"w ≤ 1": "t ≤ 1"})
    assert read(text, "whole") == Proof(
        title="All lines",
        hypotheses={
            "rows": equals(total(x, K(y, x)), 1),
            "w ≥ 0": at_most(0, w(x)),
            "t ≥ 0": at_most(0, t),
            "t ≤ 1": at_most(t, 2),
        },
        definitions={"a": equals(a(j), quarter)},
        meanings={"s": sqrt(Symbol("t") ** 2 + Rational(1, 4))},
        lines=(
            Step("above", at_most(t, half), cited),
            Step("below", at_most(-t, half), cited),
            Step("near", at_most(abs(t), half), Between("above", "below")),
            Induction(
                j,
                {"first": claim, "second": equals(a(lag(j)), 0)},
                start=(Step("first at 0", at_most(a(numeral(0)), 0), Combined(using=("a",))),),
                onward=(
                    Step(
                        "first at j + 1",
                        at_most(a(here + 1), number(here) + 1),
                        Combined((part(Known("first")), part(Known("near"))), using=("a",)),
                    ),
                    Step(
                        "second at j + 1",
                        equals(a(lag(here + 1)), 0),
                        Combined((part(Known("w ≥ 0")),)),
                    ),
                ),
            ),
            Cases(
                "either",
                at_most(t, 3),
                t,
                quarter,
                (Step("low", at_most(s, 3), Enclosed("t", "t ≥ 0", "case", Fraction(1, 10))),),
                (Step("high", at_most(s, 3), Enclosed("t", "case", "t ≤ 1")),),
            ),
        ),
        goals=(at_most(t, half), at_most(-t, half), equals(a(lag(j)), 0)),
    )


def test_facts_about_all_j_are_taken_at_the_j_of_the_induction() -> None:
    text = f"""{DECLARED}
proof lemma "Induction"
  given up: a(j) ≤ a(j + 1)
  given start: 0 ≤ a(0)
  induction on j
    goal a ≥ 0: 0 ≤ a(j)
      next by [a ≥ 0] + [up]
  goal later: 0 ≤ a(j + 1)
    by [a ≥ 0](j := j + 1)
"""
    proof = read(text)
    (line, _) = proof.lines
    assert isinstance(line, Induction)
    (step,) = line.onward
    assert isinstance(step, Step)
    assert step.because == Combined((part(Known("a ≥ 0")), part(Known("up", {j: here}))))
    replay(proof)


def test_a_meaning_may_use_earlier_ones() -> None:
    text = dedent("""\
        symbols t, s, r
        proof lemma "Meanings"
          meaning s = 1 + t
          meaning r = 1/s
          goal no: 0 ≤ t
            by algebra
        """)
    assert read(text).meanings["r"] == 1 / (1 + Symbol("t"))


# --- parameters, and other statements -------------------------------------------------------------


def test_a_proof_is_accepted_and_with_another_value_refused() -> None:
    replay(read(LEMMA))
    with pytest.raises(NotEarned):
        replay(read(LEMMA, "lemma", Fraction(9, 10)))


def test_given_statements_replace_those_in_the_file() -> None:
    template = read_proofs("some.proof", LEMMA, {})["lemma"]
    assert isinstance(template, Template)
    wrong = instance(template, (Fraction(1),), (("w ≤ 1", "w(x) ≤ 2"),))
    assert wrong.hypotheses["w ≤ 1"] == at_most(w(x), 2)
    with pytest.raises(NotEarned):
        replay(wrong)
    with pytest.raises(ValueError, match="states nothing under w ≤ 2"):
        instance(template, (Fraction(1),), (("w ≤ 2", "w(x) ≤ 2"),))
    with pytest.raises(Unreadable, match=r"^some\.proof:14: 'v' is not known here"):
        instance(template, (Fraction(1),), (("w ≤ 1", "v(x) ≤ 2"),))


def test_proofs_are_found_by_file_name_and_values() -> None:
    plain = chains.proof("eigenvector.all_pass")
    assert chains.proof("eigenvector.all_pass()") is plain
    assert chains.proof("eigenvector.all_pass(8, split=11/25)") is plain
    assert chains.proof("eigenvector.all_pass(rate=1/2)") != plain
    with pytest.raises(LookupError, match=r"no proof 'lemma1\.all_pass'"):
        chains.proof("lemma1.all_pass")
    for wrong in ("(1, 2, 3, 4)", "(speed=2)", "(rate=fast)", "(rate=1/0)"):
        with pytest.raises(ValueError, match=r"no parameter|not a rational number"):
            chains.proof(f"eigenvector.all_pass{wrong}")


# --- the files ------------------------------------------------------------------------------------


def test_every_file_is_read_and_fits_the_page() -> None:
    folder = files(chains)
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".proof"))
    assert names == sorted(f"{name}.proof" for name in chains.FILES)
    for name in names:
        for line in (folder / name).read_text(encoding="utf-8").split("\n"):
            assert len(line) <= 100, (name, line)
