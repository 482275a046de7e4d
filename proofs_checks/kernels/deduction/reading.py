"""Reads theories from text, the files `proofs_checks/proofs/*.proof`.

This is the complete syntax. A theory lists its symbols, and then what is assumed, defined and shown
about them, in an order in which each step uses only earlier ones:

    # A comment goes to the end of the line.
    steps BOUNDED
      assume bounded for i, if 0 <= i < S: 0 <= f(i) < S

    theory ORBITS "Orbits"
      symbols S, f(i)
      assume sizes: S >= 1
      include BOUNDED                          # the steps of BOUNDED stand here
      let double(x) = 2 * x                    # gives the rule double_is(x)
      indicator small(x): double(x) < S        # 1 where this holds, else 0: small_is(x)
      recursion p(0, u) = u, p(n + 1, u) = f(p(n, u))    # p_start(u) and p_next(n, u)
      lemma room: 0 <= f(0) < S
        from sizes(), bounded(0)
      lemma stays for n, u, if n >= 0, 0 <= u < S: 0 <= p(n, u) < S
        by induction on n, from p_start(u), p_next(n - 1, u), bounded(p(n - 1, u)),
          stays(n - 1, u)
      # The least i >= 0 with a property that the witness has: half_holds(u) and half_least(u, i).
      least half(u), if u >= 0: i with double(i) >= u
        witness u, from double_is(u)

    theory ROTATIONS "Rotations"
      extends ORBITS                           # its symbols and its steps come first
      symbols t
      assume late, if S >= 2: t >= S
      # A lemma of another theory, with a meaning for each of its symbols. In this meaning, each
      # hypothesis of that theory follows from the instances after its name. What that theory
      # defines may get a meaning, too; then the rules of the definition are hypotheses.
      apply room_later for k, if k >= S: room of ORBITS
        with S := k; f(i) := k - 1
        sizes from sizes()
        bounded from sizes()

`for …` and `, if …` may be left out, and so may `from …` and `by induction on …`. Formulas are made
of `== != <= < >= >`, `and or not`, `implies(a, b)`, `iff(a, b)`; commas between formulas mean that
all hold. Terms are made of `+ - * // %`, whole numbers, names and functions.

Theories and steps begin in column 0, their statements after 2 spaces, the reasons after 4. A line
after 6 or more spaces continues the line above it. Names are unique over all files, and a name is
used only after the theory or the steps that it names. Anything else raises `Unreadable`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from keyword import kwlist
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.notation import read_formula, read_terms, read_uses
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
from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.layout import Unreadable, code_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

Block = Theory | tuple[Step, ...]
"""What can have a name in a file: a theory, or steps that theories include."""

LOGICAL: Final = frozenset({"and", "or", "not", "implies", "iff"})
"""Words of formulas; they cannot be names."""

RESERVED: Final = frozenset(kwlist) - LOGICAL | {"by", "of", "witness"}
"""Words that separate fields, and the keywords of Python; they cannot occur inside fields."""

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_NAMES: Final = rf"{_NAME}(?:, {_NAME})*"
_SYMBOL: Final = rf"{_NAME}(?:\({_NAMES}\))?"
_TOKEN: Final = re.compile(rf"{_NAME}|[0-9]+(?![A-Za-z0-9_])|//|[=!<>]=|[-+*%<>(), ]")
_IF: Final = r"(?:, if (?P<given>.+?))?"
_STATED: Final = rf"(?P<name>{_NAME})(?: for (?P<each>{_NAMES}))?{_IF}"
_RECURSIVE: Final = (
    rf"(?P<name>{_NAME})\(0(?P<others>(?:, {_NAME})*)\) = (?P<start>.+),"
    rf" (?P=name)\((?P<n>{_NAME}) \+ 1(?P=others)\) = (?P<following>.+)"
)
_SYNTAX: Final = {
    "theory": rf'(?P<name>{_NAME}) "(?P<title>[^"\n]+)"',
    "steps": rf"(?P<name>{_NAME})",
    "extends": rf"(?P<name>{_NAME})",
    "symbols": rf"(?P<symbols>{_SYMBOL}(?:, {_SYMBOL})*)",
    "include": rf"(?P<name>{_NAME})",
    "assume": rf"{_STATED}: (?P<then>.+)",
    "lemma": rf"{_STATED}: (?P<then>.+)"
    r"(?:\n(?:by induction on (?P<induction>.+?), )?from (?P<by>.+))?",
    "let": rf"(?P<symbol>{_SYMBOL}) = (?P<value>.+)",
    "least": rf"(?P<symbol>{_SYMBOL}){_IF}: (?P<number>{_NAME}) with (?P<such_that>.+)"
    r"\nwitness (?P<witness>.+?)(?:, from (?P<by>.+))?",
    "recursion": _RECURSIVE,
    "indicator": rf"(?P<symbol>{_SYMBOL}): (?P<holds>.+)",
    "apply": rf"{_STATED}: (?P<lemma>{_NAME}) of (?P<theory>{_NAME})"
    rf"\nwith (?P<meaning>.+)(?P<reasons>(?:\n{_NAME} from .+)*)",
}
"""What follows each keyword. Reasons are on a line of their own."""

_MAKES: Final[Mapping[str, type[Assume | Indicator | Least | Lemma | Let]]] = {
    "assume": Assume,
    "indicator": Indicator,
    "least": Least,
    "lemma": Lemma,
    "let": Let,
}
_STEPS: Final = ("apply", "assume", "include", "indicator", "least", "lemma", "let", "recursion")
_FORMULAS: Final = ("given", "then", "such_that", "holds")
_TERMS: Final = ("value", "start", "following", "witness", "induction", "meaning")
_EXPRESSIONS: Final = (*_FORMULAS, *_TERMS, "by")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A line with the lines that continue it, and its reasons, separated by line breaks."""

    place: str
    text: str

    @property
    def keyword(self) -> str:
        return re.split("[ \n]", self.text)[0]

    def refused(self, why: str) -> Unreadable:
        return Unreadable(f"{self.place}: {why}")

    def fields(self) -> dict[str, str]:
        """What the syntax names in the text, each part checked; parts left out are empty."""
        rest = self.text[len(self.keyword) + 1 :]
        found = re.fullmatch(_SYNTAX[self.keyword], rest)
        if found is None:
            raise self.refused(f"not the syntax of {self.keyword}: {self.text!r}")
        parts = {name: part or "" for name, part in found.groupdict().items()}
        for name, part in parts.items():
            if part and name not in ("title", "meaning", "reasons"):
                self.check(name, part)
        return parts

    def check(self, field: str, text: str) -> None:
        """Refuse what cannot stand in this field."""
        if odd := _TOKEN.sub("", text):
            raise self.refused(f"{odd!r} cannot stand in {text!r}")
        reserved = RESERVED if field in _EXPRESSIONS else RESERVED | LOGICAL
        if words := reserved.intersection(re.findall(_NAME, text)):
            raise self.refused(f"{', '.join(sorted(words))} cannot be a name in {text!r}")
        depths = list(accumulate((letter == "(") - (letter == ")") for letter in text))
        if min(depths) < 0 or depths[-1] != 0:
            raise self.refused(f"unbalanced parentheses in {text!r}")
        try:
            if field in _FORMULAS:
                read_formula(text)
            elif field == "by":
                read_uses(text)
            elif field in _TERMS and len(read_terms(text)) != 1:
                raise self.refused(f"expected one term, found {text!r}")
        except NotEarned as error:
            raise self.refused(str(error)) from error


def read_blocks(file: str, text: str, earlier: Mapping[str, Block]) -> dict[str, Block]:
    """Read a file of theories, which may name `earlier` ones; return these and the new ones.

    Raises `Unreadable`, with the file's name and the line, for anything outside of the syntax.
    """
    known = dict(earlier)
    blocks: list[tuple[_Statement, list[_Statement]]] = []
    for indent, statement in _statements(file, text):
        if indent == 0:
            blocks.append((statement, []))
        elif blocks:
            blocks[-1][1].append(statement)
        else:
            raise statement.refused("no theory begins above this line")
    for header, statements in blocks:
        if header.keyword not in ("theory", "steps"):
            raise header.refused(f"expected theory or steps, found {header.keyword!r}")
        fields = header.fields()
        if fields["name"] in known:
            raise header.refused(f"two theories are called {fields['name']}")
        known[fields["name"]] = (
            _theory(fields["title"], statements, known)
            if header.keyword == "theory"
            else _steps(statements, known)
        )
    return known


def _statements(file: str, text: str) -> list[tuple[int, _Statement]]:
    """Return the statements with their indents, 0 or 2."""
    found: list[tuple[int, _Statement]] = []
    for place, indent, words in code_lines(file, text):
        if not words.isascii():
            raise Unreadable(f"{place}: a character that is not ASCII, outside of a comment")
        if indent in (0, 2):
            found.append((indent, _Statement(place, words)))
        elif found and (indent == 4 or indent >= 6):
            above, begun = found[-1]
            joint = "\n" if indent == 4 else " "
            found[-1] = above, _Statement(begun.place, f"{begun.text}{joint}{words}")
        else:
            raise Unreadable(f"{place}: the indent is {indent} spaces, not 0, 2, 4 or at least 6")
    return found


def _theory(title: str, statements: list[_Statement], known: Mapping[str, Block]) -> Theory:
    """A theory: it may begin with `extends` and with `symbols`, in this order."""
    base, own = Theory(title, "", ()), ""
    if statements and statements[0].keyword == "extends":
        base = _named_theory(statements[0], statements[0].fields()["name"], known)
        statements = statements[1:]
    if statements and statements[0].keyword == "symbols":
        own = statements[0].fields()["symbols"]
        statements = statements[1:]
    symbols = ", ".join(part for part in (base.symbols, own) if part)
    return Theory(title, symbols, (*base.steps, *_steps(statements, known)))


def _steps(statements: list[_Statement], known: Mapping[str, Block]) -> tuple[Step, ...]:
    found: list[Step] = []
    for statement in statements:
        if statement.keyword not in _STEPS:
            raise statement.refused(f"expected {', '.join(_STEPS)}, found {statement.keyword!r}")
        fields = statement.fields()
        if statement.keyword == "include":
            block = known.get(fields["name"])
            if not isinstance(block, tuple):
                raise statement.refused(f"no steps {fields['name']} above or in earlier files")
            found += block
        elif statement.keyword == "apply":
            found.append(_application(statement, fields, known))
        elif statement.keyword == "recursion":
            symbol = f"{fields['name']}({fields['n']}{fields['others']})"
            found.append(Recursion(symbol, fields["start"], fields["following"]))
        else:
            found.append(_MAKES[statement.keyword](**fields))
    return tuple(found)


def _application(
    statement: _Statement, fields: dict[str, str], known: Mapping[str, Block]
) -> Apply:
    """A lemma of an earlier theory."""
    theory, lemma = _named_theory(statement, fields["theory"], known), fields["lemma"]
    if not any(isinstance(step, Lemma | Apply) and step.name == lemma for step in theory.steps):
        raise statement.refused(f"{fields['theory']} has no lemma {lemma}")
    for meaning in fields["meaning"].split("; "):
        given = re.fullmatch(rf"({_SYMBOL}) := (.+)", meaning)
        if given is None:
            raise statement.refused(f"not a meaning of a symbol: {meaning!r}")
        statement.check("symbol", given[1])
        statement.check("meaning", given[2])
    reasons = []
    for line in fields["reasons"].split("\n")[1:]:
        name, _, by = line.partition(" from ")
        statement.check("name", name)
        statement.check("by", by)
        reasons.append((name, by))
    return Apply(
        fields["name"],
        fields["each"],
        fields["given"],
        theory,
        lemma,
        fields["meaning"],
        tuple(reasons),
    )


def _named_theory(statement: _Statement, name: str, known: Mapping[str, Block]) -> Theory:
    block = known.get(name)
    if not isinstance(block, Theory):
        raise statement.refused(f"no theory {name} above or in earlier files")
    return block
