"""Laws that your own oracle must satisfy, so that STEEL's guarantee holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Oracle

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def check_oracle_laws(
    oracle: Oracle[Batch, Summary, Classifier],
    zeros: Batch,
    ones: Batch,
    together: Callable[[Batch, Batch], Batch],
    *,
    separable: bool,
) -> None:
    """Raise `AssertionError` if the oracle violates a law on two datasets.

    `together(a, b)` must return the batch with the rows of both. `separable` says whether the class
    has a classifier that is 0 on all of `zeros` and 1 on all of `ones`.
    """
    low, high = oracle.summarise(zeros), oracle.summarise(ones)
    found = oracle.separating(low, high)
    if separable:
        assert found is not None, "a classifier separates the datasets, but none was returned"
        assert not oracle.values(found, zeros).any(), "the classifier is 1 somewhere on `zeros`"
        assert oracle.values(found, ones).all(), "the classifier is 0 somewhere on `ones`"
        assert oracle.contains(found), "the classifier is said not to belong to the class"
        assert oracle.separates(found, low, high), "the classifier is said not to separate"
        exchanged = not oracle.values(found, ones).any() and oracle.values(found, zeros).all()
        said = oracle.separates(found, high, low)
        assert said == exchanged, "the classifier is said to separate what it does not, or not to"
    else:
        assert found is None, f"no classifier separates the datasets, but {found} was returned"
    joined = together(zeros, ones)
    both = oracle.summarise(joined)
    assert oracle.merge(low, high) == both, "the summary of a union is not the merge"
    assert oracle.merge(high, low) == both, "merging depends on the order"
    assert oracle.merge(oracle.nothing(), low) == low, "`nothing` changes a summary"
    packed = oracle.pack(zeros)
    assert packed + oracle.pack(ones) == oracle.pack(joined), "rows are not packed one by one"
    assert len(packed) % oracle.declared.row_bytes == 0, (
        "packed rows have other sizes than declared"
    )
