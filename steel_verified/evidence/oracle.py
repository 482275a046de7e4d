"""The class F of classifiers, and the training oracle that searches it.

The class judges: it summarises datasets, evaluates classifiers and says whether one separates two
datasets. The search for a separating classifier may be anybody's code: what it returns is judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

Batch_contra = TypeVar("Batch_contra", contravariant=True)
Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Summary_contra = TypeVar("Summary_contra", contravariant=True)
Classifier = TypeVar("Classifier")
Classifier_contra = TypeVar("Classifier_contra", contravariant=True)
Classifier_co = TypeVar("Classifier_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Declared:
    """What a class says of itself in a certificate: its name, and what a packed row consists of.

    A class that is declared as "finite" packs each row as the values of all its classifiers.
    """

    name: str
    entries: Literal["bits", "int64", "float64"]
    width: int
    """How many entries a row has."""

    @property
    def row_bytes(self) -> int:
        """The bytes of a packed row."""
        return -(-self.width // 8) if self.entries == "bits" else 8 * self.width


class Evaluates(Protocol[Batch_contra, Classifier_contra]):
    """What encoding an observation needs of a class."""

    def values(self, classifier: Classifier_contra, batch: Batch_contra) -> NDArray[np.bool_]:
        """The classifier's value on each observation."""
        ...


class ClassifierClass(
    Evaluates[Batch_contra, Classifier_contra],
    Protocol[Batch_contra, Summary, Classifier_contra],
):
    """A class F of functions from observations to {0, 1}, and what is remembered of a dataset.

    Summaries form a commutative monoid: the summary of a union is the merge of the summaries.
    """

    @property
    def class_size(self) -> int | None:
        """|F|, or a bound on it; None if there is no bound, so that looped STEEL cannot be used.

        Functions that agree on all observations count once.
        """
        ...

    @property
    def declared(self) -> Declared:
        """The name of the class and its sizes, for a certificate."""
        ...

    def summarise(self, batch: Batch_contra) -> Summary:
        """What has to be known of these observations; raises `InvalidArgument` for other rows."""
        ...

    def pack(self, batch: Batch_contra) -> bytes:
        """All that the class reads of these observations: one record after the other, in order.

        A record has `declared.row_bytes` bytes: bits eight to a byte, the first one lowest, or
        numbers of 8 bytes, the lowest byte first. Raises `InvalidArgument` for other rows.
        """
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


class Oracle(
    ClassifierClass[Batch_contra, Summary, Classifier],
    Protocol[Batch_contra, Summary, Classifier],
):
    """A class together with the paper's training oracle for it.

    Law: `separating(zeros, ones)` is a classifier of F that separates them if there is one, else
    None. That a returned classifier separates is checked in every call; that there is none where
    None is returned is the assumption that the guarantee makes of an oracle.
    """

    @property
    def none_is_proved(self) -> bool:
        """Whether None is returned only where it is proved that no classifier of F separates.

        Otherwise None says that none was found, and the guarantee rests on the hope that a search
        which finds nothing is right.
        """
        ...

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        """A classifier that is 0 on `zeros` and 1 on `ones`, if F has one."""
        ...


@runtime_checkable
class RecordsAnswers(Protocol[Summary_contra, Classifier_co]):
    """An oracle that remembers its answers, because they belong to the evidence of a run."""

    def separating_aside(self, zeros: Summary_contra, ones: Summary_contra) -> Classifier_co | None:
        """Answer a question that is not part of the run: nothing is remembered."""
        ...


def separating_aside(
    oracle: Oracle[Batch, Summary, Classifier], zeros: Summary, ones: Summary
) -> Classifier | None:
    """Ask an oracle for a separating classifier after a run, without a trace in its evidence."""
    if isinstance(oracle, RecordsAnswers):
        return oracle.separating_aside(zeros, ones)
    return oracle.separating(zeros, ones)


class OfClass(Generic[Batch, Summary, Classifier]):
    """A base for oracles that leave all but the search to a class."""

    __slots__ = ()
    functions: ClassifierClass[Batch, Summary, Classifier]

    @property
    def class_size(self) -> int | None:
        return self.functions.class_size

    @property
    def declared(self) -> Declared:
        return self.functions.declared

    def pack(self, batch: Batch) -> bytes:
        return self.functions.pack(batch)

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

    def values(self, classifier: Classifier, batch: Batch) -> NDArray[np.bool_]:
        return self.functions.values(classifier, batch)


@dataclass(frozen=True, slots=True)
class Searched(OfClass[Batch, Summary, Classifier]):
    """An oracle from a class and a search of your own, whose answers are judged by the class.

    That the search finds nothing proves nothing.
    """

    functions: ClassifierClass[Batch, Summary, Classifier]
    search: Callable[[Summary, Summary], Classifier | None]

    @property
    def none_is_proved(self) -> bool:
        return False

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        return self.search(zeros, ones)
