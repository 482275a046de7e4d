"""Theories are read from text: writing and reading gives the same theory; errors are refused."""

import re
from collections.abc import Mapping
from importlib.resources import files
from textwrap import dedent

import pytest

from proofs_checks import proofs
from proofs_checks.kernels.deduction import Proof, reading, replay
from proofs_checks.kernels.deduction.notation import read_head
from proofs_checks.kernels.deduction.reading import Block, read_blocks
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
from proofs_checks.kernels.layout import Unreadable
from proofs_checks.proofs import FILES, theories, theory


def stated(name: str, each: str, given: str) -> str:
    return f"{name}{f' for {each}' * bool(each)}{f', if {given}' * bool(given)}"


def written(step: Step, names: Mapping[str, str]) -> str:
    """A step as text; `names` are those of the theories by title."""
    match step:
        case Assume(name, each, given, then):
            return f"assume {stated(name, each, given)}: {then}"
        case Lemma(name, each, given, then, by, induction):
            reason = f"by induction on {induction}, " * bool(induction) + f"from {by}" * bool(by)
            return f"lemma {stated(name, each, given)}: {then}" + f"\n    {reason}" * bool(reason)
        case Let(symbol, value):
            return f"let {symbol} = {value}"
        case Least(symbol, given, number, such_that, witness, by):
            reason = f"witness {witness}" + f", from {by}" * bool(by)
            return f"least {stated(symbol, '', given)}: {number} with {such_that}\n    {reason}"
        case Recursion(symbol, start, following):
            name, (n, *others) = read_head(symbol)
            first, later = (", ".join([at, *others]) for at in ("0", f"{n} + 1"))
            return f"recursion {name}({first}) = {start}, {name}({later}) = {following}"
        case Indicator(symbol, holds):
            return f"indicator {symbol}: {holds}"
        case Apply(name, each, given, used, lemma, meaning, by_hypothesis):
            head = f"apply {stated(name, each, given)}: {lemma} of {names[used.name]}"
            reasons = [f"{hypothesis} from {by}" for hypothesis, by in by_hypothesis]
            return "\n    ".join([head, f"with {meaning}", *reasons])


@pytest.mark.parametrize("name", theories())
def test_a_theory_that_is_written_and_read_again_is_the_same(name: str) -> None:
    names = {other.name: key for key, other in theories().items()}
    shown = theory(name)
    lines = [f"symbols {shown.symbols}", *(written(step, names) for step in shown.steps)]
    text = "\n  ".join([f'theory {name} "{shown.name}"', *lines])
    earlier = {key: other for key, other in theories().items() if key != name}
    assert read_blocks("again.proof", text, earlier)[name] == shown


def test_every_file_of_the_folder_is_read_and_fits_the_page() -> None:
    there = {file.name: file for file in files(proofs).iterdir() if file.name.endswith(".proof")}
    assert set(there) == {f"{name}.proof" for name in FILES}
    for file in there.values():
        text = file.read_text(encoding="utf-8")
        assert text.endswith("\n")
        assert [line for line in text.splitlines() if len(line) > 100] == []


def test_the_example_of_the_syntax_is_complete_and_proved() -> None:
    assert reading.__doc__ is not None
    example = re.findall(r"(?m)^(?:    .*|)\n", reading.__doc__)
    blocks = read_blocks("example.proof", dedent("".join(example)), {})
    orbits, rotations = blocks["ORBITS"], blocks["ROTATIONS"]
    assert isinstance(orbits, Theory)
    assert isinstance(rotations, Theory)
    assert rotations.symbols == "S, f(i), t"
    assert rotations.steps[: len(orbits.steps)] == orbits.steps
    assert Assume("bounded", "i", "0 <= i < S", "0 <= f(i) < S") in orbits.steps
    assert Recursion("p(n, u)", "u", "f(p(n, u))") in orbits.steps
    assert {type(step) for step in rotations.steps} == set(Step.__args__)
    lemmas = [step.name for step in rotations.steps if isinstance(step, Lemma | Apply)]
    assert replay(Proof(rotations, tuple(lemmas))).how.startswith("Rotations:")


def test_an_unknown_name_raises_and_tells_what_there_is() -> None:
    with pytest.raises(LookupError, match="no theory 'TOURS'; there are INJECTIONS, GROWING"):
        theory("TOURS")


BEFORE: Mapping[str, Block] = {
    "SMALL": Theory(
        "Small", "k", (Assume("given", "", "", "k >= 1"), Lemma("shown", "", "", "k >= 0"))
    ),
    "GIVEN": (Assume("given", "", "", "k >= 1"),),
}
HEAD = 'theory A "First"\n  symbols n, f(i)\n'


@pytest.mark.parametrize(
    ("statement", "step"),
    [
        ("assume a, if n >= 1: f(0) == 1", Assume("a", "", "n >= 1", "f(0) == 1")),
        ("assume a:   # why\n      f(0)\n          == 1", Assume("a", "", "", "f(0) == 1")),
        ("lemma a for i: f(i) == 1", Lemma("a", "i", "", "f(i) == 1")),
        ("recursion g(0) = 0, g(i + 1) = g(i) + f(i)", Recursion("g(i)", "0", "g(i) + f(i)")),
        (
            "lemma a for i, if i >= 0: f(i) == 1\n    by induction on i, from b(),\n      a(i - 1)",
            Lemma("a", "i", "i >= 0", "f(i) == 1", "b(), a(i - 1)", "i"),
        ),
    ],
)
def test_statement_is_read_into_its_step(statement: str, step: Step) -> None:
    found = read_blocks("a.proof", f"{HEAD}  {statement}\n", BEFORE)["A"]
    assert found == Theory("First", "n, f(i)", (step,))


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("axiom a: n >= 0", "expected apply, assume, .*, found 'axiom'"),
        ("symbols m", "found 'symbols'"),
        ("extends SMALL", "found 'extends'"),
        ("theory", "found 'theory'"),
        ("lemma", "not the syntax of lemma"),
        ("lemma a", "not the syntax of lemma"),
        ("lemma a:", "not the syntax of lemma"),
        ("lemma 1a: n >= 0", "not the syntax of lemma"),
        ("lemma a b: n >= 0", "not the syntax of lemma"),
        ("lemma a for i if i >= 0: n >= 0", "not the syntax of lemma"),
        ("lemma a for f(i): n >= 0", "not the syntax of lemma"),
        ("lemma a if n >= 0: n >= 0", "not the syntax of lemma"),
        ("lemma if: n >= 0", "if cannot be a name"),
        ("lemma and: n >= 0", "and cannot be a name"),
        ("lemma a for not: n >= 0", "not cannot be a name"),
        ("let iff(x) = n", "iff cannot be a name"),
        ("lemma a for i, if: n >= 0", "if cannot be a name"),
        ("lemma a, if n >= 0, if n >= 1: n >= 0", "if cannot be a name"),
        ("lemma a: n >= 0, for i", "for cannot be a name"),
        ("lemma a: n >= 0 from b()", "from cannot be a name"),
        ("lemma a: n >= 0 if n >= 1 else n >= 2", "else, if cannot be a name"),
        ("lemma a: n == True", "True cannot be a name"),
        ("lemma a: of(n) >= 0", "of cannot be a name"),
        ("lemma a: n >= 0: n >= 1", "':' cannot stand in"),
        ("lemma a: n >= 0; n >= 1", "';' cannot stand in"),
        ("lemma a: n >= 1_000", "'1' cannot stand in"),
        ("lemma a: n >= 0x1", "'0' cannot stand in"),
        ("lemma a: n >= 1.5", "'.' cannot stand in"),
        ("lemma a: f[0] >= 0", "cannot stand in"),
        ("lemma a: n = 0", "'=' cannot stand in"),
        ("lemma a: n ≥ 0", "not ASCII"),
        ("lemma a: n >= \N{ARABIC-INDIC DIGIT ONE}", "not ASCII"),
        ("lemma \N{GREEK SMALL LETTER ALPHA}: n >= 0", "not ASCII"),
        ("lemma a: n >= (0", "unbalanced parentheses"),
        ("lemma a: n >= 0)", "unbalanced parentheses"),
        ("lemma a, if (n >= 0: n >= 0)", "unbalanced parentheses"),
        ("lemma a, if )n >= 0(: n >= 0", "unbalanced parentheses"),
        ("lemma a: n >=", "not readable"),
        ("lemma a: n + 1", "not a formula"),
        ("lemma a: n >= 0 ** 2", "not a term"),
        ("lemma a: n >= 0\n    because b()", "not the syntax of lemma"),
        ("lemma a: n >= 0\n    from b", "not the use of a rule"),
        ("lemma a: n >= 0\n    from b()\n    from c()", "not the syntax of lemma"),
        ("lemma a: n >= 0\n    by induction on n", "not the syntax of lemma"),
        ("lemma a: n >= 0\n    by induction on n, i, from a()", "expected one term"),
        ("assume a: n >= 0\n    from b()", "not the syntax of assume"),
        ("let 2 * x = n", "not the syntax of let"),
        ("let g(1) = n", "not the syntax of let"),
        ("let g(x) = n = 2", "'=' cannot stand in"),
        ("let g(x) = n, x", "expected one term"),
        ("let with = n", "with cannot be a name"),
        ("indicator g(x), x > 0", "not the syntax of indicator"),
        ("least g: i with i >= n", "not the syntax of least"),
        ("least g: i >= n\n    witness n", "not the syntax of least"),
        ("least g: i with i >= n\n    witness n, n", "expected one term"),
        ("least g: i with i >= n\n    from b()", "not the syntax of least"),
        ("recursion g(0) = 0, h(i + 1) = h(i)", "not the syntax of recursion"),
        ("recursion g(0, u) = 0, g(i + 1, v) = g(i, v)", "not the syntax of recursion"),
        ("recursion g(0) = 0, g(i + 2) = g(i)", "not the syntax of recursion"),
        ("recursion g(1) = 0, g(i + 1) = g(i)", "not the syntax of recursion"),
        ("recursion g(0) = 0, 1, g(i + 1) = g(i)", "expected one term"),
        ("recursion g(0) = 0, g(i + 1) = 1, g(i + 1) = 2", "cannot stand in"),
        ("include SMALL", "no steps SMALL above"),
        ("include LATER", "no steps LATER above"),
        ("apply a: shown of LATER\n    with k := n", "no theory LATER above"),
        ("apply a: shown of A\n    with k := n", "no theory A above"),
        ("apply a: shown of GIVEN\n    with k := n", "no theory GIVEN above"),
        ("apply a: given of SMALL\n    with k := n", "SMALL has no lemma given"),
        ("apply a: other of SMALL\n    with k := n", "SMALL has no lemma other"),
        ("apply a: shown of SMALL", "not the syntax of apply"),
        ("apply a: shown of SMALL\n    with k = n", "not a meaning of a symbol: 'k = n'"),
        ("apply a: shown of SMALL\n    with k := n;", "';' cannot stand in"),
        ("apply a: shown of SMALL\n    with or := n", "or cannot be a name"),
        ("apply a: shown of SMALL\n    with k := n, 2", "expected one term"),
        ("apply a: shown of SMALL\n    with k := (n; k := n)", "unbalanced parentheses"),
        ("apply a: shown of SMALL\n    with k := n\n    given b()", "not the syntax of apply"),
        ("apply a: shown of SMALL\n    with k := n\n    for from b()", "for cannot be a name"),
        ("apply a: shown of SMALL\n    with k := n\n    given from b() from c()", "from cannot"),
    ],
)
def test_other_statements_are_refused_with_their_line(statement: str, why: str) -> None:
    text = f"{HEAD}  assume sizes: n >= 1\n\n  {statement}\n  assume after: n >= 1\n"
    with pytest.raises(Unreadable, match=rf"(?s)\Aa\.proof:5: .*{why}"):
        read_blocks("a.proof", text, BEFORE)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("  assume a: n >= 0\n", 1, "no theory begins above this line"),
        ("    from a()\n", 1, "the indent is 4 spaces"),
        ("      more\n", 1, "the indent is 6 spaces"),
        ("lemma a: 0 == 0\n", 1, "expected theory or steps, found 'lemma'"),
        (f"{HEAD}end\n", 3, "expected theory or steps, found 'end'"),
        ("theory A\n", 1, "not the syntax of theory"),
        ("theory A First\n", 1, "not the syntax of theory"),
        ('theory A "First" more\n', 1, "not the syntax of theory"),
        ('theory A "First" "Second"\n', 1, "not the syntax of theory"),
        ('theory A "First\n    Second"\n', 1, "not the syntax of theory"),
        ('theory A-B "First"\n', 1, "not the syntax of theory"),
        ('theory for "First"\n', 1, "for cannot be a name"),
        ('steps A "First"\n', 1, "not the syntax of steps"),
        (f"{HEAD}\tassume a: n >= 0\n", 3, "a tab or another invisible character"),
        (f"{HEAD}  assume a: n >=\t0\n", 3, "a tab or another invisible character"),
        (f"{HEAD}  # a\tcomment\n", 3, "a tab or another invisible character"),
        (f"{HEAD}  assume a: n >= 0\r\n", 3, "a tab or another invisible character"),
        (f"{HEAD}  # \N{RIGHT-TO-LEFT OVERRIDE}\n", 3, "a tab or another invisible character"),
        (f"{HEAD}   assume a: n >= 0\n", 3, "the indent is 3 spaces"),
        (f"{HEAD}  assume a:\n     n >= 0\n", 4, "the indent is 5 spaces"),
        (f"{HEAD}\n{HEAD}", 4, "two theories are called A"),
        (f"{HEAD}\nsteps A\n", 4, "two theories are called A"),
        ('theory SMALL "Another"\n', 1, "two theories are called SMALL"),
        ('theory A "First"\n  extends GIVEN\n', 2, "no theory GIVEN above"),
        ('theory A "First"\n  extends A\n', 2, "no theory A above"),
        ('theory A "First"\n  extends B\n\ntheory B "Second"\n', 2, "no theory B above"),
        ('theory A "First"\n  symbols n\n  extends SMALL\n', 3, "found 'extends'"),
        ('theory A "First"\n  symbols n,\n', 2, "not the syntax of symbols"),
        ('theory A "First"\n  symbols n, f(1)\n', 2, "not the syntax of symbols"),
        ('theory A "First"\n  symbols n, if\n', 2, "if cannot be a name"),
        ("steps A\n  symbols n\n", 2, "found 'symbols'"),
        ("steps A\n  extends SMALL\n", 2, "found 'extends'"),
    ],
)
def test_other_files_are_refused_with_the_line(text: str, line: int, why: str) -> None:
    with pytest.raises(Unreadable, match=rf"\Aa\.proof:{line}: .*{why}"):
        read_blocks("a.proof", text, BEFORE)
