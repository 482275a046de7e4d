"""Rows of numbers, and the finite sets from which these numbers come.

A class of classifiers on numbers has one of two domains: the float64 numbers, or the integers
between two bounds. Every number of a domain is an exact fraction, and each domain is finite.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Declared

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.generic[object]]"
"""Observations that are vectors of floats, integers or booleans, one row for each."""
Rows: TypeAlias = "NDArray[np.float64 | np.int64]"
"""Observations that were checked to be in the domain."""
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


def require_features(features: int) -> None:
    """Raise `InvalidArgument` unless this is a valid number of features."""
    if type(features) is not int or features < 1:
        raise InvalidArgument("features", features, "an integer, at least 1")


def pack_numbers(rows: Rows) -> bytes:
    """Return the rows as records with 8 bytes for each number, little-endian."""
    return rows.astype(rows.dtype.newbyteorder("<")).tobytes()


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
