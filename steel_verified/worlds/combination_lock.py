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
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import BitRows


MOST_COMPONENTS: Final = 1 << 14
"""The noise is computed for 256 steps at a time, at some 50 bytes per step and component."""
MOST_STATES: Final = 2_000
"""The diameter needs a look at every transition from every state: this many take 1 to 2 seconds."""

_FIRST_LOOK: Final = 2
_FIRST_TIMES: Final = 64
"""The times of so many rows of a dataset are computed at once; most datasets need no more."""
_AT_ONCE: Final = 1 << 14
"""So many random words are mixed at once; larger arrays would be new pages of memory each time."""
_BLOCK: Final = 3 * _AT_ONCE
"""The rows of about this many values are completed together."""


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
        self.flicker: Flicker = Flicker(lock.turns_on, lock.turns_off, noise_seed)
        shown = np.zeros((len(lock.indicators), self.width), dtype=np.bool_)
        shown[np.arange(len(lock.indicators)), list(lock.indicators)] = True
        self.states: NDArray[np.uint8] = np.packbits(shown, axis=1, bitorder="little")
        self.flickering: NDArray[np.uint8] = np.packbits(~shown.any(axis=0), bitorder="little")

    def noise(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        return self.flicker.rows(times) & self.flickering


class _Rows:
    """One dataset. Its rows are computed only when they are requested."""

    def __init__(self, datasets: _Datasets, number: int) -> None:
        self._datasets = datasets
        self._number = number

    def __len__(self) -> int:
        return len(self._datasets.asked[self._number])

    @property
    def width(self) -> int:
        return self._datasets.screen.width

    def reduced(self) -> tuple[int, int]:
        return self._datasets.reduced[self._number]

    def packed(self) -> NDArray[np.uint8]:
        screen, asked = self._datasets.screen, self._datasets.asked[self._number]
        return screen.noise(asked.times) | screen.states[asked.states]


class _Datasets:
    """Datasets that were requested together, and the AND and OR of the rows of each."""

    def __init__(self, screen: LockScreen, asked: Sequence[simulated.Asked]) -> None:
        self.screen = screen
        self.asked = asked

    def rows(self) -> list[BitRows]:
        return [_Rows(self, number) for number in range(len(self.asked))]

    @cached_property
    def reduced(self) -> list[tuple[int, int]]:
        """The AND and OR of the rows of each dataset, as integers."""
        every, some = self._noise()
        shown = self.screen.states
        for number, asked in enumerate(self.asked):
            among = shown[asked.visited]
            every[number] |= np.bitwise_and.reduce(among, axis=0)
            some[number] |= np.bitwise_or.reduce(among, axis=0)
        return [
            (int.from_bytes(ands.tobytes(), "little"), int.from_bytes(ors.tobytes(), "little"))
            for ands, ors in zip(every, some, strict=True)
        ]

    def _noise(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The AND and OR of the noise, packed: some rows after others, of all datasets together.

        Once a component was 0 and 1 in a dataset, it is not read again there. After the end of a
        dataset its last row is read again, which does not change the result.
        """
        screen, many, look = self.screen, len(self.asked), _FIRST_LOOK
        sizes = np.array([*map(len, self.asked)], dtype=np.int64)
        early = self._times(0, _FIRST_TIMES, range(many))
        first = screen.noise(early[:look].ravel()).reshape(look, many, -1)
        every, some = np.bitwise_and.reduce(first, axis=0), np.bitwise_or.reduce(first, axis=0)
        alike = np.unpackbits(
            (every | ~some) & screen.flickering, axis=1, count=screen.width, bitorder="little"
        )
        datasets, components = np.nonzero(alike)
        shown = np.unpackbits(every, axis=1, bitorder="little").view(np.bool_)[datasets, components]
        looked = look
        while len(going := np.flatnonzero(sizes[datasets] > looked)):
            datasets, components, shown = datasets[going], components[going], shown[going]
            look = min(looked, max(1, _BLOCK // len(going)))
            if (end := looked + look) <= _FIRST_TIMES:
                times = early[looked:end]
            else:
                times = self._times(looked, look, np.unique(datasets).tolist())
            asked = times.take(datasets, axis=1).ravel()
            bits = screen.flicker.bits(asked, np.tile(components, look))
            same = (bits.reshape(look, -1) == shown).all(axis=0)
            alike[datasets[~same], components[~same]] = False
            datasets, components, shown = datasets[same], components[same], shown[same]
            looked = end
        varied = np.packbits(1 - alike, axis=1, bitorder="little") & screen.flickering
        return every & ~varied, every | varied

    def _times(self, looked: int, look: int, datasets: Iterable[int]) -> NDArray[np.int64]:
        """The times of the next rows of these datasets, in a table with one column for each of all.

        After the end of a dataset its last row comes again.
        """
        times = np.zeros((look, len(self.asked)), dtype=np.int64)
        for number in datasets:
            if len(piece := self.asked[number].times_between(looked, looked + look)):
                times[: len(piece), number] = piece
                times[len(piece) :, number] = piece[-1]
        return times


def _others(components: int, indicators: Sequence[int]) -> NDArray[np.int64]:
    """The components that show no state."""
    shows_none = np.ones(components, dtype=np.bool_)
    shows_none[list(indicators)] = False
    return np.flatnonzero(shows_none)


_HALF: Final = np.uint64(simulated.WORD // 2)
_FEW: Final = 1 << 10
"""If so few values are still open, this many steps back are taken at once for each."""
_STEPS_BACK: Final = 16  # even, so that as many flips change nothing


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
        on = [int(chance * simulated.WORD) for chance in turns_on.tolist()]
        off = [int(chance * simulated.WORD) for chance in turns_off.tolist()]
        # The probability to be set to 1, and to be set at all; otherwise it is kept, or flipped.
        to_one = [min(a, simulated.WORD - b) for a, b in zip(on, off, strict=True)]
        to_any = [min(a + b, 2 * simulated.WORD - a - b) for a, b in zip(on, off, strict=True)]
        self._last_one = np.array([n - 1 for n in to_one], dtype=np.uint64)
        self._last_any = np.array([n - 1 for n in to_any], dtype=np.uint64)
        self._flips = np.array([a + b > simulated.WORD for a, b in zip(on, off, strict=True)])
        # The counters of the random words at time 0, and by how much each step increases them.
        self._begin = simulated.counters(
            simulated.stream_origin(seed, 0), np.arange(self.components)
        )
        (self._step,) = simulated.counters(np.uint64(0), np.array([self.components]))

    def bits(self, times: NDArray[np.int64], components: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The value of each component at its time."""
        values = np.empty(len(times), dtype=np.bool_)
        for first in range(0, len(times), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            counter = times[some].view(np.uint64) * self._step + self._begin[components[some]]
            least = int(times[some].min())
            values[some], unset = self._set(counter, components[some], least)
            cell = np.flatnonzero(unset)
            open_ = cell, counter[cell], components[some][cell]
            self._settle(values[some], *open_, least)
        return values

    def rows(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The packed values of all components at these times, one row per time; see `bits`.

        If the row before is one step earlier, only the step between them is computed.
        """
        many = max(1, _BLOCK // self.components)
        blocks = [self._block(times[first : first + many]) for first in range(0, len(times), many)]
        return np.concatenate([np.empty((0, -(-self.components // 8)), dtype=np.uint8), *blocks])

    def _block(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        follows = np.append(False, np.diff(times) == 1)
        values = np.empty((len(times), self.components), dtype=np.bool_)
        unset, least = np.empty_like(values), int(times.min())
        before_mixing, cells, every = [], [], np.arange(self.components)
        many = max(1, _AT_ONCE // self.components)
        for first in range(0, len(times), many):
            some = slice(first, first + many)
            counter = times[some, None].view(np.uint64) * self._step + self._begin
            values[some], unset[some] = self._set(counter, every, least)
            cell = np.flatnonzero(unset[some] & ~follows[some, None])
            before_mixing.append(counter.ravel()[cell])
            cells.append(cell + first * self.components)
        cell = np.concatenate(cells)
        open_ = cell, np.concatenate(before_mixing), cell % self.components
        self._settle(values.reshape(-1), *open_, least)
        packed = np.packbits(values, axis=1, bitorder="little")
        if not follows.any():
            return packed
        shown = [int.from_bytes(row.tobytes(), "little") for row in packed]
        kept = np.packbits(unset, axis=1, bitorder="little")
        flips = int.from_bytes(np.packbits(self._flips, bitorder="little").tobytes(), "little")
        for row in np.flatnonzero(follows).tolist():
            same = int.from_bytes(kept[row].tobytes(), "little")
            shown[row] |= same & (shown[row - 1] ^ flips)
        joined = b"".join(row.to_bytes(packed.shape[1], "little") for row in shown)
        return np.frombuffer(joined, dtype=np.uint8).reshape(packed.shape)

    def _set(
        self, counter: NDArray[np.uint64], components: NDArray[np.int64], least: int
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The values that these steps set, and whether they set none (the value is then 0).

        No step is later than time 0 if the least time is not.
        """
        word = simulated.mixed(counter)
        value = word <= self._last_one[components]
        unset = word > self._last_any[components]
        if least <= 0:
            at_zero = counter == self._begin[components]
            value[at_zero] = word[at_zero] >= _HALF
            unset &= ~at_zero
        return value, unset

    def _settle(
        self,
        values: NDArray[np.bool_],
        cell: NDArray[np.int64],
        counter: NDArray[np.uint64],
        components: NDArray[np.int64],
        least: int,
    ) -> None:
        """Write the values of cells whose step set nothing: go back to the last one that did."""
        flipped = np.zeros(len(cell), dtype=np.bool_)
        while len(cell):
            flips, back = self._flips[components], 1 if len(cell) > _FEW else _STEPS_BACK
            least -= back
            if back == 1:
                counter -= self._step
                value, unset = self._set(counter, components, least)
                flipped ^= flips
                value ^= flipped
            else:
                steps = np.arange(1, back + 1, dtype=np.uint64)[:, None]
                earlier = counter - steps * self._step
                set_to, is_unset = self._set(earlier, components, least)
                last, every = np.argmin(is_unset, axis=0), np.arange(len(cell))
                value, unset, counter = set_to[last, every], is_unset[last, every], earlier[-1]
                value ^= flipped ^ (flips & (last % 2 == 0))
            values[cell] = value
            open_ = np.flatnonzero(unset)
            cell, counter = cell[open_], counter[open_]
            components, flipped = components[open_], flipped[open_]


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
