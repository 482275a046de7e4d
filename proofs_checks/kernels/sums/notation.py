"""Reads formulas, statements and sums of nonnegative parts; `reading` shows the notation."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

from proofs_checks.kernels.layout import Unreadable
from proofs_checks.kernels.sums.building import Function, exponential, moved, number
from proofs_checks.kernels.sums.expressions import Expression, constant, indices, total
from proofs_checks.kernels.sums.indices import Index, numeral
from proofs_checks.kernels.sums.statements import (
    Absolute,
    Counted,
    Excess,
    Growing,
    Known,
    Lambda,
    Others,
    Part,
    Power,
    Square,
    Statement,
    Triangle,
    Unsigned,
)
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from proofs_checks.kernels.sums.statements import Gap

Meaning = Index | tuple[str, ...] | Lambda
"""What a name stands for: an index, a function of indices of these sorts, or an abbreviation."""

NAME: Final = r"[^\W\d]\w*['₊₋⁺⁻]*"
_WORD: Final = re.compile(rf"{NAME}|[0-9]+(?![\w.])|\[[^][]+\]|:=|[-+*/(),|≤=]")
_GAPS: Final = ("excess", "growing", "natural", "others", "square", "triangle", "unsigned")
RESERVED: Final = frozenset({"Σ", "exp", "algebra", *_GAPS})
"""Words of formulas and of reasons; they cannot be names."""

Item = TypeVar("Item")


class Cursor:
    """Reads a text from left to right; raises `Unreadable` for anything unexpected.

    After an induction has fixed an index (in `fixed`), facts about all its values are used there.
    """

    def __init__(
        self,
        place: str,
        text: str,
        names: Mapping[str, Meaning],
        facts: Mapping[str, Statement],
        fixed: frozenset[Index],
    ) -> None:
        self._place, self._names, self._facts, self._fixed = place, names, facts, fixed
        self._words, self._at = _WORD.findall(text), 0
        if odd := _WORD.sub("", text).replace(" ", ""):
            raise self._refused(f"{odd!r} cannot stand in {text!r}")

    def whole(self, read: Callable[[], Item]) -> Item:
        """Read the whole text with this function; nothing may be left."""
        try:
            found = read()
        except InvalidArgument as error:
            raise self._refused(str(error)) from error
        if self._word:
            raise self._refused(f"expected the end, found {self._word!r}")
        return found

    def _refused(self, why: str) -> Unreadable:
        return Unreadable(f"{self._place}: {why}")

    @property
    def _word(self) -> str:
        """The next word; empty at the end."""
        return self._words[self._at] if self._at < len(self._words) else ""

    def _take(self) -> str:
        word = self._word
        self._at += 1
        return word

    def _skip(self, word: str) -> bool:
        """Read the next word if it is this one; return whether it was."""
        found = self._word == word
        self._at += found
        return found

    def _expect(self, word: str) -> None:
        if not self._skip(word):
            raise self._refused(f"expected {word!r}, found {self._word or 'the end'!r}")

    def _listed(self, item: Callable[[], Item]) -> list[Item]:
        """Read `(item, item, …)`."""
        self._expect("(")
        found = [item()]
        while self._skip(","):
            found.append(item())
        self._expect(")")
        return found

    def _bracket(self) -> str:
        """Read `[…]`, and return what is inside."""
        word = self._take()
        if not word.startswith("["):
            raise self._refused(f"expected […], found {word or 'the end'!r}")
        return word[1:-1]

    # --- indices ----------------------------------------------------------------------------------

    def variable(self, name: str) -> Index:
        """Return the variable with this name; raise `Unreadable` if there is none."""
        found = self._names.get(name)
        if not isinstance(found, Index) or not found.is_variable:
            raise self._refused(f"{name!r} is not a variable")
        return found

    def _over(self) -> tuple[Index, ...]:
        """Read `[x, y]`, the indices of a sum."""
        return tuple(self.variable(name) for name in self._bracket().split(", "))

    def index(self) -> Index:
        """Read an index: `3`, `x`, `j + 1` or `ℓ(j) + 1`."""
        name = self._take()
        if name.isdecimal():
            return numeral(int(name))
        found = self._names.get(name)
        if not isinstance(found, Index):
            raise self._refused(f"{name or 'the end'!r} is not an index")
        found = self._applied(found)
        if self._skip("+"):
            if not self._word.isdecimal():
                raise self._refused(f"expected a number after {found} +, found {self._word!r}")
            found = found + int(self._take())
        return found

    def _applied(self, found: Index) -> Index:
        """The index with its arguments, marked as fixed if an induction has fixed it."""
        at = self._arguments(found.name, tuple(each.sort for each in found.of))
        return replace(found, of=at, fixed=found.fixed or found in self._fixed)

    def _arguments(self, name: str, sorts: tuple[str, ...]) -> tuple[Index, ...]:
        at = tuple(self._listed(self.index)) if self._word == "(" else ()
        if tuple(index.sort for index in at) != sorts:
            raise self._refused(f"the arguments of {name} are ({', '.join(sorts)})")
        return at

    # --- formulas ---------------------------------------------------------------------------------

    def statement(self) -> Statement:
        """Read `left ≤ right` or `left = right`."""
        left, equal = self.formula(), self._skip("=")
        if not equal:
            self._expect("≤")
        return Statement(left, "=" if equal else "≤", self.formula())

    def formula(self) -> Expression:
        """Read a sum of products; `Σ[x]` before a product sums the whole product."""
        found = self._product()
        while self._word in ("+", "-"):
            found = found + self._product() if self._take() == "+" else found - self._product()
        return found

    def _product(self) -> Expression:
        if self._skip("-"):
            return -self._product()
        if self._skip("Σ"):
            return total(self._over(), self._product())
        found = self._factor()
        while self._word in ("*", "/"):
            if self._take() == "/":
                found = found * self._inverse()
            else:
                found = found * (self._product() if self._word == "Σ" else self._factor())
        return found

    def _factor(self) -> Expression:
        name = self._take()
        if name.isdecimal():
            return constant(int(name))
        if name == "(":
            return self._until(")")
        if name == "|":
            return abs(self._until("|"))
        if name == "exp":
            return exponential(self._argument())
        match self._names.get(name):
            case Index() as found:
                return number(self._applied(found))
            case Lambda(arguments, body):
                at = self._arguments(name, tuple(each.sort for each in arguments))
                return moved(body, dict(zip(arguments, at, strict=True))) if at else body
            case tuple() as sorts:
                return Function(name)(*self._arguments(name, sorts))
        raise self._refused(f"{name or 'the end'!r} is not known here")

    def _argument(self) -> Expression:
        self._expect("(")
        return self._until(")")

    def _until(self, end: str) -> Expression:
        found = self.formula()
        self._expect(end)
        return found

    def _inverse(self) -> Fraction:
        value = self.value(self._factor())
        if value == 0:
            raise self._refused("a division by 0")
        return 1 / value

    def value(self, of: Expression) -> Fraction:
        """The value of an expression that is a rational number; otherwise raise `Unreadable`."""
        value = of.terms[0][1] if of.terms else Fraction(0)
        if of != constant(value):
            raise self._refused(f"{of} is not a rational number")
        return value

    # --- what is at least 0 -----------------------------------------------------------------------

    def parts(self) -> tuple[Part, ...]:
        """Read a sum of products of gaps, such as `Σ[x] 1/2*[w ≥ 0]*excess(d(x)) + [mixed]`."""
        found = [self._part(-1 if self._skip("-") else 1)]
        while self._word in ("+", "-"):
            found.append(self._part(1 if self._take() == "+" else -1))
        return tuple(found)

    def _part(self, sign: int) -> Part:
        over = self._over() if self._skip("Σ") else ()
        gaps: list[Gap] = []
        times = constant(sign)
        while True:
            if self._word.startswith("[") or self._word in ("|", "exp", *_GAPS):
                gaps.append(self._gap())
            else:
                times = times * self._factor()
            while self._skip("/"):
                times = times * self._inverse()
            if not self._skip("*"):
                return Part(tuple(gaps), over, times)

    def _gap(self) -> Gap:
        if self._word.startswith("["):
            return Known(*self._fact_at())
        match self._take():
            case "|":
                return Absolute(self._until("|"))
            case "unsigned":
                return Unsigned(*self._fact_at())
            case "growing":
                return Growing(*self._fact_at())
            case "others":
                index = self.variable(self._bracket())
                return Others(self._fact(), index)
            case "triangle":
                over = self._over() if self._word != "(" else ()
                return Triangle(over, tuple(self._listed(self.formula)))
            case "natural":
                self._expect("(")
                counted = Counted(self.index())
                self._expect(")")
                return counted
            case "excess":
                return Excess(self._argument())
            case "square":
                return Square(self._argument())
            case _:
                return Power(self._argument())

    def _fact(self) -> str:
        name = self._bracket()
        if name not in self._facts:
            raise self._refused(f"{name} is not a fact that is known here")
        return name

    def _fact_at(self) -> tuple[str, dict[Index, Index]]:
        """Read `[fact]`, or `[fact](x := y, j := j + 1)` at other indices."""
        name = self._fact()
        free = indices(self._facts[name].gap)
        at = {each: replace(each, fixed=True) for each in self._fixed & free}
        for index, to in self._listed(self._assigned) if self._word == "(" else ():
            if index not in free or index.sort != to.sort:
                raise self._refused(f"{to} cannot replace {index} in {name}")
            at[index] = to
        return name, at

    def _assigned(self) -> tuple[Index, Index]:
        index = self.variable(self._take())
        self._expect(":=")
        return index, self.index()
