"""Checks beside `cycle_find.toml`: what is printed against what is in use."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.worlds import parameters, words_and_periods
from steel_verified.classes import finite
from steel_verified.theory import counts
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.schedules import period_test

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence
    from steel_verified.theory.parameters import Parameters

_GRID: Final = "N ≤ 4, t̂_mix in {1,2,3,5,8}, |F| in {1,7,100}, δ in {1/20,1/3}"


def period_tests_are_those_printed(first_row: int = 1, rounding: int = 1) -> Evidence:
    """Check c_init, q, r, k, D_0 and D_1 as printed against what is in use.

    D_0 is printed with j from 1, which is `first_row`, and c_init with + 1, which is `rounding`.
    """

    def holds(case: tuple[Parameters, int, int]) -> bool:
        parameters, a, h = case
        p, n = parameters, counts.period_test_samples(parameters)
        settled = max((p.max_states - 1) * a, p.mixing_time)
        longest = (2 * p.mixing_time + 3 * p.max_states * a - 2) * n
        c_init = longest - p.mixing_time - p.max_states * a + rounding + settled
        r = ceil_div(p.mixing_time, h * a) * h
        k = (c_init + r * a - settled) // (2 * r * a + h * a)
        begins = [(2 * r + h) * i for i in range(k)]
        rows = range(first_row, h)
        used = period_test(parameters, a, h)
        return (
            counts.initial_rollout(parameters, a) == c_init
            and counts.period_test_repetitions(parameters, a, h) == k >= n
            and set(used.zeros) == {(r + i + j) * a + settled for i in begins for j in rows}
            and set(used.ones) == {i * a + settled for i in begins}
        )

    cases = (case for case in words_and_periods() if case[2] >= 2)
    return exhausted(cases, holds, f"{_GRID}, |â| ≤ 3, every n'_cyc")


def there_is_no_quotient() -> bool:
    """Evaluate the counterexample to P11: the printed δ/(4|A|N(N − 1)|F|) for N = 1."""
    p = parameters(1, 1)
    try:
        p.delta / (4 * p.actions * p.max_states * (p.max_states - 1) * p.class_size)
    except ZeroDivisionError:
        return True
    return False


_Values = tuple[tuple[bool, ...], tuple[bool, ...]]
"""Of a classifier, on D_0 and on D_1."""


def _values() -> list[_Values]:
    values = [v for size in range(1, 4) for v in product((False, True), repeat=size)]
    return list(product(values, values))


def _passes(values: _Values, ones: str) -> bool:
    """Whether f is 0 on D_0, and 1 on D_1 (or, as printed, on D_0)."""
    return not any(values[0]) and all(values[1 if ones == "D_1" else 0])


def tests_are_those_printed(ones: str) -> Evidence:
    """Check the condition of a test against the answer of the oracle to this classifier alone."""

    def holds(values: _Values) -> bool:
        sizes = len(values[0]), len(values[0]) + len(values[1])
        oracle = finite.tables([[*values[0], *values[1]]])
        low, high = oracle.summarise(np.arange(sizes[0])), oracle.summarise(np.arange(*sizes))
        return (oracle.separating(low, high) is not None) == _passes(values, ones)

    return exhausted(_values(), holds, "1 to 3 samples in each of D_0 and D_1, every classifier")


def no_classifier_passes_as_printed() -> bool:
    """Evaluate the counterexample to P13.test: no values on D_0 are both 0 and 1."""
    return not any(_passes(v, "D_0") for v in _values()) and any(
        _passes(v, "D_1") for v in _values()
    )
