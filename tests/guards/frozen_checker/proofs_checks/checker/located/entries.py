"""The entries of a located run's certificate. CERTIFICATE.md explains each field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.checker.entries import Ran

if TYPE_CHECKING:
    from fractions import Fraction

    from proofs_checks.checker.entries import Word
    from proofs_checks.checker.located.classes import Finite
    from proofs_checks.checker.located.conjunctions import Conjunctions
    from proofs_checks.checker.located.half_spaces import HalfSpaces
    from proofs_checks.checker.located.number_classes import Boxes, Thresholds
    from proofs_checks.checker.planning import Work

AnyClass: TypeAlias = "Finite | Conjunctions | Thresholds | Boxes | HalfSpaces"


@dataclass(frozen=True, slots=True)
class Parameters:
    actions: int
    max_states: int
    mixing_time: int
    delta: Fraction
    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Read:
    """Rows `first`, `first` + 1, … were read at these times, counted from the start of the loop."""

    first: int
    times: tuple[int, ...]
    rows: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class PeriodsLeft:
    """The periods that the `count` rows of the loop did not refute."""

    count: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SameState:
    """Two labels were proved to be the same state."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """A round of validation was fixed: walk, time of each state's check in a pass, and passes."""

    at: int
    walk: Word
    visits: tuple[int, ...]
    passes: int
    charge: Fraction
    classifiers: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A pass was checked; `failed` are the states for which the encoder named another state."""

    number: int
    failed: tuple[int, ...]


Entry: TypeAlias = Ran | Read | PeriodsLeft | SameState | Fixed | Checked


@dataclass(frozen=True, slots=True)
class Certificate:
    recipe: str
    parameters: Parameters
    functions: AnyClass
    work: Work
    """Counts the steps of work of the checker."""
    record: tuple[Entry, ...]
    table: tuple[tuple[int, ...], ...]
    current: int
    classifiers: tuple[object, ...]
    spent: Fraction
    steps: int
    digest: str
    digest_found: str
    size: int
    """Bytes of the file."""
