"""Converts between an encoder and a saved model."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from steel_verified.classes.conjunctions import Conjunction
from steel_verified.classes.half_spaces import HalfSpace
from steel_verified.classes.intervals import Box, Threshold
from steel_verified.classes.saving import SavedClassifiers, savable
from steel_verified.errors import InvalidArgument
from steel_verified.learning.saved_models import SavedModel
from steel_verified.using.encoding import Encoder

if TYPE_CHECKING:
    from steel_verified.classes.saving import SavedClassifier
    from steel_verified.evidence.oracle import ClassifierClass
    from steel_verified.learning.guarantee import Guarantee
    from steel_verified.learning.model import Model
    from steel_verified.using.encoding import Reads

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


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
    held = savable(encoder.functions)
    return SavedModel(
        model,
        current,
        tuple(map(_writable, encoder.classifiers)),
        steps,
        held.functions,
        guarantee,
        held.on_features,
    )


def _writable(classifier: object) -> SavedClassifier:
    if isinstance(classifier, int | Conjunction | Threshold | Box | HalfSpace):
        return classifier
    expected = "classifiers of a class that is given by its sizes: a function cannot be written"
    raise InvalidArgument("classifiers", type(classifier).__name__, expected)


def encoder_of(
    held: SavedModel, functions: ClassifierClass[Batch, Summary, Classifier] | None
) -> Reads | None:
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
        return Encoder(SavedClassifiers(held.functions, held.classifiers), held.classifiers)
    if functions is None:
        expected = "the class with which it was learned, as it contains functions of your own"
        raise InvalidArgument("functions", None, expected)
    known = cast("tuple[Classifier, ...]", held.classifiers)  # the next lines check each
    fits = savable(functions) == (held.functions, held.on_features)
    if not fits or not all(map(functions.contains, known)):
        expected = f"a class that has the classifiers {held.classifiers}"
        raise InvalidArgument("functions", functions, expected)
    return Encoder(functions, known)
