"""Displays of bits: what noise shows, or-ed with what the latent state shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from steel_verified.classes.bits import PackedBits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.bits import BitRows
    from steel_verified.worlds.simulated import Asked, Observe

_AHEAD: Final = 256


class Screen(Protocol):
    """A display of bits, packed, component 0 in the lowest bit of the first byte."""

    @property
    def width(self) -> int:
        """How many bits there are."""
        ...

    @property
    def states(self) -> NDArray[np.uint8]:
        """What each state shows, packed, a row for each."""
        ...

    def noise(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        """What the noise shows at these times, packed, a row for each."""
        ...

    def stretch(self, first: int, count: int) -> NDArray[np.uint8]:
        """What the noise shows at so many times from `first` on, packed, a row for each."""
        ...


class Ahead:
    """What the noise of a screen shows, made for a stretch of times at once and kept.

    A run that looks at time after time needs each stretch once.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._block = -1
        self._rows = np.empty((0, 0), dtype=np.uint8)

    def row(self, time: int) -> NDArray[np.uint8]:
        """What the noise shows at a time, packed."""
        block = time // _AHEAD
        if block != self._block:
            self._block, self._rows = block, self._screen.stretch(block * _AHEAD, _AHEAD)
        row: NDArray[np.uint8] = self._rows[time % _AHEAD]
        return row


def observed_on(screen: Screen, many: Observe[BitRows]) -> Observe[BitRows]:
    """What is observed on a screen: `many` makes datasets of several rows.

    A learner that looks at each step asks for single rows: for these, the noise is kept ahead.
    """
    states, ahead = screen.states, Ahead(screen)

    def observe(asked: Sequence[Asked]) -> Sequence[BitRows]:
        if any(len(times) != 1 for times, _ in asked):
            return many(asked)
        # In the order of time, so that each stretch is made once.
        order = sorted(range(len(asked)), key=lambda n: int(asked[n].times[0]))
        noise = {n: ahead.row(int(asked[n].times[0])) for n in order}
        return [
            PackedBits(noise[n][None] | states[asked[n].states], screen.width)
            for n in range(len(asked))
        ]

    return observe


def seen_on(screen: Screen) -> Callable[[int, int], NDArray[np.int8]]:
    """What is seen at a time, in a latent state.

    What the noise shows is made for some steps ahead: it does not depend on what we do.
    """
    states, ahead = screen.states, Ahead(screen)

    def see(time: int, state: int) -> NDArray[np.int8]:
        packed = ahead.row(time) | states[state]
        return np.unpackbits(packed, count=screen.width, bitorder="little").astype(np.int8)

    return see
