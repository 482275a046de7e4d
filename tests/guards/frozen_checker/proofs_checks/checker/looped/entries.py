"""The entries of a looped run's certificate. CERTIFICATE.md explains each field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.checker.entries import Ran

if TYPE_CHECKING:
    from fractions import Fraction


Piece: TypeAlias = tuple[int, ...]
"""[first, count, stride, count, stride, …]: nested arithmetic progressions, outermost first."""
Sample: TypeAlias = tuple[int, tuple[Piece, ...]]
"""A dataset: its number of rows, and the times at which they were read."""


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
    """Datasets `first`, `first` + 1, … were read from the loop that began at step `loop`."""

    loop: int
    after: int
    first: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class PeriodFound:
    """Tests [hypothesis, id of D_0, id of D_1, 1 if separated], and the period they decide."""

    number: int
    tests: tuple[tuple[int, ...], ...]
    period: int
    charge: Fraction


@dataclass(frozen=True, slots=True)
class LabelsFound:
    """Positions (dataset id, verdicts, label), each compared with the datasets `known`."""

    number: int
    known: tuple[int, ...]
    positions: tuple[tuple[int, str, int], ...]
    charge: Fraction


@dataclass(frozen=True, slots=True)
class Trained:
    """A classifier was trained for each state, on the datasets with these ids."""

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
