"""Read from a certificate what the audit page shows about its run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, assert_never

from steel_verified.evidence import certificate as looped
from steel_verified.evidence import located_certificate as located
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.worlds.dynamics import Table

Certificate = looped.Certificate | located.LocatedCertificate

_MOST_DATASETS: Final = 8


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive steps of one kind of plan."""

    name: str
    start: int
    steps: int
    told: str


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
    phases: tuple[tuple[str, int], ...]
    """Steps by phase."""
    checked: Checked


def run_of(certificate: Certificate, checked: Checked) -> Run:
    """The run that a certificate records, together with the checker's findings."""
    p = certificate.parameters
    match certificate:
        case looped.Certificate():
            stretches = tuple(_calls(certificate))
            about, datasets = _last_call(certificate)
        case located.LocatedCertificate():
            stretches = tuple(_plans(certificate))
            about, datasets = _last_validation(certificate)
        case _:
            assert_never(certificate)
    phases: dict[str, int] = {}
    for each in stretches:
        phases[each.name] = phases.get(each.name, 0) + each.steps
    return Run(
        method=certificate.method,
        world=certificate.provenance.world,
        table=certificate.table,
        actions=p.actions,
        steps=certificate.steps,
        spent=certificate.spent,
        mixing_time=p.mixing_time,
        stretches=stretches,
        datasets=datasets,
        about_datasets=about,
        phases=tuple(phases.items()),
        checked=checked,
    )


def _calls(certificate: looped.Certificate) -> Iterator[Stretch]:
    """Each plan of a looped run: calls of CycleFind, and the cycle through all states."""
    tours = {e.loop for e in certificate.record if isinstance(e, looped.Read)} - _loops_of_calls(
        certificate
    )
    for entry in certificate.record:
        if isinstance(entry, looped.Ran):
            begun = entry.start - entry.done
            name = "phase 2: sampling" if begun in tours else "phase 1: CycleFind"
            word = counted(len(entry.word), "action")
            told = f"{counted(entry.steps, 'step')} from step {entry.start:,}: a word of {word}"
            yield Stretch(name, entry.start, entry.steps, told)


def _loops_of_calls(certificate: looped.Certificate) -> set[int]:
    """The starts of the loops in which a period was found, that is, of calls of CycleFind."""
    loops, last = set(), None
    for entry in certificate.record:
        if isinstance(entry, looped.Ran):
            last = entry.start - entry.done
        elif isinstance(entry, looped.LabelsFound) and last is not None:
            loops.add(last)
    return loops


def _last_call(certificate: looped.Certificate) -> tuple[str, tuple[Dataset, ...]]:
    """A description and the datasets of the positions in the last call of CycleFind."""
    record = certificate.record
    last = max(i for i, entry in enumerate(record) if isinstance(entry, looped.LabelsFound))
    found = record[last]
    read = next(entry for entry in reversed(record[:last]) if isinstance(entry, looped.Read))
    assert isinstance(found, looped.LabelsFound)
    labels = {number: label for number, _, label in found.positions}
    datasets = tuple(
        Dataset(f"position {i}: state {labels[read.first + i]}", tuple(sorted(_times(sample[1]))))
        for i, sample in enumerate(read.samples[:_MOST_DATASETS])
    )
    more = len(read.samples) - len(datasets)
    about = (
        f"The last call of CycleFind, from step {read.loop:,} on. Each row is the dataset of one "
        "position of the cycle: early samples, and late ones after a gap."
    )
    return about + (f" {counted(more, 'more position')} not shown." if more else ""), datasets


def _times(progressions: tuple[looped.Times, ...]) -> Iterator[int]:
    for first, *rest in progressions:
        levels = tuple(Level(*pair) for pair in zip(rest[::2], rest[1::2], strict=True))
        yield from Progression(first, levels)


def _plans(certificate: located.LocatedCertificate) -> Iterator[Stretch]:
    """Each validation, and the exploring steps between validations joined into one stretch."""
    begun, end, fixed = 0, 0, False
    for entry in certificate.record:
        if isinstance(entry, located.Fixed) and end > begun:
            yield _stretch(begun, end, fixed=fixed)
            begun, fixed = end, True
        elif isinstance(entry, located.Checked) and entry.failed:
            yield _stretch(begun, end, fixed=True)
            begun, fixed = end, False
        elif isinstance(entry, looped.Ran):
            end = entry.start + entry.steps
    if end > begun:
        yield _stretch(begun, end, fixed=fixed)


def _stretch(begun: int, end: int, *, fixed: bool) -> Stretch:
    name = "validating" if fixed else "exploring"
    return Stretch(name, begun, end - begun, f"{counted(end - begun, 'step')} from step {begun:,}")


def _last_validation(certificate: located.LocatedCertificate) -> tuple[str, tuple[Dataset, ...]]:
    """A description of the last validation, and the times at which it checks each label."""
    fixed = [entry for entry in certificate.record if isinstance(entry, located.Fixed)][-1]
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
