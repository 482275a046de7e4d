"""Independent two-state chains: a proven bound on the mixing time of all of them together."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import MIXED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def mixing_time_of_product(turns_on: NDArray[np.float64], turns_off: NDArray[np.float64]) -> int:
    """The least n at which Σ |1 − ε₀ − ε₁|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) is certainly at most 1/4.

    Each term is the exact distance of one chain from stationarity (l. 1607). Total variation is
    subadditive over products (l. 1537), so n is an upper bound on t_mix.
    """
    chances = [
        (Fraction(on), Fraction(off))
        for on, off in zip(turns_on.tolist(), turns_off.tolist(), strict=True)
    ]
    rates = [ball(abs(1 - on - off)) for on, off in chances]
    terms = [ball(max(on, off) / (on + off)) for on, off in chances]
    quarter = ball(MIXED)
    steps = 0
    while True:
        steps += 1
        terms = [term * rate for term, rate in zip(terms, rates, strict=True)]
        if sum(terms, arb(0)) <= quarter:
            return steps
