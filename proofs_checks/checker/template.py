"""Checks a certain run with boxes or conjunctions, given that there are at most N states.

These classes tell nearly all rows apart, so their columns are too many to list. Instead a formula
says that N boxes label the rows: each row is in one of them, and equal actions have equal effects
(a conjunction is a box on bits). It is built here from the rows alone. What the labels of the
states say satisfies it, if there are at most N, whatever the noise does:

    y(r, s)     row r has label s, that is, it is in box s
    d(s, a, z)  action a leads from label s to label z
    u(r, s)     label s occurs among the rows 0 to r, which are numbered by their first occurrence
    bounds      the least number of box s in a feature is above a value, or the greatest below it

So if the formula, with a clause that says "not the claimed labels", has no solution, the claimed
labels are the states. The record has a proof of this: clauses of Lemma 2, and steps, each of which
names the clauses that it follows from. Nothing in it is believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.checker import certain, columns
from proofs_checks.checker.certain import View
from proofs_checks.checker.classes import Boxes, Conjunctions
from proofs_checks.checker.located_record import class_in
from proofs_checks.checker.reading import (
    Broken,
    Fields,
    Finding,
    Malformed,
    Work,
    findings_of,
    require,
    wholes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofs_checks.checker.certain import Column
    from proofs_checks.checker.classes import Class
    from proofs_checks.checker.columns import Dataset
    from proofs_checks.checker.reading import Document

Clause: TypeAlias = "Sequence[int]"
"""Variables, or their negations as negative numbers; one of them holds."""

MOST_WORK = 10**8
"""Steps of work for the formula and the proof, whatever the size of the file: some ten seconds."""

RULES = certain.RULES | {
    "only": "no other labels of the rows by at most max_states boxes exist: there is a proof",
    "bound": "there are at most max_states labels",
    "rule": columns.RULES["rule"],
}

EXPLANATION = """\
Accepted means: in every world with at most max_states states that fits the recorded rows and
actions and the assumptions below, the labels are the states and the table is the dynamics, up to
names. The classifiers have the right values on all recorded rows; other functions of the class have
them, too, so on other rows nothing is promised of them. This holds for every noise. No probability
is involved."""


@dataclass(frozen=True, slots=True)
class Stays:
    """Labels that are never left, and a row with another label, or none if there is one label."""

    table: tuple[tuple[int, tuple[int, ...]], ...]
    outside: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Step:
    """A clause, and the numbers of those from which it follows by unit propagation, in order."""

    clause: tuple[int, ...]
    follows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certain run with the classifiers that it claims, and the proof that no others fit."""

    base: certain.Certificate
    max_states: int
    ranks: tuple[tuple[Sequence[int], int], ...]
    """For each feature the rank of each different row among its values, and their number."""
    shown: tuple[int, ...]
    """The number of the different row that each row is."""
    stays: tuple[Stays, ...]
    steps: tuple[Step, ...]
    of_rule: bool
    work: Work


def is_bounded(document: Document) -> bool:
    """Whether a certain run has a bound on the number of states."""
    parameters = document.header.get("parameters")
    return isinstance(parameters, dict) and "max_states" in parameters


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if it is none."""
    work = Work(MOST_WORK)
    functions = class_in(document.header.get("class"), None, work)
    for number, row in enumerate(document.rows):
        functions.require_row(row, f"rows[{number}]")
    match functions:
        case Boxes():
            points = [functions.point(row) for row in document.rows]
            return _certificate(document, functions, points, work)
        case Conjunctions():
            whole = (int.from_bytes(row, "little") for row in document.rows)
            bits = [tuple(row >> i & 1 for i in range(functions.width)) for row in whole]
            return _certificate(document, functions, bits, work)
        case _:
            raise Malformed("class", "expected boxes or conjunctions")


def _certificate(
    document: Document, functions: Class[Dataset], points: Sequence[Sequence[float]], work: Work
) -> Certificate:
    data = [functions.dataset(row) for row in document.rows]
    claim = document.claim.get("classifiers")
    if not isinstance(claim, list):
        raise Malformed("claim.classifiers", "expected a list")
    chosen = [functions.classifier(one, f"claim.classifiers[{n}]") for n, one in enumerate(claim)]
    order = list[int]()

    def claimed(rows: Sequence[int], _taken: Sequence[Column]) -> certain.Listed:
        order.extend(rows)
        work.add(len(chosen) * len(data))
        values = {
            row: sum(functions.value(f, data[row]) << n for n, f in enumerate(chosen))
            for row in dict.fromkeys(rows)
        }
        return certain.Listed(len(chosen), values, tuple(range(len(chosen))))

    base = certain.certificate_in(
        document, more=("max_states",), columns=claimed, aside=("stays", "derivation")
    )
    parameters = Fields(
        document.header["parameters"], "parameters", "actions", "connected", "max_states"
    )
    different = {row: r for r, row in enumerate(dict.fromkeys(order))}
    stays, steps = list[Stays](), list[Step]()
    for number, line in enumerate(document.record):
        place = f"record[{number}]"
        match line.value.get("kind"):
            case "stays":
                fields = Fields(line.value, place, "kind", "table", "outside")
                outside = fields["outside"]
                pair = None if outside is None else _pair(outside, f"{place}.outside")
                stays.append(Stays(fields.list_of("table", _line), pair))
            case "derivation":
                steps += Fields(line.value, place, "kind", "steps").list_of("steps", _step)
            case _:
                continue
    work.add(len(different) * (1 + len(points[0]) if points else 1))
    return Certificate(
        base,
        parameters.whole("max_states"),
        tuple(_ranks([points[row] for row in different])),
        tuple(different[row] for row in order),
        tuple(stays),
        tuple(steps),
        all(columns.is_chosen(functions, f, data) for f in chosen),
        work,
    )


def _pair(value: object, place: str) -> tuple[int, int]:
    row, label = wholes(value, place, 2)
    return row, label


def _line(value: object, place: str) -> tuple[int, tuple[int, ...]]:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed(place, "expected a label and the labels after it")
    (label,) = wholes(value[:1], place, 1)
    return label, wholes(value[1], place)


def _step(value: object, place: str) -> Step:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], list):
        raise Malformed(place, "expected a clause and the numbers of others")
    literals = [each for each in value[0] if type(each) is int and each]
    if len(literals) != len(value[0]):
        raise Malformed(place, "expected whole numbers other than 0")
    return Step(tuple(literals), wholes(value[1], place))


def _ranks(points: Sequence[Sequence[float]]) -> Iterator[tuple[Sequence[int], int]]:
    """Yield what each feature says about the order of the rows, unless an earlier one says it."""
    known = set[tuple[int, ...]]()
    for feature in zip(*points, strict=True):
        values = sorted(set(feature))
        place = {value: i for i, value in enumerate(values)}
        rank = tuple(place[value] for value in feature)
        mirrored = tuple(len(values) - 1 - each for each in rank)
        if len(values) > 1 and rank not in known and mirrored not in known:
            known.add(rank)
            yield rank, len(values)


def check(c: Certificate) -> list[Finding]:
    """Return the rules that a certificate breaks."""
    return findings_of(c.base.document, _broken(c))


def _broken(c: Certificate) -> Iterator[Finding]:
    if not c.of_rule:
        yield Finding("rule", "claim.classifiers", "not those of the declared rule")
    found = answer_of(c)
    assumes = (*certain.assumed(c.base.record, found), "bounded")
    yield from certain.compared(c.base, found, assumes)


def answer_of(c: Certificate) -> certain.Answer:
    """Return the answer that the record proves; raise `Broken` if it proves none."""
    record = c.base.record
    certain.check_rows(record)
    view = View.of(record, c.work)
    claimed = view.columns
    require(len(claimed) <= c.max_states, "bound", "claim", "more labels than max_states")
    view.check_cover(claimed)
    labels = list[int]()
    for row, label in zip(c.shown, view.shown(claimed), strict=True):
        if row == len(labels):
            labels.append(label)
    _check_no_other(c, labels)
    return certain.Answer(
        table=view.table(claimed),
        encoders=tuple((label,) for label in range(len(claimed))),
        current=view.shown(claimed)[-1],
        supposes_two=True,
    )


def _check_no_other(c: Certificate, labels: Sequence[int]) -> None:
    """Raise `Broken` unless the proof shows that there are no labels but the claimed ones."""
    formula = Formula(c)
    names = dict[int, int]()
    for label in labels:
        names.setdefault(label, len(names))
    clauses: list[Clause] = [*formula.clauses(), formula.another([names[each] for each in labels])]
    for number, stays in enumerate(c.stays):
        message = "these labels can be left, or are all labels"
        require(formula.are_closed(stays), "only", f"stays[{number}]", message)
        clauses.append(formula.excluding(stays))
    for number, step in enumerate(c.steps):
        message = "the clause does not follow from those that it names"
        require(_follows(clauses, step, c.work), "only", f"derivation[{number}]", message)
        if not step.clause:
            return
        clauses.append(step.clause)
    raise Broken("only", "claim", "the proof does not end in a contradiction")


def _follows(clauses: Sequence[Clause], step: Step, work: Work) -> bool:
    """Whether a clause follows: its literals false, the named ones lead to a contradiction."""
    true = {-literal for literal in step.clause}
    work.add(2 + len(step.clause))
    for number in step.follows:
        if number >= len(clauses):
            return False
        work.add(2 + len(clauses[number]))
        left = {literal for literal in clauses[number] if -literal not in true}
        if not left:
            return True
        if len(left) > 1:
            return False
        true |= left
    return False


class Formula:
    """The clauses in their order; a row is the number of a different row, a label is below N."""

    def __init__(self, c: Certificate) -> None:
        self.c = c
        self.labels = range(c.max_states)
        self.rows = range(max(c.shown) + 1)
        self.actions = range(c.base.record.actions)
        n, height = c.max_states, len(self.rows)
        bounds = [2 * (values - 1) for _, values in c.ranks]
        self.first_bound = 1 + n * (2 * height + len(self.actions) * n)
        self.before = [sum(bounds[:j]) for j in range(len(bounds) + 1)]
        c.work.add(n * height * (4 * len(bounds) + n) + n**2 * len(c.shown) + n**3)

    def clauses(self) -> Iterator[Clause]:
        for r in self.rows:
            yield [self.y(r, s) for s in self.labels]
            for s, z in combinations(self.labels, 2):
                yield -self.y(r, s), -self.y(r, z)
        for s in self.labels:
            yield from self._box(s)
        (path,) = self.c.base.record.trajectories
        steps = ((r, a, t) for (r, t), a in zip(pairwise(self.c.shown), path.actions, strict=True))
        for before, action, after in dict.fromkeys(steps):
            for s in self.labels:
                for z in self.labels:
                    yield -self.y(before, s), -self.y(after, z), self.d(s, action, z)
        for s in self.labels:
            for action in self.actions:
                for z, w in combinations(self.labels, 2):
                    yield -self.d(s, action, z), -self.d(s, action, w)
        for s in self.labels:
            if s:
                yield (-self.y(0, s),)
            yield -self.u(0, s), self.y(0, s)
            for r in self.rows[1:]:
                if s:
                    yield -self.y(r, s), self.u(r - 1, s - 1)
                yield -self.u(r, s), self.u(r - 1, s), self.y(r, s)

    def _box(self, s: int) -> Iterator[Clause]:
        for j, (_, values) in enumerate(self.c.ranks):
            for i in range(values - 2):
                yield -self.above(s, j, i + 1), self.above(s, j, i)
                yield -self.below(s, j, i + 1), self.below(s, j, i + 2)
        for r in self.rows:
            outside = list[int]()
            for j, (rank, values) in enumerate(self.c.ranks):
                outside += [self.above(s, j, rank[r])] if rank[r] < values - 1 else []
                outside += [self.below(s, j, rank[r])] if rank[r] > 0 else []
            for bound in outside:
                yield -self.y(r, s), -bound
            yield [self.y(r, s), *outside]

    def another(self, labels: Sequence[int]) -> Clause:
        """Some row has another label than these."""
        return [-self.y(r, label) for r, label in enumerate(labels)]

    def are_closed(self, stays: Stays) -> bool:
        """Whether the clause holds by Lemma 2: labels that are never left are all labels."""
        closed = {label for label, _ in stays.table}
        if not closed or len(closed) < len(stays.table):
            return False
        for label, line in stays.table:
            if label not in self.labels or len(line) != len(self.actions) or {*line} - closed:
                return False
        if stays.outside is None:
            return len(closed) == 1
        row, label = stays.outside
        return row in self.rows and label in self.labels and label not in closed

    def excluding(self, stays: Stays) -> Clause:
        moves = [-self.d(label, a, to) for label, line in stays.table for a, to in enumerate(line)]
        return moves if stays.outside is None else [*moves, -self.y(*stays.outside)]

    # --- the variables

    def y(self, r: int, s: int) -> int:
        return 1 + r * len(self.labels) + s

    def d(self, s: int, action: int, z: int) -> int:
        n = len(self.labels)
        return 1 + n * (len(self.rows) + s * len(self.actions) + action) + z

    def u(self, r: int, s: int) -> int:
        n = len(self.labels)
        return 1 + n * (len(self.rows) + len(self.actions) * n + r) + s

    def above(self, s: int, j: int, value: int) -> int:
        """The least number of box s in feature j is above the value with this rank."""
        return self.first_bound + s * self.before[-1] + self.before[j] + value

    def below(self, s: int, j: int, value: int) -> int:
        """The greatest number of box s in feature j is below the value with this rank."""
        _, values = self.c.ranks[j]
        return self.above(s, j, 0) + values - 2 + value
