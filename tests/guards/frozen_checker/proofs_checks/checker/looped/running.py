"""The rules for executed plans and for datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.entries import Ran
from proofs_checks.checker.findings import Finding
from proofs_checks.checker.looped import formulas
from proofs_checks.checker.looped.entries import Read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.checker.entries import Word
    from proofs_checks.checker.looped.entries import Sample
    from proofs_checks.checker.looped.progress import Progress


def check_plan(run: Progress, word: Word, done: int, steps: int) -> Iterator[Finding]:
    """The next entry is a plan: `steps` steps of repeating `word`, after `done` steps of it."""
    entry, place = run.peek(), run.place
    if not isinstance(entry, Ran):
        yield run.expected("ran")
        return
    run.entries += 1
    if entry.word != word:
        yield Finding("words", f"{place}.word", "not the word that is repeated in this loop")
    stated = {"start": entry.start, "done": entry.done, "steps": entry.steps}
    right = {"start": run.now, "done": done, "steps": steps}
    yield from _compared("plans", place, stated, right)
    run.loop, run.looped = run.now - done, done + steps
    run.now += steps


def check_reading(
    run: Progress, count: int, right: Iterable[Sample], needed: int, settled: int
) -> Iterator[Finding]:
    """The next entry reads `count` datasets from the last loop, at the times in `right`.

    Each has at least `needed` rows, none before `settled` and none after the last plan.
    """
    entry, place = run.peek(), run.place
    if not isinstance(entry, Read):
        yield run.expected("read")
        return
    run.entries += 1
    stated = {"loop": entry.loop, "after": entry.after, "first": entry.first}
    due = {"loop": run.loop, "after": run.decisions, "first": run.datasets}
    yield from _compared("numbers", place, stated, due)
    if len(entry.samples) != count:
        message = f"{len(entry.samples)} datasets, expected {count}"
        yield Finding("times", f"{place}.samples", message)
        return
    for i, (sample, expected) in enumerate(zip(entry.samples, right, strict=True)):
        at = f"{place}.samples[{i}]"
        rows, pieces = sample
        if rows != formulas.size(pieces):
            yield Finding("times", at, f"{rows} rows, but {formulas.size(pieces)} times")
        if sample != expected:
            yield Finding("times", at, "not the times of the schedule")
        if rows < needed:
            yield Finding("samples", at, f"{rows} rows, but {needed} are needed")
        for piece in pieces:
            if piece[0] < settled:
                yield Finding(
                    "samples", at, f"time {piece[0]} is before the end of the transient, {settled}"
                )
            if formulas.last(piece) > run.looped:
                message = f"time {formulas.last(piece)} is after the plan's end, {run.looped}"
                yield Finding("samples", at, message)
    run.datasets += count


def _compared(
    rule: str, place: str, stated: dict[str, int], right: dict[str, int]
) -> Iterator[Finding]:
    for name, value in stated.items():
        if value != right[name]:
            yield Finding(rule, f"{place}.{name}", f"{value}, expected {right[name]}")
