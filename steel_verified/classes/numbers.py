"""Rows of numbers, and the finite sets that these numbers come from.

A class of classifiers on numbers is used on one of two sets: the float64 numbers, or the integers
within bounds. Every number of either is an exact fraction, and all of them are finitely many.
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
"""Observations that are vectors of floats, integers or booleans, a row for each."""
Rows: TypeAlias = "NDArray[np.float64 | np.int64]"
"""Observations that were found to be of the domain."""
Point: TypeAlias = tuple[float, ...]
"""A row as Python numbers: of floats in one domain, of integers in the other."""

_LARGEST_EXACT: Final = 1 << 53
_INT64: Final = 1 << 63


@dataclass(frozen=True, slots=True)
class Floats:
    """The finite float64 numbers; −0 is 0. Integers and booleans are taken where they are exact."""

    @property
    def size(self) -> int:
        """2^64 patterns, without 2^53 for NaN and the infinities, and one of two zeros."""
        return 2**64 - 2**53 - 1

    def declared(self, name: str, features: int) -> Declared:
        return Declared(name, "float64", features)

    def rows(self, batch: Numbers, features: int) -> NDArray[np.float64]:
        """The rows of a batch; raises `InvalidArgument` for any others."""
        table = _table(batch, features, f"numbers of shape (rows, {features})")
        if table.dtype.kind not in "fiub" or table.dtype.itemsize > 8:
            raise InvalidArgument(
                "batch", f"rows of {table.dtype}", "float64, integers or booleans"
            )
        if table.dtype.kind in "iu" and table.size:
            largest = max(abs(int(table.min())), abs(int(table.max())))
            if largest > _LARGEST_EXACT:
                expected = f"integers up to 2^53 in size, which float64 has, or {Integers.__name__}"
                raise InvalidArgument("batch", largest, expected)
        rows = table.astype(np.float64) + 0.0
        if not np.isfinite(rows).all():
            odd = rows[~np.isfinite(rows)][0]
            raise InvalidArgument("batch", f"rows with {odd}", "finite numbers")
        return rows

    def is_bound(self, bound: object) -> bool:
        """Whether a number of a classifier is a float64 or an infinity, by which nothing is cut."""
        return type(bound) is float and not isnan(bound)


@dataclass(frozen=True, slots=True)
class Integers:
    """The integers from `lowest` to `highest`; as booleans, 0 and 1."""

    lowest: int
    highest: int

    def __post_init__(self) -> None:
        if not -_INT64 <= self.lowest < _INT64:
            raise InvalidArgument("lowest", self.lowest, "an integer that int64 has")
        if not self.lowest < self.highest < _INT64:
            expected = f"an integer that int64 has, and more than lowest = {self.lowest}"
            raise InvalidArgument("highest", self.highest, expected)

    @property
    def size(self) -> int:
        return self.highest - self.lowest + 1

    def declared(self, name: str, features: int) -> Declared:
        return Declared(name, "int64", features)

    def rows(self, batch: Numbers, features: int) -> NDArray[np.int64]:
        """The rows of a batch; raises `InvalidArgument` for any others."""
        expected = f"{features} integer features from {self.lowest} to {self.highest}"
        table = _table(batch, features, expected)
        if table.dtype.kind not in "iub":
            raise InvalidArgument("batch", f"rows of {table.dtype}", expected)
        if table.size and not self.lowest <= int(table.min()) <= int(table.max()) <= self.highest:
            shown = f"{table.dtype}, values {table.min()} to {table.max()}"
            raise InvalidArgument("batch", shown, expected)
        return table.astype(np.int64)

    def is_bound(self, bound: object) -> bool:
        """Whether a number of a classifier is of the domain, or an infinity, which cuts nothing."""
        if type(bound) is int:
            return self.lowest <= bound <= self.highest
        return type(bound) is float and bound in (-inf, inf)


Domain: TypeAlias = Floats | Integers

FLOAT64: Final = Floats()


def require_features(features: int) -> None:
    """Raise `InvalidArgument` unless this is a number of features."""
    if type(features) is not int or features < 1:
        raise InvalidArgument("features", features, "an integer from 1 on")


def pack_numbers(rows: Rows) -> bytes:
    """The rows as records of 8 bytes for each number, the lowest byte first."""
    return rows.astype(rows.dtype.newbyteorder("<")).tobytes()


def between(below: float, above: float) -> float:
    """A number c of the same domain with below < c ≤ above, near the middle."""
    if isinstance(below, int) and isinstance(above, int):
        return (below + above + 1) // 2
    middle = below / 2 + above / 2
    return middle if below < middle <= above else above


def _table(batch: Numbers, features: int, expected: str) -> Numbers:
    """The batch with a row for each observation; if there is one feature, rows may be numbers."""
    if not isinstance(batch, np.ndarray):
        raise InvalidArgument("batch", type(batch).__name__, f"an array: {expected}")
    table = batch[:, None] if features == batch.ndim == 1 else batch
    if table.ndim != 2 or table.shape[1] != features:
        raise InvalidArgument("batch", f"{batch.dtype} of shape {batch.shape}", expected)
    return table
