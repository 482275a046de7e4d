"""Which models with at most N states the rows leave, if each state is shown by a box.

Boxes of floats, or conjunctions of many bits, tell nearly all rows apart: then there are too many
columns to list, and each row may be a state of its own. A bound N on the number of states excludes
that. Here N boxes are unknowns of a formula, a *template*; a conjunction is a box on bits.

A *labelling* gives each row one of N labels, so that some box has the rows of each label and no
other ones, and equal actions have equal effects. The variables of the formula:

    y(r, s)     row r has label s, that is, it is in box s
    d(s, a, z)  action a leads from label s to label z; for each s and a to one z at most
    u(r, s)     label s occurs among the rows 0 to r; names are in the order of first occurrence
    bounds      the least number of box s in a feature is above a value, or the greatest below it

    Theorem 6, with N. If there are at most N states and the formula, with the clauses of Lemma 2,
    has one labelling, in which every action was taken at every label, then it is that of the
    states, and its table is T. For that of the states is a labelling, if d(s, a, z) says T(s, a) =
    z for all states, also those that were not visited.

Names in order make labellings with the same partition equal, so "another labelling" is one clause.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, combinations, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.classes.columns import no_rows, row_in, summary_of
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes
from steel_verified.evidence.oracle import with_others
from steel_verified.learning.covers import Clause, nearest_first
from steel_verified.learning.deciding import UNDECIDED, Decided, Refuted
from steel_verified.learning.refutations import derivation
from steel_verified.learning.results import encode
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from pysat.solvers import Solver

    from steel_verified.classes.rows import Rows
    from steel_verified.evidence.oracle import Classifier
    from steel_verified.learning.deciding import Decision
    from steel_verified.learning.knowledge import Trajectory
    from steel_verified.learning.refutations import Derived

Bounded: TypeAlias = Boxes | Conjunctions
"""The classes with a template."""

MOST_WORK: Final = 300_000_000
"""The searches of a run are given up after so many propagations of the solver: some two minutes."""
_CLAUSE: Final = 10
"""To write a clause of a formula takes as long as so many propagations."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """A label for each different row, and what follows: the transitions and the present label."""

    labels: tuple[int, ...]
    table: Mapping[int, tuple[int | None, ...]]
    here: int

    @property
    def is_complete(self) -> bool:
        """Whether every action was taken at every label."""
        return not any(None in line for line in self.table.values())


@dataclass(frozen=True, slots=True)
class Closed:
    """Labels that are never left, so that they are all labels (Lemma 2), and a row with another.

    There is no such row if there is one label: it cannot be the only one, as there are two states.
    """

    table: Mapping[int, tuple[int, ...]]
    outside: tuple[int, int] | None
    """The row and its label."""


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """The rows so far, in the order of their first occurrence, and the actions between them."""

    functions: Bounded
    max_states: int
    actions: int
    rows: Rows
    place: Mapping[int, int]
    """The place of each packed row."""
    seen: tuple[int, ...] = ()
    """The place of the row after each step."""
    taken: tuple[int, ...] = ()
    """The actions between these."""

    def with_row(self, action: int, packed: int) -> Template:
        """Return the template with one more step; there is no action before the first row."""
        rows, place = self.rows, self.place
        if packed not in place:
            rows = np.concatenate([rows, row_in(self.functions, packed)[None]])
            place = {**place, packed: len(place)}
        taken = (*self.taken, action) if self.seen else ()
        return replace(self, rows=rows, place=place, seen=(*self.seen, place[packed]), taken=taken)

    def labelling(self, labels: tuple[int, ...]) -> Labelling:
        """Return the labelling with these labels of the different rows."""
        table: dict[int, list[int | None]] = {
            label: [None] * self.actions for label in range(max(labels) + 1)
        }
        for (before, after), action in zip(pairwise(self.seen), self.taken, strict=True):
            table[labels[before]][action] = labels[after]
        lines = {label: tuple(line) for label, line in table.items()}
        return Labelling(labels, lines, labels[self.seen[-1]])

    def extended(self, old: Labelling) -> Labelling | None:
        """Return a labelling of the rows before, with a label for the last one; None if none fits.

        A new row gets the label that is predicted; if none is, the first one that fits.
        """
        last, action = self.seen[-1], self.taken[-1]
        predicted = old.table[old.here][action]
        if last < len(old.labels):
            fits = predicted in (None, old.labels[last])
            labels = old.labels if fits else None
        else:
            new = len(old.table)
            wanted = [*range(min(new + 1, self.max_states))] if predicted is None else [predicted]
            longer = ((*old.labels, label) for label in wanted)
            labels = next((each for each in longer if self._is_apart(each)), None)
        if labels is None:
            return None
        found = self.labelling(labels)
        return None if self.closed(found) else found

    def _is_apart(self, labels: tuple[int, ...]) -> bool:
        """Whether the box of the last row's label has no other rows, and no other box has it."""
        rows, of = self.rows, np.array(labels)
        own = of == of[-1]
        if not own[:-1].any():
            boxes = [(rows[of == label], label) for label in set(labels[:-1])]
            return not any(_within(rows[-1:], box).any() for box, _ in boxes)
        others = {label for label in labels if label != labels[-1]}
        if _within(rows[~own], rows[own]).any():
            return False
        return not any(_within(rows[-1:], rows[of == label]).any() for label in others)

    def closed(self, labelling: Labelling) -> Closed | None:
        """Return labels that cannot all be true, by Lemma 2; None if there are none."""
        reached = nearest_first(labelling.table, labelling.here)
        table = dict[int, tuple[int, ...]]()
        for label in reached:
            line = tuple(to for to in labelling.table[label] if to is not None)
            if len(line) < self.actions:
                return None
            table[label] = line
        others = ((r, label) for r, label in enumerate(labelling.labels) if label not in table)
        if (outside := next(others, None)) is not None:
            return Closed(table, outside)
        return Closed(table, None) if len(table) == 1 else None

    def labels_by(self, classifiers: Sequence[Classifier]) -> tuple[int, ...]:
        """Return the label of each row, named in the order of their first occurrence."""
        if isinstance(self.functions, Conjunctions):
            found = encode(self.functions, classifiers, self.rows.astype(np.bool_))
        else:
            found = encode(self.functions, classifiers, self.rows)
        names = dict[int, int]()
        return tuple(names.setdefault(label, len(names)) for label in found.tolist())

    def classifiers(self, labels: Sequence[int]) -> tuple[Classifier, ...]:
        """Return for each label the function that the rule of the class chooses."""
        of = np.array(labels)
        rows = (self.rows[of == label] for label in range(max(labels) + 1))
        parts = with_others(self.functions, [summary_of(self.functions, each) for each in rows])
        found = (self.functions.separating(*pair) for pair in parts)
        return tuple(each for each in found if each is not None)


def _within(rows: Rows, box: Rows) -> NDArray[np.bool_]:
    """Return which rows are in the smallest box around others."""
    inside: NDArray[np.bool_] = ((box.min(axis=0) <= rows) & (rows <= box.max(axis=0))).all(axis=1)
    return inside


def no_template(functions: Bounded, max_states: int, actions: int) -> Template:
    """Return the template before the first row."""
    return Template(functions, max_states, actions, no_rows(functions), {})


@dataclass(frozen=True, slots=True)
class Found:
    """The labellings that a search found."""

    labellings: tuple[Labelling, ...]
    are_all: bool
    """Whether there are no others; False if enough were found, or the search was given up."""
    work: int = 0
    """What the searches took so far, of `MOST_WORK`."""

    @property
    def is_settled(self) -> bool:
        """Whether nothing is gained by looking for another one: one has an untaken transition, or
        there are several, or no others.
        """
        are_complete = all(each.is_complete for each in self.labellings)
        return self.are_all or len(self.labellings) > 1 or not are_complete


def labellings(
    template: Template, before: Iterable[Labelling] = (), *, most: int = 2, work: int = 0
) -> Found:
    """Return labellings of the rows, up to `most`; `before` are some of them, found with `work`."""
    found = [*before][:most]
    if len(template.rows) == 1:
        only = template.labelling((0,))
        is_impossible = template.closed(only) is not None
        return Found(() if is_impossible else (only,), are_all=True)
    if len(found) == most:
        return Found(tuple(found), are_all=False, work=work)
    from pysat.solvers import Solver  # noqa: PLC0415 (only runs that need it wait for it)

    formula = Formula(template)
    work += _CLAUSE * len(formula.clauses)
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:

        def taken() -> int:
            return work + solver.accum_stats()["propagations"]

        for each in found:
            solver.add_clause(formula.another(each.labels))
        while taken() < MOST_WORK and (new := _next(solver, formula, MOST_WORK - taken())):
            if isinstance(new, Labelling):
                found.append(new)
                if len(found) == most:
                    return Found(tuple(found), are_all=False, work=taken())
                solver.add_clause(formula.another(new.labels))
            else:
                solver.add_clause(formula.excluding(new))
        return Found(tuple(found), are_all=solver.get_status() is False, work=taken())


def _next(solver: Solver, formula: Formula, work: int | None = None) -> Labelling | Closed | None:
    """Return the next labelling, or what excludes it; None if there is none, or none so soon."""
    if work is not None:
        solver.prop_budget(work)
    if not solver.solve_limited():
        return None
    template = formula.template
    labelling = template.labelling(formula.labels(solver.get_model()))
    return template.closed(labelling) or labelling


@dataclass(frozen=True, slots=True)
class Search:
    """What a learner knows of the labellings of its rows, if there are at most N states."""

    template: Template
    found: Found = Found((), are_all=False)

    def with_row(self, action: int, packed: int) -> Search:
        """Return what is known after one more step: the labellings that go on with its row."""
        template, before = self.template.with_row(action, packed), self.found
        if len(template.seen) == 1:
            labels: tuple[Labelling, ...] = (template.labelling((0,)),)
            are_all = False
        else:
            extended = (template.extended(each) for each in before.labellings)
            labels = tuple(each for each in extended if each)
            are_all = before.are_all and all(each.is_complete for each in before.labellings)
        return Search(template, replace(before, labellings=labels, are_all=are_all))

    def with_labels(self, path: Trajectory, steps: int, by: Sequence[Classifier]) -> Search:
        """Return what is known after the first steps of a path that only these labels explain."""
        template = self.template
        for action, row in zip((0, *path.actions[: steps - 1]), path.rows[:steps], strict=True):
            template = template.with_row(action, row)
        only = template.labelling(template.labels_by(by))
        return replace(self, template=template, found=Found((only,), are_all=True))

    def searched(self) -> Search:
        """Return what is known when another labelling was searched for, if all those that were
        found have no untaken transition.
        """
        found = self.found
        while not found.is_settled and found.work < MOST_WORK:
            before = found.labellings
            found = labellings(self.template, before, most=len(before) + 1, work=found.work)
        return replace(self, found=found)

    @property
    def decision(self) -> Decision:
        """What the rows decide."""
        most, found = self.template.max_states, self.found
        if not found.are_all or len(found.labellings) > 1:
            return UNDECIDED
        if not found.labellings:
            return Refuted(supposes_connected=False, max_states=most)
        (only,) = found.labellings
        if not only.is_complete:
            return UNDECIDED
        return Decided(
            labels=tuple((label,) for label in only.table),
            table=tuple(tuple(to for to in line if to is not None) for line in only.table.values()),
            current=only.here,
            supposes_two=True,
            of_columns=True,
            supposes_at_most=most,
        )

    @property
    def classifiers(self) -> tuple[Classifier, ...]:
        """The function that the rule of the class chooses for each label."""
        return self.template.classifiers(self.found.labellings[0].labels)

    @property
    def is_given_up(self) -> bool:
        """Whether another labelling has to be searched for, and there is no work left."""
        return not self.found.is_settled and self.found.work >= MOST_WORK

    @property
    def left(self) -> str:
        """What the rows leave open."""
        most, sizes = self.template.max_states, [len(each.table) for each in self.found.labellings]
        if len(sizes) > 1:
            return (
                f"several models explain the rows, for example with {counted(min(sizes), 'label')} "
                f"and with {counted(max(sizes), 'label')}"
            )
        if self.is_given_up:
            return (
                f"the search for all models with at most {most} labels was given up after "
                f"{MOST_WORK:,} propagations: N may be wrong, or the class too rich"
            )
        return f"of the models with at most {most} labels, one was looked at so far"


def refuted(
    template: Template, only: Sequence[int]
) -> tuple[tuple[Closed, ...], tuple[Derived, ...]]:
    """Return a proof that the rows have no labelling but this one: clauses of Lemma 2, and steps.

    The clauses of the formula are numbered in their order; after them come the clause for another
    labelling, those of Lemma 2, and the steps, each with the numbers of those it follows from.
    """
    from pysat.solvers import Solver  # noqa: PLC0415

    formula, closed = Formula(template), list[Closed]()
    clauses = [*formula.clauses, formula.another(only)]
    while True:
        with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
            new = _next(solver, formula)
            if new is None:
                steps = derivation(clauses, solver.get_proof() or ())
                return tuple(closed), steps
        if isinstance(new, Labelling):
            raise ValueError("the rows have another labelling")
        closed.append(new)
        clauses.append(formula.excluding(new))


class Formula:
    """The formula of a template. The order of variables and clauses is that of the checker."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.size = template.max_states
        self.height = len(template.rows)
        ranks = [*_ranks(template.rows)]
        self.ranks = ranks
        self.first = [*accumulate((2 * (values - 1) for _, values in ranks), initial=0)]
        self.bounds = 1 + self.size * (2 * self.height + template.actions * self.size)
        self.clauses = [*self._rows(), *self._boxes(), *self._steps(), *self._names()]

    def labels(self, model: Sequence[int]) -> tuple[int, ...]:
        """Return the label of each row in a model."""
        size = self.size
        return tuple(
            next(s for s in range(size) if model[self._y(r, s) - 1] > 0) for r in range(self.height)
        )

    def another(self, labels: Sequence[int]) -> Clause:
        """Return the clause that a labelling is not this one."""
        return [-self._y(r, label) for r, label in enumerate(labels)]

    def excluding(self, closed: Closed) -> Clause:
        """Return the clause that these labels are left, or that no other label occurs."""
        moves = [
            -self._d(label, action, to)
            for label, line in closed.table.items()
            for action, to in enumerate(line)
        ]
        return moves if closed.outside is None else [*moves, -self._y(*closed.outside)]

    def _y(self, row: int, label: int) -> int:
        return 1 + row * self.size + label

    def _d(self, label: int, action: int, to: int) -> int:
        at = (label * self.template.actions + action) * self.size + to
        return 1 + self.height * self.size + at

    def _u(self, row: int, label: int) -> int:
        return self.bounds - self.height * self.size + row * self.size + label

    def _rows(self) -> Iterator[Clause]:
        """Each row has one label."""
        for r in range(self.height):
            yield [self._y(r, s) for s in range(self.size)]
            yield from (
                [-self._y(r, z), -self._y(r, s)] for z, s in combinations(range(self.size), 2)
            )

    def _boxes(self) -> Iterator[Clause]:
        """A row has a label unless a bound of its box excludes the row."""
        for s in range(self.size):
            for j, (_, values) in enumerate(self.ranks):
                for i in range(values - 2):
                    yield [-self._above(s, j, i + 1), self._above(s, j, i)]
                    yield [-self._below(s, j, i + 1), self._below(s, j, i + 2)]
            for r in range(self.height):
                excludes = list[int]()
                for j, (rank, values) in enumerate(self.ranks):
                    if rank[r] < values - 1:
                        excludes.append(self._above(s, j, rank[r]))
                    if rank[r]:
                        excludes.append(self._below(s, j, rank[r]))
                yield from ([-self._y(r, s), -bound] for bound in excludes)
                yield [self._y(r, s), *excludes]

    def _above(self, label: int, feature: int, value: int) -> int:
        """The least number of the box is above this value, which is not the greatest one."""
        return self.bounds + label * self.first[-1] + self.first[feature] + value

    def _below(self, label: int, feature: int, value: int) -> int:
        """The greatest number of the box is below this value, which is not the least one."""
        _, values = self.ranks[feature]
        return self._above(label, feature, values - 1) + value - 1

    def _steps(self) -> Iterator[Clause]:
        """Equal actions have equal effects."""
        template, size = self.template, self.size
        pairs = zip(template.seen, template.taken, template.seen[1:], strict=False)
        for before, action, after in dict.fromkeys(pairs):
            for s in range(size):
                for z in range(size):
                    yield [-self._y(before, s), -self._y(after, z), self._d(s, action, z)]
        for s in range(size):
            for a in range(template.actions):
                for z, w in combinations(range(size), 2):
                    yield [-self._d(s, a, z), -self._d(s, a, w)]

    def _names(self) -> Iterator[Clause]:
        """A label occurs first after the one before it."""
        for s in range(self.size):
            if s:
                yield [-self._y(0, s)]
            yield [-self._u(0, s), self._y(0, s)]
            for r in range(1, self.height):
                if s:
                    yield [-self._y(r, s), self._u(r - 1, s - 1)]
                yield [-self._u(r, s), self._u(r - 1, s), self._y(r, s)]


def _ranks(rows: Rows) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield for each feature the rank of each row among its values, and the number of values.

    Features that order the rows as an earlier one does, or the other way round, say nothing new.
    """
    known = set[tuple[int, ...]]()
    for feature in rows.T:
        values, found = np.unique(feature, return_inverse=True)
        rank = tuple(found.tolist())
        if len(values) > 1 and rank not in known:
            known |= {rank, tuple(len(values) - 1 - each for each in rank)}
            yield rank, len(values)
