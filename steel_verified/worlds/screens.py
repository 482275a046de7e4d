"""Displays of bits: what noise shows, or-ed with what the latent state shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

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


def seen_on(screen: Screen) -> Callable[[int, int], NDArray[np.int8]]:
    """What is seen at a time, in a latent state.

    What the noise shows is made for some steps ahead: it does not depend on what we do.
    """
    states = screen.states
    block, rows = -1, np.empty((0, 0), dtype=np.uint8)

    def see(time: int, state: int) -> NDArray[np.int8]:
        nonlocal block, rows
        if time // _AHEAD != block:
            block = time // _AHEAD
            rows = screen.noise(np.arange(block * _AHEAD, (block + 1) * _AHEAD))
        packed = rows[time % _AHEAD] | states[state]
        return np.unpackbits(packed, count=screen.width, bitorder="little").astype(np.int8)

    return see
