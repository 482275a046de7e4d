"""The fewest steps in which a walk takes every transition: no exact learner can take fewer.

A walk that takes every transition, closed by a return from its end to its start, leaves each state
as often as it enters it. So it is every transition once, and the cheapest repetitions that balance
each state, where one return to the start is free: a flow of least cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Table


def least_walk(table: Table, start: int) -> int:
    """The fewest steps from a state in which every transition is taken, whatever the end."""
    import networkx as nx  # noqa: PLC0415 (0.1 s to import, and only reports need it)

    end = len(table)
    entered = [sum(row.count(state) for row in table) for state in range(end)]
    graph: nx.DiGraph[int] = nx.DiGraph()
    for state, row in enumerate(table):
        graph.add_node(state, demand=len(row) - entered[state])
        graph.add_weighted_edges_from((state, to, 1) for to in row)
        graph.add_weighted_edges_from([(state, end, 0)])
    graph.add_edge(end, start, weight=0, capacity=1)
    return sum(entered) + nx.min_cost_flow_cost(graph)
