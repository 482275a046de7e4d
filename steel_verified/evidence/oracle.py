"""The class F of classifiers, with the training oracle that searches it.

The search for a separating classifier may be any code, because its result is checked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeAlias,
    TypeGuard,
    TypeVar,
    runtime_checkable,
)

from steel_verified.errors import BrokenOracle, InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json

Batch_contra = TypeVar("Batch_contra", contravariant=True)
Batch = TypeVar("Batch")
Features = TypeVar("Features")
Kind = TypeVar("Kind")

_RULES: Final = {"finite": "lowest number"} | dict.fromkeys(
    ("conjunctions", "thresholds", "boxes"), "widest margin"
)


class Summary:
    """A dataset, as far as a class needs it. Only the class that made a summary looks inside."""

    __slots__ = ()


class Function:
    """A classifier that is not a number: a threshold, a box, a function of the user's own."""

    __slots__ = ()


Classifier: TypeAlias = int | Function
"""A function from observations to {0, 1}; in a finite class, its number."""


def of_kind(kind: type[Kind], *found: Summary | Classifier) -> tuple[Kind, ...]:
    """Return summaries or classifiers as those of a class; raise `InvalidArgument` for others."""
    if not _are(found, kind):
        shown = ", ".join(type(each).__name__ for each in found)
        raise InvalidArgument("found", shown, f"only {kind.__name__}, which this class makes")
    return found


def _are(found: tuple[object, ...], kind: type[Kind]) -> TypeGuard[tuple[Kind, ...]]:
    for each in found:  # noqa: SIM110 (`all` is slower, and this is asked millions of times)
        if not isinstance(each, kind):
            return False
    return True


@dataclass(frozen=True, slots=True)
class Declared:
    """The description of a class in a certificate: its name, and the format of a packed row.

    A class named "finite" packs each row as the values of all its classifiers.
    """

    name: str
    entries: Literal["bits", "int64", "float64"]
    width: int
    """The number of entries of a row."""

    @property
    def rule(self) -> str:
        """How one of several separating classifiers is chosen; the checker recomputes all but
        "announced" ones.
        """
        return _RULES.get(self.name, "announced")

    @property
    def row_bytes(self) -> int:
        """The number of bytes of a packed row."""
        return -(-self.width // 8) if self.entries == "bits" else 8 * self.width


class Class(Protocol[Batch_contra]):
    """A class F of functions from observations to {0, 1}, with the paper's training oracle for it.

    Summaries form a commutative monoid: the summary of a union is the merge of the summaries.
    """

    @property
    def class_size(self) -> int | None:
        """|F| or an upper bound on it; None if there is no bound, and then looped does not run.

        Functions that agree on all observations count once.
        """
        ...

    @property
    def declared(self) -> Declared:
        """The name of the class and the format of its rows, for a certificate."""
        ...

    @property
    def none_is_proved(self) -> bool:
        """Whether `separating` returns None only if it has proved that no classifier separates.

        Otherwise None means only that the search found none, and the guarantee assumes that there
        is none.
        """
        ...

    def pack(self, batch: Batch_contra) -> bytes:
        """Return everything that the class reads from these observations: one record per row.

        A record has `declared.row_bytes` bytes: bits are packed eight to a byte, the first in the
        lowest bit; numbers have 8 bytes, little-endian. Raises `InvalidArgument` for invalid rows.
        """
        ...

    def summarise(self, batch: Batch_contra) -> Summary:
        """Return the summary of these observations; raise `InvalidArgument` for invalid rows."""
        ...

    def nothing(self) -> Summary:
        """Return the summary of the empty dataset."""
        ...

    def merge(self, one: Summary, other: Summary) -> Summary:
        """Return the summary of the union of both datasets."""
        ...

    def contains(self, classifier: Classifier) -> bool:
        """Return whether the classifier belongs to F."""
        ...

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        """Return whether the classifier is 0 on all of `zeros` and 1 on all of `ones`."""
        ...

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        """Return a classifier that is 0 on `zeros` and 1 on `ones`, or None if F has none.

        Every returned classifier is checked. That a returned None is correct is not checked.
        """
        ...

    def values(self, classifier: Classifier, batch: Batch_contra) -> NDArray[np.bool_]:
        """Return the classifier's value on each observation."""
        ...


@runtime_checkable
class Savable(Protocol):
    """The part of a class that writes and reads its classifiers and itself, as JSON."""

    @property
    def described(self) -> Json:
        """The name and the sizes of the class; None if it contains functions of the user's own."""
        ...

    def written(self, classifier: Classifier) -> Json:
        """Return the JSON of a classifier; raise `InvalidArgument` for one of another class."""
        ...

    def read(self, found: Json) -> Classifier:
        """Return the classifier with this JSON; raise `InvalidArgument` if there is none."""
        ...


def savable(functions: object) -> Savable:
    """Return a class that writes its classifiers; raise `InvalidArgument` for others."""
    if isinstance(functions, Savable):
        return functions
    expected = "a class that is given by its sizes: functions cannot be written"
    raise InvalidArgument("functions", type(functions).__name__, expected)


@runtime_checkable
class RecordsAnswers(Protocol):
    """An oracle that stores its answers, because they belong to the evidence of a run."""

    def separating_aside(self, zeros: Summary, ones: Summary) -> Classifier | None:
        """Answer a question that is not part of the run; the answer is not stored."""
        ...


def separating_aside(oracle: Class[Batch], zeros: Summary, ones: Summary) -> Classifier | None:
    """Ask an oracle for a separating classifier after a run, without changing its evidence."""
    if isinstance(oracle, RecordsAnswers):
        return oracle.separating_aside(zeros, ones)
    return oracle.separating(zeros, ones)


def records_answers(oracle: object) -> bool:
    """Return whether an oracle, or the one that answers for it, is a `RecordsAnswers`."""
    while isinstance(oracle, OfClass):
        if hasattr(oracle, RecordsAnswers.separating_aside.__name__):  # faster than `isinstance`
            return True
        oracle = oracle.functions
    return hasattr(oracle, RecordsAnswers.separating_aside.__name__)


class Decides:
    """A class that decides whether a classifier separates without searching for one."""

    __slots__ = ()
    has_tightest: ClassVar[bool] = False
    """Whether the classifiers that are 1 on a dataset have a least one: wherever any of them is 0,
    it is 0. Then zeros can be asked for part by part."""

    def separable(self, zeros: Summary, ones: Summary) -> bool:
        """Return whether some classifier is 0 on `zeros` and 1 on `ones`."""
        raise NotImplementedError(f"{type(self).__name__} has to decide this")

    def first_not_apart(self, one: Summary, others: Iterable[Summary]) -> int | None:
        """Return the place of the first dataset that is not apart from the given one, or None."""
        for place, other in enumerate(others):
            if not (self.separable(one, other) and self.separable(other, one)):
                return place
        return None

    def first_true(
        self, _classifiers: Sequence[Classifier], _datasets: Iterable[Summary]
    ) -> list[int | None] | None:
        """Do what the function `first_true` does, if the class has a quicker way; None if not."""
        return None


def separable(oracle: Class[Batch], zeros: Summary, ones: Summary) -> bool:
    if isinstance(oracle, Decides):
        return oracle.separable(zeros, ones)
    return judged(oracle, zeros, ones) is not None


def first_not_apart(oracle: Class[Batch], one: Summary, others: Iterable[Summary]) -> int | None:
    """Return the place of the first dataset that is not apart from the given one, or None."""
    if isinstance(oracle, Decides):
        return oracle.first_not_apart(one, others)
    for place, other in enumerate(others):
        if judged(oracle, one, other) is None or judged(oracle, other, one) is None:
            return place
    return None


def first_true(
    functions: Class[Batch], classifiers: Sequence[Classifier], datasets: Sequence[Summary]
) -> list[int | None]:
    """Return, for each dataset, the place of the first classifier that is 1 on it all, or None."""
    if isinstance(functions, Decides):
        found = functions.first_true(classifiers, datasets)
        if found is not None:
            return found
    nothing = functions.nothing()
    return [
        next((n for n, f in enumerate(classifiers) if functions.separates(f, nothing, rows)), None)
        for rows in datasets
    ]


def each_against_others(
    oracle: Class[Batch], summaries: Sequence[Summary], *, aside: bool = False
) -> Iterator[Classifier | None]:
    """Yield, for each dataset, a classifier that is 1 on it and 0 on all others, or None.

    Questions that are asked `aside`, after a run, do not belong to its evidence.
    """
    for others, ones in with_others(oracle, summaries):
        yield judged(oracle, others, ones, aside=aside)


def with_others(
    functions: Class[Batch], summaries: Sequence[Summary]
) -> Iterator[tuple[Summary, Summary]]:
    nothing = functions.nothing()
    before = list(accumulate(summaries, functions.merge, initial=nothing))
    after = list(accumulate(reversed(summaries), functions.merge, initial=nothing))[::-1]
    for i, ones in enumerate(summaries):
        yield functions.merge(before[i], after[i + 1]), ones


class Unions(Generic[Batch]):
    """A sequence of datasets, with their unions in a binary tree, for the unions of long spans."""

    def __init__(self, functions: Class[Batch], datasets: Sequence[Summary]) -> None:
        self.functions = functions
        self.size = len(datasets)
        self._nodes = [*datasets, *datasets]
        for i in reversed(range(1, self.size)):
            self._nodes[i] = functions.merge(self._nodes[2 * i], self._nodes[2 * i + 1])

    def is_separable(self, start: int, first: int, period: int) -> bool:
        """Return whether every `period`-th dataset from `first` on can be separated from all others
        from `start` on.
        """
        functions, ones, others = self.functions, self.functions.nothing(), list[Summary]()
        for here in range(first, self.size, period):
            ones = functions.merge(ones, self._nodes[self.size + here])
            others += self._spanning(start, here)
            start = here + 1
        others += self._spanning(start, self.size)
        if isinstance(functions, Decides) and functions.has_tightest:
            return all(functions.separable(zeros, ones) for zeros in others)
        return separable(functions, reduce(functions.merge, others, functions.nothing()), ones)

    def _spanning(self, start: int, stop: int) -> Iterator[Summary]:
        """Yield unions that make up the datasets from `start` to before `stop`."""
        start, stop = start + self.size, stop + self.size
        while start < stop:
            if start % 2:
                yield self._nodes[start]
                start += 1
            if stop % 2:
                stop -= 1
                yield self._nodes[stop]
            start, stop = start // 2, stop // 2


def judged(
    oracle: Class[Batch],
    zeros: Summary,
    ones: Summary,
    *,
    aside: bool = False,
) -> Classifier | None:
    """Return the oracle's separating classifier after checking it, or None if it returns None.

    Raises `BrokenOracle` if the classifier is not in the class, or does not separate.
    """
    found = separating_aside(oracle, zeros, ones) if aside else oracle.separating(zeros, ones)
    if found is None:
        return None
    if not oracle.contains(found):
        raise BrokenOracle(f"the oracle returned {found}, which is not a classifier of its class")
    if not oracle.separates(found, zeros, ones):
        raise BrokenOracle(f"the oracle returned {found}, which does not separate the datasets")
    return found


class OfClass(ABC, Generic[Batch, Features]):
    """A base of classes that read rows or search in another way, and leave the rest to a class."""

    __slots__ = ()
    functions: Class[Features]

    @abstractmethod
    def _features(self, batch: Batch) -> Features:
        """Return what the class reads of these observations."""

    @property
    def class_size(self) -> int | None:
        return self.functions.class_size

    @property
    def declared(self) -> Declared:
        return self.functions.declared

    @property
    def none_is_proved(self) -> bool:
        return self.functions.none_is_proved

    def pack(self, batch: Batch) -> bytes:
        return self.functions.pack(self._features(batch))

    def summarise(self, batch: Batch) -> Summary:
        return self.functions.summarise(self._features(batch))

    def nothing(self) -> Summary:
        return self.functions.nothing()

    def merge(self, one: Summary, other: Summary) -> Summary:
        return self.functions.merge(one, other)

    def contains(self, classifier: Classifier) -> bool:
        return self.functions.contains(classifier)

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        return self.functions.separates(classifier, zeros, ones)

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        return self.functions.separating(zeros, ones)

    def values(self, classifier: Classifier, batch: Batch) -> NDArray[np.bool_]:
        return self.functions.values(classifier, self._features(batch))

    @property
    def described(self) -> Json:
        return self.functions.described if isinstance(self.functions, Savable) else None

    def written(self, classifier: Classifier) -> Json:
        return savable(self.functions).written(classifier)

    def read(self, found: Json) -> Classifier:
        return savable(self.functions).read(found)


@dataclass(frozen=True, slots=True)
class Searched(OfClass[Batch, Batch]):
    """A class whose search is replaced by your own; the class checks every answer.

    If the search returns None, this proves nothing.
    """

    functions: Class[Batch]
    search: Callable[[Summary, Summary], Classifier | None]

    @property
    def none_is_proved(self) -> bool:
        return False

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        return self.search(zeros, ones)

    def _features(self, batch: Batch) -> Batch:
        return batch
