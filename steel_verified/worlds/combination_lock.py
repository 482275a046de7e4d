"""The combination lock: the right action leads to the next state, the other to state 0 (l. 273).

An observation is a vector of bits. For each state, one component is 1 exactly in that state. All
other components flicker: each is an independent two-state Markov chain.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

import numpy as np
from flint import arb

from steel_verified.classes.finite import Components
from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ball
from steel_verified.worlds import pictures, simulated
from steel_verified.worlds.chains import MIXED
from steel_verified.worlds.dynamics import Dynamics, Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import BitRows


MOST_COMPONENTS: Final = 1 << 14
"""The noise is computed for 256 steps at a time, at some 50 bytes per step and component."""
MOST_STATES: Final = 2_000
"""The diameter needs a look at every transition from every state: this many take 1 to 2 seconds."""

_FIRST_LOOK: Final = 2
_MOST_AT_ONCE: Final = 1 << 17
"""This many components are processed together, over all rows, so that they fit into the cache."""


@dataclass(frozen=True, eq=False)
class CombinationLock:
    """One lock: the components that show states, the right actions, and the flicker of the rest."""

    turns_on: NDArray[np.float64]
    """The probability 0 → 1 of each component that shows no state."""
    turns_off: NDArray[np.float64]
    """The probability 1 → 0."""
    indicators: tuple[int, ...]
    """The component that is 1 exactly in state 0, 1, …"""
    right_actions: tuple[int, ...]
    start: int
    first_action: int

    @property
    def components(self) -> int:
        return len(self.turns_on)

    def dynamics(self) -> Dynamics:
        """T(i, a*_i) = i + 1 (0 for the last state), and T(i, other) = 0."""
        states = len(self.right_actions)
        rows = (
            tuple((i + 1) % states if action == right else 0 for action in (0, 1))
            for i, right in enumerate(self.right_actions)
        )
        return Dynamics(tuple(rows))

    def oracle(self) -> Components:
        """F: the single components."""
        return Components(self.components)

    def world(self, noise_seed: int) -> simulated.SimulatedWorld[BitRows]:
        screen = self.screen(noise_seed)
        rows = simulated.observed_on(screen, lambda asked: _Datasets(screen, asked).rows())
        return simulated.SimulatedWorld(self.dynamics(), self.start, rows)

    def screen(self, noise_seed: int) -> LockScreen:
        return LockScreen(self, noise_seed)

    def see(self, noise_seed: int) -> Callable[[int, int], NDArray[np.int8]]:
        return simulated.seen_on(self.screen(noise_seed))

    def picture(self, seen: NDArray[np.int8]) -> NDArray[np.uint8]:
        """An image of the display; the component that shows the state is red."""
        return pictures.of_bits(seen == 1, self.indicators)

    @property
    def colours(self) -> Sequence[tuple[pictures.Colour, str]]:
        return (
            (pictures.OURS, "the bit that shows the latent state"),
            (pictures.INK, "another bit that is 1: noise"),
        )

    def layout(self) -> list[tuple[float, float]]:
        """State 0 in the middle, because every wrong action leads there, the others around it,
        clockwise; a seventh of the circle is left to the loop at 0.
        """
        others = len(self.right_actions) - 1
        turns = (pi / 7 + 12 * pi / 7 * (i + 0.5) / others for i in range(others))
        return [(0.0, 0.0), *((sin(turn), cos(turn)) for turn in turns)]

    @property
    def longest_run(self) -> int:
        """The limit of the noise: each component has its own random word at each time."""
        return simulated.LAST_TIME // self.components

    def truth(self) -> Truth:
        noise = _others(self.components, self.indicators)
        return Truth(
            dynamics=self.dynamics(),
            classifiers=self.indicators,
            mixing_time=mixing_time_of_product(self.turns_on[noise], self.turns_off[noise]),
            because="total variation adds up over independent components (l. 1537, 1607)",
        )


def combination_lock(
    env_seed: int, *, states: int, components: int, least_noise: float
) -> CombinationLock:
    """Draw a lock. The order of the draws is chosen so that seed 0 is the published instance."""
    if components > MOST_COMPONENTS:
        raise InvalidArgument("components", components, f"at most {MOST_COMPONENTS:,}")
    if states > MOST_STATES:
        raise InvalidArgument("states", states, f"at most {MOST_STATES:,}")
    if not 1 <= states <= components:
        raise InvalidArgument("states", states, f"1 to {components}, the number of components")
    if not 2**-11 <= least_noise <= 0.5:
        raise InvalidArgument(
            "least_noise", least_noise, "from 1/2048 (so that draws are exact) to 0.5"
        )
    draw = np.random.default_rng(env_seed)
    return CombinationLock(
        turns_on=draw.uniform(least_noise, 1 - least_noise, components),
        turns_off=draw.uniform(least_noise, 1 - least_noise, components),
        indicators=tuple(int(i) for i in draw.choice(components, states, replace=False)),
        right_actions=tuple(int(u >= 0.5) for u in draw.random(states)),
        start=int(draw.integers(states)),
        first_action=int(draw.integers(2)),
    )


class LockScreen:
    """The display of a lock: components that show states, and flickering components."""

    def __init__(self, lock: CombinationLock, noise_seed: int) -> None:
        self.width: int = lock.components
        self.indicators: NDArray[np.int64] = np.array(lock.indicators, dtype=np.int64)
        self.flickering: NDArray[np.int64] = _others(self.width, lock.indicators)
        self.flicker: Flicker = Flicker(lock.turns_on, lock.turns_off, noise_seed)

    @property
    def states(self) -> NDArray[np.uint8]:
        shown = np.zeros((len(self.indicators), self.width), dtype=np.bool_)
        shown[np.arange(len(self.indicators)), self.indicators] = True
        return np.packbits(shown, axis=1, bitorder="little")

    def noise(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        shown = np.empty((len(times), -(-self.width // 8)), dtype=np.uint8)
        many = max(1, _MOST_AT_ONCE // self.width)
        for start in range(0, len(times), many):
            some = times[start : start + many]
            bits = np.zeros((len(some), self.width), dtype=np.bool_)
            bits[:, self.flickering] = self.flicker.rows(some, self.flickering)
            shown[start : start + many] = np.packbits(bits, axis=1, bitorder="little")
        return shown

    def stretch(self, first: int, count: int) -> NDArray[np.uint8]:
        bits = np.zeros((count, self.width), dtype=np.bool_)
        bits[:, self.flickering] = self.flicker.stretch(first, count, self.flickering)
        return np.packbits(bits, axis=1, bitorder="little")


class _Rows:
    """One dataset. Its rows are computed only when they are requested."""

    def __init__(self, datasets: _Datasets, number: int) -> None:
        self._datasets = datasets
        self._number = number

    def __len__(self) -> int:
        return len(self._datasets.asked[self._number].times)

    @property
    def width(self) -> int:
        return self._datasets.screen.width

    def reduced(self) -> tuple[int, int]:
        return self._datasets.reduced[self._number]

    def packed(self) -> NDArray[np.uint8]:
        screen, (times, states) = self._datasets.screen, self._datasets.asked[self._number]
        return screen.noise(times) | screen.states[states]


class _Datasets:
    """Datasets that were requested together, and the AND and OR of the rows of each."""

    def __init__(self, screen: LockScreen, asked: Sequence[simulated.Asked]) -> None:
        self.screen = screen
        self.asked = asked

    def rows(self) -> list[BitRows]:
        return [_Rows(self, number) for number in range(len(self.asked))]

    @cached_property
    def reduced(self) -> list[tuple[int, int]]:
        every, some = self._of_indicators()
        self._look_at_flickering(every, some)
        return list(zip(_as_integers(every), _as_integers(some), strict=True))

    def _of_indicators(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The AND and OR of the components that show states; the others are still unknown."""
        indicators = self.screen.indicators
        every = np.ones((len(self.asked), self.screen.width), dtype=np.bool_)
        some = np.zeros_like(every)
        for number, (_, states) in enumerate(self.asked):
            among = np.zeros(len(indicators), dtype=np.bool_)
            among[states] = True
            visited = indicators[among]
            some[number, visited] = True
            if len(visited):
                every[number, indicators] = False
            if len(visited) == 1:
                every[number, visited] = True
        return every, some

    def _look_at_flickering(self, every: NDArray[np.bool_], some: NDArray[np.bool_]) -> None:
        """Process one row after another, of all datasets together.

        Once a component was 0 and 1 in a dataset, it is not read again there.
        """
        flickering = self.screen.flickering
        sizes = np.array([len(times) for times, _ in self.asked], dtype=np.int64)
        datasets = np.repeat(np.arange(len(self.asked)), len(flickering))
        components = np.tile(flickering, len(self.asked))
        looked, look = 0, _FIRST_LOOK
        while len(going := np.flatnonzero(sizes[datasets] > looked)):
            datasets, components = datasets[going], components[going]
            upcoming = self._upcoming(looked, look).take(datasets, axis=1)
            bits = self.screen.flicker.bits(upcoming, components)
            cells = datasets * self.screen.width + components
            all_ones = every.reshape(-1)[cells] & bits.all(axis=0)
            any_ones = some.reshape(-1)[cells] | bits.any(axis=0)
            every.reshape(-1)[cells], some.reshape(-1)[cells] = all_ones, any_ones
            undecided = np.flatnonzero(all_ones | ~any_ones)
            datasets, components = datasets[undecided], components[undecided]
            looked += look
            look = min(looked, max(1, _MOST_AT_ONCE // max(1, len(datasets))))

    def _upcoming(self, looked: int, look: int) -> NDArray[np.int64]:
        """The times of the next rows to read, one column for each dataset; its last row may be
        repeated.
        """
        upcoming = np.zeros((look, len(self.asked)), dtype=np.int64)
        for number, (times, _) in enumerate(self.asked):
            if len(piece := times[looked : looked + look]):
                upcoming[: len(piece), number] = piece
                upcoming[len(piece) :, number] = piece[-1]
        return upcoming


def _others(components: int, indicators: Sequence[int]) -> NDArray[np.int64]:
    """The components that show no state."""
    shows_none = np.ones(components, dtype=np.bool_)
    shows_none[list(indicators)] = False
    return np.flatnonzero(shows_none)


def _as_integers(bits: NDArray[np.bool_]) -> list[int]:
    packed = np.packbits(bits, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


_HALF: Final = np.uint64(simulated.WORD // 2)


class Flicker:
    """The value of any component at any time, with the exact distribution.

    A step of a two-state chain either sets the value to 1 or 0, whatever it was, or keeps it (in an
    alternating chain: flips it). So the value follows from the last step that set it. Each step has
    one random word, which is compared with thresholds that are exact 64-bit fractions. At time 0
    every component is a fair coin.
    """

    def __init__(
        self, turns_on: NDArray[np.float64], turns_off: NDArray[np.float64], seed: int
    ) -> None:
        self.components: int = len(turns_on)
        self._origin = simulated.stream_origin(seed, 0)
        on = [int(chance * simulated.WORD) for chance in turns_on.tolist()]
        off = [int(chance * simulated.WORD) for chance in turns_off.tolist()]
        # The probability to be set to 1, and to be set at all; otherwise it is kept, or flipped.
        to_one = [min(a, simulated.WORD - b) for a, b in zip(on, off, strict=True)]
        to_any = [min(a + b, 2 * simulated.WORD - a - b) for a, b in zip(on, off, strict=True)]
        self._last_one = np.array([n - 1 for n in to_one], dtype=np.uint64)
        self._last_any = np.array([n - 1 for n in to_any], dtype=np.uint64)
        self._flips = np.array([a + b > simulated.WORD for a, b in zip(on, off, strict=True)])

    def bits(self, times: NDArray[np.int64], components: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The value of each component at its time; the two arrays are broadcast together."""
        position = np.ascontiguousarray(times * self.components + components)
        values, unset = self._step(position, components)
        cell = np.flatnonzero(unset)
        components = np.broadcast_to(components, position.shape).ravel()[cell]
        position = position.ravel()[cell]
        flipped = self._flips[components]
        while len(cell):
            # If this step set nothing, go one step further back.
            position -= self.components
            value, unset = self._step(position, components)
            values.reshape(-1)[cell] = value ^ flipped
            open_ = np.flatnonzero(unset)
            cell, position, components = cell[open_], position[open_], components[open_]
            flipped = flipped[open_] ^ self._flips[components]
        return values

    def rows(self, times: NDArray[np.int64], components: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The values of components at these times, one row per time; see `bits`.

        If the row before is one step earlier, only the step between them is computed.
        """
        place = np.arange(len(times))
        follows = np.append(False, np.diff(times) == 1)
        is_second = (place - np.maximum.accumulate(np.where(follows, 0, place))) % 2 == 1
        first, second = np.flatnonzero(~is_second), np.flatnonzero(is_second)
        values = np.empty((len(times), len(components)), dtype=np.bool_)
        values[first] = self.bits(times[first, None], components)
        set_to, unset = self._step(times[second, None] * self.components + components, components)
        values[second] = np.where(unset, values[second - 1] ^ self._flips[components], set_to)
        return values

    def stretch(self, first: int, count: int, components: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The values of components at `count` times from `first` on, one row per time; see `bits`.

        Each step is computed once, from the first one on.
        """
        times = np.arange(first, first + count)[:, None]
        values, unset = self._step(times * self.components + components, components)
        values[:1], unset[:1] = self.bits(times[:1], components), False
        row = np.arange(count, dtype=np.int32)[:, None]
        last_set = np.maximum.accumulate(np.where(unset, row[:1], row), axis=0)
        odd = (row - last_set & 1).astype(np.bool_)
        kept = np.take_along_axis(values, last_set, axis=0)
        shown: NDArray[np.bool_] = kept ^ (odd & self._flips[components])
        return shown

    def _step(
        self, position: NDArray[np.int64], components: NDArray[np.int64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The values that these steps set, and whether they set none (the value is then 0)."""
        word = simulated.random_words(self._origin, position)
        value = word <= self._last_one[components]
        unset = word > self._last_any[components]
        if position.min(initial=self.components) < self.components:
            at_zero = position < self.components
            value[at_zero] = word[at_zero] >= _HALF
            unset &= ~at_zero
        return value, unset


def mixing_time_of_product(turns_on: NDArray[np.float64], turns_off: NDArray[np.float64]) -> int:
    """The least n at which Σ |1 − ε₀ − ε₁|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) is certainly at most 1/4.

    Each term is the exact distance of one chain from stationarity (l. 1607). Total variation is
    subadditive over products (l. 1537), so n is an upper bound on t_mix.
    """
    chances = [
        (Fraction(on), Fraction(off))
        for on, off in zip(turns_on.tolist(), turns_off.tolist(), strict=True)
    ]
    rates = [ball(abs(1 - on - off)) for on, off in chances]
    terms = [ball(max(on, off) / (on + off)) for on, off in chances]
    quarter = ball(MIXED)
    steps = 0
    while True:
        steps += 1
        terms = [term * rate for term, rate in zip(terms, rates, strict=True)]
        if sum(terms, arb(0)) <= quarter:
            return steps
