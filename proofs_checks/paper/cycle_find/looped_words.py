"""Checks beside `looped_words.toml`: what a looped word does to the states of small worlds.

A looped word applies one map over and over to the states at its beginning.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from proofs_checks.kernels.finite import exhausted
from proofs_checks.small_cases.loops import LOOPED_WORLDS, looped_worlds
from proofs_checks.small_cases.maps import maps, tail_and_cycle

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.small_cases.loops import LoopedWorld
    from proofs_checks.small_cases.maps import Map


def cycles_follow_the_word(ahead: int = 0) -> Evidence:
    """Check T(s_i, â_{(i + ahead) % |â|}) = s_{(i+1) % L} for all L = n_cyc|â| positions."""

    def holds(case: LoopedWorld) -> bool:
        loop, table = case.loop, case.world.table
        first = -(-loop.transient // loop.cycle) * loop.cycle
        states = [loop.at(first + i) for i in range(loop.cycle)]
        return loop.cycle <= case.world.states * case.length and all(
            table[state][case.word[(i + ahead) % case.length]] == states[(i + 1) % loop.cycle]
            for i, state in enumerate(states)
        )

    return exhausted(looped_worlds(), holds, LOOPED_WORLDS)


def maps_fit(less: int = 0) -> Evidence:
    """Check n_trn + n_cyc ≤ |S| − less, and that no state before the first repetition recurs."""

    def holds(step: Map) -> bool:
        transient, period = tail_and_cycle(step)
        path = _visits(step, 3 * len(step))
        return (
            transient + period <= len(step) - less
            and all(path.count(state) == 1 for state in path[:transient])
            and len(set(path[transient : transient + period])) == period
        )

    return _on_maps(holds)


def residues_decide(skipped: int = 1) -> Evidence:
    """Check s̄_i = s̄_j exactly if i ≡ j (mod n_cyc), where s̄ begins after |S| − `skipped` elements.

    N is |S|, the least that is allowed.
    """

    def holds(step: Map) -> bool:
        _, period = tail_and_cycle(step)
        path = _visits(step, 3 * len(step) + 2)[max(len(step) - skipped, 0) :]
        pairs = combinations(enumerate(path), 2)
        return all((s == u) == ((i - j) % period == 0) for (i, s), (j, u) in pairs)

    return _on_maps(holds)


def _on_maps(holds: Callable[[Map], bool]) -> Evidence:
    return exhausted(maps(5), holds, "every map of up to 5 states, every start")


def _visits(step: Map, steps: int) -> list[int]:
    path = [0]
    for _ in range(steps):
        path.append(step[path[-1]])
    return path
