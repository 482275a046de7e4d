"""The rules for the end of a run: the whole model, the tour, and the encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker import formulas
from proofs_checks.checker.findings import Finding, Progress, paid
from proofs_checks.checker.planning import Table, covering_cycle
from proofs_checks.checker.reading import Times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.reading import Certificate


def check_ending(c: Certificate, progress: Progress) -> Iterator[Finding]:
    """What must hold once all calls have been looked at."""
    findings = list(_model(c, progress))
    yield from findings
    if not findings:
        yield from _tour(c, progress)
        yield from _encoder(c, progress)


def _model(c: Certificate, progress: Progress) -> Iterator[Finding]:
    table = progress.table
    unknown = [(s, a) for s, row in enumerate(table) for a, to in enumerate(row) if to is None]
    if unknown or not table:
        yield Finding("model", "table", f"not total: {unknown[:3]} are unknown")
    if len(table) > c.parameters.max_states:
        message = f"{len(table)} states, more than max_states = {c.parameters.max_states}"
        yield Finding("model", "table", message)
    if table and not all(_reaches_all(edges) for edges in (_forward(table), _backward(table))):
        yield Finding("model", "table", "not strongly connected")
    if [list(row) for row in c.table] != table:
        yield Finding("model", "table", "not what the calls add up to")


def _forward(table: Table) -> list[set[int]]:
    return [{to for to in row if to is not None} for row in table]


def _backward(table: Table) -> list[set[int]]:
    edges: list[set[int]] = [set() for _ in table]
    for state, row in enumerate(table):
        for to in row:
            if to is not None:
                edges[to].add(state)
    return edges


def _reaches_all(edges: list[set[int]]) -> bool:
    seen, queue = {0}, [0]
    for here in queue:
        new = edges[here] - seen
        seen |= new
        queue += new
    return len(seen) == len(edges)


def _tour(c: Certificate, progress: Progress) -> Iterator[Finding]:
    p, table, tour = c.parameters, progress.table, c.tour
    passes = formulas.tour_passes(p, len(table))
    wanted = c.encoder is not None and passes > 0
    if (tour is not None) != wanted:
        yield Finding("tour", "tour", "needed" if wanted else "not needed")
    if tour is None:
        return
    cycle = covering_cycle(table, progress.current, p.mixing_time, len(tour.cycle), progress.work)
    if tour.start != progress.now or tour.home != progress.current:
        message = f"expected to start at {progress.now}, in state {progress.current}"
        yield Finding("tour", "tour", message)
    if cycle != tour.cycle:
        yield Finding("tour", "tour.cycle", "not the cycle that follows from the model")
        return
    if tour.passes != passes:
        yield Finding("tour", "tour.passes", f"{tour.passes}, but {passes} are needed")
    progress.now += tour.passes * len(cycle)
    here, first_visit = progress.current, dict[int, int]()
    for time, action in enumerate(cycle, start=1):
        to = table[here][action]
        assert to is not None
        here = to
        first_visit.setdefault(here, time)
    expected = tuple(
        Times(len(cycle) + first_visit[state], passes - 1, len(cycle))
        for state in range(len(table))
    )
    if tour.kept != expected:
        yield Finding("tour", "tour.kept", "not the first visit of each pass but the first")
    for state, times in enumerate(tour.kept[: len(table)]):
        at = f"tour.kept[{state}]"
        if times.count > 1 and times.stride < p.mixing_time:
            yield Finding("separation", at, f"gap {times.stride} < {p.mixing_time}")
        before = max(old.last for old in progress.kept[state])
        if tour.start + times.first - before < p.mixing_time:
            gap = tour.start + times.first - before
            yield Finding("separation", at, f"gap {gap} < {p.mixing_time} from phase 1")
        if times.last > tour.passes * len(cycle):
            yield Finding("tour", at, f"time {times.last} is after the tour's end")


def _encoder(c: Certificate, progress: Progress) -> Iterator[Finding]:
    if c.encoder is None:
        return
    states, classifiers = len(progress.table), c.encoder.classifiers
    if len(set(classifiers)) != len(classifiers) or len(classifiers) != states:
        yield Finding("encoder", "encoder.classifiers", f"expected {states} different ones")
    for state, classifier in enumerate(classifiers):
        if classifier >= c.parameters.class_size:
            message = f"{classifier} is not in a class of {c.parameters.class_size}"
            yield Finding("encoder", f"encoder.classifiers[{state}]", message)
    samples = formulas.encoder_samples(c.parameters, states)
    charge = formulas.encoder_charge(c.parameters, states)
    yield from paid(c.encoder.tests, "encoder.tests", samples, charge, progress)
