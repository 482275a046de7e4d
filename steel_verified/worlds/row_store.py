"""Recorded rows, indexed by time: in memory up to a limit, and on disk beyond it."""

from __future__ import annotations

import tempfile
import weakref
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.worlds.dynamics import times_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

    from numpy.typing import NDArray

    from steel_verified.theory.progressions import Progression

_BLOCK: Final = 1 << 14


class RowStore:
    """The rows of one loop at the times that may be requested.

    All rows have the same number of bytes, that of the first row. Blocks beyond `memory_limit`
    bytes are written to a temporary file, which is deleted with the store.
    """

    def __init__(self, memory_limit: int) -> None:
        self._limit = memory_limit
        self._times = np.empty(0, dtype=np.int64)
        self._in_memory: list[NDArray[np.uint8]] = []
        self._open = np.empty((0, 0), dtype=np.uint8)
        self._filled = 0
        self._file: IO[bytes] | None = None
        self._on_disk = 0

    def expect(self, keeps: Sequence[Progression]) -> Iterator[int]:
        """Announce the times of a plan. Yields them in order; call `append` after each."""
        new = np.unique(times_of(keeps)) if keeps else np.empty(0, dtype=np.int64)
        self._times = np.append(self._times, new)
        return iter(new.tolist())

    def append(self, row: NDArray[np.uint8]) -> None:
        """Store the row of the next expected time."""
        if not len(self._open):
            self._open = np.empty((_BLOCK, len(row)), dtype=np.uint8)
        self._open[self._filled] = row
        self._filled += 1
        if self._filled == _BLOCK:
            self._close_block()

    def at(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The rows at these times, which must have been expected and appended."""
        index = np.searchsorted(self._times, times)
        found = np.empty((len(times), self._open.shape[1]), dtype=np.uint8)
        blocks, within = np.divmod(index, _BLOCK)
        for block in np.unique(blocks).tolist():
            here = blocks == block
            found[here] = self._block(block)[within[here]]
        found.setflags(write=False)
        return found

    def _close_block(self) -> None:
        if (len(self._in_memory) + 1) * self._open.nbytes <= self._limit:
            self._in_memory.append(self._open.copy())
        else:
            if self._file is None:
                # The file must live as long as the store, so `with` is not used here.
                self._file = tempfile.TemporaryFile(prefix="steel-rows-")  # noqa: SIM115
                weakref.finalize(self, self._file.close)
            self._file.seek(self._on_disk * self._open.nbytes)
            self._file.write(self._open.tobytes())
            self._on_disk += 1
        self._filled = 0

    def _block(self, number: int) -> NDArray[np.uint8]:
        if number < len(self._in_memory):
            return self._in_memory[number]
        stored = number - len(self._in_memory)
        if self._file is None or stored >= self._on_disk:
            return self._open
        self._file.seek(stored * self._open.nbytes)
        data = self._file.read(self._open.nbytes)
        return np.frombuffer(data, dtype=np.uint8).reshape(self._open.shape)
