"""Conjunctions of literals on bits: some bits must be 1, some must be 0, the others are ignored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from steel_verified.classes.intervals import greedy_cover
from steel_verified.classes.rows import Bits, require_features, rows_of_bits
from steel_verified.evidence.oracle import Declared

if TYPE_CHECKING:
    from numpy.typing import NDArray

PackedRows: TypeAlias = frozenset[bytes]
"""A set of rows, each packed into bytes."""


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The classifier x ↦ 1 if all bits of `needed` are 1 in x and all of `barred` are 0, else 0.

    Both are sets of bits, written as integers with bit 0 lowest. Example: `Conjunction(0b100, 0b1)`
    is "bit 2 is 1 and bit 0 is 0". A bit in both sets gives a contradiction, which is always 0.
    """

    needed: int
    barred: int


@dataclass(frozen=True, slots=True)
class Conjunctions:
    """All conjunctions of literals on `features` bits, including the contradiction."""

    features: int

    def __post_init__(self) -> None:
        require_features(self.features)

    @property
    def class_size(self) -> int:
        """3^n + 1 for n bits; this is the exact number.

        Each bit is needed, barred or ignored, and different choices give different functions. In
        addition there is the contradiction.
        """
        return int(3**self.features) + 1

    @property
    def declared(self) -> Declared:
        return Declared("conjunctions", "bits", self.features)

    @property
    def none_is_proved(self) -> bool:
        return True

    def pack(self, batch: Bits) -> bytes:
        return rows_of_bits(batch, self.features).packed().tobytes()

    def summarise(self, batch: Bits) -> PackedRows:
        return frozenset(row.tobytes() for row in rows_of_bits(batch, self.features).packed())

    def nothing(self) -> PackedRows:
        return frozenset()

    def merge(self, one: PackedRows, other: PackedRows) -> PackedRows:
        return one | other

    def contains(self, classifier: Conjunction) -> bool:
        return type(classifier) is Conjunction and all(
            type(bits) is int and 0 <= bits < 1 << self.features
            for bits in (classifier.needed, classifier.barred)
        )

    def separates(self, classifier: Conjunction, zeros: PackedRows, ones: PackedRows) -> bool:
        return all(_holds(classifier, row) for row in ones) and not any(
            _holds(classifier, row) for row in zeros
        )

    def separating(self, zeros: PackedRows, ones: PackedRows) -> Conjunction | None:
        """Return a conjunction of few literals that separates, or None if there is none.

        The conjunction of all literals that hold on the ones excludes at least the zeros that any
        other such conjunction excludes. So if it does not exclude some zero, none separates.
        """
        if not ones:
            return Conjunction(1, 1)
        marked, seen = self._unpacked(zeros), self._unpacked(ones)
        literals = np.concatenate([seen.all(axis=0) & ~marked, ~seen.any(axis=0) & marked], axis=1)
        cover = greedy_cover(literals)
        if cover is None:
            return None
        chosen = [divmod(literal, self.features) for literal, _ in cover]
        return Conjunction(
            needed=sum(1 << bit for barred, bit in chosen if not barred),
            barred=sum(1 << bit for barred, bit in chosen if barred),
        )

    def values(self, classifier: Conjunction, batch: Bits) -> NDArray[np.bool_]:
        packed = rows_of_bits(batch, self.features).packed()
        return np.array([_holds(classifier, row.tobytes()) for row in packed], dtype=np.bool_)

    def _unpacked(self, rows: PackedRows) -> NDArray[np.bool_]:
        """Return the rows as booleans, sorted, so that the order of the set does not matter."""
        width = -(-self.features // 8)
        packed = np.frombuffer(b"".join(sorted(rows)), dtype=np.uint8).reshape(-1, width)
        bits = np.unpackbits(packed, axis=1, count=self.features, bitorder="little")
        return bits.astype(np.bool_)


def _holds(conjunction: Conjunction, row: bytes) -> bool:
    bits = int.from_bytes(row, "little")
    return not (conjunction.needed & ~bits or conjunction.barred & bits)
