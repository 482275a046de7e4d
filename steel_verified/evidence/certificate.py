"""Certificates: the ledger of an accepted run and what it claims, as a file (version 3).

A file is a sequence of lines, one JSON object each: a header, the entries of the ledger in order,
the claim, and the digest of everything before it. The rows are packed bytes behind lines of their
own, each distinct row once. certificate.md has the specification. All values are copied from the
ledger: recomputing them is the task of the independent checker.
"""

from __future__ import annotations

import hashlib
import platform
import struct
from dataclasses import dataclass
from fractions import Fraction  # noqa: TC003 (msgspec reads the annotations)
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.entries import (
    Count,
    Entry,
    Fixed,
    InOneLine,
    Joins,
    Proofs,
    Ran,
    Row,
    Seen,
    Steps,
    Tagged,
    Trajectory,
    Whole,
    of_plain,
    plain,
    rows_in,
)
from steel_verified.evidence.ledger import Ledger, Opening
from steel_verified.evidence.oracle import Classifier, Declared, Function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from steel_verified.evidence.codec import Json

FORMAT: Final = "steel-certificate"
_BATCH: Final = 1000
"""The new rows of this many entries are written together, before them."""
_STEP: Final = struct.Struct("<HI")
"""A step in a file: its action, and the number of the row after it."""
_BEGINS: Final = (1 << 16) - 1
"""What a step has instead of an action if a new trajectory begins with its row."""

_CONNECTED: Final = "the latent dynamics are deterministic, and every state reaches every other"
_NOISE: Final = (
    "the noise ignores actions, is irreducible and aperiodic, and mixes within mixing_time"
)
_TWO: Final = "there are at least two states"
ASSUMPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "looped": (
        _CONNECTED,
        _NOISE,
        "there are at most max_states states, at most max_diameter steps apart",
        "F has at most class_size classifiers, one-versus-rest ones for each state among them",
        "the oracle returns a separating classifier whenever there is one",
        "the run took place: every row was read at its time from one unbroken trajectory",
    ),
    "located": (
        _CONNECTED,
        _NOISE,
        "there are at most max_states states",
        "F has a one-versus-rest classifier for each state",
        "the oracle is a function of what it was shown, declared beforehand",
        "the rows are what the world showed, in one unbroken trajectory, and no other run was made",
    ),
    "certain": (
        "each observation shows one state, and F has a one-versus-rest classifier for each state",
        _CONNECTED,
        "there are at least two states, if a classifier is 1 on all rows",
        "the rows are what the world showed, and each action led to the row after it",
    ),
    "log": (
        "each observation shows one state, and F has a one-versus-rest classifier for each state",
        "the latent dynamics are deterministic, and the same in all trajectories",
        "at least two states were visited, if a classifier is 1 on all rows",
        "a state in which a trajectory terminated is left by no action",
        "the rows are what the world showed, and each action led to the row after it",
    ),
    "factored": (
        "each observation shows one value of each factor, and F has a classifier for each value",
        "each factor moves by a table of its own, in which every value reaches every other",
        "each factor has at least two values",
        "the noise ignores the actions, if there is a delta",
        "the coins were fair, independent of all else, and recorded before the actions were taken",
        "the rows are what the world showed, in one unbroken trajectory, and no other run was made",
    ),
    "slipping": (
        "each observation shows one state, and F has a one-versus-rest classifier for each state",
        "given the past, a step leads elsewhere than usual with chance at most slips",
        "usual steps lead from every state to every other",
        "there are at least two states, if a classifier is 1 on all rows",
        "the rows are what the world showed, in one unbroken trajectory, and no other run was made",
    ),
    "coins": (
        "each observation shows one state, and F has a one-versus-rest classifier for each state",
        _CONNECTED,
        "there are at least two states, if a classifier is 1 on all rows",
        "the noise ignores actions",
        "the coins were fair, independent of all else, and recorded before their words were run",
        "the rows are what the world showed, in one unbroken trajectory, and no other run was made",
    ),
}


class Parameters(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """The parameters of a run; each method has those that it needs."""

    actions: Count
    max_states: Count | None = None
    max_diameter: Whole | None = None
    mixing_time: Count | None = None
    class_size: Count | None = None
    delta: Fraction | None = None
    epsilon: Fraction | None = None
    connected: bool | None = None
    slips: Fraction | None = None


class Class(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The class of classifiers, the format of a row, and how a classifier is chosen."""

    name: str
    entries: Literal["bits", "int64", "float64"]
    width: Count
    rule: str


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The origin of a run. The checker ignores it."""

    world: str
    env_seed: Whole
    noise_seed: Whole
    python: str
    versions: dict[str, str]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a file."""

    format: Literal["steel-certificate"] = FORMAT
    version: Literal[3] = 3
    method: str
    parameters: Parameters
    functions: Class | None = msgspec.field(name="class")
    assumptions: tuple[str, ...]
    provenance: Provenance


class Rows(Tagged, frozen=True, tag="rows"):
    """Rows follow this line, as bytes, one after the other."""

    count: Count


class Packed(Tagged, frozen=True, tag="steps"):
    """Steps follow this line, six bytes each: of the last trajectory, or plans of one step."""

    count: Count


class Claim(Tagged, frozen=True, kw_only=True, omit_defaults=True, tag="claim"):
    """What was learned: the table, the present state and a classifier for each state."""

    table: tuple[tuple[int, ...], ...]
    current: Whole | None
    classifiers: tuple[object, ...] | None
    steps: Whole
    spent: Fraction | None = None
    """The part of δ that was spent; methods without δ have none."""
    assumes: tuple[str, ...] | None = None
    factors: tuple[Count, ...] | None = None
    """How many labels each factor has; the table has those of one factor after the other."""


class End(Tagged, frozen=True, tag="end"):
    """The SHA-256 of all bytes before this line."""

    digest: str


Line: TypeAlias = InOneLine | Packed | Rows | Claim | End
"""Every line of a file but the first."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate that was read from a file. Reading does not check it."""

    header: Header
    record: tuple[Entry, ...]
    claim: Claim


def provenance(world: str, env_seed: int, noise_seed: int) -> Provenance:
    from importlib.metadata import version  # noqa: PLC0415 (it is slow to import)

    names = ("steel_verified", "numpy", "python-flint")
    return Provenance(
        world=world,
        env_seed=env_seed,
        noise_seed=noise_seed,
        python=platform.python_version(),
        versions={name: version(name) for name in names},
    )


def certificate(
    ledger: Ledger,
    functions: Declared | None,
    table: Sequence[Sequence[int | None]],
    current: int,
    classifiers: tuple[Classifier, ...] | None,
    provenance: Provenance,
    *,
    written: Callable[[Classifier], object] | None = None,
    proofs: Proofs | None = None,
) -> bytes:
    """Return the certificate of an accepted run, looped or located, as the bytes of a file.

    `written` converts a classifier to JSON; those of finite classes are numbers already. For
    half-spaces, `proofs` is needed.
    """
    began, *entries = ledger.entries
    write = written or (lambda classifier: classifier)
    is_sure = isinstance(ledger.entry, Joins) and ledger.entry.complete
    dynamics_only = classifiers is None and ledger.method == "located"
    encoder = None if dynamics_only else ledger.encoder
    if classifiers != encoder:
        raise InvalidArgument("classifiers", classifiers, f"{encoder}, as they were chosen")
    declared = None
    if ledger.method == "looped":
        if encoder is not None and not all(type(each) is int for each in encoder):
            expected = "numbers of a finite class: other classes have certificates for located runs"
            raise InvalidArgument("classifiers", encoder, expected)
    elif ledger.method == "located" and ledger.keeps_rows and functions is not None:
        if ledger.encoder is None and not is_sure:
            raise InvalidArgument("ledger", "without a validation", "the ledger of an accepted run")
        declared = Class(functions.name, functions.entries, functions.width, functions.rule)
    else:
        raise InvalidArgument("ledger", ledger.method, "the ledger of one looped or located run")
    header = Header(
        method=ledger.method,
        parameters=msgspec.convert(began, Parameters, from_attributes=True),
        functions=declared,
        assumptions=(*ASSUMPTIONS[ledger.method], *((_TWO,) if is_sure else ())),
        provenance=provenance,
    )
    claim = Claim(
        table=tuple(tuple(-1 if to is None else to for to in row) for row in table),
        current=current,
        classifiers=None if encoder is None else tuple(map(write, encoder)),
        spent=ledger.budget.spent,
        steps=ledger.steps,
    )
    recorded = (_as_written(entry, write) for entry in entries)
    more = () if proofs is None else (proofs,)
    return b"".join(lines(header, (*recorded, *more), claim))


def _as_written(entry: Entry | Opening, written: Callable[[Classifier], object]) -> Entry:
    if isinstance(entry, Opening):
        raise InvalidArgument("ledger", "of two methods", "the ledger of one looped or located run")
    if isinstance(entry, Fixed):
        chosen = (each for each in entry.classifiers if isinstance(each, int | Function))
        return msgspec.structs.replace(entry, classifiers=tuple(map(written, chosen)))
    return entry


def _joined(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Join plans of one step, each with the row after it, to steps, which a file has packed."""
    place = 0
    while place < len(entries):
        steps: list[tuple[int, Row]] = []
        while (step := _step_in(entries[place : place + 2])) and len(steps) < _BATCH:
            steps.append(step)
            place += 2
        if steps:
            actions, rows = zip(*steps, strict=True)
            yield Steps(actions, rows)
        else:
            yield entries[place]
            place += 1


def _step_in(entries: Sequence[Entry]) -> tuple[int, Row] | None:
    match entries:
        case [Ran(word=(action,), done=0, steps=1), Seen(times=(1,), rows=(row,))]:
            return (action, row) if action <= _BEGINS else None
    return None


def _run_on(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Join trajectories that follow each other directly into one list of steps."""
    actions: list[int] = []
    rows: list[Row] = []
    may_follow = False
    for entry in entries:
        if isinstance(entry, Trajectory) and may_follow and len(rows) < _BATCH:
            actions.append(_BEGINS)
            rows.append(entry.row)
        elif isinstance(entry, Steps):
            if _BEGINS in entry.actions:
                raise InvalidArgument("ledger", f"with action {_BEGINS}", "smaller action numbers")
            actions += entry.actions
            rows += entry.rows
        else:
            if rows:
                yield Steps(tuple(actions), tuple(rows))
                actions, rows = [], []
            yield entry
            may_follow = isinstance(entry, Trajectory)
    if rows:
        yield Steps(tuple(actions), tuple(rows))


def _parted(steps: Steps) -> Iterator[Trajectory | Steps]:
    """Yield the trajectories that `_run_on` joined."""
    start = 0
    for place, action in enumerate((*steps.actions, _BEGINS)):
        if action == _BEGINS:
            if place > start:
                yield Steps(steps.actions[start:place], steps.rows[start:place])
            if place < len(steps.rows):
                yield Trajectory(steps.rows[place])
            start = place + 1


def _single(steps: Steps, taken: int, read: int) -> Iterator[Entry]:
    """Yield the plans of one step and their rows, after so many steps and rows."""
    for number, (action, row) in enumerate(zip(steps.actions, steps.rows, strict=True)):
        yield Ran(taken + number, (action,), 0, 1)
        yield Seen(read + number, (1,), (row,))


# --- writing --------------------------------------------------------------------------------------


def lines(header: Header, entries: Iterable[Entry], claim: Claim) -> Iterator[bytes]:
    digest = hashlib.sha256()
    for line in _content(header, entries, claim):
        digest.update(line)
        yield line
    yield _encoded(End(digest.hexdigest()), plain)


def with_provenance(data: bytes, origin: Provenance) -> bytes:
    """Return the same certificate with another origin; the digest changes with it."""
    header, _, rest = data.partition(b"\n")
    held = msgspec.json.decode(header, type=Header, dec_hook=of_plain)
    body = rest[: rest.rindex(b"\n", 0, -1) + 1]
    content = _encoded(msgspec.structs.replace(held, provenance=origin), plain) + body
    return content + _encoded(End(hashlib.sha256(content).hexdigest()), plain)


def _content(header: Header, entries: Iterable[Entry], claim: Claim) -> Iterator[bytes]:
    yield _encoded(header, plain)
    numbers: dict[Row, int] = {}
    new: list[Row] = []

    def number_of(row: Row) -> int:
        if row not in numbers:
            numbers[row] = len(numbers)
            new.append(row)
        return numbers[row]

    def named(value: object) -> object:
        return number_of(value) if isinstance(value, Row) else plain(value)

    entries = _joined(tuple(entries)) if header.method == "located" else _run_on(entries)
    for batch in _batches(entries):
        encoded = [
            _packed(e, number_of) if isinstance(e, Steps) else _encoded(e, named) for e in batch
        ]
        if new:
            yield _encoded(Rows(len(new)), plain) + b"".join(new) + b"\n"
            new.clear()
        yield from encoded
    yield _encoded(claim, plain)


def _batches(entries: Iterable[Entry]) -> Iterator[tuple[Entry, ...]]:
    remaining = iter(entries)
    while batch := tuple(islice(remaining, _BATCH)):
        yield batch


def _packed(steps: Steps, number_of: Callable[[Row], int]) -> bytes:
    pairs = zip(steps.actions, steps.rows, strict=True)
    raw = b"".join(_STEP.pack(action, number_of(row)) for action, row in pairs)
    return _encoded(Packed(len(steps.rows)), plain) + raw + b"\n"


def _encoded(value: object, hook: Callable[[object], object]) -> bytes:
    return msgspec.json.encode(value, enc_hook=hook, order="sorted") + b"\n"


# --- reading --------------------------------------------------------------------------------------


def certificate_of(data: bytes, name: str) -> Certificate:
    """Read a certificate of version 3, without checking it; `name` is the file name for errors."""
    try:
        return _read(data)
    except (msgspec.MsgspecError, ValueError, IndexError, struct.error) as error:
        raise Unreadable(name, "", f"is not a certificate ({error})", "Write it again") from None


def _read(data: bytes) -> Certificate:
    rows: list[Row] = []

    def named(kind: type, value: object) -> object:
        if kind is Row and type(value) is int and 0 <= value < len(rows):
            return rows[value]
        return of_plain(kind, value)

    decoder = msgspec.json.Decoder(Line, dec_hook=named)
    at = data.index(b"\n") + 1
    header = msgspec.json.decode(data[:at], type=Header, dec_hook=named)
    record: list[Entry] = []
    claim: Claim | None = None
    taken = read = 0
    while True:
        start, at = at, data.index(b"\n", at) + 1
        line = decoder.decode(data[start:at])
        if isinstance(line, Rows):
            size = _row_bytes(header.functions)
            rows += rows_in(data[at : at + line.count * size], size)
            at += line.count * size + 1
        elif isinstance(line, Packed):
            end = at + line.count * _STEP.size
            actions, numbers = zip(*_STEP.iter_unpack(data[at:end]), strict=True)
            steps = Steps(actions, tuple(rows[number] for number in numbers))
            if header.method == "located":
                record += _single(steps, taken, read)
                taken, read = taken + line.count, read + line.count
            else:
                record += _parted(steps)
            at = end + 1
        elif isinstance(line, End):
            if claim is None or line.digest != hashlib.sha256(data[:start]).hexdigest():
                raise ValueError("it was changed after it was written, or claims nothing")
            return Certificate(header, tuple(record), claim)
        elif isinstance(line, Claim):
            claim = line
        else:
            record.append(line)
            taken += line.steps if isinstance(line, Ran) else 0
            read += len(line.rows) if isinstance(line, Seen) else 0


def _row_bytes(functions: Class | None) -> int:
    if functions is None:
        raise ValueError("rows of no class")
    return -(-functions.width // 8) if functions.entries == "bits" else 8 * functions.width


def schema() -> Mapping[str, Json]:
    """Return the JSON Schema of the lines of a file; the first line is a `Header`."""
    either, parts = msgspec.json.schema_components(
        (Header, Line), ref_template="#/$defs/{name}", schema_hook=_schema_of
    )
    written: Json = list(either)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "anyOf": written,
        "$defs": parts,
    }


def _schema_of(kind: type) -> dict[str, object]:
    if kind is Row:
        return {"type": "integer", "minimum": 0, "description": "The number of a row."}
    if kind is object:
        return {"description": "A classifier, as its class writes it."}
    return {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}
