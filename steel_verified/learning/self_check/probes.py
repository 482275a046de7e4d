"""Kept rows of a run that has ended, read as probes.

A probe is a yes-or-no measurement of a row. If the rows are bits, each bit is a probe. Numbers are
compared with the quartiles of the first kept rows: "above the lower quartile", "above the median",
"above the upper quartile". So the comparison is fixed before the other rows are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.evidence.entries import Ran, Row, Seen
from steel_verified.evidence.observed import kept_of, packed_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Declared
    from steel_verified.evidence.sealed import KeptRows
    from steel_verified.learning.knowledge import Trajectory

_QUARTILES: Final = (("lower quartile", 0.25), ("median", 0.5), ("upper quartile", 0.75))
_MOST_VALUES: Final = 1 << 25
"""About this many values are unpacked at once, one byte each."""
FEW_PROBES: Final = 24
"""With at most this many probes, all pairs of probes are symbols, too. They are in one block."""
_MOST_DATASETS: Final = 2_000
"""This many datasets from the beginning of a run, and from its end, are opened to find causes."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some of the probes, on all kept rows, eight in one byte until they are read."""

    packed: NDArray[np.uint8]
    probes: NDArray[np.int64]
    """The numbers of these probes, in increasing order."""

    def read(self, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return the probes of the chosen rows: an array [row, probe]."""
        return self._unpacked(self.packed[chosen])

    def changing(self, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of the probes that show both values on the chosen rows."""
        rows = self.packed[chosen]
        both = np.bitwise_or.reduce(rows, axis=0) & ~np.bitwise_and.reduce(rows, axis=0)
        return np.flatnonzero(self._unpacked(both[None]))

    def _unpacked(self, packed: NDArray[np.uint8]) -> NDArray[np.bool_]:
        bits = np.unpackbits(packed, axis=1, count=len(self.probes), bitorder="little")
        values: NDArray[np.bool_] = bits.view(np.bool_)
        return values


def changing(seen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the probes that show both values."""
    return np.flatnonzero(seen.any(axis=0) & ~seen.all(axis=0))


def number_of_probes(declared: Declared) -> int:
    """Return how many probes a row has."""
    return declared.width * (1 if declared.entries == "bits" else len(_QUARTILES))


def blocks(kept: Sequence[KeptRows]) -> Iterator[Block]:
    """Open the kept rows of a run that has ended; yield all probes on all rows, in blocks.

    So memory hardly grows with the number of probes: only the packed rows do.
    """
    if not kept:
        return
    declared, parts = kept[0].declared, [part for _, part in _QUARTILES]
    most = _MOST_VALUES // max(1, sum(each.rows for each in kept))
    if declared.entries == "bits":
        bits = np.concatenate([np.frombuffer(packed_rows(each), np.uint8) for each in kept])
        step = max(FEW_PROBES, most // 8 * 8)
        for first in range(0, declared.width, step):
            some = slice(first // 8, (first + step) // 8)
            probes = np.arange(first, min(first + step, declared.width))
            yield Block(bits.reshape(-1, declared.row_bytes)[:, some], probes)
        return
    kind = np.dtype("<i8" if declared.entries == "int64" else "<f8")
    entries = np.concatenate([np.frombuffer(packed_rows(each), kind) for each in kept])
    step = max(FEW_PROBES // len(parts), most // (8 * len(parts)))
    for first in range(0, declared.width, step):
        numbers = entries.reshape(-1, declared.width)[:, first : first + step].astype(float)
        quartiles = np.quantile(numbers[: kept[0].rows], parts, axis=0, method="lower")
        above = np.concatenate([numbers > quartile for quartile in quartiles], axis=1)
        within = np.arange(first, min(first + step, declared.width))
        probes = np.concatenate([within + part * declared.width for part in range(len(parts))])
        yield Block(np.packbits(above, axis=1, bitorder="little"), probes)


def probed(kept: Sequence[KeptRows]) -> NDArray[np.bool_]:
    """Open the kept rows of a run that has ended; return all probes: an array [row, probe]."""
    rows = np.arange(sum(each.rows for each in kept))
    read = [(block.probes, block.read(rows)) for block in blocks(kept)]
    seen = np.concatenate([values for _, values in read], axis=1)
    return seen[:, np.argsort(np.concatenate([probes for probes, _ in read]))]


def probe_name(declared: Declared, number: int) -> str:
    """Return what a probe measures, in words; it is the subject of "… was 1"."""
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


def opened_run(stretches: Sequence[Stretch]) -> OpenedRun:
    """Open the rows of a run that has ended; return their times, actions and probes."""
    return OpenedRun(
        np.concatenate([np.array(each.times, dtype=np.int64) for each in stretches]),
        np.concatenate([np.array(each.actions, dtype=np.int64) for each in stretches]),
        probed([each.rows for each in stretches]),
    )


def stretch_of_ledger(ledger: Ledger, declared: Declared) -> Stretch:
    """Return the rows of a located run that has ended, in the order in which its ledger has them.

    From a long run only the first and the last datasets are taken.
    """
    found = list(_rows_of(ledger))
    if len(found) > 2 * _MOST_DATASETS:
        found = found[:_MOST_DATASETS] + found[-_MOST_DATASETS:]
    times = tuple(ran.start - ran.done + time for ran, time, _ in found)
    actions = tuple(ran.word[(time - 1) % len(ran.word)] for ran, time, _ in found)
    return Stretch(times, actions, kept_of(declared, [row for _, _, row in found]))


def stretches_of_trajectories(paths: Iterable[Trajectory], declared: Declared) -> Iterator[Stretch]:
    """Yield the rows of a certain run that has ended, each with the action before it."""
    begun = 0
    for path in paths:
        packed = b"".join(row.to_bytes(declared.row_bytes, "little") for row in path.rows[1:])
        if packed:
            times = tuple(range(begun + 2, begun + len(path.rows) + 1))
            yield Stretch(times, path.actions, kept_of(declared, [packed]))
        begun += len(path.rows) + 1


def rows_before(ledger: Ledger, declared: Declared, step: int) -> KeptRows:
    """Return the rows of a located run that were read from loops which began before this step."""
    rows = [row for ran, _, row in _rows_of(ledger) if ran.start - ran.done < step]
    return kept_of(declared, rows)


def _rows_of(ledger: Ledger) -> Iterator[tuple[Ran, int, Row]]:
    """Yield each row of a located run, with its time in the loop, and the last plan before it."""
    ran: Ran | None = None
    for entry in ledger.entries:
        if isinstance(entry, Ran):
            ran = entry
        elif isinstance(entry, Seen) and ran is not None:
            for time, row in zip(entry.times, entry.rows, strict=True):
                yield ran, time, row
