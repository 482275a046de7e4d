"""Converts observations of any space to values that can be compared and stored in sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable


def fingerprint(observation: object) -> Hashable:
    """Return a value that is equal for equal observations and different for different ones."""
    if isinstance(observation, Mapping):
        return tuple((key, fingerprint(observation[key])) for key in sorted(observation))
    if isinstance(observation, (tuple, list)):
        return tuple(fingerprint(part) for part in observation)
    if isinstance(observation, (np.ndarray, np.generic)):
        array = np.asarray(observation)
        return array.dtype.str, array.shape, array.tobytes()
    return type(observation).__name__, repr(observation)
