"""The training oracle, and the questions that STEEL puts to it.

This is the only module that opens observed values. Each question takes sealed datasets and gives a
sealed verdict; which samples are in them was fixed before.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from steel_verified.errors import AssumptionViolated
from steel_verified.learning.omega import Observed, reveal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

Batch = TypeVar("Batch")
Batch_contra = TypeVar("Batch_contra", contravariant=True)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


class Oracle(Protocol[Batch_contra, Summary, Classifier]):
    """The paper's training oracle for a class F of functions from observations to {0, 1}.

    A dataset is known to it by a summary. Law: `separating(zeros, ones)` is a classifier that is 0
    on all of `zeros` and 1 on all of `ones` if F has one, else None. Summaries form a commutative
    monoid: the summary of a union is the merge of the summaries.
    """

    @property
    def class_size(self) -> int:
        """|F|, or a bound on it."""
        ...

    def summarise(self, batch: Batch_contra) -> Summary:
        """What has to be known of these observations."""
        ...

    def nothing(self) -> Summary:
        """The summary of no observations."""
        ...

    def merge(self, one: Summary, other: Summary) -> Summary:
        """The summary of both together."""
        ...

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        """A classifier that tells `ones` from `zeros` without error, if F has one."""
        ...

    def values(self, classifier: Classifier, batch: Batch_contra) -> NDArray[np.bool_]:
        """The classifier's value on each observation."""
        ...


def summarised(
    oracle: Oracle[Batch, Summary, Classifier], batch: Observed[Batch]
) -> Observed[Summary]:
    """The summary of an observed batch, sealed as well."""
    return Observed(oracle.summarise(reveal(batch)))


def merged(
    oracle: Oracle[Batch, Summary, Classifier], *parts: Observed[Summary]
) -> Observed[Summary]:
    """The summary of one or more datasets together."""
    return Observed(reduce(oracle.merge, (reveal(part) for part in parts)))


def find_period(
    oracle: Oracle[Batch, Summary, Classifier],
    tests: Iterable[tuple[int, Observed[Summary], Observed[Summary]]],
) -> Observed[tuple[int, ...]]:
    """The first hypothesis n'_cyc whose D_0 and D_1 can be told apart, or 1 (Alg. 2, l. 377–392).

    Each test is (n'_cyc, D_0, D_1). The verdict is a tuple of one number, n_cyc.
    """
    for hypothesis, zeros, ones in tests:
        if oracle.separating(reveal(zeros), reveal(ones)) is not None:
            return Observed((hypothesis,))
    return Observed((1,))


def identify(
    oracle: Oracle[Batch, Summary, Classifier],
    known: Sequence[Observed[Summary]],
    positions: Iterable[Observed[Summary]],
) -> Observed[tuple[int, ...]]:
    """The state at each position of a cycle (Alg. 2, l. 411–435).

    Position by position: the first state whose dataset cannot be told apart from D'_i; if there is
    none, D'_i is a new state, with the next label, and is known from then on.
    """
    datasets = [reveal(dataset) for dataset in known]
    labels = []
    for position in positions:
        here = reveal(position)
        same = (n for n, held in enumerate(datasets) if oracle.separating(held, here) is None)
        label = next(same, len(datasets))
        if label == len(datasets):
            datasets.append(here)
        labels.append(label)
    return Observed(tuple(labels))


def train(
    oracle: Oracle[Batch, Summary, Classifier], datasets: Sequence[Observed[Summary]]
) -> Observed[tuple[Classifier, ...]]:
    """One classifier for each state, against all others together (Alg. 1, l. 355–358)."""
    summaries = [reveal(dataset) for dataset in datasets]
    classifiers = []
    for label, ones in enumerate(summaries):
        others = summaries[:label] + summaries[label + 1 :]
        found = oracle.separating(reduce(oracle.merge, others, oracle.nothing()), ones)
        if found is None:
            raise AssumptionViolated(
                f"no classifier tells state {label} from the {len(others)} others: F does not "
                "realise the encoder, or a verdict was wrong (the chance of which δ covers)"
            )
        classifiers.append(found)
    return Observed(tuple(classifiers))


def encode(
    oracle: Oracle[Batch, Summary, Classifier], classifiers: Sequence[Classifier], batch: Batch
) -> NDArray[np.int64]:
    """φ'(x) = argmax_s f_s(x) for each observation, the lowest label on ties (l. 359)."""
    values = np.stack([oracle.values(classifier, batch) for classifier in classifiers])
    labels: NDArray[np.int64] = np.argmax(values, axis=0)
    return labels
