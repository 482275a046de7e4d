"""A learned model as a file: JSON that can be read back, Graphviz DOT, or GraphML."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.learning.saved_models import model_as_bytes, saved

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.classes.saved_classes import SavedClass
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted

_SUFFIXES = (".json", ".dot", ".graphml")


def require_model_file(path: Path) -> None:
    """Refuse a name that says no known format, before a run is spent on it."""
    if path.suffix.lower() not in _SUFFIXES:
        raise InvalidArgument("model", path, "a name that ends in " + ", ".join(_SUFFIXES))


def as_bytes(learned: Accepted[int], functions: SavedClass | None, suffix: str) -> bytes:
    """The model in the format that a file's suffix asks for; `functions` is the class, if known."""
    match suffix.lower():
        case ".json":
            return model_as_bytes(saved(learned, functions))
        case ".dot":
            return _dot(learned.model, f"  {learned.current} [penwidth=3];")
        case ".graphml":
            return _graphml(learned.model)
        case _:
            raise InvalidArgument("model", suffix, "one of " + ", ".join(_SUFFIXES))


def partial_as_bytes(model: Model, suffix: str) -> bytes | None:
    """A model with unknown transitions in this format; None for JSON, which has no such models."""
    match suffix.lower():
        case ".json":
            return None
        case ".dot":
            return _dot(model, '  label="so far: nothing is guaranteed";')
        case ".graphml":
            return _graphml(model)
        case _:
            raise InvalidArgument("model", suffix, "one of " + ", ".join(_SUFFIXES))


def _edges(model: Model) -> dict[tuple[int, int], str]:
    """The actions that lead from one state to another, as a label for each edge."""
    edges: dict[tuple[int, int], list[str]] = {}
    for state, action, to in sorted(model.transitions()):
        edges.setdefault((state, to), []).append(str(action))
    return {edge: ",".join(actions) for edge, actions in edges.items()}


def _dot(model: Model, remark: str) -> bytes:
    lines = ["digraph learned {", "  node [shape=circle];", remark]
    lines += [f'  {s} -> {to} [label="{label}"];' for (s, to), label in _edges(model).items()]
    return "\n".join([*lines, "}", ""]).encode()


def _graphml(model: Model) -> bytes:
    import networkx as nx  # noqa: PLC0415 (0.1 s to import, and needed by this format only)

    graph: nx.DiGraph[int] = nx.DiGraph()
    for (state, to), label in _edges(model).items():
        graph.add_edge(state, to, actions=label)
    file = BytesIO()
    nx.write_graphml_xml(graph, file)
    return file.getvalue()
