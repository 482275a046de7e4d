"""The encoder: from arrays, lists or single observations to states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeGuard, TypeVar, cast

import numpy as np

from steel_verified.classes.finite import Components, Predicates, Tables
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import OfClass
from steel_verified.learning.results import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.oracle import Class, Classifier


Batch = TypeVar("Batch")

Array: TypeAlias = "NDArray[np.generic[object]]"
Shape: TypeAlias = tuple[int, ...]


class Reads(Protocol):
    """An encoder, with the types of its observations and classifiers hidden."""

    @property
    def functions(self) -> object: ...

    @property
    def classifiers(self) -> tuple[Classifier, ...]: ...

    @property
    def features(self) -> Callable[[object], object] | None: ...

    def rows(self, batch: object) -> NDArray[np.int64]: ...

    def encode(self, observations: object) -> NDArray[np.int64]: ...

    def state_of(self, observation: object) -> int: ...


@dataclass(frozen=True, slots=True)
class Encoder(Generic[Batch]):
    """A class of classifiers, one classifier for each state, and what they are given to read.

    With `features`, an observation is what this function takes: then `encode` reads a list, or an
    array with an entry for each observation. Without it, an observation is a row of the class.
    """

    functions: Class[Batch]
    classifiers: tuple[Classifier, ...]
    features: Callable[[object], object] | None = None

    def encode(self, observations: object) -> NDArray[np.int64]:
        """Return the label of each observation; for a single one, an array without dimensions."""
        if self.features is not None:
            return self._of_features(observations)
        shape = shape_of_one(self.functions)
        if shape is None or _is_packed(observations):
            return self._labels(observations)
        table = _flattened(_array(observations), shape)
        rows_may_be_numbers = shape == (1,) and self.functions.declared.entries != "bits"
        if table.shape == shape and not rows_may_be_numbers:
            return self._labels(table[None]).reshape(())
        return self._labels(table)

    def state_of(self, observation: object) -> int:
        """Return the label of one observation; raise `InvalidArgument` if there are several."""
        row = observation if self.features is None else self.features(observation)
        return int(self._labels(self._alone(row))[0])

    def rows(self, batch: object) -> NDArray[np.int64]:
        """Return the label of each row of a batch, as worlds and logs have them."""
        return self._labels(batch)

    def _of_features(self, observations: object) -> NDArray[np.int64]:
        if not _is_several(observations):
            shown = f"one {type(observations).__name__}"
            expected = "a list or an array of observations; state_of takes a single one"
            raise InvalidArgument("observations", shown, expected)
        return np.array([self.state_of(each) for each in observations], np.int64)

    def _labels(self, batch: object) -> NDArray[np.int64]:
        known = cast("Batch", batch)  # the class refuses rows that it cannot read
        return encode(self.functions, self.classifiers, known)

    def _alone(self, observation: object) -> object:
        """Return a batch that contains one observation."""
        functions: object = self.functions
        shape = shape_of_one(functions)
        if shape is None:
            is_list = isinstance(functions, Predicates)
            return [observation] if is_list else np.asarray(observation)[None]
        if _is_packed(observation):
            return _one_of(observation)
        row = _flattened(_array(observation), shape)
        if row.shape != shape and not (shape == (1,) and row.shape == ()):
            expected = f"one observation, of shape {shape}; encode takes several"
            raise InvalidArgument("observation", f"shape {row.shape}", expected)
        return row.reshape((1, *shape))


def shape_of_one(functions: object) -> Shape | None:
    """Return the shape of one observation: so many `features`. None: it need not be an array."""
    if isinstance(functions, Tables):
        return ()
    if isinstance(functions, Components):
        return (functions.class_size,)
    if isinstance(functions, OfClass) and not hasattr(functions, "function"):
        return shape_of_one(functions.functions)
    features = getattr(getattr(functions, "function", functions), "features", None)
    return (features,) if isinstance(features, int) else None


def _is_several(observations: object) -> TypeGuard[Sequence[object]]:
    """Return whether this is a list of observations, or an array with an entry for each."""
    if isinstance(observations, np.ndarray):
        return observations.ndim > 0
    return isinstance(observations, Sequence) and not isinstance(observations, str)


def _is_packed(observations: object) -> TypeGuard[BitRows]:
    """Return whether these are `BitRows`, the form in which worlds return bits."""
    return hasattr(observations, "packed") and hasattr(observations, "width")


def _one_of(observations: BitRows) -> BitRows:
    if len(observations) != 1:
        raise InvalidArgument("observation", f"{len(observations)} rows", "one observation")
    return observations


def _flattened(table: Array, shape: Shape) -> Array:
    """Return images as rows, flattened as worlds flatten them: one image, or a batch."""
    features = prod(shape)
    if table.ndim > 2 and prod(table.shape[1:]) == features:
        return table.reshape(len(table), features)
    if table.ndim > 1 and table.size == features and len(table) > 1:
        return table.reshape(features)
    return table


def _array(observations: object) -> Array:
    """Return the observations as an array."""
    try:
        return np.asarray(observations)
    except ValueError:
        shown = type(observations).__name__
        raise InvalidArgument("observations", shown, "rows of one length") from None
