"""Observations (rows) that are kept for the self-check, outside the ledger; the learner has none.

They are read at times that were fixed beforehand, from loops that the learner runs anyway. They
stay sealed until the run has ended. Then `probed` opens them and returns *probes*: yes-or-no
measurements of each row, such as "bit 3 is 1" or "number 2 is above its median".
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from steel_verified.errors import BrokenWorld, InvalidArgument
from steel_verified.evidence.ledger import KEY, Ran, Read
from steel_verified.evidence.omega import Observed, reveal
from steel_verified.evidence.recording import Loop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import ClassifierClass, Declared
    from steel_verified.evidence.plans import Plan, Word, World
    from steel_verified.theory.progressions import Progression

_QUARTILES: Final = (("lower quartile", 0.25), ("median", 0.5), ("upper quartile", 0.75))
_MOST_DATASETS: Final = 2_000
"""This many datasets from the beginning of a run, and from its end, are opened to find causes."""

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True, eq=False)
class KeptRows:
    """Rows of one loop, packed by the class."""

    declared: Declared
    rows: int
    packed: Observed[bytes]
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TypeError("rows are kept by reading them from a loop")


def keep(
    loop: Loop[Batch],
    functions: ClassifierClass[Batch, Summary, Classifier],
    *datasets: tuple[Progression, ...],
) -> tuple[KeptRows, ...]:
    """Read rows at times that the plan allows, counted from the start of the loop.

    Raises `InvalidArgument` for times outside the loop, and `BrokenWorld` if the world returns
    another number of rows.
    """
    last = loop.plan.done + loop.plan.steps
    for piece in (piece for pieces in datasets for piece in pieces):
        if not 1 <= piece.first <= piece.last <= last:
            raise InvalidArgument("datasets", piece, f"times from 1 to {last}")
    batches = reveal(loop.trajectory).rows(*datasets)
    kept = []
    for pieces, batch in zip(datasets, batches, strict=True):
        asked = sum(map(len, pieces))
        if len(batch) != asked:
            raise BrokenWorld(f"{loop.world} gave {len(batch)} rows for {asked} times")
        kept.append(KeptRows(functions.declared, asked, Observed(functions.pack(batch)), KEY))
    return tuple(kept)


def run_aside(ledger: Ledger, world: World[Batch], plan: Plan) -> Loop[Batch]:
    """Run a plan after a run has ended; it is not recorded in the ledger of the run.

    Raises `BrokenWorld` if the number of steps that the world reports is not that of the plan.
    """
    before = world.steps
    trajectory = world.run(plan)
    if world.steps != before + plan.steps:
        name = type(world).__name__
        raise BrokenWorld(f"{name} reports {world.steps - before} steps for a plan of {plan.steps}")
    return Loop(plan, ledger, before, type(world).__name__, Observed(trajectory), KEY)


def probed(kept: Sequence[KeptRows]) -> tuple[NDArray[np.bool_], ...]:
    """Open the kept rows of a run that has ended; return an array of probes for each `KeptRows`.

    If the rows are bits, each bit is a probe. Numbers are compared with the quartiles of the first
    kept rows: "above the lower quartile", "above the median", "above the upper quartile". So the
    comparison is fixed before the other rows are used.
    """
    if not kept:
        return ()
    if kept[0].declared.entries == "bits":
        return tuple(_bits(each) for each in kept)
    first, *_ = numbers = [_numbers(each) for each in kept]
    quartiles = np.quantile(first, [part for _, part in _QUARTILES], axis=0, method="lower")
    return tuple(
        np.concatenate([each > quartile for quartile in quartiles], axis=1) for each in numbers
    )


def probe_name(declared: Declared, number: int) -> str:
    """Return what a probe of `probed` measures, in words; it is the subject of "… was 1"."""
    if declared.entries == "bits":
        return f"{'classifier' if declared.name == 'finite' else 'bit'} {number}"
    quartile, entry = divmod(number, declared.width)
    return f'"number {entry} is above its {_QUARTILES[quartile][0]}"'


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Kept rows of a run, with the time of each row and the action before it."""

    times: tuple[int, ...]
    actions: tuple[int, ...]
    rows: KeptRows


@dataclass(frozen=True, slots=True, eq=False)
class OpenedRun:
    """Rows of a run: their times, the actions before them, and their probes."""

    times: NDArray[np.int64]
    actions: NDArray[np.int64]
    seen: NDArray[np.bool_]

    def only(self, chosen: NDArray[np.int64]) -> OpenedRun:
        return OpenedRun(self.times[chosen], self.actions[chosen], self.seen[chosen])


def stretch_of_ledger(ledger: Ledger, declared: Declared) -> Stretch:
    """Return the rows of a located run that has ended, in the order in which its ledger has them.

    From a long run only the first and the last datasets are taken.
    """
    found = []
    word: Word = ()
    for entry in ledger.entries:
        if isinstance(entry, Ran):
            word = entry.word
        elif isinstance(entry, Read):
            found += [(entry.loop, word, sample) for sample in entry.samples]
    if len(found) > 2 * _MOST_DATASETS:
        found = found[:_MOST_DATASETS] + found[-_MOST_DATASETS:]
    times, actions = [], []
    for start, word, sample in found:
        own = [time for piece in sample.times for time in piece]
        times += [start + time for time in own]
        actions += [word[(time - 1) % len(word)] for time in own]
    rows = _kept(declared, len(times), [sample.seen for _, _, sample in found])
    return Stretch(tuple(times), tuple(actions), rows)


def opened_run(stretches: Sequence[Stretch]) -> OpenedRun:
    """Open the rows of a run that has ended; return their times, actions and probes."""
    return OpenedRun(
        np.concatenate([np.array(each.times, dtype=np.int64) for each in stretches]),
        np.concatenate([np.array(each.actions, dtype=np.int64) for each in stretches]),
        np.concatenate(probed([each.rows for each in stretches])),
    )


def rows_before(ledger: Ledger, declared: Declared, step: int) -> KeptRows:
    """Return the rows of a located run that were read from loops which began before this step."""
    samples = [
        sample
        for entry in ledger.entries
        if isinstance(entry, Read) and entry.loop < step
        for sample in entry.samples
    ]
    many = sum(sample.rows for sample in samples)
    return _kept(declared, many, [sample.seen for sample in samples])


def _kept(declared: Declared, many: int, rows: Sequence[bytes]) -> KeptRows:
    return KeptRows(declared, many, Observed(b"".join(rows)), KEY)


def packed_rows(kept: KeptRows) -> bytes:
    """Return the bytes of kept rows of a run that has ended, to write them to a file."""
    return reveal(kept.packed)


def rows_of_file(declared: Declared, packed: bytes) -> KeptRows:
    """Return rows of a run that has ended, from the bytes in a file.

    Raises `ValueError` for bytes that are not whole rows.
    """
    rows, rest = divmod(len(packed), declared.row_bytes)
    if rest:
        raise ValueError(f"{len(packed):,} bytes are not rows of {declared.row_bytes:,} bytes")
    return _kept(declared, rows, [packed])


def _bits(kept: KeptRows) -> NDArray[np.bool_]:
    packed = np.frombuffer(reveal(kept.packed), dtype=np.uint8).reshape(kept.rows, -1)
    width = kept.declared.width
    return np.unpackbits(packed, axis=1, count=width, bitorder="little").astype(np.bool_)


def _numbers(kept: KeptRows) -> NDArray[np.float64]:
    kind = "<i8" if kept.declared.entries == "int64" else "<f8"
    packed = np.frombuffer(reveal(kept.packed), dtype=kind)
    return packed.reshape(kept.rows, kept.declared.width).astype(np.float64)
