"""Rows: what a class reads from observations, as bits or as numbers, and sets of such rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Declared, Summary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json


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


Bits: TypeAlias = "BitRows | NDArray[np.generic[object]] | Sequence[Sequence[int]]"
"""Packed rows, or a table of booleans or of 0 and 1 with one row for each observation."""


def rows_of_bits(batch: Bits, width: int) -> BitRows:
    """Return the rows of a batch; raise `InvalidArgument` unless they have `width` bits each."""
    if isinstance(batch, PackedBits) or not isinstance(batch, np.ndarray | Sequence):
        if batch.width != width:
            raise InvalidArgument("batch", f"rows of {batch.width} bits", f"{width} bits")
        return batch
    expected = f"booleans, or 0 and 1, of shape (rows, {width})"
    try:
        table = np.asarray(batch)
    except ValueError:
        raise InvalidArgument("batch", "rows of several lengths", expected) from None
    if table.dtype.kind not in "biu" or table.ndim != 2 or table.shape[1] != width:
        raise InvalidArgument("batch", f"{table.dtype} of shape {table.shape}", expected)
    bits = table.astype(np.bool_)
    if table.dtype != np.bool_ and (bits != table).any():
        raise InvalidArgument("batch", f"rows with {table[bits != table][0]}", expected)
    return packed_bits(bits)


# --- numbers --------------------------------------------------------------------------------------

Numbers: TypeAlias = "NDArray[np.generic[object]]"
"""Observations that are vectors of floats, integers or booleans, one row for each."""
Rows: TypeAlias = "NDArray[np.float64 | np.int64 | np.uint8]"
"""Observations that were checked to be in the domain; bytes are packed bits."""
Point: TypeAlias = tuple[float, ...]
"""A row as Python numbers: floats or integers, depending on the domain."""

_LARGEST_EXACT: Final = 1 << 53
_INT64: Final = 1 << 63


@dataclass(frozen=True, slots=True)
class Floats:
    """The finite float64 numbers; −0 is 0. Integers and booleans are accepted if they are exact."""

    @property
    def size(self) -> int:
        """2^64 bit patterns, without the 2^53 of NaN and the infinities, and without −0."""
        return 2**64 - 2**53 - 1

    @property
    def described(self) -> Json:
        return "float64"

    def declared(self, name: str, features: int) -> Declared:
        return Declared(name, "float64", features)

    def rows(self, batch: Numbers, features: int) -> NDArray[np.float64]:
        """Return the rows of a batch; raise `InvalidArgument` for rows outside the domain."""
        table = _table(batch, features, f"numbers of shape (rows, {features})")
        if table.dtype.kind not in "fiub" or table.dtype.itemsize > 8:
            raise InvalidArgument(
                "batch", f"rows of {table.dtype}", "float64, integers or booleans"
            )
        if table.dtype.kind in "iu" and table.size:
            largest = max(abs(int(table.min())), abs(int(table.max())))
            if largest > _LARGEST_EXACT:
                expected = f"integers up to 2^53 in size, exact in float64, or {Integers.__name__}"
                raise InvalidArgument("batch", largest, expected)
        rows = table.astype(np.float64) + 0.0
        if not np.isfinite(rows).all():
            odd = rows[~np.isfinite(rows)][0]
            raise InvalidArgument("batch", f"rows with {odd}", "finite numbers")
        return rows

    def is_bound(self, bound: object) -> bool:
        """Return whether a classifier may use this bound: a float64, or an infinity."""
        return type(bound) is float and not isnan(bound)


@dataclass(frozen=True, slots=True)
class Integers:
    """The integers from `lowest` to `highest`; booleans are accepted as 0 and 1."""

    lowest: int
    highest: int

    def __post_init__(self) -> None:
        if not -_INT64 <= self.lowest < _INT64:
            raise InvalidArgument("lowest", self.lowest, "an integer that fits in int64")
        if not self.lowest < self.highest < _INT64:
            expected = f"an integer that fits in int64, and more than lowest = {self.lowest}"
            raise InvalidArgument("highest", self.highest, expected)

    @property
    def size(self) -> int:
        return self.highest - self.lowest + 1

    @property
    def described(self) -> Json:
        return [self.lowest, self.highest]

    def declared(self, name: str, features: int) -> Declared:
        return Declared(name, "int64", features)

    def rows(self, batch: Numbers, features: int) -> NDArray[np.int64]:
        """Return the rows of a batch; raise `InvalidArgument` for rows outside the domain."""
        expected = f"{features} integer features from {self.lowest} to {self.highest}"
        table = _table(batch, features, expected)
        if table.dtype.kind not in "iub":
            raise InvalidArgument("batch", f"rows of {table.dtype}", expected)
        if table.size and not self.lowest <= int(table.min()) <= int(table.max()) <= self.highest:
            shown = f"{table.dtype}, values {table.min()} to {table.max()}"
            raise InvalidArgument("batch", shown, expected)
        return table.astype(np.int64)

    def is_bound(self, bound: object) -> bool:
        """Return whether a classifier may use this bound: one of the domain, or an infinity."""
        if type(bound) is int:
            return self.lowest <= bound <= self.highest
        return type(bound) is float and bound in (-inf, inf)


Domain: TypeAlias = Floats | Integers

FLOAT64: Final = Floats()


@dataclass(frozen=True, slots=True)
class OnNumbers:
    """The common part of the classes on `features` numbers of one domain."""

    name: ClassVar[str]
    features: int
    domain: Domain = FLOAT64

    def __post_init__(self) -> None:
        require_features(self.features)

    @property
    def declared(self) -> Declared:
        return self.domain.declared(self.name, self.features)

    @property
    def none_is_proved(self) -> bool:
        return True

    @property
    def described(self) -> Json:
        return {"name": self.name, "features": self.features, "domain": self.domain.described}

    def _rows(self, batch: Numbers) -> Rows:
        """Return the rows of a batch; raise `InvalidArgument` for rows outside the domain."""
        return self.domain.rows(batch, self.features)

    def pack(self, batch: Numbers) -> bytes:
        return pack_numbers(self._rows(batch))


def require_features(features: int) -> None:
    """Raise `InvalidArgument` unless this is a valid number of features."""
    if type(features) is not int or features < 1:
        raise InvalidArgument("features", features, "an integer, at least 1")


def pack_numbers(rows: Rows) -> bytes:
    """Return the rows as records with 8 bytes for each number, little-endian."""
    return rows.astype(rows.dtype.newbyteorder("<")).tobytes()


def number_as_json(number: float) -> Json:
    """Return an integer as a JSON integer, and a float as text, as Python writes it."""
    return number if isinstance(number, int) else repr(number)


def number_of_json(found: Json) -> float:
    """Return the number; raise `InvalidArgument` for a float that is written in another way."""
    if type(found) is int:
        return found
    try:
        number = float(found) if isinstance(found, str) else None
    except ValueError:
        number = None
    if number is None or repr(number) != found:
        raise InvalidArgument("classifiers", shown(found), "floats as Python writes them")
    return number


def shown(found: Json) -> str:
    """Return the beginning of a JSON value, for an error message."""
    return repr(found)[:60]


def between(below: float, above: float) -> float:
    """Return a number c of the same domain with below < c ≤ above, near the middle."""
    if isinstance(below, int) and isinstance(above, int):
        return (below + above + 1) // 2
    middle = below / 2 + above / 2
    return middle if below < middle <= above else above


def _table(batch: Numbers, features: int, expected: str) -> Numbers:
    """Return the batch as a table; with one feature, the rows may also be plain numbers."""
    if not isinstance(batch, np.ndarray):
        raise InvalidArgument("batch", type(batch).__name__, f"an array: {expected}")
    table = batch[:, None] if features == batch.ndim == 1 else batch
    if table.ndim != 2 or table.shape[1] != features:
        raise InvalidArgument("batch", f"{batch.dtype} of shape {batch.shape}", expected)
    return table


# --- sets of rows ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)  # without slots, for what is computed once
class Cloud(Summary):
    """A set of rows. It is put in order where this is needed, so that unions cost little."""

    held: Rows
    """All rows, in any order, some of them perhaps several times."""

    @cached_property
    def rows(self) -> Rows:
        """The different rows, in lexicographic order."""
        object.__setattr__(self, "held", distinct(self.held))
        return self.held

    @cached_property
    def bits(self) -> tuple[int, int]:
        """Of rows of packed bits: those that are 1 on all rows, and those that are 1 on some."""
        rows = self.held.astype(np.uint8, copy=False)
        ends = np.bitwise_and.reduce(rows), np.bitwise_or.reduce(rows)
        every, some = (int.from_bytes(bits.tobytes(), "little") for bits in ends)
        return every, some

    @cached_property
    def box(self) -> tuple[Rows, Rows]:
        """The least and the greatest value of each feature; there must be rows."""
        return self.held.min(axis=0), self.held.max(axis=0)

    def __bool__(self) -> bool:
        return len(self.held) > 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cloud) and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash(self.rows.tobytes())

    def merged(self, other: Cloud) -> Cloud:
        """Return the union of both sets."""
        if not self or not other:
            return self or other
        return Cloud(np.concatenate([self.held, other.held]))

    def meets(self, other: Cloud) -> bool:
        """Return whether some row is in both sets."""
        return len(self.merged(other).rows) < len(self.rows) + len(other.rows)


def cloud(rows: Rows) -> Cloud:
    """Return the set of these rows."""
    return Cloud(distinct(rows))


def distinct(rows: Rows) -> Rows:
    """Return the different ones of these rows, in lexicographic order."""
    keys = _ordered_bytes(rows)
    ordered = rows[keys.view(f"S{keys.shape[1]}")[:, 0].argsort()] if len(rows) > 1 else rows
    differs = np.ones(len(rows), dtype=np.bool_)
    differs[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    kept = ordered[differs]
    kept.setflags(write=False)
    return kept


def _ordered_bytes(rows: Rows) -> NDArray[np.uint8]:
    """Return bytes for each row that have the order of its numbers: one sort of texts is enough."""
    if rows.dtype == np.uint8:
        return rows.astype(np.uint8, copy=False)
    sign = np.uint64(1 << 63)
    bits = np.ascontiguousarray(rows).view(np.uint64)
    negative = (bits & sign).astype(np.bool_)
    if rows.dtype == np.float64:  # the bits of negative floats have the reverse order
        bits = np.where(negative, ~bits ^ sign, bits)
    return (bits ^ sign).astype(">u8").view(np.uint8)
