"""Why every state has to reach every other (l. 1653-1659).

A latent graph is a tuple of sets of successors, as bits: what matters for reachability is not which
action leads where.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.together import beside
from proofs_checks.proofs.reachability import ALL_REACH, EXCHANGED, REVERSIBLE
from proofs_checks.replays import proof
from proofs_checks.sections import REACHABILITY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

    Graph = tuple[int, ...]
    Table = tuple[tuple[int, ...], ...]


def _reached(graph: Graph, start: int) -> int:
    """The states on ways from here, as bits; here itself included."""
    seen, old = 1 << start, 0
    while seen != old:
        old = seen
        for state, successors in enumerate(graph):
            if seen >> state & 1:
                seen |= successors
    return seen


def _graphs(largest: int) -> Iterator[Graph]:
    """Every graph in which each state has a successor: any number of actions."""
    for states in range(1, largest + 1):
        yield from product(range(1, 1 << states), repeat=states)


def _returns(*, comparable_only: bool) -> Evidence:
    """All states reach each other exactly if every edge can be returned over."""

    def holds(graph: Graph) -> bool:
        states = range(len(graph))
        reached = [_reached(graph, state) for state in states]
        connected = all(seen == (1 << len(graph)) - 1 for seen in reached)
        comparable = all(reached[s] >> t & 1 or reached[t] >> s & 1 for s in states for t in states)
        returnable = all(reached[t] >> s & 1 for s in states for t in states if graph[s] >> t & 1)
        if comparable_only and not comparable:
            return True
        return connected == returnable

    return exhausted(_graphs(4), holds, "latent graphs of at most 4 states, any number of actions")


def _tables() -> Iterator[Table]:
    for states, actions in ((1, 2), (2, 2), (3, 2), (2, 3), (3, 3)):
        yield from product(product(range(states), repeat=actions), repeat=states)


def _graph(table: Table) -> Graph:
    return tuple(sum(1 << to for to in set(row)) for row in table)


def _exchanged(table: Table, one: tuple[int, int], other: tuple[int, int]) -> Table:
    """The table with the effects at two places (state, action) exchanged."""
    new = [list(row) for row in table]
    (s, a), (t, b) = one, other
    new[s][a], new[t][b] = table[t][b], table[s][a]
    return tuple(tuple(row) for row in new)


def _swaps(*, at_the_end: bool) -> Evidence:
    """After an edge without return from s by a: exchange a and another action at s.

    For the mutant, the exchange is with the effect of the other action at the end of the edge.
    """

    def holds(table: Table) -> bool:
        graph = _graph(table)
        actions = range(len(table[0]))
        for s, a in product(range(len(table)), actions):
            end = table[s][a]
            if _reached(graph, end) >> s & 1:
                continue
            for b in actions:
                if b == a:
                    continue
                place = (end, a) if at_the_end else (s, a)
                new = _exchanged(table, place, (s, b))
                if not at_the_end and new[s][b] != end:
                    return False
                if _reached(_graph(new), end) >> s & 1:
                    return False
        return True

    return exhausted(_tables(), holds, "dynamics of at most 3 states and 3 actions, all edges")


A, largest, short, never, rest = (
    Symbol(name) for name in ("A", "largest", "short", "never", "rest")
)


def _likely_action(extra: int) -> Evidence:
    """The chances add up to 1 = A·largest − short, where `short` ≥ 0 is by how much they differ."""
    return at_most(A * largest - short + extra, A * largest, {A: 1, largest: 0, short: 0})


def _lost(stay: Expr | int) -> Evidence:
    """With chance `never` s is not met at all; if it is met, it is lost with chance q = 1 − rest.

    Either way its other actions are not tried: never + (1 − never)·q ≥ q.
    """
    q = 1 - rest
    return at_most(q, never * stay + (1 - never) * q, {never: 0, rest: 0})


CLAIMS: Final = (
    REACHABILITY.proved(
        "I01",
        "1653-1655",
        "If of any two states one reaches the other, then all reach each other exactly if s is "
        "reachable from s' for every edge (s, a, s')",
        beside(
            partial(_returns, comparable_only=True),
            proof(REVERSIBLE, "I01"),
            proof(ALL_REACH, "I01_back"),
        ),
        Mutant("states that do not reach each other", partial(_returns, comparable_only=False)),
        proof(REVERSIBLE, "I01").without("edges that cannot be undone", "undone"),
        assumptions=("of any two states, one reaches the other",),
    ),
    REACHABILITY.proved(
        "I02.a",
        "1655",
        "At the first encounter with s some action has chance at least 1/|A|",
        partial(_likely_action, 0),
        Mutant("more than 1/|A|", partial(_likely_action, 1)),
    ),
    REACHABILITY.proved(
        "I02.b",
        "1657",
        "If that action leads where s is not reachable, then with chance ≥ 1/|A|, over all runs, "
        "no other action is ever taken at s: runs that never meet s do not lower it",
        partial(_lost, 1),
        Mutant("runs that never meet s do not count", partial(_lost, 0)),
    ),
    REACHABILITY.proved(
        "I03",
        "1659",
        "If s is not reachable from s' = T(s, a), then after exchanging a and a' at s, "
        "T'(s, a') = s' and s is still not reachable from s'",
        beside(partial(_swaps, at_the_end=False), proof(EXCHANGED, "I03")),
        Mutant("exchanged with an effect at s'", partial(_swaps, at_the_end=True)),
        proof(EXCHANGED, "I03").without("s is reachable from s'", "no_return"),
    ),
)
