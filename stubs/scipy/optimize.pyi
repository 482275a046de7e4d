# The part of scipy.optimize that is used here, without Any.

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class OptimizeResult:
    status: int
    message: str
    x: NDArray[np.float64] | None

def linprog(
    c: NDArray[np.float64],
    A_ub: NDArray[np.float64] | None = None,
    b_ub: NDArray[np.float64] | None = None,
    A_eq: NDArray[np.float64] | None = None,
    b_eq: NDArray[np.float64] | None = None,
    bounds: tuple[float | None, float | None] | Sequence[tuple[float | None, float | None]] = ...,
    method: str = ...,
) -> OptimizeResult: ...
