"""The encoder: from arrays, lists or single observations to states, and in a saved model."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeGuard, TypeVar, cast

import numpy as np

from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components, Predicates, Tables
from steel_verified.classes.fitted import Fitted
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.saving import class_of_json, saved_part
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Searched
from steel_verified.learning.results import encode
from steel_verified.learning.saved_models import SavedModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.learning.guarantee import Guarantee
    from steel_verified.learning.model import Model


Batch = TypeVar("Batch")

Array: TypeAlias = "NDArray[np.generic[object]]"
Shape: TypeAlias = tuple[int, ...]


class Reads(Protocol):
    """An encoder, with the types of its observations and classifiers hidden."""

    @property
    def functions(self) -> object: ...

    @property
    def classifiers(self) -> tuple[Classifier, ...]: ...

    def encode(self, observations: object) -> NDArray[np.int64]: ...

    def state_of(self, observation: object) -> int: ...


@dataclass(frozen=True, slots=True)
class Encoder(Generic[Batch]):
    """A class of classifiers, and one classifier for each state."""

    functions: Class[Batch]
    classifiers: tuple[Classifier, ...]

    def encode(self, observations: object) -> NDArray[np.int64]:
        """Return the label of each observation; for a single one, an array without dimensions."""
        shape, as_bits = shape_of_one(self.functions), _are_bits(self.functions)
        if shape is None or _is_packed(observations):
            return self._labels(observations)
        table = _flattened(_array(observations), shape)
        rows_may_be_numbers = shape == (1,) and not as_bits
        if table.shape == shape and not rows_may_be_numbers:
            return self._labels(table[None]).reshape(())
        return self._labels(table)

    def state_of(self, observation: object) -> int:
        """Return the label of one observation; raise `InvalidArgument` if there are several."""
        return int(self._labels(self._alone(observation))[0])

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
    """Return the shape of the array of one observation; None for a class of the user's own."""
    match functions:
        case Components():
            return (functions.class_size,)
        case Tables():
            return ()
        case Conjunctions() | Thresholds() | Boxes() | HalfSpaces() | Fitted():
            return (functions.features,)
        case Featured(function=Monomials() as monomials):
            return (monomials.features,)
        case Witnessed() | Searched():
            return shape_of_one(functions.functions)
        case _:
            return None


def _are_bits(functions: object) -> bool:
    match functions:
        case Witnessed() | Searched():
            return _are_bits(functions.functions)
        case _:
            return isinstance(functions, Components | Conjunctions)


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


def saved_model(
    model: Model,
    current: int,
    steps: int,
    guarantee: Guarantee | None,
    encoder: Reads | None,
) -> SavedModel:
    """Return the saved form; raise `InvalidArgument` for classifiers that are functions."""
    if encoder is None:
        return SavedModel(model, current, None, steps, None, guarantee)
    described, on_features = saved_part(encoder.functions)
    if described is None and not all(isinstance(each, int) for each in encoder.classifiers):
        shown = type(encoder.classifiers[0]).__name__
        expected = "classifiers of a class that is given by its sizes: a function cannot be written"
        raise InvalidArgument("classifiers", shown, expected)
    return SavedModel(
        model,
        current,
        encoder.classifiers,
        steps,
        None if described is None else class_of_json(described),
        guarantee,
        on_features,
    )


def encoder_of(held: SavedModel, functions: Class[Batch] | None) -> Reads | None:
    """Return the encoder of a saved model, or None if it has none.

    `functions` is its class, if the file cannot contain it. Raises `InvalidArgument` if the class
    is missing, does not fit, or is given although the file contains it.
    """
    if held.classifiers is None:
        return None
    if held.functions is not None and not held.on_features:
        if functions is not None:
            expected = f"nothing: the file has its class, {held.functions}"
            raise InvalidArgument("functions", functions, expected)
        return Encoder(held.functions, held.classifiers)
    if functions is None:
        expected = "the class with which it was learned, as it contains functions of your own"
        raise InvalidArgument("functions", None, expected)
    described = None if held.functions is None else held.functions.described
    fits = saved_part(functions) == (described, held.on_features)
    if not fits or not all(map(functions.contains, held.classifiers)):
        expected = f"a class that has the classifiers {held.classifiers}"
        raise InvalidArgument("functions", functions, expected)
    return Encoder(functions, held.classifiers)
