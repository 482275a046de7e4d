"""The certificate of a looped run: its ledger, the learned model, and a digest.

It contains no observations. The certificates of located runs do: see `located_certificate`.

All values are copied from the ledger. Nothing is recomputed here: that is the task of the
independent checker (`proofs_checks.checker`), which has its own formulas. This module imports
nothing from `theory/`. The same types write a certificate, read it and define its JSON Schema.
"""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Final, Literal, Protocol, TypeAlias

import msgspec

from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence import ledger as recorded
from steel_verified.evidence.codec import Format, opened, sealed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.oracle import Classifier

CERTIFICATE: Final = Format("steel-certificate", 2)

ASSUMPTIONS: Final = (
    "the latent dynamics are deterministic, and every state reaches every other",
    "the noise ignores actions, is irreducible and aperiodic, and mixes within mixing_time",
    "there are at most max_states states, at most max_diameter steps apart",
    "F has at most class_size classifiers, one-versus-rest ones for each state among them",
    "the oracle returns a separating classifier whenever there is one",
    "the run took place: every row was read at its time from one unbroken trajectory",
)

Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Rational: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9]+(/[0-9]+)?$")]
"""A fraction in lowest terms, as text."""
Bits: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[01]*$")]
Times: TypeAlias = tuple[Whole, ...]
"""[first, count, stride, count, stride, …]: nested progressions, outermost first."""
Sample: TypeAlias = tuple[Whole, tuple[Times, ...]]
"""The number of rows that were returned, and the times at which they were read."""


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of the run. Fractions are written as text."""

    actions: Count
    max_states: Count
    max_diameter: Whole
    mixing_time: Count
    class_size: Count
    delta: Rational
    epsilon: Rational


class Ran(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ran"):
    """`steps` steps of the loop of `word` were taken, after `done` steps of it, from `start` on."""

    start: Whole
    word: tuple[Whole, ...]
    done: Whole
    steps: Whole


class Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="read"):
    """Datasets, numbered from `first` on, were read from the loop that began at step `loop`.

    Times are counted from the start of the loop. They depend only on the first `after` decisions.
    """

    loop: Whole
    after: Whole
    first: Whole
    samples: tuple[Sample, ...]


class PeriodFound(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="period"
):
    """Tests [n'_cyc, number of D_0, number of D_1, 1 if they were separated], and the decision."""

    number: Whole
    tests: tuple[tuple[Whole, Whole, Whole, Whole], ...]
    period: Whole
    charge: Rational


class LabelsFound(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="labels"
):
    """Positions [number of the dataset, verdicts, label]; `known` are datasets of earlier states.

    Verdict i is 1 if the dataset was separated from that of state i; the verdicts end at the first
    0.
    """

    number: Whole
    known: tuple[Whole, ...]
    positions: tuple[tuple[Whole, Bits, Whole], ...]
    charge: Rational


class Trained(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="encoder"
):
    """A classifier was trained for each state, on the datasets with these numbers."""

    number: Whole
    datasets: tuple[tuple[Whole, ...], ...]
    charge: Rational


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The origin of a run. The checker ignores it."""

    world: str
    env_seed: Whole
    noise_seed: Whole
    python: str
    versions: dict[str, str]


Entry: TypeAlias = Ran | Read | PeriodFound | LabelsFound | Trained


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The certificate of a run of the method `looped`, without its header and digest."""

    method: Literal["looped"]
    recipe: str
    parameters: Parameters
    assumptions: tuple[str, ...]
    record: tuple[Entry, ...]
    table: tuple[tuple[Whole, ...], ...]
    current: Whole
    classifiers: tuple[Whole, ...] | None
    spent: Rational
    steps: Whole
    provenance: Provenance


def certificate(
    ledger: recorded.Ledger,
    table: tuple[tuple[int | None, ...], ...],
    current: int,
    classifiers: tuple[Classifier, ...] | None,
    provenance: Provenance,
) -> Certificate:
    """Return the certificate of a finished run; the last four arguments are its results and origin.

    Raises `InvalidArgument` if `classifiers` are not numbers, or not those that were trained.
    """
    began, *entries = ledger.entries
    if not isinstance(began, recorded.Opened):
        raise InvalidArgument("ledger", type(began).__name__, "the ledger of a run")
    trained = next((e.classifiers for e in entries if isinstance(e, recorded.Trained)), None)
    if classifiers != trained:
        raise InvalidArgument("classifiers", classifiers, f"{trained}, as they were trained")
    numbers = None if classifiers is None else tuple(n for n in classifiers if type(n) is int)
    if numbers != classifiers:
        expected = "numbers of a finite class: other classes have certificates for located runs"
        raise InvalidArgument("classifiers", classifiers, expected)
    p = began.parameters
    return Certificate(
        method="looped",
        assumptions=ASSUMPTIONS,
        recipe="paper",
        parameters=Parameters(
            actions=p.actions,
            max_states=p.max_states,
            max_diameter=p.max_diameter,
            mixing_time=p.mixing_time,
            class_size=p.class_size,
            delta=str(p.delta),
            epsilon=str(p.epsilon),
        ),
        record=looped_record(entries),
        table=tuple(tuple(-1 if to is None else to for to in row) for row in table),
        current=current,
        classifiers=numbers,
        spent=str(ledger.budget.spent),
        steps=ledger.steps,
        provenance=provenance,
    )


def provenance(world: str, env_seed: int, noise_seed: int) -> Provenance:
    """Return the origin of a run: the world, its seeds, and the versions of the software."""
    names = ("steel_verified", "numpy", "python-flint")
    return Provenance(
        world=world,
        env_seed=env_seed,
        noise_seed=noise_seed,
        python=platform.python_version(),
        versions={name: version(name) for name in names},
    )


def certificate_as_bytes(certificate: Certificate) -> bytes:
    """Return the certificate as a document with header and digest."""
    content: dict[str, Json] = msgspec.to_builtins(certificate)
    return sealed({**CERTIFICATE.header, **content})


def certificate_of(data: bytes, name: str) -> Certificate:
    """Read a certificate; raise `Unreadable` if it is not one. `name` is the file name for errors.

    Reading does not check the certificate: that is the task of the independent checker.
    """
    try:
        return msgspec.convert(opened(data, CERTIFICATE, name), Certificate, strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(name, "", f"is not a certificate ({error})", "Write it again") from None


class SteelCertificate(Certificate, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A certificate as it is stored in a file."""

    format: Literal["steel-certificate"]
    version: Literal[2]
    digest: str


def looped_record(entries: Sequence[recorded.Entry]) -> tuple[Entry, ...]:
    """Return the entries of a looped run after the first one, in their JSON form."""
    return tuple(map(_entry, entries))


def _entry(entry: recorded.Entry) -> Entry:
    match entry:
        case recorded.Ran():
            return Ran(entry.start, entry.word, entry.done, entry.steps)
        case recorded.Read():
            samples = tuple((each.rows, tuple(map(_times, each.times))) for each in entry.samples)
            return Read(entry.loop, entry.after, entry.first, samples)
        case recorded.PeriodFound():
            tests = tuple((t.hypothesis, t.zeros, t.ones, int(t.separated)) for t in entry.tests)
            return PeriodFound(entry.number, tests, entry.period, str(entry.charge.amount))
        case recorded.LabelsFound():
            positions = tuple((p.sample, p.verdicts, p.label) for p in entry.positions)
            return LabelsFound(entry.number, entry.known, positions, str(entry.charge.amount))
        case recorded.Trained():
            return Trained(entry.number, entry.datasets, str(entry.charge.amount))
        case _:
            raise InvalidArgument("ledger", type(entry).__name__, "entries of a looped run")


def _times(progression: _Progression) -> Times:
    levels = (part for level in progression.levels for part in (level.count, level.stride))
    return (progression.first, *levels)


class _Level(Protocol):
    @property
    def count(self) -> int: ...
    @property
    def stride(self) -> int: ...


class _Progression(Protocol):
    """The part of a progression that is used here."""

    @property
    def first(self) -> int: ...
    @property
    def levels(self) -> Sequence[_Level]: ...
