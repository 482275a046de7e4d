"""Sums of the bits of words by class, compiled by Numba.

The bits of a word are added to the sums of its class eight at a time, as the bytes of a number.
Before a byte can overflow, the sums of the class are moved to its totals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.errors import missing_extra

try:
    from numba import njit
except ImportError as _missing:
    raise missing_extra("ac-state", _missing) from _missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST: Final = 255
"""A byte counts so far."""
_SPREAD: Final = (
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], 1, bitorder="little")
    .view("<u8")[:, 0]
    .astype(np.uint64)
)
"""[byte]: its bits as the lowest bits of eight bytes."""


def sum_bits(
    words: NDArray[np.uint64],
    first_part: NDArray[np.int32],
    second_part: NDArray[np.int32],
    classes: int,
    bits: int,
) -> NDArray[np.int32]:
    """How many words of each class have each bit set, as [class, bit].

    The class of a word is the sum of its two parts.
    """
    lanes = -(-bits // 8)
    totals = np.zeros((classes, 8 * lanes), np.int32)
    sums, number = np.zeros((classes, lanes), np.uint64), np.zeros(classes, np.uint8)
    _add(words, first_part, second_part, _SPREAD, sums, number, totals)
    totals += sums.astype("<u8").view(np.uint8)
    return totals[:, :bits]


@njit(cache=True)
def _add(
    words: NDArray[np.uint64],
    first_part: NDArray[np.int32],
    second_part: NDArray[np.int32],
    spread: NDArray[np.uint64],
    sums: NDArray[np.uint64],
    number: NDArray[np.uint8],
    totals: NDArray[np.int32],
) -> None:
    lanes, byte = sums.shape[1], np.uint64(255)
    for index in range(len(words)):
        word, of_class = words[index], first_part[index] + second_part[index]
        for lane in range(lanes):
            sums[of_class, lane] += spread[word >> np.uint64(8 * lane) & byte]
        number[of_class] += 1
        if number[of_class] == _MOST:
            for lane in range(lanes):
                for bit in range(8):
                    totals[of_class, 8 * lane + bit] += np.int32(
                        sums[of_class, lane] >> np.uint64(8 * bit) & byte
                    )
                sums[of_class, lane] = 0
            number[of_class] = 0
