"""Latent dynamics against networkx: connectivity and diameter."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import Dynamics

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Table


def graph(table: Table) -> nx.DiGraph[int]:
    edges: nx.DiGraph[int] = nx.DiGraph()
    edges.add_edges_from((state, to) for state, row in enumerate(table) for to in row)
    return edges


@pytest.mark.parametrize(("states", "actions"), [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1)])
def test_dynamics_agree_with_networkx_on_all_small_tables(states: int, actions: int) -> None:
    """Every table is accepted or refused as networkx says, and has the diameter it says."""
    rows = list(product(range(states), repeat=actions))
    for table in product(rows, repeat=states):
        if nx.is_strongly_connected(graph(table)):
            assert Dynamics(table).diameter == nx.diameter(graph(table))
        else:
            with pytest.raises(InvalidArgument, match="every state to reach every other"):
                Dynamics(table)


def test_disconnected_table_error_names_the_components() -> None:
    with pytest.raises(InvalidArgument, match=r"2 components \[0\], \[1, 2\]"):
        Dynamics(((1,), (2,), (1,)))
