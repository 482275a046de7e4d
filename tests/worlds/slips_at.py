"""Slips at chosen steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SlipsAt:
    """At these times a step leads to these states; where that is the usual one, nothing changes."""

    targets: Mapping[int, int]

    def slipped(self, times: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.isin(times, list(self.targets))

    def target(self, time: int, usual: int, states: int) -> int:
        del usual
        assert self.targets[time] < states
        return self.targets[time]
