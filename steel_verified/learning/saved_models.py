"""A learned model as a JSON document, which can be read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.codec import Format, Unreadable, opened, sealed
from steel_verified.evidence.files import read_bytes
from steel_verified.learning.model import Model

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.results import Accepted

MODEL: Final = Format("steel-model", 1, once_without_header=True)
_FIELDS: Final = frozenset({"actions", "table", "current", "classifiers", "steps"})
_REMEDY: Final = "Write it again with steel learn --model"


@dataclass(frozen=True, slots=True)
class SavedModel:
    """What a run has learned: the dynamics, the state it ended in, and the encoder, if wanted.

    An observation is encoded as the label of the first classifier that is 1 on it. `steps` is how
    many steps the run took.
    """

    model: Model
    current: int
    classifiers: tuple[int, ...] | None
    steps: int

    def __post_init__(self) -> None:
        states = self.model.states
        if not self.model.is_total:
            raise InvalidArgument("table", self.model.table, "every transition of some states")
        if not 0 <= self.current < states:
            raise InvalidArgument("current", self.current, f"a state from 0 to {states - 1}")
        if self.classifiers is not None and (
            len(self.classifiers) != states or min(self.classifiers) < 0
        ):
            expected = f"{states} classifiers, one for each state, numbered from 0 on"
            raise InvalidArgument("classifiers", self.classifiers, expected)
        if self.steps < 0:
            raise InvalidArgument("steps", self.steps, "0 or more")


def saved(learned: Accepted[int]) -> SavedModel:
    """The part of a run's end that is saved as its model."""
    return SavedModel(learned.model, learned.current, learned.classifiers, learned.ledger.steps)


def model_as_bytes(saved: SavedModel) -> bytes:
    """The model as a document."""
    return sealed(
        {
            **MODEL.header,
            "actions": saved.model.actions,
            "table": saved.model.table,
            "current": saved.current,
            "classifiers": saved.classifiers,
            "steps": saved.steps,
        }
    )


def read_model(path: Path) -> SavedModel:
    """The model in a file that `steel learn --model` wrote.

    Raises `InvalidArgument` if the file cannot be read, and `Unreadable` if it holds no model.
    """
    return model_of(read_bytes(path), str(path))


def model_of(data: bytes, name: str) -> SavedModel:
    """The model in a document; `name` is the file's, for errors."""
    content = opened(data, MODEL, name)
    if content.keys() != _FIELDS:
        odd = ", ".join(sorted(content.keys() ^ _FIELDS))[:200]
        raise Unreadable(
            name, "", f"is no model: these fields are missing or unknown: {odd}", _REMEDY
        )
    table = content["table"]
    if not isinstance(table, list):
        raise Unreadable(name, "table", "is not a list of rows", _REMEDY)
    rows = tuple(_numbers(row, name, f"table, row {state},") for state, row in enumerate(table))
    classifiers = content["classifiers"]
    try:
        return SavedModel(
            Model(_number(content["actions"], name, "actions"), rows),
            _number(content["current"], name, "current"),
            None if classifiers is None else _numbers(classifiers, name, "classifiers"),
            _number(content["steps"], name, "steps"),
        )
    except InvalidArgument as error:
        found = f"has something else than {error.expected}"
        raise Unreadable(name, error.argument, found, _REMEDY) from None


def _number(value: Json, name: str, place: str) -> int:
    if type(value) is not int:
        raise Unreadable(name, place, "is not a whole number", _REMEDY)
    return value


def _numbers(value: Json, name: str, place: str) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise Unreadable(name, place, "is not a list of whole numbers", _REMEDY)
    return tuple(_number(entry, name, place) for entry in value)
