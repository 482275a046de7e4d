"""Learned models in files: the encoder in its saved form, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from steel_verified.classes.saving import class_of_json, saved_part
from steel_verified.errors import InvalidArgument
from steel_verified.learning.names import NO_NAMES
from steel_verified.learning.saved_models import SavedModel
from steel_verified.using.encoder import Encoder

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.model import Model
    from steel_verified.learning.names import Names
    from steel_verified.learning.results import Guarantee
    from steel_verified.using.encoder import Reads

Batch = TypeVar("Batch")
Observation = TypeVar("Observation")


def saved_model(
    model: Model,
    current: int,
    steps: int,
    guarantee: Guarantee | None,
    encoder: Reads | None,
    names: Names = NO_NAMES,
) -> SavedModel:
    """Return the saved form; raise `InvalidArgument` for classifiers that are functions."""
    if encoder is None:
        return SavedModel(model, current, None, steps, None, guarantee, names=names)
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
        names,
    )


def encoder_of(
    held: SavedModel,
    functions: Class[Batch] | None,
    features: Callable[[Observation], object] | None = None,
) -> Reads | None:
    """Return the encoder of a saved model, or None if it has none.

    `functions` is its class, if the file cannot contain it. Raises `InvalidArgument` if the class
    is missing, does not fit, or is given although the file contains it.
    """
    if held.classifiers is None:
        return None
    read = cast("Callable[[object], object] | None", features)  # it refuses what it cannot read
    if held.functions is not None and not held.on_features:
        if functions is not None:
            expected = f"nothing: the file has its class, {held.functions}"
            raise InvalidArgument("functions", functions, expected)
        return Encoder(held.functions, held.classifiers, read)
    if functions is None:
        expected = "the class with which it was learned, as it contains functions of your own"
        raise InvalidArgument("functions", None, expected)
    described = None if held.functions is None else held.functions.described
    fits = saved_part(functions) == (described, held.on_features)
    if not fits or not all(map(functions.contains, held.classifiers)):
        expected = f"a class that has the classifiers {held.classifiers}"
        raise InvalidArgument("functions", functions, expected)
    return Encoder(functions, held.classifiers, read)
