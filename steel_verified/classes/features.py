"""Features that a function computes from observations, and any class of classifiers on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, product
from math import comb, isinf, isnan
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import numpy as np

from steel_verified.classes.rows import (
    FLOAT64,
    Bits,
    Integers,
    Numbers,
    number_as_json,
    require_features,
    rows_of_bits,
)
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Class, OfClass, Savable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json

Batch = TypeVar("Batch")
Computed = TypeVar("Computed")
Scalar = TypeVar("Scalar", np.float64, np.int64)

INT64: Final = Integers(-(1 << 63), (1 << 63) - 1)


@dataclass(frozen=True, slots=True)
class Featured(OfClass[Batch, Computed]):
    """The classifiers x ↦ f(function(x)), for the classifiers f of another class.

    `function` computes a batch of features from a batch of observations, row by row: the features
    of an observation must depend on this observation only. Certificates contain the features. The
    size of the class is an upper bound: classifiers that agree on all features are one function.
    """

    function: Callable[[Batch], Computed]
    functions: Class[Computed]

    def _features(self, batch: Batch) -> Computed:
        return self.function(batch)

    @property
    def described(self) -> Json:
        """The class, and the computed features on which it is; None for functions of the user."""
        on = self.functions.described if isinstance(self.functions, Savable) else None
        known = Monomials | Ranges | ShortConjunctions | OneOf
        if on is None or not isinstance(self.function, known):
            return None
        return {**self.function.described, "on": on}


@dataclass(frozen=True, slots=True)
class Monomials:
    """All products of 1 to `degree` of `features` numbers; with half-spaces, they give polynomials.

    Example: `Monomials(2, 2)` computes x, y, x², xy and y² from (x, y). Integers and booleans give
    exact int64 values. Floats give float64 values; each product is rounded, always in the same
    order. Raises `InvalidArgument` if a product might be too large.
    """

    features: int
    degree: int

    def __post_init__(self) -> None:
        require_features(self.features)
        if type(self.degree) is not int or self.degree < 1:
            raise InvalidArgument("degree", self.degree, "an integer, at least 1")

    @property
    def described(self) -> dict[str, Json]:
        """These features, as a file has them."""
        return {"name": "on monomials", "features": self.features, "degree": self.degree}

    @property
    def size(self) -> int:
        """The number of computed features: C(features + degree, degree) − 1."""
        return comb(self.features + self.degree, self.degree) - 1

    def __call__(self, batch: Numbers) -> Numbers:
        if np.asarray(batch).dtype.kind == "f":
            with np.errstate(over="ignore"):  # an overflow gives inf, which is refused below
                products = self._products(FLOAT64.rows(batch, self.features))
            return FLOAT64.rows(products, self.size)
        rows = INT64.rows(batch, self.features)
        largest = max(abs(int(rows.min(initial=0))), abs(int(rows.max(initial=0))))
        if largest**self.degree >= 1 << 63:
            expected = f"integers whose power {self.degree} is below 2^63 in size"
            raise InvalidArgument("batch", f"rows with {largest} in size", expected)
        return self._products(rows)

    def _products(self, rows: NDArray[Scalar]) -> NDArray[Scalar]:
        """Multiply each monomial of degree k by its last feature and by each later one."""
        last = [(rows[:, i], i) for i in range(self.features)]
        found = list(last)
        for _ in range(self.degree - 1):
            last = [
                (product * rows[:, j], j) for product, i in last for j in range(i, self.features)
            ]
            found += last
        return np.column_stack([product for product, _ in found])


Range: TypeAlias = "tuple[int, float, float]"
"""Feature i from a least number on, and below another one; either may be infinite."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """A bit for each listed range: 1 if low ≤ x_i < high. With `Components`, a finite class.

    Example: `Ranges(2, ((0, 0.5, inf), (1, -inf, 3)))` computes "x_0 ≥ 0.5" and "x_1 < 3" from
    (x_0, x_1). A bit can be read as the number 0 or 1.
    """

    features: int
    ranges: tuple[Range, ...]

    def __post_init__(self) -> None:
        require_features(self.features)
        for i, low, high in self.ranges:
            if i not in range(self.features) or isnan(low) or isnan(high):
                expected = f"a feature from 0 to {self.features - 1}, and two bounds"
                raise InvalidArgument("ranges", (i, low, high), expected)
        if not self.ranges:
            raise InvalidArgument("ranges", (), "at least one range")

    @property
    def size(self) -> int:
        """The number of computed bits."""
        return len(self.ranges)

    @property
    def described(self) -> dict[str, Json]:
        """These features, as a file has them; None stands for an infinite bound."""
        listed: list[Json] = [
            [i, *(None if isinf(bound) else number_as_json(bound) for bound in (low, high))]
            for i, low, high in self.ranges
        ]
        return {"name": "on ranges", "features": self.features, "ranges": listed}

    def __call__(self, batch: Numbers) -> NDArray[np.bool_]:
        rows = FLOAT64.rows(np.asarray(batch, np.float64), self.features)
        columns = [i for i, _, _ in self.ranges]
        low = np.array([low for _, low, _ in self.ranges])
        high = np.array([high for _, _, high in self.ranges])
        seen = rows[:, columns]
        bits: NDArray[np.bool_] = np.ascontiguousarray((low <= seen) & (seen < high))
        return bits


@dataclass(frozen=True, slots=True)
class ShortConjunctions:
    """A bit for each conjunction of 1 to `literals` literals, on different ones of `features` bits.

    With `Components`, this is a finite class. Example: `ShortConjunctions(2, 2)` computes a, b,
    ¬a, ¬b, ab, a¬b, ¬ab and ¬a¬b from (a, b). Of m bits and up to k literals there are the sum of
    C(m, i)·2^i for i = 1 to k.
    """

    features: int
    literals: int

    def __post_init__(self) -> None:
        require_features(self.features)
        if type(self.literals) is not int or not 1 <= self.literals <= self.features:
            raise InvalidArgument("literals", self.literals, f"1 to {self.features}, the features")

    @property
    def size(self) -> int:
        """The number of computed bits."""
        return sum(comb(self.features, i) << i for i in range(1, self.literals + 1))

    @property
    def described(self) -> dict[str, Json]:
        """These features, as a file has them."""
        name = "on short conjunctions"
        return {"name": name, "features": self.features, "literals": self.literals}

    def __call__(self, batch: Bits) -> NDArray[np.bool_]:
        rows = rows_of_bits(batch, self.features).packed()
        bits = np.unpackbits(rows, axis=1, count=self.features, bitorder="little").astype(np.bool_)
        found = [
            (bits[:, [*combinations(range(self.features), length)]] == signs).all(axis=2)
            for length in range(1, self.literals + 1)
            for signs in product((True, False), repeat=length)
        ]
        return np.concatenate(found, axis=1)


@dataclass(frozen=True, slots=True)
class OneOf:
    """A bit for each listed row: 1 if the observation is this row.

    With `Components`, this is a finite class, for observations without noise. Example:
    `OneOf(2, ((0, 0), (0, 1)))` computes "x = (0, 0)" and "x = (0, 1)". Numbers are compared
    exactly.
    """

    features: int
    listed: tuple[tuple[float, ...], ...]
    _place: dict[tuple[float, ...], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_features(self.features)
        place = {row: number for number, row in enumerate(self.listed)}
        if not place or len(place) < self.size or {*map(len, place)} != {self.features}:
            expected = f"different rows of {self.features} numbers, at least one"
            raise InvalidArgument("listed", f"{self.size} rows", expected)
        object.__setattr__(self, "_place", place)

    @property
    def size(self) -> int:
        """The number of computed bits."""
        return len(self.listed)

    @property
    def described(self) -> dict[str, Json]:
        """These features, as a file has them."""
        rows: list[Json] = [[number_as_json(+each) for each in row] for row in self.listed]
        return {"name": "on rows", "features": self.features, "listed": rows}

    def __call__(self, batch: Numbers) -> NDArray[np.bool_]:
        rows = np.asarray(batch)
        rows = (FLOAT64 if rows.dtype.kind == "f" else INT64).rows(batch, self.features)
        bits = np.zeros((len(rows), self.size), np.bool_)
        for bit, row in zip(bits, rows.tolist(), strict=True):
            if (number := self._place.get(tuple(row))) is not None:
                bit[number] = True
        return bits
