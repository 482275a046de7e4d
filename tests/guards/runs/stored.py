"""The runs, what is stored of them, and how a run of today is compared with it.

`expected.jsonl` has a line for each run, with the digests of its parts. `texts.json.xz` has the
text behind most digests of a part that is text, so that a difference can be shown line by line:
all of the sample, all charges, and others up to a length.
"""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from .adapter import record_of
from .canonical import PARTS, digests, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HERE: Final = Path(__file__).parent
EXPECTED: Final = HERE / "expected.jsonl"
TEXTS: Final = HERE / "texts.json.xz"

_PAIRS: Final = ((3, 5), (5, 7), (11, 13), (17, 19), (29, 31), (41, 43))
_SIMULATED: Final = (*(f"combination-lock --states {k}" for k in (20, 30, 40)), "multi-maze")
_PRIMES: Final = tuple(
    f"{kind}-prime --p {p} --q {q}" for p, q in _PAIRS for kind in ("double", "single")
)

SAMPLE: Final = (
    "combination-lock --states 20 --env-seed 0 --noise-seed 0",
    "multi-maze --env-seed 0 --noise-seed 0",
    "double-prime --p 3 --q 5 --env-seed 7 --noise-seed 7",
    "single-prime --p 3 --q 5 --env-seed 0 --noise-seed 0",
    "single-prime --p 17 --q 19 --env-seed 4 --noise-seed 4",
)
"""The runs that every test repeats, with both methods: each world, and a few seconds in all."""

DIGESTED: Final = ("plans", "verdicts", "charges", "table", "classifiers")
"""The parts that are text, of which a digest is stored."""
LONGEST: Final = 20_000
"""Longer texts are stored of the sample only; charges always."""


def both(worlds: Iterable[str]) -> list[str]:
    """Runs of these worlds with both methods."""
    return [f"{world} --method {method}" for world in worlds for method in ("looped", "located")]


def all_runs() -> list[str]:
    """The runs of Tables 2 and 3, with both methods; the longest first."""
    return both(_with_seeds())


def _with_seeds() -> Iterator[str]:
    for world in reversed(_SIMULATED):
        yield from (f"{world} --env-seed 0 --noise-seed {noise}" for noise in range(20))
        yield from (f"{world} --env-seed {seed} --noise-seed {seed}" for seed in range(20, 40))
    for world in reversed(_PRIMES):
        yield from (f"{world} --env-seed {seed} --noise-seed {seed}" for seed in range(20))


class Line(msgspec.Struct, frozen=True):
    """A line of `expected.jsonl`."""

    run: str
    parts: dict[str, str]


@cache
def expected() -> Mapping[str, dict[str, str]]:
    """The stored digests of each run."""
    lines = EXPECTED.read_bytes().splitlines()
    return {line.run: line.parts for line in (msgspec.json.decode(one, type=Line) for one in lines)}


def difference(run: str, *, self_check: bool = True) -> str | None:
    """Repeat a run, and say where it first differs from what is stored; None if nowhere."""
    record = record_of(run, self_check=self_check)
    stored, found = expected()[run], digests(record)
    different = [name for name in PARTS if stored[name] != found[name]]
    if not different:
        return None
    reports = [f"steel learn {run}"]
    reports += [f"{name}: expected {stored[name]}, found {found[name]}" for name in different]
    if known := [name for name in different if stored[name] in texts_by_digest()]:
        before, after = texts_by_digest()[stored[known[0]]], texts(record)[known[0]]
        reports.append(f"{known[0]}, {first_line(before, after)}")
    return "\n".join(reports)


def first_line(expected: str, found: str) -> str:
    """The first line in which two texts differ."""
    before, after = expected.splitlines(), found.splitlines()
    number = next(
        (i for i, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
        min(len(before), len(after)),
    )
    shown = (
        f"  {name:8} {lines[number] if number < len(lines) else '(no more lines)'}"
        for name, lines in (("expected", before), ("found", after))
    )
    return "\n".join([f"line {number + 1} of {len(before)} (now of {len(after)}):", *shown])


@cache
def texts_by_digest() -> Mapping[str, str]:
    """The text behind each stored digest of a part that is text."""
    return msgspec.json.decode(lzma.decompress(TEXTS.read_bytes()), type=dict[str, str])


def made(run: str) -> tuple[Line, dict[str, str]]:
    """What is stored of a run: its line, and the texts behind its digests."""
    record = record_of(run)
    parts, shown = digests(record), texts(record)
    whole = run in both(SAMPLE)
    reports = [n for n in DIGESTED if whole or n == "charges" or len(shown[n]) <= LONGEST]
    return Line(run, parts), {parts[name]: shown[name] for name in reports}


def store(lines: Iterable[Line], shown: Mapping[str, str]) -> None:
    """Replace what is stored."""
    ordered = sorted(lines, key=lambda line: line.run)
    EXPECTED.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in ordered))
    data = msgspec.json.encode(dict(sorted(shown.items())))
    TEXTS.write_bytes(lzma.compress(data))
