"""The entries of a ledger, which are also the lines of a certificate.

The functions that run plans, read rows and ask the oracle write them while they do so. The same
types are encoded, read back and described by the JSON Schema: nothing is converted in between. An
entry is plain data; what nobody else can make is a `Ledger` that has it.
"""

from __future__ import annotations

import base64
import re
from fractions import Fraction
from math import lcm
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Bits: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[01]*$")]
Times: TypeAlias = tuple[Whole, ...]
"""[first, count, stride, count, stride, …]: nested progressions, outermost first."""
Word: TypeAlias = tuple[Whole, ...]


class Row(bytes):
    """A row as the class packs it. A file has each distinct row once and names it by number."""

    __slots__ = ()


_FRACTION: Final = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")
"""`Fraction` alone also accepts "1e-999999999", a short text for a number that fills the memory."""


def rows_in(packed: bytes, size: int) -> tuple[Row, ...]:
    """Return rows of `size` bytes each that were packed one after the other."""
    return tuple(Row(packed[i : i + size]) for i in range(0, len(packed), size))


def plain(value: object) -> object:
    """Return a row as text in base 64 and a fraction as text: a hook to write entries as JSON."""
    if isinstance(value, Row):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be written")


def of_plain(kind: type, value: object) -> object:
    """Return the row or fraction that `plain` wrote; raise `ValueError` for anything else."""
    if kind is Row and isinstance(value, str):
        return Row(base64.b64decode(value, validate=True))
    if kind is Fraction and isinstance(value, str) and _FRACTION.fullmatch(value):
        return Fraction(value)
    if kind is object:  # a classifier, as its class writes it
        return value
    raise ValueError(f"{value!r} is not a {kind.__name__}")


class Tagged(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", gc=False):
    """A line of a file; `kind` says which."""


class Ran(Tagged, frozen=True, tag="ran"):
    """A plan was run: `steps` steps of the loop of `word`, after `done` steps of it.

    `start` counts the steps of the whole trajectory before the plan.
    """

    start: Whole
    word: Word
    done: Whole
    steps: Whole


# --- looped ---------------------------------------------------------------------------------------


class Sampled(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """Rows that were read as one dataset: their number, and times from the start of the loop."""

    rows: Whole
    times: tuple[Times, ...]


class Read(Tagged, frozen=True, tag="read"):
    """Datasets were read from the loop that began at step `loop`; they are numbered from `first`.

    Their times depend only on the parameters and on the first `after` decisions.
    """

    loop: Whole
    after: Whole
    first: Whole
    samples: tuple[Sampled, ...]


class PeriodVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """Whether the oracle separated D_0 from D_1 (1 or 0), which are given by their numbers."""

    hypothesis: Whole
    zeros: Whole
    ones: Whole
    separated: Literal[0, 1]


class PeriodFound(Tagged, frozen=True, tag="period"):
    """The period of a loop was decided: the first hypothesis with separated datasets, or 1."""

    number: Whole
    tests: tuple[PeriodVerdict, ...]
    period: Whole
    charge: Fraction


class Labelled(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """The state of a dataset was decided.

    `verdicts` has a bit for each state with which it was compared, in the order of their labels: 1
    if the oracle separated the two datasets. They end at the first 0.
    """

    sample: Whole
    verdicts: Bits
    label: Whole


class LabelsFound(Tagged, frozen=True, tag="labels"):
    """The states at the positions of a loop were decided; `known` are datasets of known states."""

    number: Whole
    known: tuple[Whole, ...]
    positions: tuple[Labelled, ...]
    charge: Fraction

    @property
    def labels(self) -> tuple[int, ...]:
        """The state at each position."""
        return tuple(position.label for position in self.positions)


class Trained(Tagged, frozen=True, tag="encoder"):
    """For each state, a classifier was trained on its datasets against all others."""

    number: Whole
    datasets: tuple[tuple[Whole, ...], ...]
    charge: Fraction


# --- located --------------------------------------------------------------------------------------


class Seen(Tagged, frozen=True, tag="seen"):
    """Rows were read, numbered from `first` on, at times counted from the start of the loop."""

    first: Whole
    times: tuple[Whole, ...]
    rows: tuple[Row, ...]


class PeriodsLeft(Tagged, frozen=True, tag="periods"):
    """The periods of a loop that its last `count` rows did not refute."""

    count: Count
    left: tuple[Count, ...]

    @property
    def period(self) -> int:
        """A multiple of the period of the loop."""
        return lcm(*self.left)


class SameState(Tagged, frozen=True, tag="same"):
    """Two labels were proved to be one state, for every noise: a sure decision without a charge."""

    one: Whole
    other: Whole


class Joins(Tagged, frozen=True, tag="joins"):
    """Labels were tested for being different states, by the ways to join them to fewer states."""

    excluded: tuple[tuple[Whole, ...], ...]
    """For each proper congruence of the table, in order, the first block that no classifier fits:
    1 on its rows, 0 on those of the other labels."""
    complete: bool
    """Whether all proper congruences are excluded. Then no two labels are one state."""


class Fixed(Tagged, frozen=True, tag="fixed"):
    """A validation was fixed at step `at`: the walk, the time of each check, and the passes."""

    at: Whole
    walk: Word
    visits: tuple[Count, ...]
    """For each label, the step of a pass after which it is first visited."""
    passes: Whole
    charge: Fraction
    classifiers: tuple[object, ...]
    """The encoder that is validated: a classifier for each label."""


class Checked(Tagged, frozen=True, tag="checked"):
    """A pass of a validation was checked; `failed` are the labels that the encoder got wrong."""

    number: Count
    failed: tuple[Whole, ...]


# --- certain --------------------------------------------------------------------------------------


class Trajectory(Tagged, frozen=True, tag="trajectory"):
    """A trajectory begins with this row."""

    row: Row


class Steps(Tagged, frozen=True, tag="steps"):
    """Steps of the last trajectory: each action, and the row after it.

    In a file they are packed: six bytes for each step follow a line with their `count`.
    """

    actions: tuple[Whole, ...]
    rows: tuple[Row, ...]


class Terminated(Tagged, frozen=True, tag="terminated"):
    """The last trajectory terminated: by convention, every action stays in the state of its end."""


class Trial(Tagged, frozen=True, tag="trial"):
    """A model was fixed for which coins are tossed: a classifier for each label."""

    classifiers: tuple[Whole, ...]
    charge: Fraction
    """2^−n: the model is accepted after n coins for each atom of its table."""


class Coin(Tagged, frozen=True, tag="coin"):
    """A coin was tossed: from the present label, each word leads to one of two labels.

    The word of the side on which the coin fell is run next.
    """

    labels: tuple[Whole, Whole]
    words: tuple[Word, Word]
    side: Literal[0, 1]


class Toss(Tagged, frozen=True, tag="toss"):
    """A coin was tossed between two actions: that of the side on which it fell is taken next."""

    actions: tuple[Whole, Whole]
    side: Literal[0, 1]


class Hints(Tagged, frozen=True, tag="hints"):
    """Pairs (classifier, row) by which rule R removes, in order. The checker need not believe."""

    removed: tuple[tuple[Whole, Row], ...]


class Closed(Tagged, frozen=True, tag="closed"):
    """Not all of these classifiers are in a cover, because their labels could not be left."""

    classifiers: tuple[Whole, ...]


class Refutation(Tagged, frozen=True, tag="refutation"):
    """The solver's proof that no other cover exists: clauses in order (RUP), literals ±(1 + f)."""

    clauses: tuple[tuple[int, ...], ...]


class Stays(Tagged, frozen=True, tag="stays"):
    """Labels that are never left, so that no other ones occur (Lemma 2)."""

    table: tuple[tuple[Whole, tuple[Whole, ...]], ...]
    """Each of them, with the label after each action."""
    outside: tuple[Whole, Whole] | None
    """A row with another label; none if there is one label, since there are two states."""


class Derivation(Tagged, frozen=True, tag="derivation"):
    """The proof that no other labels exist: clauses, and the numbers of those they follow from."""

    steps: tuple[tuple[tuple[int, ...], tuple[Whole, ...]], ...]


# --- every method ---------------------------------------------------------------------------------


class Proofs(Tagged, frozen=True, tag="proofs"):
    """For half-spaces, a proof of each answer: k ≥ 0 is separator k, and −1 − k is meeting k."""

    separators: tuple[object, ...]
    meetings: tuple[Meeting, ...]
    answers: tuple[int, ...]


Mixture: TypeAlias = tuple[tuple[tuple[Fraction, ...], Fraction], ...]
"""Points with their weights."""


class Meeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A common point of two convex hulls: a convex combination of zeros and one of ones."""

    zeros: Mixture
    ones: Mixture


OfLooped: TypeAlias = Read | PeriodFound | LabelsFound | Trained
OfLocated: TypeAlias = Seen | PeriodsLeft | SameState | Joins | Fixed | Checked
OfCertain: TypeAlias = Trajectory | Terminated | Trial | Coin | Toss
OfProof: TypeAlias = Hints | Closed | Refutation | Stays | Derivation
InOneLine: TypeAlias = Ran | OfLooped | OfLocated | OfCertain | OfProof | Proofs
Entry: TypeAlias = InOneLine | Steps
"""Entries that a file has in one line each, and steps, which it has as packed bytes."""
