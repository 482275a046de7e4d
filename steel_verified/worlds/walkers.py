"""Random walkers on a finite graph with uniformly drawn moves: the place of each at any time.

A walk is sequential, but cheap: several moves are drawn at once as one *word*, and a table gives
the target of each word from each place. The place after every whole word is kept (one byte for
several steps), and the places between are computed from it and the word.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.random_access import WORD, random_words, stream_origin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Table

_BITS: Final = 10
"""The highest bits of each random word are used as moves."""
_SHIFT: Final = np.uint64(64 - _BITS)
_AHEAD: Final = 1 << 15
_AT_ONCE: Final = 1 << 20
"""How many words are drawn at once, for all walkers together."""
_STRETCH: Final = 512


class Jumps:
    """The target of each word of moves, from each place. The number of moves is a power of two."""

    def __init__(self, table: Table) -> None:
        places, moves = len(table), len(table[0])
        if places > 256 or moves not in (2, 4):
            raise InvalidArgument(
                "table", f"{places} × {moves}", "at most 256 places, 2 or 4 moves"
            )
        step = np.array(table, dtype=np.uint8)
        move_bits = moves.bit_length() - 1
        self.places = places
        self.steps: int = _BITS // move_bits
        words = np.arange(1 << _BITS)
        here = np.broadcast_to(np.arange(places, dtype=np.uint8), (1 << _BITS, places))
        within = [here]
        for n in range(self.steps):
            move = words >> n * move_bits & moves - 1
            within.append(step[within[-1], move[:, None]])
        self.within: NDArray[np.uint8] = np.stack(within[:-1]).ravel()
        """The place after n moves of a word, by (n, word, place)."""
        self.leads: NDArray[np.uint8] = within[-1].ravel()
        """The place after a whole word, by (word, place)."""


class Walkers:
    """Independent walkers. Each starts at a uniformly random place."""

    def __init__(self, jumps: Jumps, seed: int, count: int) -> None:
        self.count = count
        self._jumps = jumps
        self._origins = np.array(
            [stream_origin(seed, 2 * n) for n in range(count)], dtype=np.uint64
        ).reshape(count, 1)
        firsts = (_below(jumps.places, stream_origin(seed, 2 * n + 1)) for n in range(count))
        self._places = np.array([[first] for first in firsts], dtype=np.uint8).reshape(count, 1)

    def places(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The places of the walkers at these times, one row per walker."""
        block, moves = np.divmod(times, self._jumps.steps)
        self._walk_to(int(block.max(initial=0)))
        word = self._words(block)
        found: NDArray[np.uint8] = self._jumps.within[
            (moves << _BITS | word) * self._jumps.places + self._places[:, block]
        ]
        return found

    def _words(self, blocks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moves of each walker in these blocks of time."""
        return (random_words(self._origins, blocks) >> _SHIFT).astype(np.int64)

    def _walk_to(self, block: int) -> None:
        have = self._places.shape[1]
        if block < have:
            return
        # Go further than requested, doubling the walk: walking in small pieces would be slow.
        last = max(block, have + min(have, _AHEAD))
        walked = [self._places]
        many = max(_STRETCH, _AT_ONCE // max(1, self.count))
        for first in range(have - 1, last, many):
            words = self._words(np.arange(first, min(first + many, last)))
            walked.append(_walk(self._jumps, words, walked[-1][:, -1]))
        self._places = np.concatenate(walked, axis=1)


def _walk(jumps: Jumps, words: NDArray[np.int64], starts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The place of each walker after each of its words, from its start.

    The words are cut into stretches, which are walked in parallel from place 0. Then each stretch
    with a wrong start is walked again from the end of the stretch before it, until it meets the
    path computed earlier, which it follows from then on. This is repeated until all stretches fit
    together. Walkers with the same moves meet soon, so the second pass is usually the last.
    """
    walkers, many = words.shape
    length = min(_STRETCH, many)
    padded = np.pad(words * jumps.places, ((0, 0), (0, -many % length)))
    stretches = padded.shape[1] // length
    steps = np.ascontiguousarray(padded.reshape(-1, length).T)
    path = np.empty(steps.shape, dtype=np.uint8)
    begins = np.zeros(walkers * stretches, dtype=np.uint8)
    begins[::stretches] = starts
    here = begins
    for number, step in enumerate(steps):
        path[number] = here = jumps.leads[step + here]
    while True:
        fitting = np.roll(path[-1], 1)
        fitting[::stretches] = starts
        wrong = np.flatnonzero(begins != fitting)
        if not len(wrong):
            return np.ascontiguousarray(path.T).reshape(walkers, stretches * length)[:, :many]
        begins, here = fitting, fitting[wrong]
        for number, step in enumerate(steps):
            here = jumps.leads[step[wrong] + here]
            if np.array_equal(path[number, wrong], here):
                break
            path[number, wrong] = here


def _below(limit: int, origin: np.uint64) -> int:
    """An unbiased random number below a limit: words beyond the last multiple are skipped."""
    fair = WORD - WORD % limit
    words = (int(random_words(origin, np.array([n]))[0]) for n in count())
    return next(word for word in words if word < fair) % limit
