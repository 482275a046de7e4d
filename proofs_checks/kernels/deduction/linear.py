"""Linear arithmetic: can these terms all be at least 0 for rational values of their monomials?

If not, some combination with nonnegative multipliers is a negative number (Farkas' lemma). The
search is the incremental simplex method; users of a contradiction recompute its sum.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from flint import fmpq

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.deduction.formulas import Monomial, Term

Row = dict[int, fmpq]
_ZERO: Final = fmpq(0)
_ONE: Final = fmpq(1)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Terms that cannot all be at least 0, with multipliers for which the sum is negative."""

    multipliers: Mapping[Term, fmpq]

    def adds_up(self) -> bool:
        """Return whether all monomials of the sum cancel and the remaining constant is negative."""
        total: dict[Monomial, fmpq] = {}
        for term, multiplier in self.multipliers.items():
            for monomial, coefficient in term.parts:
                total[monomial] = total.get(monomial, _ZERO) + multiplier * coefficient
        constant = total.pop((), _ZERO)
        return (
            constant < 0
            and all(rest == 0 for rest in total.values())
            and all(multiplier >= 0 for multiplier in self.multipliers.values())
        )


@dataclass(slots=True)
class Tableau:
    """Terms that can all be at least 0, and values that show it.

    Columns are numbered: those of monomials are free, those of terms have a least value. `rows`
    writes the basic columns in the others. Only `extended` makes a new one; none is changed after.
    """

    columns: dict[Monomial, int] = field(default_factory=dict)
    rows: dict[int, Row] = field(default_factory=dict)
    values: list[fmpq] = field(default_factory=list)
    least: dict[int, fmpq] = field(default_factory=dict)
    terms: dict[int, Term] = field(default_factory=dict)

    def value(self, term: Term) -> fmpq:
        """The value of the term; monomials without a known value count as 0."""
        total = _ZERO
        for monomial, coefficient in term.parts:
            if not monomial:
                total += coefficient
            elif monomial in self.columns:
                total += coefficient * self.values[self.columns[monomial]]
        return total

    def extended(self, terms: tuple[Term, ...]) -> Tableau | Contradiction:
        """Add terms that must be at least 0; return values for all of them, or a contradiction."""
        new = Tableau(
            dict(self.columns),
            {basic: dict(row) for basic, row in self.rows.items()},
            list(self.values),
            dict(self.least),
            dict(self.terms),
        )
        known = set(self.terms.values())
        for term in terms:
            if term not in known:
                known.add(term)
                new._add(term)
        return new._repaired()

    def _add(self, term: Term) -> None:
        row: Row = {}
        constant = _ZERO
        for monomial, coefficient in term.parts:
            if not monomial:
                constant += coefficient
                continue
            if monomial not in self.columns:
                self.columns[monomial] = len(self.values)
                self.values.append(_ZERO)
            column = self.columns[monomial]
            _add_multiple(row, self.rows.get(column, {column: _ONE}), fmpq(coefficient))
        slack = len(self.values)
        self.values.append(sum((c * self.values[k] for k, c in row.items()), _ZERO))
        self.rows[slack], self.least[slack], self.terms[slack] = row, -constant, term

    def _repaired(self) -> Tableau | Contradiction:
        while True:
            short = [b for b in self.rows if b in self.least and self.values[b] < self.least[b]]
            if not short:
                return self
            basic = min(short)
            row = self.rows[basic]
            # Bland's rule, free columns first: these never leave the basis again.
            movable = [k for k, c in row.items() if c > 0 or self._can_fall(k)]
            if not movable:
                return Contradiction(
                    {self.terms[basic]: _ONE} | {self.terms[k]: -c for k, c in row.items()}
                )
            self._pivot(basic, min(movable, key=lambda k: (k in self.least, k)))

    def _can_fall(self, column: int) -> bool:
        return column not in self.least or self.values[column] > self.least[column]

    def _pivot(self, basic: int, entering: int) -> None:
        """Raise `basic` to its least value by changing `entering`, which becomes basic instead."""
        row = self.rows.pop(basic)
        pivot = row.pop(entering)
        step = (self.least[basic] - self.values[basic]) / pivot
        self.values[basic] = self.least[basic]
        self.values[entering] += step
        solved = {k: -c / pivot for k, c in row.items()} | {basic: 1 / pivot}
        for other, its_row in self.rows.items():
            if (factor := its_row.pop(entering, None)) is not None:
                self.values[other] += factor * step
                _add_multiple(its_row, solved, factor)
        self.rows[entering] = solved


def _add_multiple(row: Row, other: Row, factor: fmpq) -> None:
    for column, coefficient in other.items():
        total = row.get(column, _ZERO) + factor * coefficient
        if total != 0:
            row[column] = total
        else:
            row.pop(column, None)
