"""The one place where this guard touches the package: runs the command, and reads its certificate.

If the command or the format changes, only this file is edited; what is stored stays.
"""

from __future__ import annotations

import base64
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np
from click.testing import CliRunner

from steel_verified.cli import main

from ...certificates.content import as_json
from .canonical import Loop, Record, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray


def record_of(run: str, *, self_check: bool = True) -> Record:
    """Run `steel learn` with these words, and say what it did."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.json"
        words = ["learn", *run.split(), "--certificate", str(file)]
        result = CliRunner().invoke(main, [*words, *([] if self_check else ["--no-self-check"])])
        if not file.exists():
            raise RuntimeError(f"steel {' '.join(words)} wrote no certificate:\n{result.output}")
        data = file.read_bytes()
    ended = "right" if result.exit_code == 0 else f"exit code {result.exit_code}"
    content = as_json(data)
    if msgspec.json.decode(content, type=_Method).method == "located":
        return _located(msgspec.json.decode(content, type=_LocatedFile), ended)
    return _looped(msgspec.json.decode(content, type=_LoopedFile), ended)


# --- certificates, as `as_json` writes them -------------------------------------------------------


class _Entry(msgspec.Struct, tag_field="kind"):
    pass


class _Ran(_Entry, tag="ran"):
    start: int
    word: tuple[int, ...]
    done: int
    steps: int


class _Read(_Entry, tag="read"):
    loop: int
    samples: list[tuple[int, list[list[int]]]]


class _Period(_Entry, tag="period"):
    tests: list[tuple[int, int, int, int]]
    period: int
    charge: str


class _Labels(_Entry, tag="labels"):
    positions: list[tuple[int, str, int]]
    charge: str


class _Encoder(_Entry, tag="encoder"):
    datasets: list[list[int]]
    charge: str


class _LocatedRead(_Entry, tag="seen"):
    times: list[int]
    rows: str


class _Periods(_Entry, tag="periods"):
    count: int
    left: list[int]


class _Same(_Entry, tag="same"):
    one: int
    other: int


class _Fixed(_Entry, tag="fixed"):
    at: int
    walk: list[int]
    visits: list[int]
    passes: int
    charge: str
    classifiers: list[int]


class _Checked(_Entry, tag="checked"):
    number: int
    failed: list[int]


class _Method(msgspec.Struct):
    method: str


class _File(msgspec.Struct):
    spent: str
    steps: int
    table: list[list[int]]
    current: int
    classifiers: list[int]


_Looped: TypeAlias = _Ran | _Read | _Period | _Labels | _Encoder
_Located: TypeAlias = _Ran | _LocatedRead | _Periods | _Same | _Fixed | _Checked


class _LoopedFile(_File):
    record: list[_Looped]


class _LocatedFile(_File):
    record: list[_Located]


def _looped(file: _LoopedFile, ended: str) -> Record:
    reads = [entry for entry in file.record if isinstance(entry, _Read)]
    return Record(
        ended=ended,
        loops=_loops(file.record, file.steps),
        times=[_at(read.loop, levels) for read in reads for _, levels in read.samples],
        rows=b"",
        verdicts=[line for entry in file.record for line in _looped_verdicts(entry)],
        charges=[
            (str(entry.__struct_config__.tag), Fraction(entry.charge))
            for entry in file.record
            if isinstance(entry, _Period | _Labels | _Encoder)
        ],
        spent=Fraction(file.spent),
        table=file.table,
        current=file.current,
        classifiers=file.classifiers,
    )


def _located(file: _LocatedFile, ended: str) -> Record:
    start, times, rows = 0, [], b""
    for entry in file.record:
        if isinstance(entry, _Ran) and entry.done == 0:
            start = entry.start
        elif isinstance(entry, _LocatedRead):
            times.append(start + np.array(entry.times, dtype=np.int64))
            rows += base64.b64decode(entry.rows)
    fixed = [entry for entry in file.record if isinstance(entry, _Fixed)]
    return Record(
        ended=ended,
        loops=_loops(file.record, file.steps),
        times=[np.concatenate(times)],
        rows=rows,
        verdicts=[line for entry in file.record for line in _located_verdicts(entry)],
        charges=[("round", Fraction(entry.charge)) for entry in fixed],
        spent=Fraction(file.spent),
        table=file.table,
        current=file.current,
        classifiers=file.classifiers,
    )


def _loops(record: Iterable[_Looped | _Located], steps: int) -> Sequence[Loop]:
    loops: list[Loop] = []
    for entry in record:
        if isinstance(entry, _Ran):
            before = loops.pop() if entry.done else Loop(entry.start, 0, entry.word)
            if (before.steps, before.word) != (entry.done, entry.word):
                raise ValueError(f"a plan goes on with another loop: {entry}")
            loops.append(Loop(before.start, before.steps + entry.steps, entry.word))
    if sum(loop.steps for loop in loops) != steps:
        raise ValueError(f"the plans do not have {steps} steps")
    return loops


def _at(start: int, levels: Iterable[Sequence[int]]) -> NDArray[np.int64]:
    """The times of some progressions `[first, count, stride, count, stride, …]`."""
    parts = []
    for first, *counts in levels:
        times = np.array([start + first], dtype=np.int64)
        for count, stride in zip(counts[::2], counts[1::2], strict=True):
            times = (times[:, np.newaxis] + stride * np.arange(count)).ravel()
        parts.append(times)
    return np.concatenate(parts)


def _looped_verdicts(entry: _Looped) -> Iterator[str]:
    match entry:
        case _Period():
            tests = (f"{test[0]} {'apart' if test[3] else 'same'}" for test in entry.tests)
            yield f"period {entry.period}: {', '.join(tests)}"
        case _Labels():
            for i, (_, verdicts, label) in enumerate(entry.positions):
                runs = ((bit, len([*same])) for bit, same in groupby(verdicts))
                text = (f"{count} {'apart' if bit == '1' else 'same'}" for bit, count in runs)
                yield f"position {i}: {', '.join(text)} -> {label}"
        case _Encoder():
            yield f"encoder: {', '.join(map(joined, entry.datasets))}"


def _located_verdicts(entry: _Located) -> Iterator[str]:
    match entry:
        case _Periods():
            yield f"periods after {entry.count} rows: {joined(entry.left)}"
        case _Same():
            yield f"same {entry.one} {entry.other}"
        case _Fixed():
            yield f"walk at {entry.at}: {joined(entry.walk)}"
            yield f"visits: {joined(entry.visits)}"
            yield f"passes: {entry.passes}"
            yield f"chosen: {joined(entry.classifiers)}"
        case _Checked():
            yield f"pass {entry.number}: {joined(entry.failed)}".rstrip()
