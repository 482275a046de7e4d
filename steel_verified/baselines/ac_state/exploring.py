"""The exploration policy (l. 1985): it seeks goal after goal, those seldom visited more often.

A goal is drawn in the state where the last one was reached; one random action follows, then a
shortest path. Only what is done in 0 and 0' matters, so the loop goes from round to round. It is
compiled by Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.errors import missing_extra
from steel_verified.worlds.prime_loops import PrimeLoops

try:
    from numba import njit
except ImportError as _missing:
    raise missing_extra("ac-state", _missing) from _missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.baselines.ac_state.rounds import Loops, Place
    from steel_verified.worlds.dynamics import Table

_EITHER: Final = 2
"""Both actions are on a shortest path."""


def explore(
    loops: Loops, start: Place, steps: int, more: int, draws: np.random.Generator
) -> NDArray[np.bool_]:
    """At each visit of 0 or 0' whether to take action 1, in so many steps from a place on.

    A goal is drawn with weight 1/(visits + more); states of infinite weight come first.
    """
    toward = np.array([_toward(loops, copy) for copy in range(loops.copies)], dtype=np.uint8)
    crossings = np.zeros(steps // loops.p + 2, dtype=np.bool_)
    made = _explore(
        loops.p, loops.q, start.before, start.copy, steps, more, toward, draws, crossings
    )
    return crossings[: made + 1]  # what the last round would do at its end is not part of this


@njit(cache=True)
def _explore(
    p: int,
    q: int,
    before: int,
    copy: int,
    steps: int,
    more: int,
    toward: NDArray[np.uint8],
    draws: np.random.Generator,
    crossings: NDArray[np.bool_],
) -> int:
    """Fill `crossings`; return their number. States are numbered b + q·copy, b steps before 0."""
    copies, states = toward.shape
    # The rounds of each copy so far, all and long; the first one misses the states before it.
    rounds, long = np.zeros(copies, np.int64), np.zeros(copies, np.int64)
    rounds[copy] += 1
    long[copy] += before >= p
    missed = (copy * q + before + 1, copy * q + (q if before >= p else p))
    visits = np.empty(states, np.int64)
    time = made = 0
    while time < steps:
        under_way = (copy * q, copy * q + before)
        # No copy has more long rounds than rounds, and no state is missed more than twice.
        least, goal = long.min() - 2 + more, -1
        if least < 1:
            for state in range(states):
                visits[state] = _visits(state, p, q, rounds, long, missed, under_way)
            least = visits.min() + more
            if least == 0:
                never = np.flatnonzero(visits + more == 0)
                goal = never[int(draws.random() * len(never))]
        while goal < 0:  # by rejection
            state = int(draws.random() * states)
            of_state = _visits(state, p, q, rounds, long, missed, under_way)
            if draws.random() * (of_state + more) < least:
                goal = state
        of, left = divmod(goal, q)
        moved = before > 0
        if moved:
            before -= 1
            time += 1
        while time < steps and (not moved or of != copy or left > before):
            time += before
            before = 0
            if time < steps:
                way = toward[copy, goal] if moved else _EITHER
                crossing = draws.random() < 0.5 if way == _EITHER else way == 1
                moved = True
                crossings[made] = crossing
                made += 1
                copy = (copy + crossing) % copies
                before = (p if crossing else q) - 1
                rounds[copy] += 1
                long[copy] += not crossing
                time += 1
        if time < steps:
            time += before - left
            before = left
    return made


@njit(cache=True)
def _visits(
    state: int,
    p: int,
    q: int,
    rounds: NDArray[np.int64],
    long: NDArray[np.int64],
    missed: tuple[int, int],
    under_way: tuple[int, int],
) -> int:
    """The visits of a state.

    All rounds of a copy pass the p states before 0, and long ones pass the others, too. The first
    round missed some states, and the one under way has not come to others (each first, after last).
    """
    copy, before = divmod(state, q)
    passed = int(rounds[copy] if before < p else long[copy])
    return passed - (missed[0] <= state < missed[1]) - (under_way[0] <= state < under_way[1])


def _toward(loops: Loops, copy: int) -> list[int]:
    """For each goal, the action in 0 (or 0') on a shortest path there."""
    table = PrimeLoops(loops.copies, loops.p, loops.q, start=0, first_action=0).dynamics().table
    distances = [_distances(table, to) for to in table[copy * loops.q]]
    ways: list[int] = []
    for state in range(len(table)):
        of, before = divmod(state, loops.q)
        goal = of * loops.q + -before % loops.q
        stay, cross = distances[0][goal], distances[1][goal]
        ways.append(_EITHER if stay == cross else int(cross < stay))
    return ways


def _distances(table: Table, start: int) -> dict[int, int]:
    found, frontier = {start: 0}, [start]
    while frontier:
        onward = {to: found[here] + 1 for here in frontier for to in table[here]}
        frontier = [to for to in onward if to not in found]
        found |= {to: onward[to] for to in frontier}
    return found
