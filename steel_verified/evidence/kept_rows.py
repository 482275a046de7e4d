"""Observations (rows) that are kept for the self-check, outside the ledger; the learner has none.

They are read at times that were fixed beforehand, from loops that the learner runs anyway. They
stay sealed until the run has ended. Then `probed` opens them and returns *probes*: yes-or-no
measurements of each row, such as "bit 3 is 1" or "number 2 is above its median".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.evidence.ledger import Ran, Read
from steel_verified.evidence.observed import array_of, kept_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import KeptRows
    from steel_verified.evidence.oracle import Declared
    from steel_verified.evidence.plans import Word

_QUARTILES: Final = (("lower quartile", 0.25), ("median", 0.5), ("upper quartile", 0.75))
_MOST_DATASETS: Final = 2_000
"""This many datasets from the beginning of a run, and from its end, are opened to find causes."""


def probed(kept: Sequence[KeptRows]) -> tuple[NDArray[np.bool_], ...]:
    """Open the kept rows of a run that has ended; return an array of probes for each `KeptRows`.

    If the rows are bits, each bit is a probe. Numbers are compared with the quartiles of the first
    kept rows: "above the lower quartile", "above the median", "above the upper quartile". So the
    comparison is fixed before the other rows are used.
    """
    if not kept:
        return ()
    if kept[0].declared.entries == "bits":
        return tuple(array_of(each).astype(np.bool_, copy=False) for each in kept)
    first, *_ = numbers = [array_of(each) for each in kept]
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
    rows = kept_of(declared, [sample.seen for _, _, sample in found])
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
    return kept_of(declared, [sample.seen for sample in samples])
