"""Decides from the recorded rows alone which datasets a class of classifiers can separate.

Rows are byte strings of one length. This module does not use the learner's oracle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from proofs_checks.checker.document import Malformed, whole

Dataset = TypeVar("Dataset")

TRUSTED = "the oracle's choice among separating classifiers is a function of what it was shown"
"""The assumption for every class whose classifiers have no fixed order."""


class Class(Protocol[Dataset]):
    """A class of classifiers. A `Dataset` summarises rows as far as the class needs them."""

    @property
    def trusted(self) -> str:
        """One sentence: what is assumed, not checked, about the class and its oracle."""
        ...

    @property
    def row_bytes(self) -> int:
        """The length of a row in bytes."""
        ...

    def require_row(self, row: bytes, place: str) -> None:
        """Raise `Malformed` if these bytes are not a valid row."""
        ...

    def nothing(self) -> Dataset:
        """Return the dataset without rows."""
        ...

    def dataset(self, row: bytes) -> Dataset:
        """Return the dataset of one row."""
        ...

    def merged(self, one: Dataset, other: Dataset) -> Dataset:
        """Return the union of both datasets."""
        ...

    def separable(self, zeros: Dataset, ones: Dataset) -> bool:
        """Return whether some classifier is 0 on all of `zeros` and 1 on all of `ones`."""
        ...

    def classifier(self, value: object, place: str) -> object:
        """Return the classifier that a JSON value encodes; raise `Malformed` if it encodes none."""
        ...

    def is_chosen(self, classifier: object, zeros: Dataset, ones: Dataset) -> bool:
        """Return whether the oracle may return this classifier: whether it separates the datasets.

        If the class has a fixed order, it must also be the first separating classifier.
        """
        ...

    def value(self, classifier: object, row: bytes) -> bool:
        """Return the value of a classifier on a row."""
        ...


@dataclass(frozen=True, slots=True)
class Finite:
    """A finite class: bit f of a row is the value of classifier f on the observation.

    A dataset is summarised by two bit masks: the classifiers that are 1 on all of its rows, and
    those that are 1 on some row. The oracle returns the separating classifier with the lowest
    number.
    """

    size: int

    @property
    def trusted(self) -> str:
        return (
            f"the {self.size} bits of a row are the values of the {self.size} classifiers of F, "
            "in an order that was fixed before the run"
        )

    @property
    def row_bytes(self) -> int:
        return -(-self.size // 8)

    def require_row(self, row: bytes, place: str) -> None:
        if int.from_bytes(row, "little") >> self.size:
            raise Malformed(place, f"a bit is set after the last of the {self.size} classifiers")

    def nothing(self) -> tuple[int, int]:
        return (1 << self.size) - 1, 0

    def dataset(self, row: bytes) -> tuple[int, int]:
        bits = int.from_bytes(row, "little")
        return bits, bits

    def merged(self, one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        return one[0] & other[0], one[1] | other[1]

    def separable(self, zeros: tuple[int, int], ones: tuple[int, int]) -> bool:
        return bool(ones[0] & ~zeros[1])

    def classifier(self, value: object, place: str) -> object:
        if whole(value, place) >= self.size:
            raise Malformed(place, f"expected a classifier, 0 to {self.size - 1}")
        return value

    def is_chosen(self, classifier: object, zeros: tuple[int, int], ones: tuple[int, int]) -> bool:
        separators = ones[0] & ~zeros[1]
        return bool(separators) and classifier == (separators & -separators).bit_length() - 1

    def value(self, classifier: object, row: bytes) -> bool:
        assert isinstance(classifier, int)
        return bool(row[classifier // 8] >> classifier % 8 & 1)


def named(functions: Class[Dataset], classifiers: tuple[object, ...], row: bytes) -> int:
    """Return φ'(x): the first state whose classifier is 1 on the row, or 0 if there is none."""
    return next((s for s, f in enumerate(classifiers) if functions.value(f, row)), 0)


@dataclass(frozen=True, slots=True)
class Pool(Generic[Dataset]):
    """D(ℓ): the rows of one label, counted and summarised."""

    rows: int
    dataset: Dataset
