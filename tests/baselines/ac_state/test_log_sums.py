"""Signs of sums of logarithms, against exact products."""

from fractions import Fraction
from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.ac_state.encoders import sign, sign_of_array

EXPONENTS = st.dictionaries(st.integers(1, 40), st.integers(-5, 5), max_size=8)


@given(EXPONENTS)
def test_the_sign_is_that_of_the_product_compared_with_one(exponents: dict[int, int]) -> None:
    product = prod(
        (Fraction(number) ** power for number, power in exponents.items()), start=Fraction(1)
    )
    assert sign(exponents) == (product > 1) - (product < 1)
    array = np.zeros(50, dtype=np.int64)
    for number, power in exponents.items():
        array[number] = power
    assert sign_of_array(array) == sign(exponents)


def test_log_sum_of_equal_products_is_zero() -> None:
    assert sign({6: 2, 4: -1, 9: -1}) == 0
    assert sign({12: 5, 27: 5, 18: -10}) == 0
    assert sign({}) == 0


def test_log_sum_sign_beyond_float_precision() -> None:
    """log(1 + 10⁻⁴⁰) against 0, and 2^(10¹²) against the next power."""
    assert sign({10**40 + 1: 1, 10**40: -1}) == 1
    assert sign({2: 10**12, 3: -630_929_753_571}) == 1
    assert sign({2: 10**12, 3: -630_929_753_572}) == -1
