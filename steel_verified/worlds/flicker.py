"""Many independent two-state Markov chains, each with its own transition probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.worlds.random_access import WORD, random_words, stream_origin

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HALF: Final = np.uint64(WORD // 2)


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
        self._origin = stream_origin(seed, 0)
        on = [int(chance * WORD) for chance in turns_on.tolist()]
        off = [int(chance * WORD) for chance in turns_off.tolist()]
        # The probability to be set to 1, and to be set at all; otherwise it is kept, or flipped.
        to_one = [min(a, WORD - b) for a, b in zip(on, off, strict=True)]
        to_any = [min(a + b, 2 * WORD - a - b) for a, b in zip(on, off, strict=True)]
        self._last_one = np.array([n - 1 for n in to_one], dtype=np.uint64)
        self._last_any = np.array([n - 1 for n in to_any], dtype=np.uint64)
        self._flips = np.array([a + b > WORD for a, b in zip(on, off, strict=True)])

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
        word = random_words(self._origin, position)
        value = word <= self._last_one[components]
        unset = word > self._last_any[components]
        if position.min(initial=self.components) < self.components:
            at_zero = position < self.components
            value[at_zero] = word[at_zero] >= _HALF
            unset &= ~at_zero
        return value, unset
