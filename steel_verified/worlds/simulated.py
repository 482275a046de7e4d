"""Simulated worlds: states follow the plan; observations are a function of time and state.

Random numbers come from a counter-based generator: the value depends only on (seed, stream,
position). SplitMix64 (Steele, Lea and Flood 2014) computes its n-th output from n directly. So the
number at a time does not depend on which other numbers were requested, in which order, or on any
action. On a bit display, the bits of the noise are combined by OR with those of the latent state.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from steel_verified.classes.rows import BitRows, PackedBits
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.dynamics import Dynamics, orbit, times_between, times_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan


Batch = TypeVar("Batch")

_SIGHT: Final = 64
"""This many steps of noise identify a world."""


class StatesOfLoop(Protocol):
    """The latent states of a loop."""

    def at(self, time: int) -> int:
        """The state after this number of steps."""
        ...

    def at_each(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """The states after these numbers of steps."""
        ...

    def within(self, times: Progression) -> frozenset[int]:
        """The states at the times of a progression."""
        ...


@dataclass(frozen=True, slots=True)
class Walked:
    """The states of a part of a loop: `states[t]` after t steps."""

    states: Sequence[int]

    def at(self, time: int) -> int:
        return self.states[time]

    def at_each(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array(self.states)[times]

    def within(self, times: Progression) -> frozenset[int]:
        return frozenset(self.states[time] for time in times)


@dataclass(frozen=True)
class Asked:
    """A requested dataset. What it asks for is computed when it is needed: most classes see from
    the first rows of a long dataset what the others cannot change.
    """

    loop: StatesOfLoop
    start: int
    """The step of the whole trajectory at which the loop began."""
    pieces: tuple[Progression, ...]

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    @property
    def first(self) -> tuple[int, int]:
        """The step of the whole trajectory, and the latent state, of the first row."""
        time = self.pieces[0].first
        return self.start + time, self.loop.at(time)

    @cached_property
    def times(self) -> NDArray[np.int64]:
        """The steps of the whole trajectory, one for each row."""
        return self.start + times_of(self.pieces)

    @property
    def states(self) -> NDArray[np.int64]:
        """The latent states at these steps."""
        return self.loop.at_each(self.times - self.start)

    def times_between(self, first: int, end: int) -> NDArray[np.int64]:
        """The steps of the rows from number `first` to before number `end`."""
        return self.start + times_between(self.pieces, first, end)

    @property
    def visited(self) -> list[int]:
        """The latent states that occur, in order."""
        return sorted(frozenset[int]().union(*map(self.loop.within, self.pieces)))


Observe: TypeAlias = "Callable[[Sequence[Asked]], Sequence[Batch]]"


def one_at_a_time(observe: Observe[NDArray[np.int64]]) -> Callable[[int, int], np.int64]:
    """A function that returns the observation (a number) at a time, in a latent state."""

    def see(time: int, state: int) -> np.int64:
        (seen,) = observe([Asked(Walked((state,)), time, (Progression(0),))])
        return np.int64(seen[0])

    return see


@dataclass(frozen=True)
class SimulatedTrajectory(Generic[Batch]):
    """One loop; observations are computed when they are requested."""

    loop: StatesOfLoop
    start: int
    observe: Observe[Batch]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Batch, ...]:
        if not datasets:
            return ()
        return tuple(self.observe([Asked(self.loop, self.start, pieces) for pieces in datasets]))


class SimulatedWorld(Generic[Batch]):
    """A simulation of known dynamics.

    `observe` computes the observations of datasets from their times and latent states. It is the
    only source of randomness, and it has no access to the actions.
    """

    state: int
    steps: int

    def __init__(self, dynamics: Dynamics, start: int, observe: Observe[Batch]) -> None:
        self.dynamics = dynamics
        self.state = self._start = start
        self.steps = 0
        self.observe = observe
        self._loop: StatesOfLoop = Walked((start,))
        self._loop_start = 0
        self._loop_began_in = start

    @property
    def actions(self) -> int:
        return self.dynamics.actions

    def run(self, plan: Plan) -> SimulatedTrajectory[Batch]:
        if plan.done == 0:
            self._loop_start, self._loop_began_in = self.steps, self.state
        if plan.done + plan.steps <= len(plan.word):
            table, first = self.dynamics.table, self._loop_began_in
            follow = accumulate(plan.word, lambda here, action: table[here][action], initial=first)
            self._loop = Walked(tuple(follow))
        elif plan.done == 0 or isinstance(self._loop, Walked):
            self._loop = orbit(self.dynamics, self._loop_began_in, plan.word)
        self.steps += plan.steps
        self.state = self._loop.at(plan.done + plan.steps)
        return SimulatedTrajectory(self._loop, self._loop_start, self.observe)

    def sight(self) -> Batch:
        """The observations of the first steps if the state stays the start state."""
        return sight_of(self.observe, self._start)

    def retrace(self, plan: Plan) -> SimulatedTrajectory[Batch]:
        """Repeat a plan that was run before; rows that are not requested are not computed."""
        return self.run(plan)


def sight_of(observe: Observe[Batch], start: int) -> Batch:
    """The observations of the first steps in a state, which tell noise from other noise."""
    stays = Walked((start,) * (_SIGHT + 1))
    (seen,) = observe([Asked(stays, 0, (Progression.every(1, _SIGHT),))])
    return seen


_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIERS: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS: Final = (np.uint64(30), np.uint64(27), np.uint64(31))

WORD: Final = 1 << 64
LAST_TIME: Final = (1 << 62) - 1
"""Times and positions are signed 64-bit integers; the limit leaves room for additions."""
LAST_SEED: Final = WORD - 1
"""Seeds are used modulo 2⁶⁴, so a larger seed would repeat the noise of a smaller one."""


def stream_origin(seed: int, stream: int) -> np.uint64:
    """The start of a stream of a seed; all streams of all seeds start at different points."""
    of_seed = mixed(np.array([seed % WORD], dtype=np.uint64) + _STEP)
    of_stream = np.array([stream + 1], dtype=np.uint64) * _STEP
    return np.uint64(mixed(of_seed + of_stream)[0])


def random_words(
    origin: np.uint64 | NDArray[np.uint64], positions: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Uniform 64-bit words at these positions of a stream (or of several, by broadcasting)."""
    return mixed(counters(origin, positions))


def counters(
    origin: np.uint64 | NDArray[np.uint64], positions: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """What is mixed to the words at these positions; it is linear in the position, modulo 2⁶⁴."""
    return positions.view(np.uint64) * _STEP + origin


def mixed(counter: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finalizer; multiplication wraps around, as intended."""
    shifted = counter >> _SHIFTS[0]
    words = counter ^ shifted
    words *= _MULTIPLIERS[0]
    np.right_shift(words, _SHIFTS[1], out=shifted)
    words ^= shifted
    words *= _MULTIPLIERS[1]
    np.right_shift(words, _SHIFTS[2], out=shifted)
    words ^= shifted
    return words


_AHEAD: Final = 256


class Screen(Protocol):
    """A display of packed bits; component 0 is the lowest bit of the first byte."""

    @property
    def width(self) -> int:
        """The number of bits."""
        ...

    @property
    def states(self) -> NDArray[np.uint8]:
        """The packed bits that each state shows, one row per state."""
        ...

    def noise(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The packed bits that the noise shows at these times, one row per time."""
        ...


class Ahead:
    """A cache of the noise of a screen, computed for many consecutive times at once.

    A run that observes one time after another needs each of them once.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._block = -1
        self._rows = np.empty((0, 0), dtype=np.uint8)

    def row(self, time: int) -> NDArray[np.uint8]:
        """The packed bits that the noise shows at a time."""
        block = time // _AHEAD
        if block != self._block:
            first, self._block = block * _AHEAD, block
            self._rows = self._screen.noise(np.arange(first, first + _AHEAD))
        row: NDArray[np.uint8] = self._rows[time % _AHEAD]
        return row


def observed_on(screen: Screen, many: Observe[BitRows]) -> Observe[BitRows]:
    """The observation function of a screen; `many` computes datasets of several rows.

    A learner that observes every step requests single rows; for these, the noise is cached.
    """
    states, ahead = screen.states, Ahead(screen)

    def observe(asked: Sequence[Asked]) -> Sequence[BitRows]:
        if any(len(each) != 1 for each in asked):
            return many(asked)
        rows = [each.first for each in asked]
        if len(rows) == 1:
            ((time, state),) = rows
            return [PackedBits((ahead.row(time) | states[state])[None], screen.width)]
        noise = screen.noise(np.array([time for time, _ in rows]))
        return [
            PackedBits(noise[n][None] | states[state], screen.width)
            for n, (_, state) in enumerate(rows)
        ]

    return observe


def seen_on(screen: Screen) -> Callable[[int, int], NDArray[np.int8]]:
    """A function that returns the observation at a time, in a latent state.

    The noise is computed some steps ahead: it does not depend on actions.
    """
    states, ahead = screen.states, Ahead(screen)

    def see(time: int, state: int) -> NDArray[np.int8]:
        packed = ahead.row(time) | states[state]
        return np.unpackbits(packed, count=screen.width, bitorder="little").astype(np.int8)

    return see
