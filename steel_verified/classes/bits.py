"""Observations that are vectors of bits.

The class of single components needs only the bitwise AND and OR of the rows of a dataset. A
simulator may compute these without making the rows. Recorded rows are packed and then reduced.
Arrays of booleans are packed first.
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
        """The number of bits of a row."""
        ...

    def reduced(self) -> tuple[int, int]:
        """Return the bitwise AND and OR of all rows, as integers; all ones and 0 if no rows."""
        ...

    def packed(self) -> NDArray[np.uint8]:
        """Return the rows, eight components per byte."""
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
    """Pack a table of bits with one row for each observation."""
    rows = np.packbits(bits, axis=1, bitorder="little")
    rows.setflags(write=False)
    return PackedBits(rows, bits.shape[1])


Bits: TypeAlias = "BitRows | NDArray[np.generic[object]]"
"""Packed rows, or a table of booleans with one row for each observation."""


def rows_of_bits(batch: Bits, width: int) -> BitRows:
    """Return the rows of a batch; raise `InvalidArgument` unless they have `width` bits each."""
    if isinstance(batch, np.ndarray):
        if batch.dtype != np.bool_ or batch.ndim != 2:
            shown = f"{batch.dtype} of shape {batch.shape}"
            raise InvalidArgument("batch", shown, f"booleans of shape (rows, {width})")
        batch = packed_bits(batch.astype(np.bool_))
    if batch.width != width:
        raise InvalidArgument("batch", f"rows of {batch.width} bits", f"{width} bits")
    return batch
