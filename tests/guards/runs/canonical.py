"""What a run did, as text that no file format and no class of the package decides.

A run is a list of parts. Each is a list of lines; a line ends with a newline, in UTF-8. Numbers are
decimal, fractions are in lowest terms (`1/20`), lists are joined by spaces.

    part         its lines
    ended        `right`: the run was accepted and is the truth, or the exit code of the command
    steps        the number of steps
    plans        `START STEPS: WORD` for each loop: the steps before it, its own, and its actions.
                 A plan that goes on with the loop before it is one with it.
    verdicts     of a looped run, in order: `period P: H same, …, H apart`, the tested hypotheses;
                 `position I: COUNT apart, COUNT same -> LABEL`, against the known states in order;
                 `encoder: DATASETS`, for each state the numbers of its datasets, as they were read;
                 of a located run: `periods after COUNT rows: LEFT`; `same ONE OTHER`;
                 `walk at START: WORD`, `visits: STEPS`, `passes: COUNT`, `chosen: CLASSIFIERS`;
                 and `pass NUMBER: FAILED`
    charges      `NAME CHARGE` for each decision that costs some of δ; at last `spent SUM`
    table        `STATE: STATES AFTER ACTIONS 0, 1, …`; at last `current STATE`
    classifiers  `STATE: NUMBER`

These parts are too large for text, and are bytes. Numbers have eight bytes, little-endian.

    actions      the action of every step of the run, one byte each
    times        for each dataset: how many rows it has, and the steps before each, in order
    rows         of a located run: the rows that were read, in order; each has its bits eight to a
                 byte, the first one lowest, and zeros after the last

The digest of a part is the beginning of the SHA-256 of its bytes: enough against accidents. `ended`
and `steps` stand for themselves.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

DIGITS: Final = 16
PARTS: Final = (
    "ended",
    "steps",
    "actions",
    "plans",
    "times",
    "rows",
    "verdicts",
    "charges",
    "table",
    "classifiers",
)
"""In this order they are compared: what comes first often explains the rest."""


@dataclass(frozen=True, slots=True)
class Loop:
    """`steps` steps of a word that is repeated, after `start` steps of the whole run."""

    start: int
    steps: int
    word: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What a run did."""

    ended: str
    loops: Sequence[Loop]
    times: Sequence[NDArray[np.int64]]
    """For each dataset, the steps before each of its rows."""
    rows: bytes
    verdicts: Sequence[str]
    charges: Sequence[tuple[str, Fraction]]
    spent: Fraction
    table: Sequence[Sequence[int]]
    current: int
    classifiers: Sequence[int]


def texts(record: Record) -> dict[str, str]:
    """The parts that are text."""
    table = [f"{state}: {joined(after)}" for state, after in enumerate(record.table)]
    charges = [f"{name} {charge}" for name, charge in record.charges]
    lines: dict[str, Iterable[str]] = {
        "ended": [record.ended],
        "steps": [str(sum(loop.steps for loop in record.loops))],
        "plans": [f"{loop.start} {loop.steps}: {joined(loop.word)}" for loop in record.loops],
        "verdicts": record.verdicts,
        "charges": [*charges, f"spent {record.spent}"],
        "table": [*table, f"current {record.current}"],
        "classifiers": [f"{state}: {number}" for state, number in enumerate(record.classifiers)],
    }
    return {name: "".join(f"{line}\n" for line in part) for name, part in lines.items()}


def joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def digests(record: Record) -> dict[str, str]:
    """The digest of every part."""
    shown = texts(record)
    parts = {name: _digest([text.encode()]) for name, text in shown.items()}
    parts |= {
        "ended": shown["ended"].strip(),
        "steps": shown["steps"].strip(),
        "actions": _digest(_actions(record.loops)),
        "times": _digest(_times(record.times)),
        "rows": _digest([record.rows]),
    }
    return {name: parts[name] for name in PARTS}


def _digest(chunks: Iterable[bytes]) -> str:
    sha = hashlib.sha256()
    for chunk in chunks:
        sha.update(chunk)
    return sha.hexdigest()[:DIGITS]


def _actions(loops: Iterable[Loop]) -> Iterator[bytes]:
    for loop in loops:
        whole, rest = divmod(loop.steps, len(loop.word))
        word = bytes(loop.word)
        yield word * whole + word[:rest]


def _times(datasets: Iterable[NDArray[np.int64]]) -> Iterator[bytes]:
    for times in datasets:
        yield times.size.to_bytes(8, "little")
        yield np.sort(times).astype("<i8").tobytes()
