"""Lists the columns of thresholds, boxes or conjunctions on recorded rows, for certain STEEL.

A class may be infinite, but rows speak of a function only through its column: the rows on which it
is 1. So a certain run with such a class is one with a finite class, that of its columns. They are
listed here from the rows alone, row by row: a column goes on with 0, with 1, or with both, as the
class can separate rows. A column that rule R removes belongs to no cover of the rows so far, so no
column that goes on from it belongs to one. What is left is checked as any other certain run.

Other functions of the class may have the same column. So nothing is said of the claimed classifiers
but that they have the values of the labels on all rows, and are those of the declared rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from proofs_checks.checker import certain
from proofs_checks.checker.certain import View, transposed
from proofs_checks.checker.classes import Boxes, Conjunctions, Thresholds
from proofs_checks.checker.located_record import class_in
from proofs_checks.checker.reading import Finding, Malformed, Work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofs_checks.checker.certain import Column
    from proofs_checks.checker.classes import Class
    from proofs_checks.checker.reading import Document

Dataset = TypeVar("Dataset")

MOST_COLUMNS = 4096
"""With more columns on the rows so far, a certificate is refused as too costly."""
MOST_ROWS = 20_000
MOST_LISTING = 10**8
"""Steps of work for the list, whatever the size of the file: some ten seconds."""
_PRUNED_FROM = 64

RULES = certain.RULES | {
    "only": "no other columns of the class explain the rows: the others are removed by rows, or "
    "excluded by a proof",
    "rule": "the claimed classifiers have the values of the labels, and are those of the rule",
}

EXPLANATION = """\
Accepted means: in every world that fits the recorded rows and actions and the assumptions below,
the labels are the states and the table is the dynamics, up to names. The classifiers have the right
values on all recorded rows; other functions of the class have them, too, so on other rows nothing
is promised of them. This holds for every noise. No probability is involved."""


@dataclass(frozen=True, slots=True)
class Part(Generic[Dataset]):
    """A column, and the rows on which it is 0 and 1, as the class sees them."""

    column: Column
    zeros: Dataset
    ones: Dataset


class Listing(Generic[Dataset]):
    """The columns of a class on the rows so far."""

    def __init__(self, functions: Class[Dataset], work: Work, *, closed: bool) -> None:
        self.functions = functions
        self.work = work
        self.closed = closed
        """Whether functions are closed under intersection, as boxes are: then a zero is excluded
        with others if it is excluded alone."""
        self.parts = [Part(0, functions.nothing(), functions.nothing())]
        self.left = _PRUNED_FROM

    def add(self, row: Dataset, t: int) -> None:
        """Go on with row t, which is not one of the rows before."""
        self.parts = [new for part in self.parts for new in self._longer(part, row, t)]

    def _longer(self, part: Part[Dataset], row: Dataset, t: int) -> Iterator[Part[Dataset]]:
        f = self.functions
        if not f.separable(row, part.ones):
            yield Part(part.column | 1 << t, part.zeros, f.merged(part.ones, row))
            return
        zeros, ones = f.merged(part.zeros, row), f.merged(part.ones, row)
        if self.closed or f.separable(zeros, part.ones):
            yield Part(part.column, zeros, part.ones)
        if f.separable(part.zeros, ones):
            yield Part(part.column | 1 << t, part.zeros, ones)

    def repeat(self, first: int, t: int) -> None:
        """Go on with row t, which is the same as an earlier one."""
        self.parts = [
            replace(part, column=part.column | (part.column >> first & 1) << t)
            for part in self.parts
        ]

    def prune(self, t: int, taken: Sequence[Column], *, wholly: bool = False) -> None:
        """Remove columns that conflict with themselves on rows 0 to t, or that rule R removes.

        Rule R is used when there are twice as many columns as after the last time, and at the end.
        `taken` are the rows after which each action was taken.
        """
        before = (1 << t) - 1
        last = next((each & before for each in taken if t and each >> t - 1 & 1), 0)
        self.work.add((len(taken) + 2 * len(self.parts)) * (2 + (t >> 8)))
        view = View(t + 1, [each & before for each in taken], (), self.work, connected=True)
        parts = []
        for part in self.parts:
            way = (part.column & last) << 1
            if part.column & way in (0, way):
                parts.append(part)
        if wholly or len(parts) > 2 * self.left:
            seen = [part.column for part in parts if part.column]
            while True:
                kept = [each for each in seen if view.hits(view.compatible(each, seen))]
                if len(kept) == len(seen):
                    break
                seen = kept
            left = {0, *seen}
            parts = [part for part in parts if part.column in left]
            self.left = max(_PRUNED_FROM, len(parts))
        if len(parts) > MOST_COLUMNS:
            raise Malformed("", f"too costly: the rows have more than {MOST_COLUMNS:,} columns")
        self.parts = parts


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certain run with the columns of its class as a finite class."""

    base: certain.Certificate
    of_rule: bool
    """Whether each claimed classifier is the one of the declared rule."""


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if it is none."""
    work = Work(MOST_LISTING)
    functions = class_in(document.header.get("class"), None, work)
    for number, row in enumerate(document.rows):
        functions.require_row(row, f"rows[{number}]")
    match functions:
        case Thresholds():
            return _listed(document, functions, work, closed=False)
        case Boxes():
            return _listed(document, functions, work, closed=True)
        case Conjunctions():
            return _listed(document, functions, work, closed=True)
        case _:
            raise Malformed("class", "expected thresholds, boxes or conjunctions")


def is_listed(document: Document) -> bool:
    """Whether the class of a certain run is one whose columns have to be listed."""
    described = document.header.get("class")
    return isinstance(described, dict) and described.get("name") != "finite"


def _listed(
    document: Document, functions: Class[Dataset], work: Work, *, closed: bool
) -> Certificate:
    """List the columns, and return the certificate of the finite class that they are."""
    data = [functions.dataset(row) for row in document.rows]
    claim = document.claim.get("classifiers")
    if not isinstance(claim, list):
        raise Malformed("claim.classifiers", "expected a list")
    chosen = [functions.classifier(one, f"claim.classifiers[{n}]") for n, one in enumerate(claim)]

    def columns(order: Sequence[int], taken: Sequence[Column]) -> certain.Listed:
        if len(order) > MOST_ROWS or len(chosen) > MOST_COLUMNS:
            raise Malformed("", "too costly: too many rows or classifiers")
        listing, first = Listing(functions, work, closed=closed), dict[int, int]()
        for t, row in enumerate(order):
            if row in first:
                listing.repeat(first[row], t)
            else:
                first[row] = t
                listing.add(data[row], t)
            listing.prune(t, taken)
        listing.prune(len(order) - 1, taken, wholly=True)
        left = sorted(part.column for part in listing.parts if part.column)
        place = {column: f for f, column in enumerate(left)}
        values = (
            sum(functions.value(f, data[row]) << t for t, row in enumerate(order)) for f in chosen
        )
        return certain.Listed(
            len(left),
            dict(zip(order, transposed(left, len(order)), strict=True)),
            tuple(place.get(value, len(left)) for value in values),
        )

    base = certain.certificate_in(document, columns=columns)
    return Certificate(base, all(is_chosen(functions, f, data) for f in chosen))


def is_chosen(functions: Class[Dataset], classifier: object, data: Sequence[Dataset]) -> bool:
    """Whether a classifier is the one of the declared rule, given its values on the rows."""
    zeros = ones = functions.nothing()
    for row in data:
        if functions.value(classifier, row):
            ones = functions.merged(ones, row)
        else:
            zeros = functions.merged(zeros, row)
    return functions.is_chosen(classifier, zeros, ones)


def check(certificate: Certificate) -> list[Finding]:
    """Return the rules that a certificate breaks."""
    found = certain.check(certificate.base)
    if not certificate.of_rule:
        found.append(Finding("rule", "claim.classifiers", "not those of the declared rule"))
    return found
