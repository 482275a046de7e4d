"""Texts that are not written in the syntax of proofs about sums are refused, with the line."""

import pytest

from proofs_checks.kernels.layout import Unreadable
from proofs_checks.kernels.sums.reading import read_proofs
from tests.proofs_checks.sums.texts import LEMMA

IN_A_LEMMA = {
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
    "a parameter twice": ("(most = 1)", "(most = 1, most = 2)", 12, "is listed twice"),
    "a parameter without a value": ("(most = 1)", "(most)", 12, "'the end' is not known"),
    "a parameter that is no number": ("(most = 1)", "(most = t)", 12, "not a rational number"),
    "a fact twice": ("fact w ≥ 0", "fact rows", 9, "'rows' is not a name of a fact, or is known"),
    "a hypothesis twice": ("given K ≥ 0", "given w ≤ 1", 15, "is known already"),
    "a line twice": ("goal near", "goal rest", 18, "is known already"),
    "a shared fact twice": ("rows of BASE", "rows of BASE; BASE", 13, "rows occurs twice"),
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
        "replace x in rest",
    ),
    "another sort in a fact": ("by [rest]", "by [rest](y := j)", 19, "replace y in rest"),
    "a hypothesis after a line": (
        "  goal near",
        "  given late: 0 ≤ t\n  goal near",
        18,
        "given cannot stand after the first line",
    ),
}

CITING = f"""{LEMMA}
proof second "Citing"
  given BASE
  goal g: 0 ≤ t
    from lemma
"""
HOW = (
    ("(1, 2)", "lemma has 1 parameters"),
    (" with w(x) := 1; w(x) := 2", "is listed twice"),
    (" with [rows] := [w ≥ 0]; [rows] := [t ≥ 0]", "is listed twice"),
    (" with [sums] := [w ≥ 0]", "has no hypothesis sums"),
    (" with [rows] := [sums]", "sums is not a fact"),
    (" with w(x) = 1", "is not a name with variables"),
    (" with w(x) := v", "'v' is not known"),
)

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
IN_BLOCKS = (
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
)

CASES = [
    *((LEMMA, *case) for case in IN_A_LEMMA.values()),
    *((CITING, "from lemma", f"from lemma{how}", 24, why) for how, why in HOW),
    *((BLOCKS, *case) for case in IN_BLOCKS),
]


@pytest.mark.parametrize(("text", "old", "new", "line", "why"), CASES)
def test_refused_with_file_and_line(text: str, old: str, new: str, line: int, why: str) -> None:
    assert text.count(old) == 1, "the text to be replaced must occur once"
    with pytest.raises(Unreadable, match=rf"^some\.proof:{line}: .*{why}"):
        read_proofs("some.proof", text.replace(old, new), {})


@pytest.mark.parametrize("text", [LEMMA, CITING, BLOCKS])
def test_unchanged_texts_are_readable(text: str) -> None:
    assert read_proofs("some.proof", text, {})


def test_a_text_begins_without_indent() -> None:
    with pytest.raises(Unreadable, match=r"^some\.proof:1: an indent of 2 spaces"):
        read_proofs("some.proof", "  index x: state", {})
