"""What a class of classifiers can and cannot separate, decided from rows alone.

Rows are byte strings of one length. Nothing here is taken from the oracle that the learner asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from proofs_checks.checker.document import Malformed, whole

Dataset = TypeVar("Dataset")

TRUSTED = "the oracle's choice among separating classifiers is a function of what it was shown"
"""What is trusted of every class without a fixed order."""


class Class(Protocol[Dataset]):
    """A class of classifiers. A dataset holds what has to be known of some rows."""

    @property
    def trusted(self) -> str:
        """What is not checked of the class and its oracle, in a sentence."""
        ...

    @property
    def row_bytes(self) -> int:
        """The length of a row."""
        ...

    def require_row(self, row: bytes, place: str) -> None:
        """Raise `Malformed` if these bytes are no row."""
        ...

    def nothing(self) -> Dataset:
        """The dataset of no rows."""
        ...

    def dataset(self, row: bytes) -> Dataset:
        """The dataset of one row."""
        ...

    def merged(self, one: Dataset, other: Dataset) -> Dataset:
        """Both datasets together."""
        ...

    def separable(self, zeros: Dataset, ones: Dataset) -> bool:
        """Whether some classifier is 0 on all of `zeros` and 1 on all of `ones`."""
        ...

    def classifier(self, value: object, place: str) -> object:
        """A classifier of the class, as it is written; raises `Malformed`."""
        ...

    def is_chosen(self, classifier: object, zeros: Dataset, ones: Dataset) -> bool:
        """Whether the oracle may return this classifier for these datasets: it separates them.

        Where the class has a fixed order, it must also be the first that does.
        """
        ...

    def value(self, classifier: object, row: bytes) -> bool:
        """The value of a classifier on a row."""
        ...


@dataclass(frozen=True, slots=True)
class Finite:
    """A finite class: bit f of a row is the value of classifier f on the observation.

    Of a dataset it is enough to know which classifiers are 1 on all of it, and which on some. The
    oracle returns the separating classifier of the lowest number.
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
            raise Malformed(place, f"bits after the last of {self.size}")

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
            raise Malformed(place, f"expected a classifier of a class of {self.size}")
        return value

    def is_chosen(self, classifier: object, zeros: tuple[int, int], ones: tuple[int, int]) -> bool:
        separators = ones[0] & ~zeros[1]
        return bool(separators) and classifier == (separators & -separators).bit_length() - 1

    def value(self, classifier: object, row: bytes) -> bool:
        assert isinstance(classifier, int)
        return bool(row[classifier // 8] >> classifier % 8 & 1)


def named(functions: Class[Dataset], classifiers: tuple[object, ...], row: bytes) -> int:
    """φ'(x): the first state whose classifier is 1 on the row, or 0 if there is none."""
    return next((s for s, f in enumerate(classifiers) if functions.value(f, row)), 0)


@dataclass(frozen=True, slots=True)
class Pool(Generic[Dataset]):
    """D(ℓ): the rows of one label."""

    rows: int
    dataset: Dataset
