"""A trajectory of the prime loops as rounds: from one visit of 0 or 0' to the next.

Actions matter only in 0 and 0'. So a round is long (q steps, after action 0) or short (p steps,
after action 1, in the other copy): b steps before its end every round is in the same position, q −
b (or 0 for b = 0), if it is there at all; positions with b ≥ p are met in long rounds only.

Actions are uniformly random, or those of the exploration policy (l. 1985): a goal is drawn where
the last one was reached, those seldom visited more often; one random action follows, then a
shortest path. Outside 0 and 0' all actions have the same effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.worlds.dynamics import distances
from steel_verified.worlds.prime_loops import PrimeLoops, are_primes_in_order

try:
    from numba import njit
except ImportError as _missing:
    raise missing_extra("ac-state", _missing) from _missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Loops:
    """DoublePrime(p, q), or SinglePrime(p, q) with one copy. A round's actions fit one word."""

    p: int
    q: int
    copies: int = 2

    def __post_init__(self) -> None:
        if not are_primes_in_order(self.p, self.q) or self.q > 61:
            raise InvalidArgument("p", f"{self.p} (with q = {self.q})", "two primes p < q ≤ 61")
        if self.copies not in (1, 2):
            raise InvalidArgument("copies", self.copies, "1 or 2")


@dataclass(frozen=True, slots=True)
class Place:
    """A state: so many steps before 0 (or 0'), in one of the copies."""

    before: int
    copy: int


@dataclass(frozen=True, slots=True)
class Half:
    """Half of a trajectory: what was seen at the times 0, …, `seen` − 1, and what was done.

    The first observation lies in round 0, the last one in the last round; both may be cut.
    """

    loops: Loops
    seen: int
    ends: NDArray[np.int64]
    """When each round is in 0 or 0'; of the last round, when it would be."""
    copies: NDArray[np.uint8]
    long: NDArray[np.bool_]
    actions: NDArray[np.uint64]
    """Bit b: the action b steps before the end; 0 where the round does not come by."""

    @property
    def rounds(self) -> int:
        return len(self.ends)

    @property
    def last(self) -> Place:
        """Where the last observation was made."""
        return Place(int(self.ends[-1]) - (self.seen - 1), int(self.copies[-1]))

    def visited(self, rounds: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Bit b, for each of these rounds: whether it was seen b steps before its end."""
        p, q = self.loops.p, self.loops.q
        masks = np.where(self.long[rounds], np.uint64((1 << q) - 1), np.uint64((1 << p) - 1))
        masks[rounds == 0] &= np.uint64((2 << int(self.ends[0])) - 1)
        masks[rounds == self.rounds - 1] &= ~np.uint64((1 << self.last.before) - 1)
        return masks


def from_decisions(
    loops: Loops, start: Place, steps: int, crossings: NDArray[np.bool_], noise: NDArray[np.uint64]
) -> Half:
    """The half that starts at a place and takes action 1 in 0 or 0' where `crossings` says so.

    `crossings[r]` is the action at the end of round r, and bit b > 0 of `noise[r]` the one b steps
    before it. There must be enough of them for all steps.
    """
    p, q = loops.p, loops.q
    long = np.empty(len(crossings), dtype=np.bool_)
    long[0] = start.before >= p
    np.logical_not(crossings[:-1], out=long[1:])
    ends = np.where(long, np.int64(q), np.int64(p))
    ends[0] = start.before
    np.cumsum(ends, out=ends)
    rounds = int(np.searchsorted(ends, steps)) + 1
    if rounds > len(ends):
        raise InvalidArgument("crossings", len(crossings), f"enough decisions for {steps} steps")
    copies = np.zeros(rounds, dtype=np.uint8)
    if loops.copies == 2:
        np.bitwise_xor.accumulate(crossings[: rounds - 1].view(np.uint8), out=copies[1:])
        copies ^= np.uint8(start.copy)
    actions = noise[:rounds] & ~np.uint64(1)
    actions |= crossings[:rounds]
    actions[~long[:rounds]] &= np.uint64((1 << p) - 1)
    actions &= np.uint64((1 << q) - 1)
    half = Half(loops, steps + 1, ends[:rounds], copies, long[:rounds], actions)
    for array in (half.ends, half.copies, half.long, half.actions):
        array.flags.writeable = False
    return half


_EITHER: Final = 2
"""Both actions are on a shortest path."""


def explore(
    loops: Loops, start: Place, steps: int, draws: np.random.Generator
) -> NDArray[np.bool_]:
    """At each visit of 0 or 0' whether to take action 1, in so many steps from a place on.

    A goal is drawn with weight 1/visits; states without a visit come first.
    """
    toward = np.array([_toward(loops, copy) for copy in range(loops.copies)], dtype=np.uint8)
    crossings = np.zeros(steps // loops.p + 2, dtype=np.bool_)
    made = _explore(loops.p, loops.q, start.before, start.copy, steps, toward, draws, crossings)
    return crossings[: made + 1]  # what the last round would do at its end is not part of this


@njit(cache=True)
def _explore(
    p: int,
    q: int,
    before: int,
    copy: int,
    steps: int,
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
        least, goal = long.min() - 2, -1
        if least < 1:
            for state in range(states):
                visits[state] = _visits(state, p, q, rounds, long, missed, under_way)
            least = visits.min()
            if least == 0:
                never = np.flatnonzero(visits == 0)
                goal = never[int(draws.random() * len(never))]
        while goal < 0:  # by rejection
            state = int(draws.random() * states)
            of_state = _visits(state, p, q, rounds, long, missed, under_way)
            if draws.random() * of_state < least:
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
    after_staying, after_crossing = (distances(table, to) for to in table[copy * loops.q])
    ways: list[int] = []
    for state in range(len(table)):
        of, before = divmod(state, loops.q)
        goal = of * loops.q + -before % loops.q
        stay, cross = after_staying[goal], after_crossing[goal]
        ways.append(_EITHER if stay == cross else int(cross < stay))
    return ways


Policy: TypeAlias = Literal["uniform", "exploration"]


def walk(policy: Policy, loops: Loops, start: Place, steps: int, seed: Sequence[int]) -> Half:
    noise, decisions = (_bits((*seed, purpose)) for purpose in range(2))
    if policy == "uniform":
        words = noise.random_raw(steps // loops.p + 2)
        crossings = (words & np.uint64(1)).astype(np.bool_)
    else:
        crossings = explore(loops, start, steps, np.random.Generator(decisions))
        words = noise.random_raw(len(crossings))
    return from_decisions(loops, start, steps, crossings, words)


def start_of(loops: Loops, seed: Sequence[int]) -> Place:
    uniform = int(_bits(seed).random_raw() >> 11) * 2.0**-53
    state = int(uniform * loops.q * loops.copies)
    return Place(state % loops.q, state // loops.q)


def coins(half: Half, seed: Sequence[int]) -> NDArray[np.uint64]:
    """A word of fair coins for each round, by which SinglePrime shows i or i'."""
    return _bits(seed).random_raw(half.rounds)


def _bits(seed: Sequence[int]) -> np.random.PCG64:
    """A stream of its own for each seed; raw words of PCG64 are the same in every version."""
    return np.random.PCG64(np.random.SeedSequence(list(seed)))
