"""Sums of logarithms of integers, and exact decisions about them.

With add-one smoothing a loss is a sum Σ e_m · log m over positive integers m, with integers e_m. It
is zero if and only if the product of all m^e_m is 1, which the prime factors tell; if it is not
zero, an enclosure that is fine enough tells its sign.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from flint import arb, fmpz

from steel_verified.theory.exact import floor

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


def sign(exponents: Mapping[int, int]) -> int:
    """The sign of Σ e_m · log m, given m ↦ e_m: −1, 0 or 1."""
    of_primes: Counter[int] = Counter()
    for number, exponent in exponents.items():
        if exponent:
            for prime, power in fmpz(number).factor():
                of_primes[int(prime)] += power * exponent
    left = {prime: exponent for prime, exponent in of_primes.items() if exponent}
    if not left:
        return 0

    def value() -> arb:
        return sum((exponent * arb(prime).log() for prime, exponent in left.items()), arb(0))

    # The sum is no integer n: else eⁿ would be rational. So its floor is decided in the end.
    return 1 if floor(value) >= 0 else -1


def sign_of_array(exponents: NDArray[np.int64]) -> int:
    """The same, with e_m at index m; what is at index 0 and 1 does not matter."""
    numbers = exponents.nonzero()[0]
    return sign({int(m): int(exponents[m]) for m in numbers if m > 1})
