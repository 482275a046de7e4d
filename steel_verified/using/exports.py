"""Exports a learned model for other programs: DOT, GraphML, networkx, AALpy."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from steel_verified.errors import missing_extra
from steel_verified.learning.names import NO_NAMES

if TYPE_CHECKING:
    import networkx as nx

    from steel_verified.learning.model import Model
    from steel_verified.learning.names import Names


def as_dot(model: Model, current: int | None, names: Names = NO_NAMES) -> str:
    """Return a Graphviz graph; the state in which the run ended is drawn bold.

    Without a current state, the graph says that nothing is guaranteed about this partial model.
    """
    remark = (
        '  label="so far: nothing is guaranteed";'
        if current is None
        else f"  {current} [penwidth=3];"
    )
    lines = ["digraph learned {", "  node [shape=circle];", remark]
    if names.states:
        lines += [f"  {s} [label={_quoted(name)}];" for s, name in enumerate(names.states)]
    edges = _edges(model, names).items()
    lines += [f"  {s} -> {to} [label={_quoted(label)}];" for (s, to), label in edges]
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    """Return a text as a string of DOT, in which no letter has a meaning of its own."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def as_graphml(model: Model, names: Names = NO_NAMES) -> bytes:
    """Return GraphML with one edge for each pair of states; `actions` lists the actions of it.

    If the states have names, they are the attribute `name` of the nodes.
    """
    try:
        import networkx as nx  # noqa: PLC0415 (0.1 s to import, and an extra)
    except ImportError as missing:
        raise missing_extra("graphs", missing) from missing

    graph: nx.DiGraph[int] = nx.DiGraph()
    for state, name in enumerate(names.states):
        graph.add_node(state, name=name)
    for (state, to), label in _edges(model, names).items():
        graph.add_edge(state, to, actions=label)
    file = BytesIO()
    nx.write_graphml_xml(graph, file)
    return file.getvalue()


def as_networkx(model: Model, current: int, names: Names = NO_NAMES) -> nx.MultiDiGraph[int]:
    """Return a graph with one edge for each transition; key and attribute `action` are the action.

    The attribute `current` of the graph is the state in which the run ended. Nodes and edges whose
    state or action has a name have it as the attribute `name`.
    """
    try:
        import networkx as nx  # noqa: PLC0415 (0.1 s to import, and an extra)
    except ImportError as missing:
        raise missing_extra("graphs", missing) from missing

    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(current=current)
    graph.add_nodes_from(range(model.states))
    for state, action, to in sorted(model.transitions()):
        more = {"name": names.action(action)} if names.actions else {}
        graph.add_edge(state, to, key=action, action=action, **more)
    for state, name in enumerate(names.states):
        graph.add_node(state, name=name)
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


def _edges(model: Model, names: Names) -> dict[tuple[int, int], str]:
    """Return, for each edge, the actions that lead along it, as a label such as "0,3"."""
    edges: dict[tuple[int, int], list[str]] = {}
    for state, action, to in sorted(model.transitions()):
        edges.setdefault((state, to), []).append(names.action(action))
    return {edge: ",".join(actions) for edge, actions in edges.items()}
