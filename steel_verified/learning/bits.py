"""Observations that are vectors of bits.

All that the class of single components needs of a dataset is the bitwise AND and OR of its rows. A
simulator may know these without ever making the rows; recorded rows are packed, and reduced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class BitRows(Protocol):
    """Rows of bits, component 0 in the lowest bit of the first byte."""

    def __len__(self) -> int: ...

    @property
    def width(self) -> int:
        """The bits of a row."""
        ...

    def reduced(self) -> tuple[int, int]:
        """The bitwise AND and OR of all rows, as integers; of no rows: all ones, and 0."""
        ...

    def packed(self) -> NDArray[np.uint8]:
        """The rows themselves, eight components a byte."""
        ...


@dataclass(frozen=True, slots=True)
class PackedBits:
    """Rows that are there, `width` bits each."""

    rows: NDArray[np.uint8]
    width: int

    def __len__(self) -> int:
        return len(self.rows)

    def reduced(self) -> tuple[int, int]:
        if not len(self.rows):
            return (1 << self.width) - 1, 0
        if len(self.rows) == 1:
            only = int.from_bytes(self.rows.tobytes(), "little")
            return only, only
        every = np.bitwise_and.reduce(self.rows, axis=0).tobytes()
        some = np.bitwise_or.reduce(self.rows, axis=0).tobytes()
        return int.from_bytes(every, "little"), int.from_bytes(some, "little")

    def packed(self) -> NDArray[np.uint8]:
        return self.rows


def packed_bits(bits: NDArray[np.bool_]) -> PackedBits:
    """Pack a table of bits, a row for each observation."""
    rows = np.packbits(bits, axis=1, bitorder="little")
    rows.setflags(write=False)
    return PackedBits(rows, bits.shape[1])
