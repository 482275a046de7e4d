"""The settings agree with the worlds that the paper describes."""

import networkx as nx
import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.experiments.settings import double_prime, setting


def test_the_maze_has_68_cells_and_diameter_16() -> None:
    doors = {(2, 5), (8, 5), (5, 2), (5, 8)}
    cells = {
        (r, c) for r in range(1, 10) for c in range(1, 10) if (r != 5 and c != 5) or (r, c) in doors
    }
    graph: nx.Graph[tuple[int, int]] = nx.Graph()
    graph.add_edges_from(
        ((r, c), next_cell)
        for r, c in cells
        for next_cell in ((r + 1, c), (r, c + 1))
        if next_cell in cells
    )
    extent = setting("multi-maze").extent
    assert (extent.states, extent.diameter) == (len(cells), nx.diameter(graph)) == (68, 16)


@pytest.mark.parametrize(("p", "q"), [(2, 3), (3, 5), (5, 7), (3, 11), (11, 13), (17, 19)])
def test_the_diameter_of_double_prime(p: int, q: int) -> None:
    graph: nx.DiGraph[tuple[int, int]] = nx.DiGraph()
    for side in (0, 1):
        graph.add_edges_from(((side, i), (side, (i + 1) % q)) for i in range(q))
        graph.add_edge((side, 0), (1 - side, q - p + 1))
    extent = double_prime(p, q).extent
    assert (extent.states, extent.diameter) == (len(graph), nx.diameter(graph))


@pytest.mark.parametrize("states", [20, 30, 40])
def test_the_diameter_of_the_lock(states: int) -> None:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_edges_from((i, (i + 1) % states) for i in range(states))
    graph.add_edges_from((i, 0) for i in range(states))
    extent = setting(f"combination-lock-{states}").extent
    assert (extent.states, extent.diameter) == (len(graph), nx.diameter(graph))


@pytest.mark.parametrize(
    "name",
    ["", "lock", "combination-lock-21", "double-prime-5-3", "double-prime-4-7", "double-prime-5-5"],
)
def test_unknown_settings(name: str) -> None:
    with pytest.raises(InvalidArgument, match="preset"):
        setting(name)
