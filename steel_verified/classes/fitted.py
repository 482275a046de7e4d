"""Learners that search without proof: any code that fits a function to labelled rows.

Every function that is found is checked on every row. If none is found, this proves nothing. Located
STEEL then treats two sets as one state although a better search might separate them. So its
guarantee assumes that the search finds a separating function whenever the states differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from steel_verified.classes.rows import (
    FLOAT64,
    Cloud,
    Numbers,
    cloud,
    pack_numbers,
    require_features,
)
from steel_verified.errors import BrokenOracle
from steel_verified.evidence.oracle import Classifier, Declared, Function, Summary, of_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


Values: TypeAlias = "Callable[[NDArray[np.float64]], NDArray[np.bool_]]"
"""Maps rows of float64 features to one boolean for each row."""
Fit: TypeAlias = "Callable[[NDArray[np.float64], NDArray[np.float64]], Values | None]"
"""Maps the rows that must become 0 and those that must become 1 to a function, or to None."""


@dataclass(frozen=True, slots=True)
class FittedFunction(Function):
    """A function that `fit` has returned."""

    function: Values

    def __call__(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return the value on each row; raise `BrokenOracle` if it has another form."""
        found = np.asarray(self.function(rows))
        if found.dtype != np.bool_ or found.shape != (len(rows),):
            raise BrokenOracle(
                f"a fitted function gave {found.dtype} of shape {found.shape} for {len(rows)} "
                f"rows: expected booleans of shape ({len(rows)},)"
            )
        return found


@dataclass(frozen=True, slots=True)
class Fitted:
    """The class of all functions of `features` features that `fit` may return.

    `fit` should be deterministic. It receives the different rows of each side, sorted.
    """

    features: int
    fit: Fit

    def __post_init__(self) -> None:
        require_features(self.features)

    @property
    def class_size(self) -> None:
        """None: it is not known how many functions `fit` might return."""
        return

    @property
    def declared(self) -> Declared:
        return FLOAT64.declared("fitted", self.features)

    @property
    def none_is_proved(self) -> bool:
        return False

    def pack(self, batch: Numbers) -> bytes:
        return pack_numbers(FLOAT64.rows(batch, self.features))

    def summarise(self, batch: Numbers) -> Cloud:
        return cloud(FLOAT64.rows(batch, self.features))

    def nothing(self) -> Cloud:
        return cloud(np.empty((0, self.features)))

    def merge(self, one: Summary, other: Summary) -> Cloud:
        a, b = of_kind(Cloud, one, other)
        return a.merged(b)

    def contains(self, classifier: Classifier) -> bool:
        return type(classifier) is FittedFunction and callable(classifier.function)

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        (found,), (low, high) = of_kind(FittedFunction, classifier), of_kind(Cloud, zeros, ones)
        return bool(found(_floats(high)).all() and not found(_floats(low)).any())

    def separating(self, zeros: Summary, ones: Summary) -> FittedFunction | None:
        """Return the function of `fit` if it is correct on every row, otherwise None.

        If one side is empty, `fit` is not called.
        """
        low, high = of_kind(Cloud, zeros, ones)
        if low.meets(high):
            return None
        if not low or not high:
            return FittedFunction(_always if high else _never)
        fitted = self.fit(_floats(low), _floats(high))
        found = None if fitted is None else FittedFunction(fitted)
        return found if found is not None and self.separates(found, low, high) else None

    def values(self, classifier: Classifier, batch: Numbers) -> NDArray[np.bool_]:
        (found,) = of_kind(FittedFunction, classifier)
        return found(FLOAT64.rows(batch, self.features))


def _floats(held: Cloud) -> NDArray[np.float64]:
    return held.rows.astype(np.float64)


def _always(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.ones(len(rows), dtype=np.bool_)


def _never(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.zeros(len(rows), dtype=np.bool_)
