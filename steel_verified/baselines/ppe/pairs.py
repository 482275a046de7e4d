"""PPE's pair form: two paths lead to one state unless a classifier separates their data.

Path j is merged into path i if no classifier is 0 on all data of i and 1 on all data of j. If F has
for each state a classifier that is 1 exactly there, paths to different states are never merged. Two
paths to one state are kept apart only if some classifier g separates n samples of one from n
samples of the other, all independent. If g is 1 with probability p on the state, this has
probability (1 − p)ⁿpⁿ ≤ 4⁻ⁿ, and at most |F|·4⁻ⁿ for all of F (union bound).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import least_power

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from steel_verified.evidence.oracle import Oracle

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

SEPARATION_RATE: Final = Fraction(1, 4)
"""p(1 − p) ≤ 1/4: the probability that a classifier is 0 on one sample and 1 on another."""


@dataclass(frozen=True, slots=True)
class ByPairs(Generic[Batch, Summary, Classifier]):
    """Compares the paths of a layer pair by pair."""

    oracle: Oracle[Batch, Summary, Classifier]

    def __call__(self, batches: Sequence[Batch]) -> PairComparison[Batch, Summary, Classifier]:
        return PairComparison(self.oracle, tuple(map(self.oracle.summarise, batches)))


@dataclass(frozen=True, slots=True)
class PairComparison(Generic[Batch, Summary, Classifier]):
    """The data of each path, summarised."""

    oracle: Oracle[Batch, Summary, Classifier]
    data: tuple[Summary, ...]

    def same(self, i: int, j: int) -> bool:
        return self.oracle.separating(zeros=self.data[i], ones=self.data[j]) is None

    def classifiers(self, label: Sequence[int]) -> tuple[Classifier, ...] | None:
        """For each state a classifier that is 1 on all its data and 0 on all other data."""
        found = []
        for state in range(max(label) + 1):
            own = self._together(label[path] == state for path in range(len(label)))
            rest = self._together(label[path] != state for path in range(len(label)))
            separating = self.oracle.separating(zeros=rest, ones=own)
            if separating is None:
                return None
            found.append(separating)
        return tuple(found)

    def _together(self, chosen: Iterable[bool]) -> Summary:
        picked = (data for data, wanted in zip(self.data, chosen, strict=True) if wanted)
        return reduce(self.oracle.merge, picked, self.oracle.nothing())


def failure_bound(class_size: int, pairs: int, samples: int) -> Fraction:
    """A bound on the probability that any pair of paths to one state is wrongly kept apart."""
    return class_size * pairs * SEPARATION_RATE**samples


def samples_needed(class_size: int, pairs: int, delta: Fraction) -> int:
    """The least n ≥ 1 with |F|·pairs·4⁻ⁿ ≤ δ."""
    if class_size < 1 or pairs < 1:
        raise InvalidArgument("class_size, pairs", (class_size, pairs), "at least 1")
    return max(1, least_power(SEPARATION_RATE, delta / (class_size * pairs)))
