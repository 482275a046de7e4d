"""A trajectory of the prime loops as rounds: from one visit of 0 or 0' to the next.

Actions matter only in 0 and 0'. So a round is long (q steps, after action 0) or short (p steps,
after action 1, in the other copy), and rounds look alike when they are laid over each other at
their ends: b steps before its end every round is in the same position, q − b (or 0 for b = 0), if
it is there at all; the positions with b ≥ p are met in long rounds only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.prime_loops import are_primes_in_order

if TYPE_CHECKING:
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

    def unrolled(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """At each time: the round, the steps to its end, and the action (the last leads out)."""
        times = np.arange(self.seen)
        rounds = np.searchsorted(self.ends, times)
        before = self.ends[rounds] - times
        actions = (self.actions[rounds] >> before.astype(np.uint64)) & np.uint64(1)
        return rounds, before, actions.astype(np.int64)

    def observations(self) -> NDArray[np.int64]:
        """x_t as DoublePrime shows it: i, or q + i for i'."""
        rounds, before, _ = self.unrolled()
        return -before % self.loops.q + self.loops.q * self.copies[rounds].astype(np.int64)

    def without_the_last(self) -> Half:
        """The same without its last observation."""
        seen = self.seen - 1
        keep = int(np.searchsorted(self.ends, seen - 1)) + 1
        return Half(
            self.loops,
            seen,
            self.ends[:keep],
            self.copies[:keep],
            self.long[:keep],
            self.actions[:keep],
        )


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
