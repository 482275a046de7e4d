"""A learned model as a file: JSON that can be read back, Graphviz DOT, or GraphML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.saved_models import model_as_bytes, saved
from steel_verified.using.exports import as_dot, as_graphml

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.classes.saving import SavedClass
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted

_SUFFIXES = (".json", ".dot", ".graphml")


def require_model_file(path: Path) -> None:
    """Raise `InvalidArgument` for a file name without a known suffix, before the run starts."""
    if path.suffix.lower() not in _SUFFIXES:
        raise InvalidArgument("model", path, "a name that ends in " + ", ".join(_SUFFIXES))


def as_bytes(learned: Accepted, functions: SavedClass | None, suffix: str) -> bytes:
    """The model in the format given by the file's suffix; `functions` is the class, if known."""
    if suffix.lower() == ".json":
        return model_as_bytes(saved(learned, functions))
    return _drawn(learned.model, learned.current, suffix)


def partial_as_bytes(model: Model, suffix: str) -> bytes | None:
    """A model with unknown transitions in this format, or None for JSON, which cannot hold one."""
    return None if suffix.lower() == ".json" else _drawn(model, None, suffix)


def _drawn(model: Model, current: int | None, suffix: str) -> bytes:
    is_dot = suffix.lower() == ".dot"
    return as_dot(model, current).encode() if is_dot else as_graphml(model)
