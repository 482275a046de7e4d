"""A learned model as a JSON document, which can be read again.

Version 3 has the guarantee, and says whether the classifiers read features that the user's own
function computes, which a file cannot contain. Version 2 has the class of the classifiers, so that
the encoder can be used after reading. In version 1 classifiers are numbers of an unnamed class.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.classes.saving import classifiers_from_json, require_members
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Format, opened, sealed
from steel_verified.evidence.files import read_bytes
from steel_verified.learning.guarantee import Guarantee, guarantee_of
from steel_verified.learning.model import Model
from steel_verified.learning.results import encode
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.classes.saving import SavedClass
    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.oracle import Classifier
    from steel_verified.learning.guarantee import GuaranteedBy
    from steel_verified.learning.results import Accepted

MODEL: Final = Format("steel-model", 3, once_without_header=True)
_FIELDS_OF_1: Final = frozenset({"actions", "table", "current", "classifiers", "steps"})
_FIELDS_OF_2: Final = _FIELDS_OF_1 | {"class"}
_FIELDS: Final = _FIELDS_OF_2 | {"guarantee", "on_features"}
_LONGEST_FRACTION: Final = 1000
_REMEDY: Final = "Write it again with steel learn --model"

Chosen = TypeVar("Chosen", bound="Classifier")


@dataclass(frozen=True, slots=True)
class SavedModel:
    """What a run has learned: the dynamics, the state in which it ended, and perhaps the encoder.

    An observation is encoded as the label of the first classifier that is 1 on it. `steps` is the
    number of steps of the run. If the class of the classifiers is not known, they are numbers.
    """

    model: Model
    current: int
    classifiers: tuple[Classifier, ...] | None
    steps: int
    functions: SavedClass | None = None
    guarantee: Guarantee | None = None
    on_features: bool = False
    """Whether `functions` reads features that a function outside the file computes."""

    def __post_init__(self) -> None:
        states = self.model.states
        if not self.model.is_total:
            raise InvalidArgument("table", self.model.table, "every transition of some states")
        if not 0 <= self.current < states:
            raise InvalidArgument("current", self.current, f"a state from 0 to {states - 1}")
        if self.steps < 0:
            raise InvalidArgument("steps", self.steps, "0 or more")
        if self.classifiers is None:
            return
        if len(self.classifiers) != states:
            expected = f"{counted(states, 'classifier')}, one for each state"
            raise InvalidArgument("classifiers", self.classifiers, expected)
        if self.functions is None:
            _numbers_of_classifiers(self.classifiers)
        else:
            require_members(self.functions, self.classifiers)

    def encode(self, batch: Numbers) -> NDArray[np.int64]:
        """Return the state of each observation; raise `InvalidArgument` without an encoder."""
        if self.functions is None or self.classifiers is None or self.on_features:
            expected = "a model that was saved with its classifiers and their class"
            raise InvalidArgument("model", "without an encoder", expected)
        return encode(self.functions, self.classifiers, batch)


def saved(learned: Accepted, functions: SavedClass | None) -> SavedModel:
    """Return what is saved of an accepted run; `functions` is the class, if it is known."""
    return SavedModel(
        learned.model,
        learned.current,
        learned.classifiers,
        learned.ledger.steps,
        functions,
        guarantee_of(learned),
    )


def model_as_bytes(saved: SavedModel) -> bytes:
    """Return the model as a document."""
    return sealed(
        {
            **MODEL.header,
            "actions": saved.model.actions,
            "table": saved.model.table,
            "current": saved.current,
            "steps": saved.steps,
            "guarantee": _guarantee_as_json(saved.guarantee),
            "on_features": saved.on_features,
            **_encoder_as_json(saved),
        }
    )


def _encoder_as_json(saved: SavedModel) -> dict[str, Json]:
    """Return the class and the classifiers, if they are known."""
    functions, classifiers = saved.functions, saved.classifiers
    if functions is not None:
        written = None if classifiers is None else tuple(map(functions.written, classifiers))
        return {"class": functions.described, "classifiers": written}
    numbers = None if classifiers is None else _numbers_of_classifiers(classifiers)
    return {"class": None, "classifiers": numbers}


def _numbers_of_classifiers(classifiers: tuple[Classifier, ...]) -> tuple[int, ...]:
    """Return the classifiers of an unknown class; raise `InvalidArgument` unless numbers."""
    numbers = tuple(each for each in classifiers if type(each) is int and each >= 0)
    if len(numbers) < len(classifiers):
        expected = "classifiers of a given class, or numbers from 0 on"
        raise InvalidArgument("classifiers", classifiers, expected)
    return numbers


def read_model(path: Path) -> SavedModel:
    """Return the model in a file that `steel learn --model` wrote.

    Raises `InvalidArgument` if the file cannot be read, and `Unreadable` if it is not a model.
    """
    return model_of(read_bytes(path), str(path))


def model_of(data: bytes, name: str) -> SavedModel:
    """Return the model in a document; `name` is the file name for errors."""
    content = opened(data, MODEL, name)
    fields = _FIELDS_OF_2 if "class" in content else _FIELDS_OF_1
    fields = _FIELDS if "guarantee" in content else fields
    if content.keys() != fields:
        odd = ", ".join(sorted(content.keys() ^ fields))[:200]
        raise Unreadable(
            name, "", f"is not a model: these fields are missing or unknown: {odd}", _REMEDY
        )
    table = content["table"]
    if not isinstance(table, list):
        raise Unreadable(name, "table", "is not a list of rows", _REMEDY)
    rows = tuple(_numbers(row, name, f"table, row {state},") for state, row in enumerate(table))
    functions, classifiers = _encoder_of(content, name)
    try:
        return SavedModel(
            Model(_number(content["actions"], name, "actions"), rows),
            _number(content["current"], name, "current"),
            classifiers,
            _number(content["steps"], name, "steps"),
            functions,
            _guarantee_of(content.get("guarantee"), name),
            _flag(content.get("on_features", False), name, "on_features"),
        )
    except InvalidArgument as error:
        found = f"has something else than {error.expected}"
        raise Unreadable(name, error.argument, found, _REMEDY) from None


def _encoder_of(
    content: Mapping[str, Json], name: str
) -> tuple[SavedClass | None, tuple[Classifier, ...] | None]:
    """Return the class and the classifiers, if the document has them."""
    functions, classifiers = content.get("class"), content["classifiers"]
    if functions is None:
        return None, None if classifiers is None else _numbers(classifiers, name, "classifiers")
    if classifiers is not None and not isinstance(classifiers, list):
        raise Unreadable(name, "classifiers", "is not a list", _REMEDY)
    known, found = classifiers_from_json(functions, classifiers or [], name)
    return known, None if classifiers is None else found


def _guarantee_as_json(guarantee: Guarantee | None) -> Json:
    if guarantee is None:
        return None
    return {
        "method": guarantee.method,
        "delta": str(guarantee.delta),
        "epsilon": str(guarantee.epsilon),
        "certified": guarantee.certified,
        **({"given": guarantee.given} if guarantee.given else {}),
    }


_METHODS: Final[Mapping[str, GuaranteedBy]] = {
    "looped": "looped",
    "located": "located",
    "certain": "certain",
    "coins": "coins",
    "log": "log",
}


def _guarantee_of(found: Json, name: str) -> Guarantee | None:
    match found:
        case None:
            return None
        case {
            "method": "looped" | "located" | "certain" | "coins" | "log" as method,
            "delta": str(delta),
            "epsilon": str(epsilon),
            "certified": certified,
            **others,
        } if others.keys() <= {"given"} and isinstance(given := others.get("given", ""), str):
            return Guarantee(
                _METHODS[method],
                _fraction(delta, name, "delta"),
                _fraction(epsilon, name, "epsilon"),
                _flag(certified, name, "certified"),
                given,
            )
        case _:
            raise Unreadable(name, "guarantee", "is not a method, δ and ε", _REMEDY)


def _fraction(text: str, name: str, place: str) -> Fraction:
    """Return a fraction written as Python writes it; raise `Unreadable` for other texts."""
    try:
        fraction = Fraction(text) if len(text) <= _LONGEST_FRACTION else None
    except (ValueError, ZeroDivisionError):
        fraction = None
    if fraction is None or str(fraction) != text:
        raise Unreadable(name, place, "is not a fraction such as 1/20", _REMEDY)
    return fraction


def _flag(value: Json, name: str, place: str) -> bool:
    if not isinstance(value, bool):
        raise Unreadable(name, place, "is neither true nor false", _REMEDY)
    return value


def _number(value: Json, name: str, place: str) -> int:
    if type(value) is not int:
        raise Unreadable(name, place, "is not a whole number", _REMEDY)
    return value


def _numbers(value: Json, name: str, place: str) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise Unreadable(name, place, "is not a list of whole numbers", _REMEDY)
    return tuple(_number(entry, name, place) for entry in value)
