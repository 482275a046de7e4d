"""Bit displays: the bits of the noise combined by OR with the bits of the latent state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from steel_verified.classes.rows import PackedBits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import BitRows
    from steel_verified.worlds.simulated import Asked, Observe

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

    def stretch(self, first: int, count: int) -> NDArray[np.uint8]:
        """The packed noise bits at `count` times from `first` on, one row per time."""
        ...


class Ahead:
    """A cache of the noise of a screen, computed for many consecutive times at once.

    A run that observes one time after another needs each such stretch once.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._block = -1
        self._rows = np.empty((0, 0), dtype=np.uint8)

    def row(self, time: int) -> NDArray[np.uint8]:
        """The packed bits that the noise shows at a time."""
        block = time // _AHEAD
        if block != self._block:
            self._block, self._rows = block, self._screen.stretch(block * _AHEAD, _AHEAD)
        row: NDArray[np.uint8] = self._rows[time % _AHEAD]
        return row


def observed_on(screen: Screen, many: Observe[BitRows]) -> Observe[BitRows]:
    """The observation function of a screen; `many` computes datasets of several rows.

    A learner that observes every step requests single rows; for these, the noise is cached.
    """
    states, ahead = screen.states, Ahead(screen)

    def observe(asked: Sequence[Asked]) -> Sequence[BitRows]:
        if any(len(times) != 1 for times, _ in asked):
            return many(asked)
        # In the order of time, so that each stretch is computed once.
        order = sorted(range(len(asked)), key=lambda n: int(asked[n].times[0]))
        noise = {n: ahead.row(int(asked[n].times[0])) for n in order}
        return [
            PackedBits(noise[n][None] | states[asked[n].states], screen.width)
            for n in range(len(asked))
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
