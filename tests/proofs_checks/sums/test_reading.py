"""Proofs about sums are read from text: what is written comes back, anything else is refused."""

from fractions import Fraction
from importlib.resources import files
from textwrap import dedent

import pytest
from sympy import Rational, Symbol, sqrt

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.sums import Proof, replay
from proofs_checks.kernels.sums.building import Function, exponential, number
from proofs_checks.kernels.sums.context import Template
from proofs_checks.kernels.sums.expressions import Expression, total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.layout import Unreadable
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
from tests.proofs_checks.sums.writing import at_most, equals, part, symbol

x, y = Index("state", "x"), Index("state", "y")
j, n = Index(TIME, "j"), Index(TIME, "n", fixed=True)
here = Index(TIME, "j", fixed=True)
K, w, a = Function("K"), Function("w"), Function("a")
t, s = symbol("t"), symbol("s")


def lag(of: Index) -> Index:
    return Index(TIME, "ℓ", of=(of,))


DECLARED = """\
# The variables, and what they stand for
index x, y: state
index j, ℓ(j): time
fixed n: time
symbols K(y, x), w(x), a(j), t, s
let mean(y) = Σ[x] K(y, x)*w(x)
facts BASE
  fact rows: Σ[x] K(y, x) = 1
  fact w ≥ 0: 0 ≤ w(x)
  fact t ≥ 0: 0 ≤ t
"""
LEMMA = f"""{DECLARED}
proof lemma(most = 1) "A lemma"  # from line 12 on
  given rows of BASE
  given w ≤ 1: w(x) ≤ 1
  given K ≥ 0: 0 ≤ K(y, x)
  step rest: 0 ≤ Σ[x] K(y, x)*(1 - w(x))
    by Σ[x] [K ≥ 0]*[w ≤ 1]
  goal near: mean(y) ≤ most
    by [rest], using rows
"""


def read(text: str, name: str = "lemma", *values: Fraction | int) -> Proof:
    template = read_proofs("some.proof", text, {})[name]
    assert isinstance(template, Template)
    given = tuple(map(Fraction, values)) or tuple(template.parameters.values())
    return instance(template, given)


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
def test_formulas(text: str, formula: Expression) -> None:
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
def test_what_is_at_least_0(text: str, gap: Gap) -> None:
    assert reason(f"by {text}") == Combined((part(gap),))
    assert reason(f"by Σ[y] 1/2*{text}") == Combined((part(gap, over=(y,), times=Fraction(1, 2)),))


def test_sums_of_parts() -> None:
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


def test_all_kinds_of_lines() -> None:
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


def test_other_statements_are_read_in_the_place_of_the_written_ones() -> None:
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


# --- what is refused ------------------------------------------------------------------------------

REFUSED = {
    "an unknown name": ("mean(y) ≤ most", "men(y) ≤ most", 18, "'men' is not known here"),
    "an unknown index": ("K(y, x)*w", "K(z, x)*w", 6, "'z' is not an index"),
    "an unknown fact": ("by [rest]", "by [rset]", 19, "rset is not a fact"),
    "an unknown equation": ("using rows", "using row", 19, "row is not a fact"),
    "unknown shared facts": ("rows of BASE", "rows of BAS", 13, "no facts BAS"),
    "an unknown shared fact": ("given rows of", "given row of", 13, "has no fact row"),
    "an unknown proof": ("by [rest], using rows", "from lemmas", 19, "no proof lemmas"),
    "itself": ("by [rest], using rows", "from lemma", 19, "no proof lemma"),
    "an unknown word": ("step rest", "stop rest", 16, "'stop' cannot stand here"),
    "a variable that is none": ("Σ[x] K(y, x)*(", "Σ[n] K(y, x)*(", 16, "'n' is not a variable"),
    "a sum over a symbol": ("Σ[x] K(y, x)*(", "Σ[t] K(y, x)*(", 16, "'t' is not a variable"),
    "a sum over nothing": ("Σ[x] K(y, x)*(", "Σ K(y, x)*(", 16, r"expected \[…\], found 'K'"),
    "an index plus a name": ("0 ≤ t", "0 ≤ a(j + t)", 10, "expected a number after j +"),
    "a sum over a number": ("Σ[x] K(y, x)*(", "Σ[j] K(y, x)*(", 16, "finite sort"),
    "a state as a number": ("0 ≤ t", "0 ≤ x", 10, "a natural number, not a state"),
    "another sort": ("0 ≤ w(x)", "0 ≤ w(j)", 9, r"arguments of w are \(state\)"),
    "too many arguments": ("0 ≤ w(x)", "0 ≤ w(x, y)", 9, r"arguments of w are \(state\)"),
    "no arguments": ("0 ≤ w(x)", "0 ≤ w", 9, r"arguments of w are \(state\)"),
    "a second symbol": ("symbols K(y, x), w(x)", "symbols K(y, x), K(x)", 5, "declared already"),
    "a symbol that is an index": ("a(j), t, s", "a(j), x, s", 5, "declared already"),
    "a name of bound indices": ("index x, y: state", "index x₁, y: state", 2, "a name of a sort"),
    "a reserved word": ("a(j), t, s", "a(j), exp, s", 5, "exp is a reserved word"),
    "a reserved abbreviation": ("let mean", "let excess", 6, "excess is a reserved word"),
    "a parameter with a meaning": ("lemma(most = 1)", "lemma(w = 1)", 12, "declared already"),
    "a parameter that is not used": ("≤ most", "≤ 1", 12, "most is not used"),
    "a parameter twice": ("(most = 1)", "(most = 1, most = 2)", 12, "is there twice"),
    "a parameter without a value": ("(most = 1)", "(most)", 12, "'the end' is not known"),
    "a parameter that is no number": ("(most = 1)", "(most = t)", 12, "not a rational number"),
    "a fact twice": ("fact w ≥ 0", "fact rows", 9, "'rows' is not a name of a fact, or is known"),
    "a hypothesis twice": ("given K ≥ 0", "given w ≤ 1", 15, "is known already"),
    "a line twice": ("goal near", "goal rest", 18, "is known already"),
    "a shared fact twice": ("rows of BASE", "rows of BASE; BASE", 13, "rows is there twice"),
    "a second reason": ("    by [rest]", "    by [rest]\n    by [rest]", 19, "a second reason"),
    "no reason": ("    by [rest], using rows\n", "", 18, "nothing stands below goal"),
    "an empty reason": ("by [rest], using rows", "by", 19, "not a reason"),
    "a reason that is none": ("by [rest], using rows", "by [rest] using rows", 19, "end"),
    "a name with a bracket": ("goal near", "goal ne[a]r", 18, "not a name of a fact"),
    "a name with two spaces": ("goal near", "goal ne  ar", 18, "not a name of a fact"),
    "parentheses that do not close": ("(1 - w(x))", "(1 - w(x)", 16, r"expected '\)'"),
    "parentheses that do not open": ("(1 - w(x))", "1 - w(x))", 16, r"found '\)'"),
    "a size that does not close": ("0 ≤ t", "0 ≤ |t", 10, r"expected '\|'"),
    "a bracket that does not close": ("by [rest]", "by [rest", 19, r"'\[' cannot stand"),
    "two names side by side": ("0 ≤ t", "0 ≤ t s", 10, "expected the end, found 's'"),
    "nothing after a sign": ("0 ≤ t", "0 ≤ t +", 10, "'the end' is not known"),
    "no relation": ("0 ≤ t", "t", 10, "expected '≤', found 'the end'"),
    "two relations": ("0 ≤ t", "0 ≤ t ≤ 1", 10, "expected the end, found '≤'"),
    "a float": ("0 ≤ t", "0.5 ≤ t", 10, "'0.' cannot stand"),
    "a float of a parameter": ("most = 1", "most = 1.0", 12, "'1.' cannot stand"),
    "a division by 0": ("0 ≤ t", "1/0 ≤ t", 10, "a division by 0"),
    "a division by a name": ("0 ≤ t", "1/s ≤ t", 10, "s is not a rational number"),
    "another sign": ("0 ≤ t", "0 ≤ t^2", 10, r"'\^' cannot stand"),
    "a tab": ("  fact w", "\tfact w", 9, "a tab or another invisible character"),
    "a tab in a line": ("fact w ≥ 0:", "fact\tw ≥ 0:", 9, "a tab or another invisible character"),
    "three spaces": ("  fact w", "   fact w", 9, "an indent of 3 spaces"),
    "a reason without indent": ("    by [rest]", "  by [rest]", 18, "nothing stands below goal"),
    "an outer line with indent": ("index x", " index x", 2, "an indent of 1 spaces"),
    "a proof without title": (' "A lemma"', "", 12, "not the syntax of proof"),
    "a proof twice": ("facts BASE", "facts BASE\n  fact s: t = s\nfacts BASE", 9, "already"),
    "loose variables": ("let mean(y)", "let mean", 6, "mean depends on y as well"),
    "no such index in a fact": (
        "by [rest]",
        "by [rest](x := y)",
        19,
        "take the place of x in rest",
    ),
    "another sort in a fact": ("by [rest]", "by [rest](y := j)", 19, "take the place of y in rest"),
    "a hypothesis after a line": (
        "  goal near",
        "  given late: 0 ≤ t\n  goal near",
        18,
        "given cannot stand after the first line",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_file_and_line(name: str) -> None:
    old, new, line, why = REFUSED[name]
    assert LEMMA.count(old) == 1, "the text to be replaced must occur once"
    with pytest.raises(Unreadable, match=rf"^some\.proof:{line}: .*{why}"):
        read_proofs("some.proof", LEMMA.replace(old, new), {})


def test_a_text_begins_without_indent() -> None:
    with pytest.raises(Unreadable, match=r"^some\.proof:1: an indent of 2 spaces"):
        read_proofs("some.proof", "  index x: state", {})


CITING = f"""{LEMMA}
proof second "Citing"
  given BASE
  goal g: 0 ≤ t
    from lemma"""


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("(1, 2)", "lemma has 1 parameters"),
        (" with w(x) := 1; w(x) := 2", "is there twice"),
        (" with [rows] := [w ≥ 0]; [rows] := [t ≥ 0]", "is there twice"),
        (" with [sums] := [w ≥ 0]", "is not given sums"),
        (" with [rows] := [sums]", "sums is not a fact"),
        (" with w(x) = 1", "is not a name with variables"),
        (" with w(x) := v", "'v' is not known"),
    ],
)
def test_wrong_citations_are_refused(how: str, why: str) -> None:
    read_proofs("some.proof", CITING, {})
    with pytest.raises(Unreadable, match=rf"^some\.proof:24: .*{why}"):
        read_proofs("some.proof", CITING + how, {})


BLOCKS = f"""{LEMMA}
proof blocks "Blocks"
  given BASE
  meaning s = t + 1
  induction on j
    goal up: a(j) ≤ 1
      first by [t ≥ 0]
      next by [up]
  cases either: t ≤ 1
    if t ≤ 1/2
      step low: t ≤ 1
        by [case]
    if 1/2 ≤ t
      step high: t ≤ 1
        by [case]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("first by", "at by", 26, "'at' cannot stand here"),
        ("first by", "by", 25, "expected a reason after `first`"),
        ("first by", "next by", 25, "expected a reason after `first`"),
        ("induction on j", "induction on n", 24, "'n' is not a variable"),
        ("if 1/2 ≤ t", "if 1/3 ≤ t", 28, "expected one statement and two cases"),
        ("    if 1/2 ≤ t\n      step high: t ≤ 1\n        by [case]\n", "", 28, "two cases"),
        (
            "    if 1/2",
            "    if 1 ≤ t\n      step s: t ≤ 1\n        by [case]\n    if 1/2",
            28,
            "two",
        ),
        ("cases either: t ≤ 1", "cases BASE", 28, "expected one statement and two cases"),
        ("if t ≤ 1/2", "if t ≤ s", 28, "two cases"),
        ("next by [up]", "next from lemma with a(j) := 1", 27, "its argument is fixed"),
        ("meaning s = t + 1", "meaning s = t\n  meaning s = t", 24, "has a meaning already"),
        ("meaning s = t", "meaning s = v", 23, "v is not declared as a number"),
        ("meaning s = t + 1", "meaning w = t", 23, "w is not declared as a number"),
        ("meaning s = t + 1", "meaning s = t + 0.5", 23, "not a formula"),
        ("meaning s = t + 1", "meaning s = t +", 23, "not a formula"),
    ],
)
def test_wrong_blocks_are_refused(old: str, new: str, line: int, why: str) -> None:
    assert BLOCKS.count(old) == 1, "the text to be replaced must occur once"
    read_proofs("some.proof", BLOCKS, {})
    with pytest.raises(Unreadable, match=rf"^some\.proof:{line}: .*{why}"):
        read_proofs("some.proof", BLOCKS.replace(old, new), {})


# --- the files ------------------------------------------------------------------------------------


def test_every_file_is_read_and_fits_the_page() -> None:
    folder = files(chains)
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".proof"))
    assert names == sorted(f"{name}.proof" for name in chains.FILES)
    for name in names:
        for line in (folder / name).read_text(encoding="utf-8").split("\n"):
            assert len(line) <= 100, (name, line)
