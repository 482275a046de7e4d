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

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Declared


Function: TypeAlias = "Callable[[NDArray[np.float64]], NDArray[np.bool_]]"
"""Maps rows of float64 features to one boolean for each row."""
Fit: TypeAlias = "Callable[[NDArray[np.float64], NDArray[np.float64]], Function | None]"
"""Maps the rows that must become 0 and those that must become 1 to a function, or to None."""


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

    def merge(self, one: Cloud, other: Cloud) -> Cloud:
        return one.merged(other)

    def contains(self, classifier: Function) -> bool:
        return callable(classifier)

    def separates(self, classifier: Function, zeros: Cloud, ones: Cloud) -> bool:
        return bool(
            _values(classifier, _floats(ones)).all()
            and not _values(classifier, _floats(zeros)).any()
        )

    def separating(self, zeros: Cloud, ones: Cloud) -> Function | None:
        """Return the function of `fit` if it is correct on every row, otherwise None.

        If one side is empty, `fit` is not called.
        """
        if zeros.meets(ones):
            return None
        if not len(zeros) or not len(ones):
            return _always if len(ones) else _never
        found = self.fit(_floats(zeros), _floats(ones))
        return found if found is not None and self.separates(found, zeros, ones) else None

    def values(self, classifier: Function, batch: Numbers) -> NDArray[np.bool_]:
        return _values(classifier, FLOAT64.rows(batch, self.features))


def _floats(held: Cloud) -> NDArray[np.float64]:
    return held.rows.astype(np.float64)


def _always(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.ones(len(rows), dtype=np.bool_)


def _never(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.zeros(len(rows), dtype=np.bool_)


def _values(function: Function, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the function's value on each row; raise `BrokenOracle` if it has another form."""
    found = np.asarray(function(rows))
    if found.dtype != np.bool_ or found.shape != (len(rows),):
        raise BrokenOracle(
            f"a fitted function gave {found.dtype} of shape {found.shape} for {len(rows)} rows: "
            f"expected booleans of shape ({len(rows)},)"
        )
    return found
