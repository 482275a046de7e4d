"""What a certificate says, as values. See CERTIFICATE.md for the meaning of each field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.checker.entries import Ran

if TYPE_CHECKING:
    from fractions import Fraction


Piece: TypeAlias = tuple[int, ...]
"""[first, count, stride, count, stride, …]: nested progressions of times, outermost first."""
Sample: TypeAlias = tuple[int, tuple[Piece, ...]]
"""A dataset: the number of rows, and the times at which they were read."""


@dataclass(frozen=True, slots=True)
class Parameters:
    actions: int
    max_states: int
    max_diameter: int
    mixing_time: int
    class_size: int
    delta: Fraction
    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Read:
    """Datasets were read from the loop that began at step `loop`, numbered from `first` on."""

    loop: int
    after: int
    first: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class PeriodFound:
    """Tests [hypothesis, number of D_0, number of D_1, 1 if separated], and what they decide."""

    number: int
    tests: tuple[tuple[int, ...], ...]
    period: int
    charge: Fraction


@dataclass(frozen=True, slots=True)
class LabelsFound:
    """Positions (number of the dataset, verdicts, label), compared with the datasets `known`."""

    number: int
    known: tuple[int, ...]
    positions: tuple[tuple[int, str, int], ...]
    charge: Fraction


@dataclass(frozen=True, slots=True)
class Trained:
    """A classifier was trained for each state, on the datasets of these numbers."""

    number: int
    datasets: tuple[tuple[int, ...], ...]
    charge: Fraction


Entry: TypeAlias = Ran | Read | PeriodFound | LabelsFound | Trained


@dataclass(frozen=True, slots=True)
class Certificate:
    method: str
    recipe: str
    parameters: Parameters
    record: tuple[Entry, ...]
    table: tuple[tuple[int, ...], ...]
    current: int
    classifiers: tuple[int, ...] | None
    spent: Fraction
    steps: int
    digest: str
    digest_found: str
    size: int
    """Bytes of the file."""
