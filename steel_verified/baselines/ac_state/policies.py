"""How the data is collected: by uniformly random actions, or by seeking states seldom visited.

Either way the actions outside 0 and 0' are uniformly random: both have the same effect there, so
that both are on a shortest path whenever one is. A policy only decides what to do in 0 and 0'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from steel_verified.baselines.ac_state.rounds import Half, Loops, Place, from_decisions
from steel_verified.worlds.prime_loops import PrimeLoops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Table

Policy: TypeAlias = Literal["uniform", "exploration"]
Unvisited: TypeAlias = Literal["first", "as if once more"]
"""How goals are drawn while some states have no visit. Each has weight 1/n, and so those with
n = 0 come first; or each has weight 1/(n + 1)."""

Count: TypeAlias = Callable[[int], int]
Choose: TypeAlias = Callable[[Count, int], int]
"""Draws a goal, given the number of visits of each state and a lower bound of them all."""

_BLOCK: Final = 1 << 12


def walk(
    policy: Policy,
    loops: Loops,
    start: Place,
    steps: int,
    seed: Sequence[int],
    unvisited: Unvisited = "first",
) -> Half:
    """So many steps from a place on, as a function of the seed. Visits are counted from 0."""
    noise, decisions = (_bits((*seed, purpose)) for purpose in range(2))
    if policy == "uniform":
        words = noise.random_raw(_most_rounds(loops, steps))
        crossings = (words & np.uint64(1)).astype(np.bool_)
    else:
        draws = uniforms(decisions)
        goal = goals_by_visits(loops.copies * loops.q, unvisited, draws)
        tosses = (draw < 0.5 for draw in draws)
        crossings = np.array(explore(loops, start, steps, goal, tosses), dtype=np.bool_)
        words = noise.random_raw(len(crossings))
    return from_decisions(loops, start, steps, crossings, words)


def start_of(loops: Loops, seed: Sequence[int]) -> Place:
    """A state drawn uniformly."""
    state = int(next(uniforms(_bits(seed))) * loops.q * loops.copies)
    return Place(state % loops.q, state // loops.q)


def coins(half: Half, seed: Sequence[int]) -> NDArray[np.uint64]:
    """A word of fair coins for each round, by which SinglePrime shows i or i'."""
    return _bits(seed).random_raw(half.rounds)


def uniforms(bits: np.random.PCG64) -> Iterator[float]:
    """Numbers uniform on [0, 1), multiples of 2⁻⁵³."""
    while True:
        yield from ((bits.random_raw(_BLOCK) >> np.uint64(11)) * 2.0**-53).tolist()


def explore(
    loops: Loops, start: Place, steps: int, choose: Choose, tosses: Iterator[bool]
) -> list[bool]:
    """At each visit of 0 or 0' whether to take action 1, seeking goal after goal (l. 1985).

    A goal is drawn in the state where the last one was reached; one random action follows, then a
    shortest path. States are numbered b + q·copy, b steps before 0. The visits of a state are known
    from the numbers of rounds: all rounds of a copy come by the p states before 0, all long ones by
    the others, except the first round and the one under way.
    """
    p, q, both = loops.p, loops.q, loops.copies == 2
    before, copy = start.before, start.copy
    rounds, long_rounds = [0] * loops.copies, [0] * loops.copies
    rounds[copy] += 1
    long_rounds[copy] += before >= p
    missed = range(copy * q + before + 1, copy * q + (q if before >= p else p))
    toward = [_toward(loops, copy) for copy in range(loops.copies)]

    def visits(state: int) -> int:
        of, left = divmod(state, q)
        passed = rounds[of] if left < p else long_rounds[of]
        return passed - (state in missed) - (of == copy and left < before)

    crossings: list[bool] = []
    time = 0
    while time < steps:
        # No copy has more long rounds than rounds.
        goal = choose(visits, min(long_rounds) - 2)
        of, left = divmod(goal, q)
        moved = before > 0
        if moved:
            before -= 1
            time += 1
        while not moved or of != copy or left > before:
            time += before
            before = 0
            if time >= steps:
                break
            way = toward[copy][goal] if moved else None
            crossing = next(tosses) if way is None else way
            moved = True
            crossings.append(crossing)
            copy ^= crossing and both
            before = (p if crossing else q) - 1
            rounds[copy] += 1
            long_rounds[copy] += not crossing
            time += 1
        else:
            time += before - left
            before = left
    return [*crossings, False]  # what the last round would do at its end is not part of this


def goals_by_visits(states: int, unvisited: Unvisited, draws: Iterator[float]) -> Choose:
    """Goals with probability inversely proportional to the number of visits.

    By rejection: a state drawn uniformly is kept with probability (lower bound)/(its visits).
    """
    more = 0 if unvisited == "first" else 1

    def choose(visits: Count, least: int) -> int:
        if least + more < 1:
            counts = [visits(state) + more for state in range(states)]
            if 0 in counts:
                never = [state for state in range(states) if counts[state] == 0]
                return never[int(next(draws) * len(never))]
            least = min(counts) - more
        while True:
            state = int(next(draws) * states)
            if next(draws) * (visits(state) + more) < least + more:
                return state

    return choose


def _toward(loops: Loops, copy: int) -> list[bool | None]:
    """For each goal, the action in 0 (or 0') on a shortest path there; None if both are."""
    table = PrimeLoops(loops.copies, loops.p, loops.q, start=0, first_action=0).dynamics().table
    distances = [_distances(table, to) for to in table[copy * loops.q]]
    ways: list[bool | None] = []
    for state in range(len(table)):
        of, before = divmod(state, loops.q)
        goal = of * loops.q + -before % loops.q
        stay, cross = distances[0][goal], distances[1][goal]
        ways.append(None if stay == cross else cross < stay)
    return ways


def _distances(table: Table, start: int) -> dict[int, int]:
    found, frontier = {start: 0}, [start]
    while frontier:
        onward = {to: found[here] + 1 for here in frontier for to in table[here]}
        frontier = [to for to in onward if to not in found]
        found |= {to: onward[to] for to in frontier}
    return found


def _bits(seed: Sequence[int]) -> np.random.PCG64:
    """A stream of its own for each seed; raw words of PCG64 are the same in every version."""
    return np.random.PCG64(np.random.SeedSequence(list(seed)))


def _most_rounds(loops: Loops, steps: int) -> int:
    return steps // loops.p + 2
