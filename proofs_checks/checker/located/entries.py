"""The entries of a located run's certificate. CERTIFICATE.md says what is meant by each field."""

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
    """Rows were read at these times, counted from the start of the loop; numbered from `first`."""

    first: int
    times: tuple[int, ...]
    rows: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class PeriodsLeft:
    """The periods that the last `count` rows did not refute."""

    count: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SameState:
    """Two labels provably show one state."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """A validation was fixed: the walk, when each state is checked in a pass, and how often."""

    at: int
    walk: Word
    visits: tuple[int, ...]
    passes: int
    charge: Fraction
    classifiers: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A pass was checked; on these states the encoder named another one."""

    number: int
    failed: tuple[int, ...]


Entry: TypeAlias = Ran | Read | PeriodsLeft | SameState | Fixed | Checked


@dataclass(frozen=True, slots=True)
class Certificate:
    recipe: str
    parameters: Parameters
    functions: AnyClass
    work: Work
    """Counts what checking takes."""
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
