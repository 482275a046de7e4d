"""The class F of classifiers, and the training oracle that searches it.

The class judges: it summarises datasets, evaluates classifiers and says whether one separates two
datasets. The search for a separating classifier may be anybody's code: what it returns is judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

Batch_contra = TypeVar("Batch_contra", contravariant=True)
Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")
Classifier_contra = TypeVar("Classifier_contra", contravariant=True)


class ClassifierClass(Protocol[Batch_contra, Summary, Classifier_contra]):
    """A class F of functions from observations to {0, 1}, and what is remembered of a dataset.

    Summaries form a commutative monoid: the summary of a union is the merge of the summaries.
    """

    @property
    def class_size(self) -> int:
        """|F|, or a bound on it."""
        ...

    def summarise(self, batch: Batch_contra) -> Summary:
        """What has to be known of these observations; raises `InvalidArgument` for other rows."""
        ...

    def nothing(self) -> Summary:
        """The summary of no observations."""
        ...

    def merge(self, one: Summary, other: Summary) -> Summary:
        """The summary of both together."""
        ...

    def contains(self, classifier: Classifier_contra) -> bool:
        """Whether the classifier belongs to F."""
        ...

    def separates(self, classifier: Classifier_contra, zeros: Summary, ones: Summary) -> bool:
        """Whether the classifier is 0 on all of `zeros` and 1 on all of `ones`."""
        ...

    def values(self, classifier: Classifier_contra, batch: Batch_contra) -> NDArray[np.bool_]:
        """The classifier's value on each observation."""
        ...


class Oracle(
    ClassifierClass[Batch_contra, Summary, Classifier],
    Protocol[Batch_contra, Summary, Classifier],
):
    """A class together with the paper's training oracle for it.

    Law: `separating(zeros, ones)` is a classifier of F that separates them if there is one, else
    None. That a returned classifier separates is checked in every call; that there is none where
    None is returned is the assumption that the guarantee makes of an oracle.
    """

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        """A classifier that is 0 on `zeros` and 1 on `ones`, if F has one."""
        ...


@dataclass(frozen=True, slots=True)
class Searched(Generic[Batch, Summary, Classifier]):
    """An oracle from a class and a search of your own, whose answers are judged by the class."""

    functions: ClassifierClass[Batch, Summary, Classifier]
    search: Callable[[Summary, Summary], Classifier | None]

    @property
    def class_size(self) -> int:
        return self.functions.class_size

    def summarise(self, batch: Batch) -> Summary:
        return self.functions.summarise(batch)

    def nothing(self) -> Summary:
        return self.functions.nothing()

    def merge(self, one: Summary, other: Summary) -> Summary:
        return self.functions.merge(one, other)

    def contains(self, classifier: Classifier) -> bool:
        return self.functions.contains(classifier)

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        return self.functions.separates(classifier, zeros, ones)

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        return self.search(zeros, ones)

    def values(self, classifier: Classifier, batch: Batch) -> NDArray[np.bool_]:
        return self.functions.values(classifier, batch)
