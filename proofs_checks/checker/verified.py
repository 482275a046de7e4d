"""Runs the checkers that are extracted from Coq, on located runs (finite classes) and certain ones.

`lines` writes what the record says happened: the actions, the rows that were read, and what was
announced. The program computes everything else itself (proofs_checks/coq/located/Checker.v), and
`Statements.located_is_sound` is the theorem about what it accepts. `lines_of_certain` does the same
for certain STEEL (coq/certain/Checker.v, `certain_is_sound`).
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from proofs_checks.checker.certain import Closed
from proofs_checks.checker.classes import Finite
from proofs_checks.checker.located import Fixed, PeriodsLeft, Seen
from proofs_checks.checker.reading import Finding, Malformed, Ran

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker import certain
    from proofs_checks.checker.located import Certificate

COQ = Path(__file__).resolve().parents[1] / "coq"
PROGRAM = COQ / "build" / "steel-check-located"
PROGRAM_OF_CERTAIN = COQ / "build" / "steel-check-certain"
HOW_TO_BUILD = "make -C proofs_checks/coq checkers (needs Coq, MathComp, OCaml and zarith)"

MOST_STEPS = 10_000_000
"""The longest trajectory that is written out for the program."""

MOST_SECONDS = 60
"""The program is stopped after this time."""

ACCEPTED, REJECTED = 0, 4


class NotVerified(Exception):
    """The program is not built, or does not read certificates of this kind."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the program accepts, as it prints it."""

    table: tuple[tuple[int, ...], ...]
    current: int
    classifiers: tuple[int, ...]
    steps: int


def lines(certificate: Certificate) -> Iterator[str]:
    """Yield the record, one item in a line; extraction/located_main.ml explains the lines."""
    p, functions = certificate.parameters, certificate.functions
    if not isinstance(functions, Finite):
        raise NotVerified("the verified checker reads runs of finite classes only")
    if max(p.actions, 2 * p.max_states) > certificate.stated.size:
        raise Malformed("parameters", "more actions, or rows for a loop, than the file can hold")
    epsilon, delta = (f"{f.numerator}/{f.denominator}" for f in (p.epsilon, p.delta))
    yield f"P {p.actions} {p.max_states} {p.mixing_time} {epsilon} {delta} {functions.size}"
    record, total, looping = certificate.record, 0, False
    for number, entry in enumerate(record):
        place = f"record[{number}]"
        if isinstance(entry, Fixed):
            _require_time(entry.at, total, place)
            if entry.passes > len(record) or entry.passes * len(entry.walk) > MOST_STEPS:
                raise Malformed(
                    place, "more passes than the record has entries, or too long a walk"
                )
            yield " ".join(["V", str(entry.passes), *map(str, entry.walk)])
            looping = False
        elif isinstance(entry, Ran):
            _require_time(entry.start, total, place)
            read, then = (*record[number + 1 : number + 3], None, None)[:2]
            is_loop = isinstance(then, PeriodsLeft)
            if is_loop and not entry.done:
                yield "L"
            elif looping and not is_loop:
                yield "E"
            looping = is_loop
            total += entry.steps
            if total > MOST_STEPS:
                raise Malformed(place, f"more than {MOST_STEPS:,} steps in all")
            yield from _steps(entry, read if isinstance(read, Seen) else None, place)


def _require_time(stated: int, steps: int, place: str) -> None:
    if stated != steps:
        raise Malformed(place, f"written at step {stated}, but the record has {steps} steps then")


def _steps(ran: Ran, read: Seen | None, place: str) -> Iterator[str]:
    """Yield the steps of one plan, each with the row that was read after it."""
    rows = dict(zip(read.times, read.rows, strict=True)) if read else {}
    first, last = ran.done + 1, ran.done + ran.steps
    if (ran.steps and not ran.word) or (read and len(rows) < len(read.times)):
        raise Malformed(place, "a plan without actions, or two rows that were read at one time")
    if any(not first <= time <= last for time in rows):
        raise Malformed(place, "a row was read outside of the plan before it")
    for time in range(first, last + 1):
        row = rows.get(time)
        shown = "-" if row is None else f"{int.from_bytes(row, 'little'):x}"
        yield f"D {ran.word[(time - 1) % len(ran.word)]} {shown}"


def answer(certificate: Certificate) -> Answer | None:
    """Return what the program accepts, None if it rejects; raise `NotVerified` or `Malformed`."""
    printed = _printed(PROGRAM, lines(certificate))
    if printed is None:
        return None
    *table, current, classifiers, steps = (line.split() for line in printed)
    return Answer(
        tuple(tuple(map(int, row)) for row in table),
        int(current[1]),
        tuple(map(int, classifiers[1:])),
        int(steps[1]),
    )


def _printed(program: Path, record: Iterator[str]) -> list[str] | None:
    """Return what a program prints about a record, None if it rejects it."""
    text = "".join(f"{line}\n" for line in record)
    if not program.is_file():
        raise NotVerified(f"the verified checker is not built; build it: {HOW_TO_BUILD}")
    try:
        done = subprocess.run(
            [str(program)],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=MOST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Malformed("record", f"checking takes more than {MOST_SECONDS} seconds") from None
    if done.returncode == REJECTED:
        return None
    if done.returncode != ACCEPTED:
        raise Malformed("record", f"the verified checker cannot read it: {done.stderr.strip()}")
    return done.stdout.splitlines()


def lines_of_certain(record: certain.Record) -> Iterator[str]:
    """Yield a record of certain STEEL as extraction/certain_main.ml reads it."""
    kind = "connected" if record.connected else "log"
    yield f"certain {record.classifiers} {record.actions} {kind}"
    for path in record.all_trajectories():
        yield f"start {path.rows[0]:x}"
        yield from (f"{a} {row:x}" for a, row in zip(path.actions, path.rows[1:], strict=True))
    yield " ".join(["claim", *map(str, record.claim)])
    yield from (f"row {f} {t}" for f, t in record.removals)
    for step in record.proof:
        if isinstance(step, Closed):
            yield " ".join(["closed", *map(str, step.classifiers)])
        else:
            words = [f"+{f}" for f in _members(step.yes)] + [f"-{f}" for f in _members(step.no)]
            yield " ".join(["clause", *words])


def _members(members: int) -> Iterator[int]:
    return (f for f in range(members.bit_length()) if members >> f & 1)


def answer_of_certain(
    record: certain.Record,
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]] | None:
    """Return the table and the classifiers that the program accepts, None if it rejects."""
    printed = _printed(PROGRAM_OF_CERTAIN, lines_of_certain(record))
    if printed is None:
        return None
    parts = [[tuple(map(int, words.split())) for words in one.split(":")] for one in printed[:-1]]
    return tuple(table for table, _ in parts), tuple(encoder for _, encoder in parts)


def check_certain(certificate: certain.Certificate) -> list[Finding]:
    """Return a finding if the program rejects the record, or accepts another table."""
    found = answer_of_certain(certificate.record)
    if found is None:
        return [Finding("verified", "record", "the verified checker rejects this record")]
    if found[0] != certificate.table:
        said = "not what the verified checker computes from the record"
        return [Finding("verified", "table", said)]
    return []


def not_for_this_method() -> list[Finding]:
    """Raise `NotVerified`: no program is extracted for this method."""
    raise NotVerified("the verified checkers read located and certain runs only")


def check(certificate: Certificate) -> list[Finding]:
    """Return a finding if the program rejects the record, or accepts another answer."""
    if certificate.classifiers is None:
        raise NotVerified("the verified checker reads runs that end with a validation only")
    found = answer(certificate)
    if found is None:
        return [Finding("verified", "record", "the verified checker rejects this record")]
    stated = Answer(
        certificate.stated.table,
        certificate.stated.current,
        tuple(f for f in certificate.classifiers if isinstance(f, int)),
        certificate.stated.steps,
    )
    return [
        Finding("verified", name, "not what the verified checker computes from the record")
        for name in Answer.__slots__
        if getattr(found, name) != getattr(stated, name)
    ]
