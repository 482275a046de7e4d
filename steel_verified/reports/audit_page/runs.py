"""Read from a certificate what the audit page shows about its run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from steel_verified.evidence import entries
from steel_verified.learning.looped import tour
from steel_verified.theory.progressions import Progression
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from steel_verified.evidence.certificate import Certificate
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.dynamics import Table

_MOST_DATASETS: Final = 8
CALLS: Final = "phase 1: CycleFind"
TOUR: Final = "phase 2: sampling"
VALIDATING: Final = "validating"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive steps of one kind of plan."""

    name: str
    start: int
    steps: int
    told: str


@dataclass(frozen=True, slots=True)
class Phase:
    """The steps of a phase; `predicted` is None if they cannot be known beforehand."""

    name: str
    steps: int
    predicted: int | None


@dataclass(frozen=True, slots=True)
class Dataset:
    """Samples that must be at least t̂_mix apart; times count from the start of the loop."""

    name: str
    times: tuple[int, ...]

    @property
    def gap(self) -> int | None:
        return min((b - a for a, b in pairwise(self.times)), default=None)


@dataclass(frozen=True, slots=True)
class Finding:
    """A violated rule of the checker, and its place in the certificate."""

    rule: str
    place: str
    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of the independent checker; `rules` lists all rules that it checks."""

    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A run as the audit page shows it."""

    method: str
    world: str
    table: Table
    actions: int
    steps: int
    spent: str
    mixing_time: int
    stretches: tuple[Stretch, ...]
    datasets: tuple[Dataset, ...]
    about_datasets: str
    phases: tuple[Phase, ...]
    checked: Checked


def run_of(
    certificate: Certificate, given: Parameters, checked: Checked, ideal: Sequence[object] = ()
) -> Run:
    """The run that a certificate with these parameters records, and the checker's findings.

    `ideal` has the entries of an ideal run on the learned dynamics, if it predicts this one.
    """
    header, claim = certificate.header, certificate.claim
    if header.method == "looped":
        stretches = tuple(_calls(certificate.record))
        about, datasets = _last_call(certificate)
    else:
        stretches = tuple(_plans(certificate))
        about, datasets = _last_validation(certificate)
    predicted = _steps_by_name(_calls(ideal))
    return Run(
        method=header.method,
        world=header.provenance.world,
        table=claim.table,
        actions=given.actions,
        steps=claim.steps,
        spent=str(claim.spent),
        mixing_time=given.mixing_time,
        stretches=stretches,
        datasets=datasets,
        about_datasets=about,
        phases=tuple(
            Phase(name, steps, predicted.get(name))
            for name, steps in _steps_by_name(stretches).items()
        ),
        checked=checked,
    )


def _steps_by_name(stretches: Iterable[Stretch]) -> dict[str, int]:
    steps: dict[str, int] = {}
    for each in stretches:
        steps[each.name] = steps.get(each.name, 0) + each.steps
    return steps


def _calls(record: Sequence[object]) -> Iterator[Stretch]:
    """Each plan of a looped run: calls of CycleFind, and the cycle through all states."""
    last = tour(record)
    for entry in record:
        if isinstance(entry, entries.Ran):
            word = counted(len(entry.word), "action")
            told = f"{counted(entry.steps, 'step')} from step {entry.start:,}: a word of {word}"
            yield Stretch(TOUR if entry is last else CALLS, entry.start, entry.steps, told)


def _last_call(certificate: Certificate) -> tuple[str, tuple[Dataset, ...]]:
    """A description and the datasets of the positions in the last call of CycleFind."""
    record = certificate.record
    last = max(i for i, entry in enumerate(record) if isinstance(entry, entries.LabelsFound))
    found = record[last]
    read = next(entry for entry in reversed(record[:last]) if isinstance(entry, entries.Read))
    assert isinstance(found, entries.LabelsFound)
    labels = {each.sample: each.label for each in found.positions}
    datasets = tuple(
        Dataset(
            f"position {i}: state {labels[read.first + i]}", tuple(sorted(_times(sample.times)))
        )
        for i, sample in enumerate(read.samples[:_MOST_DATASETS])
    )
    more = len(read.samples) - len(datasets)
    about = (
        f"The last call of CycleFind, from step {read.loop:,} on. Each row is the dataset of one "
        "position of the cycle: early samples, and late ones after a gap."
    )
    return about + (f" {counted(more, 'more position')} not shown." if more else ""), datasets


def _times(progressions: tuple[entries.Times, ...]) -> Iterator[int]:
    for numbers in progressions:
        yield from Progression.of(numbers)


def _plans(certificate: Certificate) -> Iterator[Stretch]:
    """Each validation, and the exploring steps between validations joined into one stretch."""
    begun, end, fixed = 0, 0, False
    for entry in certificate.record:
        if isinstance(entry, entries.Fixed) and end > begun:
            yield _stretch(begun, end, fixed=fixed)
            begun, fixed = end, True
        elif isinstance(entry, entries.Checked) and entry.failed:
            yield _stretch(begun, end, fixed=True)
            begun, fixed = end, False
        elif isinstance(entry, entries.Ran):
            end = entry.start + entry.steps
    if end > begun:
        yield _stretch(begun, end, fixed=fixed)


def _stretch(begun: int, end: int, *, fixed: bool) -> Stretch:
    name = VALIDATING if fixed else "exploring"
    return Stretch(name, begun, end - begun, f"{counted(end - begun, 'step')} from step {begun:,}")


def _last_validation(certificate: Certificate) -> tuple[str, tuple[Dataset, ...]]:
    """A description of the last validation, and the times at which it checks each label."""
    fixed = [entry for entry in certificate.record if isinstance(entry, entries.Fixed)][-1]
    length = len(fixed.walk)
    datasets = tuple(
        Dataset(
            f"state {label}", tuple(length * number + at for number in range(1, fixed.passes + 1))
        )
        for label, at in enumerate(fixed.visits[:_MOST_DATASETS])
    )
    more = len(fixed.visits) - len(datasets)
    about = (
        f"The last validation, fixed at step {fixed.at:,}: a closed walk of "
        f"{counted(length, 'action')} is executed once without keeping samples, then "
        f"{counted(fixed.passes, 'time')}. Each row shows when one state is checked."
    )
    return about + (f" {counted(more, 'more state')} not shown." if more else ""), datasets
