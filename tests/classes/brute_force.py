"""Classes by their definition: all their functions on a small grid, tried one by one."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from hypothesis import strategies as st

from steel_verified.classes.rows import FLOAT64, Integers
from steel_verified.strategies import check_oracle_laws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from steel_verified.classes.rows import Domain, Numbers
    from steel_verified.evidence.oracle import Class

Point: TypeAlias = tuple[float, ...]
Predicate: TypeAlias = "Callable[[Point], bool]"
Case: TypeAlias = "tuple[int, Domain, list[Point], list[Point]]"
"""A number of features, their domain, and two datasets."""

AWKWARD = (0.0, 0.1, 0.3, 0.1 + 0.2, 5e-324, -5e-324, 1e-300, 1.0, 1e16, 1.7e308, -1.7e308)
"""Floats at which rounding, underflow or overflow occurs."""


def labelings(functions: Iterable[Predicate], grid: Sequence[Point]) -> set[tuple[bool, ...]]:
    """Return the different labelings of a grid by these functions."""
    return {tuple(f(point) for point in grid) for f in functions}


def separable(functions: Iterable[Predicate], zeros: list[Point], ones: list[Point]) -> bool:
    """Return whether some function is 0 on all of `zeros` and 1 on all of `ones`."""
    return any(all(map(f, ones)) and not any(map(f, zeros)) for f in functions)


def grid(values: int, features: int) -> list[Point]:
    return list(product(range(values), repeat=features))


def batch(points: list[Point], features: int, domain: Domain) -> Numbers:
    """Return the points as an array of the domain."""
    kind = np.int64 if isinstance(domain, Integers) else np.float64
    return np.array(points, dtype=kind).reshape(len(points), features)


def batches(case: Case) -> tuple[Numbers, Numbers]:
    """Return both datasets as arrays."""
    features, domain, zeros, ones = case
    return batch(zeros, features, domain), batch(ones, features, domain)


def check_laws(oracle: Class[Numbers], zeros: Numbers, ones: Numbers, *, separable: bool) -> None:
    """Check the laws of an oracle on two arrays."""
    check_oracle_laws(oracle, zeros, ones, lambda a, b: np.concatenate([a, b]), separable=separable)


@st.composite
def two_datasets(draw: st.DrawFn, most_features: int = 3) -> Case:
    """Draw a number of features, a domain, and two datasets that often touch or overlap."""
    features = draw(st.integers(1, most_features))
    domains: list[Domain] = [FLOAT64, Integers(0, 3), Integers(-2, 1)]
    domain = draw(st.sampled_from(domains))
    value: st.SearchStrategy[float] = (
        st.integers(domain.lowest, domain.highest)
        if isinstance(domain, Integers)
        else st.sampled_from(AWKWARD) | st.floats(-2, 2)
    )
    points = st.lists(st.tuples(*[value] * features), max_size=6)
    return features, domain, draw(points), draw(points)
