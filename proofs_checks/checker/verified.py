"""Runs the checkers that are extracted from Coq, on located runs and certain ones.

`lines` writes what the record says happened: the actions, the rows that were read, and what was
announced. The program computes everything else itself (proofs_checks/coq/located/Checker.v), also
the classifiers, by the declared rule of the class; for half-spaces it takes those that were
announced with the round, and decides itself which rows can be separated, without the proofs in the
file. `located_is_sound` (finite classes) and `located_is_sound_for_declared_classes` (the others)
are the theorems about what it accepts. `lines_of_certain` does the same for certain STEEL
(coq/certain/Checker.v, `certain_is_sound`). If the class is not finite, the program is given its
columns on the rows as a finite class: that no column is missing, Python decides (`columns`).
"""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from proofs_checks.checker.certain import Closed
from proofs_checks.checker.classes import (
    WIDEST,
    Boxes,
    Conjunctions,
    Extent,
    Finite,
    Literals,
    Numbers,
    Threshold,
    Thresholds,
)
from proofs_checks.checker.half_spaces import HalfSpace, HalfSpaces, lifted
from proofs_checks.checker.located_record import Fixed, Joins, PeriodsLeft, Seen, Steps
from proofs_checks.checker.reading import Finding, Malformed, Ran

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker import certain
    from proofs_checks.checker.located_record import AnyClass, Certificate

if sys.platform != "win32":
    import resource

COQ = Path(__file__).resolve().parents[1] / "coq"
PROGRAM = COQ / "build" / "steel-check-located"
PROGRAM_OF_CERTAIN = COQ / "build" / "steel-check-certain"
HOW_TO_BUILD = "make -C proofs_checks/coq checkers (needs Coq, MathComp, OCaml and zarith)"

MOST_STEPS = 10_000_000
"""The longest trajectory that is written out for the program."""

MOST_SECONDS = 60
"""The program is stopped after this time."""

MOST_STACK = 1 << 30
"""The program goes through lists by recursion: with the usual 8 MB, records of some 200,000 steps
are too long."""

ACCEPTED, REJECTED = 0, 4

SMALLEST = 1074
"""Every float of 64 bits is a multiple of 2^-1074."""

MEANING = """\
The checker that is extracted from the Coq proofs accepts the record too, with the same table, state
and classifiers. located_is_sound (finite classes), located_is_sound_for_declared_classes (others)
and certain_is_sound, proved without axioms, say what that means."""
"""What it means that a program accepts."""

MEANING_FOR_COLUMNS = """\
The checker that is extracted from the Coq proofs accepts the record too, with the same table, for
the class of those columns that checker/columns.py lists. certain_is_sound, proved without axioms,
says what that means. That no other column of the class can belong to a state is not verified."""

NOT_DECLARED = (
    "the verified checker reads runs of finite classes, of half-spaces, and of thresholds, boxes "
    "and conjunctions with the rule 'widest margin'; here they are announced, as in old files"
)


JOINED = (
    "the verified checker reads located runs that ended with a validation; this one ended by the "
    "rule on joins"
)


class NotVerified(Exception):
    """The program is not built, or does not read certificates of this kind."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the program accepts, as it prints it."""

    table: tuple[tuple[int, ...], ...]
    current: int
    steps: int
    classifiers: tuple[tuple[str, ...], ...]
    """The words of each."""


def lines(certificate: Certificate) -> Iterator[str]:
    """Yield the record, one item in a line; extraction/located_main.ml explains the lines."""
    p, functions = certificate.parameters, certificate.functions
    declared = _declared(functions)
    record, total, looping = certificate.record, 0, False
    if record and isinstance(record[-1], Joins):
        raise NotVerified(JOINED)
    if max(p.actions, 2 * p.max_states) > certificate.stated.size:
        raise Malformed("parameters", "more actions, or rows for a loop, than the file can hold")
    largest = Fraction(1, 2) if certificate.classifiers is None else p.epsilon
    epsilon, delta = (f"{f.numerator}/{f.denominator}" for f in (largest, p.delta))
    yield f"P {p.actions} {p.max_states} {p.mixing_time} {epsilon} {delta}"
    yield f"C {declared}"
    for number, entry in enumerate(record):
        place = f"record[{number}]"
        if isinstance(entry, Fixed):
            _require_time(entry.at, total, place)
            if entry.passes > len(record) or entry.passes * len(entry.walk) > MOST_STEPS:
                raise Malformed(
                    place, "more passes than the record has entries, or too long a walk"
                )
            yield " ".join(["V", str(entry.passes), *map(str, entry.walk)])
            if isinstance(functions, HalfSpaces):
                yield from (" ".join(["F", *_words(functions, f)]) for f in entry.classifiers)
            looping = False
        elif isinstance(entry, Steps):
            if looping:
                yield "E"
            looping = False
            total += len(entry)
            yield from (f"D {action} {_row(functions, row)}" for action, row in entry)
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
            rows = _rows(entry, read if isinstance(read, Seen) else None, place)
            for time in range(entry.done + 1, entry.done + entry.steps + 1):
                row = _row(functions, rows[time]) if time in rows else "-"
                yield f"D {entry.word[(time - 1) % len(entry.word)]} {row}"


def _require_time(stated: int, steps: int, place: str) -> None:
    if stated != steps:
        raise Malformed(place, f"written at step {stated}, but the record has {steps} steps then")


def _declared(functions: AnyClass) -> str:
    """Return the class as the program reads it; raise `NotVerified` if its rule is not declared."""
    match functions:
        case Finite(size=width):
            return f"finite {width}"
        case Conjunctions(width=width, rule=rule) if rule == WIDEST:
            return f"conjunctions {width}"
        case Thresholds() | Boxes() if functions.rule == WIDEST:
            name = "boxes" if isinstance(functions, Boxes) else "thresholds"
            return f"{name} {functions.width} {functions.entries}"
        case HalfSpaces(width=width):
            return f"half-spaces {width}"
    raise NotVerified(NOT_DECLARED)


def _rows(ran: Ran, read: Seen | None, place: str) -> dict[int, bytes]:
    """Return the row that was read at each time of one plan."""
    rows = dict(zip(read.times, read.rows, strict=True)) if read else {}
    if (ran.steps and not ran.word) or (read and len(rows) < len(read.times)):
        raise Malformed(place, "a plan without actions, or two rows that were read at one time")
    if any(not ran.done < time <= ran.done + ran.steps for time in rows):
        raise Malformed(place, "a row was read outside of the plan before it")
    return rows


def _row(functions: AnyClass, row: bytes) -> str:
    """Return a row as words: bits in base 16, integers, or floats as multiples of 2^-1074."""
    if not isinstance(functions, Numbers):
        return f"{int.from_bytes(row, 'little'):x}"
    point = functions.point(row)
    if functions.entries == "int64" and not isinstance(functions, HalfSpaces):
        return " ".join(map(str, point))
    ratios = [x.as_integer_ratio() for x in point]
    if isinstance(functions, HalfSpaces):
        return " ".join(map(str, lifted(ratios, functions.work).numbers))
    return " ".join(f"{above}*{SMALLEST + 1 - below.bit_length()}" for above, below in ratios)


def _words(functions: AnyClass, classifier: object) -> tuple[str, ...]:
    """Return the words that the program prints for a classifier."""
    scale = 1 << SMALLEST if getattr(functions, "entries", "") == "float64" else 1

    def bound(x: float) -> str:
        return str(x if math.isinf(x) else Fraction(x) * scale)

    match classifier:
        case Literals(needed, barred):
            return str(needed), str(barred)
        case Threshold(feature, sign, limit):
            return str(feature), sign, bound(limit)
        case Extent(least, greatest):
            return tuple(map(bound, (*least, *greatest)))
        case HalfSpace(weights):
            return tuple(f"{weight:x}" for weight in weights)
    return (str(classifier),)


def answer(certificate: Certificate) -> Answer | None:
    """Return what the program accepts, None if it rejects; raise `NotVerified` or `Malformed`."""
    printed = _printed(PROGRAM, lines(certificate))
    if printed is None:
        return None
    lines_read = [tuple(line.split()) for line in printed]
    states = next(i for i, words in enumerate(lines_read) if words[0] == "current")
    return Answer(
        tuple(tuple(map(int, row)) for row in lines_read[:states]),
        int(lines_read[states][1]),
        int(lines_read[states + 1][1]),
        tuple(lines_read[states + 2 :]),
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
            preexec_fn=None if sys.platform == "win32" else _with_stack,
        )
    except subprocess.TimeoutExpired:
        raise Malformed("record", f"checking takes more than {MOST_SECONDS} seconds") from None
    if done.returncode == REJECTED:
        return None
    if done.returncode != ACCEPTED:
        raise Malformed("record", f"the verified checker cannot read it: {done.stderr.strip()}")
    return done.stdout.splitlines()


def _with_stack() -> None:
    """Give this process as large a stack as it may have, up to `MOST_STACK`."""
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = MOST_STACK if most == resource.RLIM_INFINITY else min(MOST_STACK, most)
    resource.setrlimit(resource.RLIMIT_STACK, (wanted, most))


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


def not_for_formulas() -> list[Finding]:
    """Raise `NotVerified`: no program is extracted for the formula of N boxes."""
    raise NotVerified(
        "the verified checker reads certain runs of classes that are listed; here a formula "
        "excludes all other models with at most max_states states"
    )


def check(certificate: Certificate) -> list[Finding]:
    """Return a finding if the program rejects the record, or accepts another answer."""
    found = answer(certificate)
    if found is None:
        return [Finding("verified", "record", "the verified checker rejects this record")]
    classifiers = certificate.classifiers
    stated = Answer(
        certificate.stated.table,
        certificate.stated.current,
        certificate.stated.steps,
        found.classifiers
        if classifiers is None
        else tuple(_words(certificate.functions, f) for f in classifiers),
    )
    return [
        Finding("verified", name, "not what the verified checker computes from the record")
        for name in Answer.__slots__
        if getattr(found, name) != getattr(stated, name)
    ]
