"""A learned model as a JSON document, which can be read again.

Version 4 also has names of actions and states; a model without names is written as version 3.
Version 3 has the guarantee, and says whether the classifiers read features that the user's own
function computes, which a file cannot contain. Version 2 has the class of the classifiers, so that
the encoder can be used after reading. In version 1 classifiers are numbers of an unnamed class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from steel_verified.classes.saving import SavedClass, classifiers_from_json, require_members
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Format, opened, sealed
from steel_verified.evidence.entries import of_plain, plain
from steel_verified.evidence.files import read_bytes
from steel_verified.learning.model import Model
from steel_verified.learning.names import NO_NAMES, Names, names_of
from steel_verified.learning.results import Accepted, Guarantee, encode, guarantee_of
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Classifier

MODEL: Final = Format("steel-model", 4, once_without_header=True)
_WITHOUT_NAMES: Final = 3
"""The version that is written for a model without names, so that older programs read it."""
_REMEDY: Final = "Write it again with steel learn --model"


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
    names: Names = NO_NAMES

    def __post_init__(self) -> None:
        states = self.model.states
        names_of(self.names.actions, self.names.states, how_many=(self.model.actions, states))
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


class ModelJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a file, without header and digest."""

    actions: int
    table: tuple[tuple[int, ...], ...]
    current: int
    steps: int
    classifiers: tuple[object, ...] | None
    functions: object = msgspec.field(name="class", default=None)
    guarantee: Guarantee | None = None
    on_features: bool = False
    action_names: tuple[str, ...] = ()
    state_names: tuple[str, ...] = ()


def model_as_bytes(saved: SavedModel) -> bytes:
    """Return the model as a document."""
    functions, classifiers = saved.functions, saved.classifiers
    content = ModelJson(
        actions=saved.model.actions,
        table=tuple(tuple(to for to in row if to is not None) for row in saved.model.table),
        current=saved.current,
        steps=saved.steps,
        classifiers=classifiers
        if functions is None or classifiers is None
        else tuple(map(functions.written, classifiers)),
        functions=None if functions is None else functions.described,
        guarantee=saved.guarantee,
        on_features=saved.on_features,
        action_names=saved.names.actions,
        state_names=saved.names.states,
    )
    written = msgspec.to_builtins(content, enc_hook=plain)
    if saved.names == NO_NAMES:
        del written["action_names"], written["state_names"]
        return sealed({**MODEL.header, "version": _WITHOUT_NAMES, **written})
    return sealed({**MODEL.header, **written})


def _numbers_of_classifiers(classifiers: tuple[object, ...]) -> tuple[int, ...]:
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
    functions: SavedClass | None = None
    classifiers: tuple[Classifier, ...] | None = None
    try:
        found = msgspec.convert(content, ModelJson, strict=True, dec_hook=of_plain)
        written = content["classifiers"]
        if (described := content.get("class")) is not None:
            each = written if isinstance(written, list) else []
            functions, classifiers = classifiers_from_json(described, each, name)
        elif found.classifiers is not None:
            classifiers = _numbers_of_classifiers(found.classifiers)
        return SavedModel(
            Model(found.actions, found.table),
            found.current,
            None if written is None else classifiers,
            found.steps,
            functions,
            found.guarantee,
            found.on_features,
            Names(found.action_names, found.state_names),
        )
    except msgspec.ValidationError as error:
        raise Unreadable(name, "", f"is not a model ({error})", _REMEDY) from None
    except InvalidArgument as error:
        said = f"has something else than {error.expected}"
        raise Unreadable(name, error.argument, said, _REMEDY) from None
