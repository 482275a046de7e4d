"""Counter-based random generator: the value depends only on (seed, stream, position).

SplitMix64 (Steele, Lea and Flood 2014) computes its n-th output from n directly. So the number at a
time does not depend on which other numbers were requested, in which order, or on any action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    of_seed = _mixed(np.array([seed % WORD], dtype=np.uint64) + _STEP)
    of_stream = np.array([stream + 1], dtype=np.uint64) * _STEP
    return np.uint64(_mixed(of_seed + of_stream)[0])


def random_words(
    origin: np.uint64 | NDArray[np.uint64], positions: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Uniform 64-bit words at these positions of a stream (or of several, by broadcasting)."""
    return _mixed(positions.view(np.uint64) * _STEP + origin)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finalizer, in place; multiplication wraps around, as intended."""
    shifted = words >> _SHIFTS[0]
    words ^= shifted
    words *= _MULTIPLIERS[0]
    np.right_shift(words, _SHIFTS[1], out=shifted)
    words ^= shifted
    words *= _MULTIPLIERS[1]
    np.right_shift(words, _SHIFTS[2], out=shifted)
    words ^= shifted
    return words
