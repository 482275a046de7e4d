"""The rules for the end of a run: the complete table, the tour, and the encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.entries import Ran
from proofs_checks.checker.findings import Finding, shown
from proofs_checks.checker.looped import formulas
from proofs_checks.checker.looped.entries import Read, Trained
from proofs_checks.checker.looped.running import check_plan, check_reading
from proofs_checks.checker.looped.separation import check_stride
from proofs_checks.checker.planning import covering_cycle, farthest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.checker.entries import Word
    from proofs_checks.checker.looped.progress import Call, Progress


def ending(run: Progress) -> Iterator[Iterable[Finding]]:
    """Yield, in order, the rules for everything after the last call of CycleFind."""
    yield _model(run)
    yield _tracking(run)
    if run.certificate.classifiers is not None:
        yield from _tour_and_encoder(run)
    yield _totals(run)


def _model(run: Progress) -> Iterator[Finding]:
    """The table holds exactly the transitions found by the calls, and keeps the stated bounds."""
    c, p, model = run.certificate, run.certificate.parameters, run.model
    states = len(model.rows)
    if len(c.table) != states:
        yield Finding(
            "table", "table", f"the table has {len(c.table)} states, but the calls found {states}"
        )
    for state, (stated, row) in enumerate(zip(c.table, model.rows, strict=False)):
        if len(stated) != p.actions or any(row[a] != to for a, to in enumerate(stated)):
            yield Finding("table", f"table[{state}]", "not the transitions that the calls found")
    if p.class_size < states:
        message = f"{states} states need {states} classifiers, but class_size = {p.class_size}"
        yield Finding("bounds", "table", message)
    run.work.add(states * (2 * states + sum(map(len, model.ways))))
    distances = [farthest(model, state) for state in range(states)]
    reached = [distance for distance in distances if distance is not None]
    if len(reached) < states:
        message = f"not strongly connected: {distances.index(None)} does not reach every state"
        yield Finding("table", "table", message)
    elif max(reached) > p.max_diameter:
        message = f"diameter {max(reached)}, more than max_diameter = {p.max_diameter}"
        yield Finding("bounds", "table", message)


def _tracking(run: Progress) -> Iterator[Finding]:
    """Following the table from the end of each call into the next leads to the states it found.

    A repeated word returns to an earlier state at the end of a repetition: this closes its cycle.
    """
    for call in run.calls:
        ends = call.labels[:: len(call.word)]
        if len(set(ends)) < len(ends):
            message = f"period {call.period}, but in the table the loop returns earlier"
            yield Finding("tracking", call.place, message)
    for before, call in zip(run.calls, run.calls[1:], strict=False):
        yield from _followed(run, before.current, call)


def _followed(run: Progress, start: int, call: Call) -> Iterator[Finding]:
    """Once the table and the call agree on one state, they agree on all later states."""
    here, words, seen = start, 0, set[int]()
    while here != (found := call.labels[words * len(call.word) % len(call.labels)]):
        if here in seen:
            message = f"the table leads from state {start} to {here}, but {found} was found there"
            yield Finding("tracking", call.place, message)
            return
        seen.add(here)
        run.work.add(len(call.word) + 5)
        for action in call.word:
            here = run.model.rows[here][action]
        words += 1


def _tour_and_encoder(run: Progress) -> Iterator[Iterable[Finding]]:
    """Phases 2 and 3 (l. 327–359). There is no tour if no state lacks samples."""
    p, passes = run.certificate.parameters, formulas.tour_passes(run.setting, len(run.known))
    first = run.datasets
    if passes:
        entry, home = run.peek(), run.calls[-1].current
        if not isinstance(entry, Ran):
            yield [run.expected("ran")]
            return
        cycle = covering_cycle(run.model, home, p.mixing_time, len(entry.word), run.work)
        if cycle is None or cycle != entry.word:
            message = "not the covering cycle computed from the table"
            yield [Finding("tour", f"{run.place}.word", message)]
            return
        yield check_plan(run, cycle, 0, passes * len(cycle))
        yield _tour_reading(run, home, cycle, passes)
    yield _encoder(run, [[old, first + s] if passes else [old] for s, old in enumerate(run.known)])


def _tour_reading(run: Progress, home: int, cycle: Word, passes: int) -> Iterator[Finding]:
    """Each pass except the first reads one row per state, at the pass's first visit to it."""
    entry, place, apart = run.peek(), run.place, run.setting.p.mixing_time
    here, first_visit = home, dict[int, int]()
    for time, action in enumerate(cycle, start=1):
        here = run.model.rows[here][action]
        first_visit.setdefault(here, time)
    rows, length = passes - 1, len(cycle)
    right = (
        (rows, ((length + first_visit[state], rows, length),)) for state in range(len(run.known))
    )
    yield from check_reading(run, len(run.known), right, rows, length + 1)
    if isinstance(entry, Read) and run.kept_until is not None:
        for i, (_, pieces) in enumerate(entry.samples):
            at = f"{place}.samples[{i}]"
            yield from check_stride(pieces, at, apart)
            for piece in pieces:
                if (gap := entry.loop + piece[0] - run.kept_until) < apart:
                    yield Finding("separation", at, f"gap {gap} < {apart} from phase 1")


def _encoder(run: Progress, datasets: list[list[int]]) -> Iterator[Finding]:
    """One classifier for each state, trained on all datasets kept for it (l. 354–359)."""
    entry, place = run.peek(), run.place
    p, classifiers = run.certificate.parameters, run.certificate.classifiers or ()
    if not isinstance(entry, Trained):
        yield run.expected("encoder")
        return
    run.entries += 1
    if list(map(list, entry.datasets)) != datasets:
        message = "not the datasets that were kept for each state"
        yield Finding("comparisons", f"{place}.datasets", message)
    if len(set(classifiers)) != len(classifiers) or len(classifiers) != len(datasets):
        yield Finding(
            "encoder",
            "classifiers",
            f"expected {len(datasets)} different classifiers, one per state",
        )
    for state, classifier in enumerate(classifiers):
        if classifier >= p.class_size:
            message = f"classifier {classifier} is not one of the {p.class_size} of the class"
            yield Finding("encoder", f"classifiers[{state}]", message)
    yield from run.paid(entry, place, formulas.encoder_charge(p, len(datasets)))


def _totals(run: Progress) -> Iterator[Finding]:
    """No entry is left over, and the stated totals are correct."""
    c = run.certificate
    if run.peek() is not None:
        yield Finding("order", run.place, "unexpected entry after the end of the run")
    if c.spent != run.spent:
        yield Finding(
            "budget", "spent", f"{shown(c.spent)} stated, but the charges sum to {shown(run.spent)}"
        )
    if run.spent > c.parameters.delta:
        message = f"{shown(run.spent)} is more than δ = {shown(c.parameters.delta)}"
        yield Finding("budget", "spent", message)
    if c.steps != run.now:
        yield Finding("steps", "steps", f"{c.steps} stated, but the plans have {run.now} steps")
    if c.current != run.calls[-1].current:
        message = f"{c.current} stated, but the run ended in {run.calls[-1].current}"
        yield Finding("current", "current", message)
