"""Many independent two-state Markov chains, each flickering at its own pace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.worlds.random_access import WORD, random_words, stream_origin

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HALF: Final = np.uint64(WORD // 2)


class Flicker:
    """The value of any component at any time, exact in law.

    A step of a two-state chain either sets the value, to 1 or to 0 whatever it was, or keeps it
    (or, in a chain that alternates, flips it): so the value follows from the last step that set it.
    Each step has one random word, compared with thresholds that are exact 64-bit fractions. At time
    0 every component is a fair coin.
    """

    def __init__(
        self, turns_on: NDArray[np.float64], turns_off: NDArray[np.float64], seed: int
    ) -> None:
        self.components = len(turns_on)
        self._origin = stream_origin(seed, 0)
        on = [int(chance * WORD) for chance in turns_on.tolist()]
        off = [int(chance * WORD) for chance in turns_off.tolist()]
        # Chance to be set to 1, and to be set at all; the rest keeps the value, or flips it.
        to_one = [min(a, WORD - b) for a, b in zip(on, off, strict=True)]
        to_any = [min(a + b, 2 * WORD - a - b) for a, b in zip(on, off, strict=True)]
        self._last_one = np.array([n - 1 for n in to_one], dtype=np.uint64)
        self._last_any = np.array([n - 1 for n in to_any], dtype=np.uint64)
        self._flips = np.array([a + b > WORD for a, b in zip(on, off, strict=True)])

    def bits(self, times: NDArray[np.int64], components: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The value of each component at its time."""
        values = np.empty(len(times), dtype=np.bool_)
        cell = np.arange(len(times))
        position = times * self.components + components
        flipped = np.zeros(len(times), dtype=np.bool_)
        while len(position):
            word = random_words(self._origin, position)
            first = position < self.components
            one = np.where(first, word >= _HALF, word <= self._last_one[components]) ^ flipped
            # Where nothing was set at this step, look one step further back; what is written now
            # is written again then.
            values[cell] = one
            open_ = np.flatnonzero(~first & (word > self._last_any[components]))
            cell, components = cell[open_], components[open_]
            position = position[open_] - self.components
            flipped = flipped[open_] ^ self._flips[components]
        return values
