"""Exports a learned model for other programs: DOT, GraphML, networkx, AALpy."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

    from steel_verified.learning.model import Model


def as_dot(model: Model, current: int | None) -> str:
    """Return a Graphviz graph; the state in which the run ended is drawn bold.

    Without a current state, the graph says that nothing is guaranteed about this partial model.
    """
    remark = (
        '  label="so far: nothing is guaranteed";'
        if current is None
        else f"  {current} [penwidth=3];"
    )
    lines = ["digraph learned {", "  node [shape=circle];", remark]
    lines += [f'  {s} -> {to} [label="{label}"];' for (s, to), label in _edges(model).items()]
    return "\n".join([*lines, "}", ""])


def as_graphml(model: Model) -> bytes:
    """Return GraphML with one edge for each pair of states; `actions` lists the actions of it."""
    import networkx as nx  # noqa: PLC0415 (0.1 s to import, and needed by this format only)

    graph: nx.DiGraph[int] = nx.DiGraph()
    for (state, to), label in _edges(model).items():
        graph.add_edge(state, to, actions=label)
    file = BytesIO()
    nx.write_graphml_xml(graph, file)
    return file.getvalue()


def as_networkx(model: Model, current: int) -> nx.MultiDiGraph[int]:
    """Return a graph with one edge for each transition; key and attribute `action` are the action.

    The attribute `current` of the graph is the state in which the run ended.
    """
    import networkx as nx  # noqa: PLC0415 (as above)

    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(current=current)
    graph.add_nodes_from(range(model.states))
    for state, action, to in sorted(model.transitions()):
        graph.add_edge(state, to, key=action, action=action)
    return graph


def as_automaton(model: Model, start: int) -> str:
    """Return a Moore machine for AALpy: inputs are actions, the output of a state is its label.

    `aalpy.utils.load_automaton_from_file(FILE, automaton_type="moore")` loads the text from a file.
    """
    lines = ["digraph learned {"]
    lines += [
        f's{state} [label="s{state}|{state}", shape=record, style=rounded];'
        for state in range(model.states)
    ]
    lines += [
        f's{state} -> s{to} [label="{action}"];'
        for state, action, to in sorted(model.transitions())
    ]
    lines += ['__start0 [label="", shape=none];', f'__start0 -> s{start} [label=""];', "}", ""]
    return "\n".join(lines)


def _edges(model: Model) -> dict[tuple[int, int], str]:
    """Return, for each edge, the actions that lead along it, as a label such as "0,3"."""
    edges: dict[tuple[int, int], list[str]] = {}
    for state, action, to in sorted(model.transitions()):
        edges.setdefault((state, to), []).append(str(action))
    return {edge: ",".join(actions) for edge, actions in edges.items()}
