"""The type and shape of a world's rows, and how rows are packed into bytes and unpacked."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.worlds.row_store import RowStore

Seen: TypeAlias = "NDArray[np.generic[object]] | Sequence[float] | np.generic[object] | float"
"""An observation: an array of any shape, a sequence of numbers or booleans, or one number."""

_ENTRIES: Final[dict[str, Literal["bool", "int64", "float64"]]] = {
    "b": "bool",
    "i": "int64",
    "u": "int64",
    "f": "float64",
}


@dataclass(frozen=True, slots=True)
class RowKind:
    """Rows of booleans, integers or floats, all of one shape."""

    entries: Literal["bool", "int64", "float64"]
    shape: tuple[int, ...]

    @property
    def width(self) -> int:
        """How many features a row has."""
        return prod(self.shape)

    def pack(self, seen: Seen) -> NDArray[np.uint8]:
        """An observation as bytes, eight booleans per byte; raises for another type or shape."""
        if (kind := kind_of(seen)) != self:
            expected = f"{self.entries} of shape {self.shape}, like the first observation"
            raise InvalidArgument("observation", f"{kind.entries} of shape {kind.shape}", expected)
        row = np.ravel(np.asarray(seen))
        if self.entries == "bool":
            return np.packbits(row.astype(np.bool_), bitorder="little")
        return np.frombuffer(row.astype(self.entries).tobytes(), dtype=np.uint8)

    def arrays(self, store: RowStore, times: NDArray[np.int64]) -> Numbers:
        """The rows at these times; rows with one number are returned as numbers."""
        held = store.at(times)
        if self.entries == "bool":
            bits = np.unpackbits(held, axis=1, count=self.width, bitorder="little")
            return bits.astype(np.bool_)
        numbers: Numbers = held.view(np.dtype(self.entries))
        return numbers.ravel() if self.width == 1 else numbers


def kind_of(seen: Seen) -> RowKind:
    """The kind of an observation.

    Raises `InvalidArgument` unless it consists of booleans, integers or floats.
    """
    row = np.asarray(seen)
    fits = row.dtype.itemsize <= 8 and row.dtype != np.uint64
    if row.dtype.kind not in _ENTRIES or not fits or not row.size:
        shown = f"{row.dtype} of shape {row.shape}"
        expected = "an array or a sequence of booleans, or of numbers that fit int64 or float64"
        raise InvalidArgument("observation", shown, expected)
    return RowKind(_ENTRIES[row.dtype.kind], row.shape)
