"""Read from a certificate what the audit page shows about its run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from steel_verified.evidence import entries
from steel_verified.learning.looped import tour
from steel_verified.theory.progressions import Progression
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from steel_verified.evidence.certificate import Certificate
    from steel_verified.using.verdict import Finding
    from steel_verified.worlds.dynamics import Table

_MOST_DATASETS: Final = 8
_MOST_STATES: Final = 24
CALLS: Final = "phase 1: CycleFind"
TOUR: Final = "phase 2: sampling"
VALIDATING: Final = "validating"
IN_ALL: Final = "in all"
METHODS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "looped": ("looped STEEL, the paper’s algorithm", ("T1", "T1.proposition", "P05", "P11")),
    "located": ("located STEEL", ("L1", "L1.classes", "L1.final")),
    "certain": ("certain STEEL", ("C1", "C1.encoder", "C1.ends")),
    "log": ("certain STEEL, from recorded trajectories", ("C1", "C1.logs", "C1.encoder")),
    "coins": ("certain STEEL, with coins", ("C2.quotients", "C2.coins", "C1.encoder")),
    "slipping": ("certain STEEL, although steps slip", ("S.S02", "S.S03", "S.S05", "S.S06")),
    "factored": ("certain STEEL, factor by factor", ("F1.cover", "F1.exact", "C2.coins")),
}
"""Each method in words, and the claims on which its promise rests."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive steps of one kind of plan."""

    name: str
    start: int
    steps: int
    text: str


@dataclass(frozen=True, slots=True)
class Phase:
    """The steps of a phase; `predicted` is None if they cannot be known beforehand."""

    name: str
    steps: int
    predicted: int | None = None
    worst: str | None = None
    """The key of the number that is the worst case on dynamics of this extent."""
    bound: str | None = None
    """The key of the number that is the paper's bound."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Samples of one state; times count from the start of the loop, or of the run."""

    name: str
    times: tuple[int, ...]

    @property
    def gap(self) -> int | None:
        return min((b - a for a, b in pairwise(self.times)), default=None)


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of the independent checker; `rules` lists all rules that it checks."""

    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    assumptions: tuple[str, ...]
    meaning: str
    """What acceptance means."""


@dataclass(frozen=True, slots=True)
class Story:
    """What happened in a run, as its record tells."""

    stretches: tuple[Stretch, ...]
    datasets: tuple[Dataset, ...]
    about_datasets: str
    about_phases: str
    limits: Mapping[str, tuple[str, str | None]]
    """For phases with a worst case or a bound: the keys of these numbers."""
    is_part: bool = False
    """Whether the certificate may leave out steps of the run."""
    slipped: int | None = None
    """How many steps led elsewhere than the table says, if steps may slip."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run as the audit page shows it."""

    method: str
    """A key of `METHODS`."""
    world: str
    tables: tuple[Table, ...]
    """The table that was learned, or one for each factor."""
    actions: int
    steps: int
    spent: Fraction | None
    delta: Fraction | None
    slips: Fraction | None
    """A bound on the chance that a step slips, if steps may slip."""
    mixing_time: int | None
    story: Story
    phases: tuple[Phase, ...]
    checked: Checked


def run_of(certificate: Certificate, checked: Checked, ideal: Sequence[object] = ()) -> Run:
    """The run that a certificate records; `ideal` are the entries of an ideal run."""
    header, claim = certificate.header, certificate.claim
    is_log = header.method == "certain" and header.parameters.connected is False
    story = _STORIES.get(header.method, _trajectories)(certificate)
    predicted = _steps_by_name(_calls(ideal))
    in_all = _steps_by_name(story.stretches) | {IN_ALL: claim.steps}
    if predicted:
        predicted[IN_ALL] = sum(predicted.values())
    return Run(
        method="log" if is_log else header.method,
        world=header.provenance.world,
        tables=tuple(_tables(claim.table, claim.factors or (len(claim.table),))),
        actions=header.parameters.actions,
        steps=claim.steps,
        spent=claim.spent,
        delta=header.parameters.delta,
        slips=header.parameters.slips,
        mixing_time=header.parameters.mixing_time,
        story=story,
        phases=tuple(
            Phase(name, steps, predicted.get(name), *story.limits.get(name, (None, None)))
            for name, steps in in_all.items()
        ),
        checked=checked,
    )


def _tables(table: Table, sizes: Sequence[int]) -> Iterator[Table]:
    """The table of each factor, with its own numbers; `sizes` are their numbers of labels."""
    for size, after in zip(sizes, accumulate(sizes), strict=True):
        first = after - size
        yield tuple(tuple(to - first for to in row) for row in table[first:after])


def _steps_by_name(stretches: Iterable[Stretch]) -> dict[str, int]:
    steps: dict[str, int] = {}
    for each in stretches:
        steps[each.name] = steps.get(each.name, 0) + each.steps
    return steps


def _looped(certificate: Certificate) -> Story:
    about, datasets = _last_call(certificate)
    limits = {CALLS: "phase1", TOUR: "phase2", IN_ALL: "total"}
    return Story(
        tuple(_calls(certificate.record)),
        datasets,
        about,
        "The prediction is an ideal run on the learned dynamics: it knows them, and no verdict is "
        "wrong. The worst case holds for all dynamics with this |S| and D.",
        {name: (f"exact_{key}", f"bound_{key}") for name, key in limits.items()},
    )


def _located(certificate: Certificate) -> Story:
    about, datasets = _last_validation(certificate)
    return Story(
        tuple(_plans(certificate)),
        datasets,
        about,
        "The steps of located STEEL depend on the noise, so they have no prediction and no bound, "
        "except for each round of validation; its worst case is that of round 1.",
        {VALIDATING: ("steps_1", None)},
    )


def _trajectories(certificate: Certificate) -> Story:
    """Rows and actions, in pieces of the run or of the log."""
    claim, pieces = certificate.claim, 0
    usual = {(s, a): to for s, row in enumerate(claim.table) for a, to in enumerate(row)}
    times: list[list[int]] = [[] for _ in claim.classifiers or ()]
    step = slipped = 0
    before: list[int] = []
    for action, row in _rows(certificate.record):
        here = _labels(row, claim.classifiers or ())
        step += action is not None
        pieces += action is None
        for label in here:
            times[label].append(step)
        if action is not None and before and here:
            slipped += usual.get((before[0], action)) != here[0]
        before = here
    sizes = claim.factors or (len(claim.table),)
    names = [
        f"factor {n}, value {label}" if claim.factors else f"state {label}"
        for n, size in enumerate(sizes)
        for label in range(size)
    ]
    shown = tuple(
        Dataset(f"{name}: classifier {f}", tuple(seen))
        for name, f, seen in zip(names, claim.classifiers or (), times, strict=False)
        if seen
    )
    more = len(shown) - _MOST_STATES
    return Story(
        (),
        shown[:_MOST_STATES],
        "When each was shown: its classifier is 1 on these rows, and on no others."
        + (f" {more:,} more are not drawn." if more > 0 else ""),
        f"The certificate has {counted(step, 'step')} in {counted(pieces, 'piece')}. "
        "Of a certain run, or of a log, it has only those that said something new."
        if pieces > 1
        else "The certificate has every step of the run.",
        {},
        is_part=pieces > 1,
        slipped=slipped if certificate.header.method == "slipping" else None,
    )


def _rows(record: Sequence[object]) -> Iterator[tuple[int | None, bytes]]:
    """Each row, with the action before it; the first row of a trajectory has none."""
    for entry in record:
        if isinstance(entry, entries.Trajectory):
            yield None, entry.row
        elif isinstance(entry, entries.Steps):
            yield from zip(entry.actions, entry.rows, strict=True)


def _labels(row: bytes, classifiers: Sequence[object]) -> list[int]:
    """The labels whose classifiers are 1 on a row: one for each factor, if it is accepted."""
    ones = int.from_bytes(row, "little")
    return [i for i, f in enumerate(classifiers) if isinstance(f, int) and ones >> f & 1]


_STORIES: Final[Mapping[str, Callable[[Certificate], Story]]] = {
    "looped": _looped,
    "located": _located,
}
"""Methods whose records have more than rows and actions."""


def _calls(record: Sequence[object]) -> Iterator[Stretch]:
    """Each plan of a looped run: calls of CycleFind, and the cycle through all states."""
    last = tour(record)
    for entry in record:
        if isinstance(entry, entries.Ran):
            word = counted(len(entry.word), "action")
            text = f"{counted(entry.steps, 'step')} from step {entry.start:,}: a word of {word}"
            yield Stretch(TOUR if entry is last else CALLS, entry.start, entry.steps, text)


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
    rounds = [entry for entry in certificate.record if isinstance(entry, entries.Fixed)]
    if not rounds:
        return "There was no validation: the rows show that no two labels are one state.", ()
    fixed = rounds[-1]
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
