"""Observations that are vectors of bits.

All that the class of single components needs of a dataset is the bitwise AND and OR of its rows. A
simulator may know these without ever making the rows; recorded rows are packed, and reduced. Arrays
of booleans are packed as they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument

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
    """Rows held in memory, `width` bits each."""

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


Bits: TypeAlias = "BitRows | NDArray[np.generic[object]]"
"""Packed rows, or a table of booleans with a row for each observation."""


def rows_of_bits(batch: Bits, width: int) -> BitRows:
    """The rows of a batch; raises `InvalidArgument` unless they have `width` bits each."""
    if isinstance(batch, np.ndarray):
        if batch.dtype != np.bool_ or batch.ndim != 2:
            shown = f"{batch.dtype} of shape {batch.shape}"
            raise InvalidArgument("batch", shown, f"booleans of shape (rows, {width})")
        batch = packed_bits(batch.astype(np.bool_))
    if batch.width != width:
        raise InvalidArgument("batch", f"rows of {batch.width} bits", f"{width} bits")
    return batch
