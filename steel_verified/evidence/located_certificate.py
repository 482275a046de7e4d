"""The certificate of a located run: its ledger with every row that was read, and the model.

As for looped runs, nothing is recomputed here. The independent checker recomputes the whole run
from the rows.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import msgspec

from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence import ledger as recorded
from steel_verified.evidence.certificate import (
    CERTIFICATE,
    Certificate,
    Count,
    Provenance,
    Ran,
    Rational,
    Whole,
)
from steel_verified.evidence.codec import opened, sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.oracle import Classifier as Chosen
    from steel_verified.evidence.oracle import Declared
    from steel_verified.theory import parameters

ASSUMPTIONS: Final = (
    "the latent dynamics are deterministic, and every state reaches every other",
    "the noise ignores actions, is irreducible and aperiodic, and mixes within mixing_time",
    "there are at most max_states states",
    "F has a one-versus-rest classifier for each state",
    "the oracle is a function of what it was shown, declared beforehand",
    "the rows are what the world showed, in one unbroken trajectory, and no other run was made",
)

Base64: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9+/]*={0,2}$")]
Classifier: TypeAlias = Whole | str | dict[str, int | str | tuple[int | str, ...]]
"""A number in a finite class, the letters of a conjunction, or the fields of another classifier."""
Signed: TypeAlias = Annotated[str, msgspec.Meta(pattern="^-?[0-9]+(/[0-9]+)?$")]
Mixture: TypeAlias = tuple[tuple[tuple[Signed, ...], Rational], ...]
"""Points with their weights."""


class LocatedParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of a located run. Fractions are written as text."""

    actions: Count
    max_states: Count
    mixing_time: Count
    delta: Rational
    epsilon: Rational


class Class(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The class of classifiers, and the format of a row."""

    name: str
    entries: Literal["bits", "int64", "float64"]
    width: Count


class RowsRead(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="read"
):
    """Rows were read, numbered from `first` on, at times counted from the start of the loop."""

    first: Whole
    times: tuple[Whole, ...]
    rows: Base64
    """The rows, one after the other."""


class PeriodsLeft(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="periods"
):
    """The periods of a loop that its last `count` rows do not refute."""

    count: Count
    left: tuple[Count, ...]


class SameState(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="same"
):
    """Two labels are not separable in both directions, so they are the same state."""

    one: Whole
    other: Whole


class Fixed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="fixed"):
    """A validation was fixed at step `at`: the walk, the time of each check, and the passes."""

    at: Whole
    walk: tuple[Whole, ...]
    visits: tuple[Count, ...]
    passes: Whole
    charge: Rational
    classifiers: tuple[Classifier, ...]


class Checked(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="checked"
):
    """A pass was checked; `failed` are the states that the encoder got wrong."""

    number: Count
    failed: tuple[Whole, ...]


class Meeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A common point of two convex hulls: a convex combination of zeros and one of ones."""

    zeros: Mixture
    ones: Mixture


class Proofs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answers to all questions: k ≥ 0 is separator k, and −1 − k is meeting k."""

    separators: tuple[Classifier, ...]
    meetings: tuple[Meeting, ...]
    answers: tuple[int, ...]


Entry: TypeAlias = Ran | RowsRead | PeriodsLeft | SameState | Fixed | Checked


class LocatedCertificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The certificate of a run of the method `located`, without its header and digest."""

    method: Literal["located"]
    recipe: str
    parameters: LocatedParameters
    functions: Class = msgspec.field(name="class")
    proofs: Proofs | None
    assumptions: tuple[str, ...]
    record: tuple[Entry, ...]
    table: tuple[tuple[Whole, ...], ...]
    current: Whole
    classifiers: tuple[Classifier, ...]
    spent: Rational
    steps: Whole
    provenance: Provenance


class SteelLocatedCertificate(
    LocatedCertificate, frozen=True, forbid_unknown_fields=True, kw_only=True
):
    """A certificate as it is stored in a file."""

    format: Literal["steel-certificate"]
    version: Literal[2]
    digest: str


def located_certificate(
    ledger: recorded.Ledger,
    functions: Declared,
    table: tuple[tuple[int | None, ...], ...],
    current: int,
    provenance: Provenance,
    *,
    written: Callable[[Chosen], object] = lambda classifier: classifier,
    proofs: Proofs | None = None,
) -> LocatedCertificate:
    """Return the certificate of an accepted located run.

    `written` converts a classifier to JSON; those of finite classes are numbers already. For
    half-spaces, `proofs` is needed. Raises `InvalidArgument` for the ledger of a run that is not
    located or was not accepted.
    """
    began, *entries = ledger.entries
    if not isinstance(began, recorded.OpenedLocated) or not ledger.keeps_rows:
        raise InvalidArgument("ledger", type(began).__name__, "the ledger of a located run")

    last = next((entry for entry in reversed(entries) if isinstance(entry, recorded.Fixed)), None)
    if last is None:
        raise InvalidArgument("ledger", "without a validation", "the ledger of an accepted run")
    return LocatedCertificate(
        method="located",
        recipe="located",
        parameters=_parameters(began.parameters),
        functions=Class(functions.name, functions.entries, functions.width),
        proofs=proofs,
        assumptions=ASSUMPTIONS,
        record=located_record(entries, written),
        table=tuple(tuple(-1 if to is None else to for to in row) for row in table),
        current=current,
        classifiers=_classifiers(last, written),
        spent=str(ledger.budget.spent),
        steps=ledger.steps,
        provenance=provenance,
    )


def located_certificate_as_bytes(certificate: LocatedCertificate) -> bytes:
    """Return the certificate as a document with header and digest."""
    content: dict[str, Json] = msgspec.to_builtins(certificate)
    return sealed({**CERTIFICATE.header, **content})


def any_certificate_of(data: bytes, name: str) -> Certificate | LocatedCertificate:
    """Read a certificate of either method; raise `Unreadable`. `name` is the file name for errors.

    Reading does not check the certificate: that is the task of the independent checker.
    """
    content = opened(data, CERTIFICATE, name)
    try:
        if content.get("method") == "located":
            return msgspec.convert(content, LocatedCertificate, strict=True)
        return msgspec.convert(content, Certificate, strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(name, "", f"is not a certificate ({error})", "Write it again") from None


def _parameters(p: parameters.LocatedParameters) -> LocatedParameters:
    return LocatedParameters(p.actions, p.max_states, p.mixing_time, str(p.delta), str(p.epsilon))


def located_record(
    entries: Sequence[recorded.Entry], written: Callable[[Chosen], object]
) -> tuple[Entry, ...]:
    """Return the entries of a located run after the first one, in their JSON form."""
    return tuple(_entry(entry, written) for entry in entries)


def _classifiers(
    fixed: recorded.Fixed, written: Callable[[Chosen], object]
) -> tuple[Classifier, ...]:
    return msgspec.convert([written(each) for each in fixed.classifiers], tuple[Classifier, ...])


def _entry(entry: recorded.Entry, written: Callable[[Chosen], object]) -> Entry:
    match entry:
        case recorded.Ran():
            return Ran(entry.start, entry.word, entry.done, entry.steps)
        case recorded.Read():
            rows = base64.b64encode(b"".join(sample.seen for sample in entry.samples))
            return RowsRead(entry.first, tuple(_times(entry)), rows.decode("ascii"))
        case recorded.PeriodsLeft():
            return PeriodsLeft(entry.count, entry.left)
        case recorded.SameState():
            return SameState(entry.one, entry.other)
        case recorded.Fixed():
            return Fixed(
                entry.at,
                entry.walk,
                entry.visits,
                entry.passes,
                str(entry.charge.amount),
                _classifiers(entry, written),
            )
        case recorded.Checked():
            return Checked(entry.number, entry.failed)
        case _:
            raise InvalidArgument("ledger", type(entry).__name__, "entries of a located run")


def _times(entry: recorded.Read) -> Iterator[int]:
    """Yield the time of each row. Every dataset of a located run is a single row."""
    for sample in entry.samples:
        for progression in sample.times:
            yield from progression
