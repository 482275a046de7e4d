"""Stores what a class read from a world, so that a run can be repeated without its rows.

A learner is a deterministic function of its method and of what the class read from each dataset (a
*look*). So a run can be repeated (*retraced*) from the stored looks: the world follows the same
plans without producing rows, the oracle is asked the same questions, and the same ledger results.

Example: a run is interrupted after 1,000,000 steps. The resumed run retraces these steps from the
looks in its checkpoint, and then continues in the world.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar, runtime_checkable

from steel_verified.errors import InvalidArgument, NotThisRun
from steel_verified.evidence.oracle import separating_aside
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class, Classifier, Declared, Summary
    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.theory.progressions import Progression

Batch = TypeVar("Batch", bound=Sized)
Batch_co = TypeVar("Batch_co", bound=Sized, covariant=True)

ROWS_READ_AGAIN: Final = 1000
"""About this many of the last rows are read from the world again, and must be the same."""


@runtime_checkable
class Retraceable(Protocol[Batch_co]):
    """A world that shows the same rows again if the same plans are run in it from the beginning."""

    def retrace(self, plan: Plan) -> Trajectory[Batch_co]:
        """Follow a plan that was run before. It must be fast: rows may never be requested."""
        ...

    def sight(self) -> Batch_co:
        """Return some rows that differ between worlds with different noise, whatever was done."""
        ...


@runtime_checkable
class WritesSummaries(Protocol):
    """A class whose summaries can be written as bytes and read back."""

    def summary_as_bytes(self, summary: Summary) -> bytes: ...

    def summary_of_bytes(self, data: bytes) -> Summary:
        """Return the summary; raise `ValueError` for bytes that `summary_as_bytes` cannot write."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """What the class read from a dataset. It replaces the rows when a run is retraced."""

    rows: int
    summary: Summary
    packed: bytes = b""
    """The rows as the class packs them, if the ledger keeps rows."""

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True, slots=True)
class Passed:
    """The part of a run that is to be retraced: its steps, its plans, and its looks."""

    name: str
    """The name of the file, for error messages."""
    steps: int
    plans: str
    """A digest of the plans."""
    looks: Sequence[Look]


class KeptWorld(Generic[Batch]):
    """A world that records its plans. It first retraces the stored part, then runs the real world.

    Raises `NotThisRun` if the stored part does not fit the plans or the world.
    """

    def __init__(
        self,
        world: World[Batch],
        oracle: Class[Batch],
        passed: Passed | None = None,
    ) -> None:
        self._world = world
        self._oracle = oracle
        self._passed = passed
        self._next_look = 0
        self._first_read_again = 0 if passed is None else _first_of_last_rows(passed.looks)
        self._plans = hashlib.sha256()
        if passed is not None and not isinstance(world, Retraceable):
            raise NotThisRun(passed.name, f"a {type(world).__name__} cannot be retraced")

    @property
    def actions(self) -> int:
        return self._world.actions

    @property
    def steps(self) -> int:
        return self._world.steps

    @property
    def plans(self) -> str:
        """A digest of all plans that were run."""
        return self._plans.hexdigest()

    @property
    def is_retracing(self) -> bool:
        """Whether the stored part is not finished yet."""
        return self._passed is not None

    def end(self) -> None:
        """Raise `NotThisRun` if the run ends before the stored part was retraced completely."""
        if self._passed is not None and self.steps < self._passed.steps:
            raise NotThisRun(
                self._passed.name,
                f"this run ends after {self.steps:,} of its {counted(self._passed.steps, 'step')}",
            )
        self._leave_passed()

    def run(self, plan: Plan) -> Trajectory[Batch | Look]:
        self._leave_passed()
        passed = self._passed
        self._plans.update(f"{plan.word}{plan.done},{plan.steps};".encode())
        if passed is None:
            return self._world.run(plan)
        if self.steps + plan.steps > passed.steps:
            raise NotThisRun(
                passed.name, f"no plan ends at step {passed.steps:,}, where it was left"
            )
        assert isinstance(self._world, Retraceable), "the constructor refuses other worlds"
        return _Retraced(self, self._world.retrace(plan))

    def _leave_passed(self) -> None:
        """At the end of the stored part, compare it with the run and switch to the real world."""
        passed = self._passed
        if passed is None or self.steps < passed.steps:
            return
        if self._next_look != len(passed.looks):
            left = len(passed.looks) - self._next_look
            raise NotThisRun(passed.name, f"it has {counted(left, 'dataset')} too many")
        if self.plans != passed.plans:
            raise NotThisRun(passed.name, "other plans were run in it")
        self._passed = None

    def looks_at(
        self, trajectory: Trajectory[Batch], datasets: Sequence[tuple[Progression, ...]]
    ) -> tuple[Look, ...]:
        """Return the next stored looks; some of the last ones are compared with the world."""
        passed, first = self._passed, self._next_look
        assert passed is not None, "rows are requested before another plan is run"
        looks = tuple(passed.looks[first : first + len(datasets)])
        asked = [sum(map(len, pieces)) for pieces in datasets]
        if [look.rows for look in looks] != asked:
            raise NotThisRun(passed.name, f"other rows are asked for at step {self.steps:,}")
        self._next_look += len(datasets)
        again = max(0, self._first_read_again - first)
        for look, batch in zip(looks[again:], trajectory.rows(*datasets[again:]), strict=True):
            if not self._shows(batch, look):
                raise NotThisRun(
                    passed.name, f"the world shows something else before step {self.steps:,}"
                )
        return looks

    def _shows(self, batch: Batch, look: Look) -> bool:
        """Return whether these rows agree with what the class read before, as far as stored."""
        if look.packed:
            return self._oracle.pack(batch) == look.packed
        return self._oracle.summarise(batch) == look.summary


def _first_of_last_rows(looks: Sequence[Look]) -> int:
    """Return the index of the first of the last datasets that have `ROWS_READ_AGAIN` rows."""
    first, rows = len(looks), 0
    while first and rows < ROWS_READ_AGAIN:
        first -= 1
        rows += looks[first].rows
    return first


class _Retraced(Generic[Batch]):
    """One loop of a run that is being retraced."""

    def __init__(self, world: KeptWorld[Batch], trajectory: Trajectory[Batch]) -> None:
        self._world = world
        self._trajectory = trajectory

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Look, ...]:
        return self._world.looks_at(self._trajectory, datasets)


class KeptOracle(Generic[Batch]):
    """An oracle that stores what its class read, and accepts stored looks in place of rows."""

    def __init__(
        self,
        oracle: Class[Batch],
        passed: Passed | None = None,
        *,
        remembers: bool = True,
    ) -> None:
        self._oracle = oracle
        self.remembers = remembers
        self._last: Batch | None = None
        self.looks: list[Look] = [] if passed is None else list(passed.looks)

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """What the class read from each dataset, in order."""
        return tuple(look.summary for look in self.looks)

    @property
    def class_size(self) -> int | None:
        return self._oracle.class_size

    @property
    def declared(self) -> Declared:
        return self._oracle.declared

    @property
    def none_is_proved(self) -> bool:
        return self._oracle.none_is_proved

    def nothing(self) -> Summary:
        return self._oracle.nothing()

    def merge(self, one: Summary, other: Summary) -> Summary:
        return self._oracle.merge(one, other)

    def contains(self, classifier: Classifier) -> bool:
        return self._oracle.contains(classifier)

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        return self._oracle.separates(classifier, zeros, ones)

    def separating(self, zeros: Summary, ones: Summary) -> Classifier | None:
        return self._oracle.separating(zeros, ones)

    def summarise(self, batch: Batch | Look) -> Summary:
        if isinstance(batch, Look):
            return batch.summary
        summary = self._oracle.summarise(batch)
        if self.remembers:
            self.looks.append(Look(len(batch), summary))
            self._last = batch
        return summary

    def pack(self, batch: Batch | Look) -> bytes:
        """Return the packed rows; if they were summarised just before, both are stored together."""
        if isinstance(batch, Look):
            return batch.packed
        packed = self._oracle.pack(batch)
        if self.remembers:
            was_summarised = batch is self._last
            summary = self.looks.pop().summary if was_summarised else self._oracle.nothing()
            self.looks.append(Look(len(batch), summary, packed))
            self._last = None
        return packed

    def separating_aside(self, zeros: Summary, ones: Summary) -> Classifier | None:
        return separating_aside(self._oracle, zeros, ones)

    def values(self, classifier: Classifier, batch: Batch | Look) -> NDArray[np.bool_]:
        if isinstance(batch, Look):
            raise InvalidArgument("batch", "a summary", "rows, on which classifiers have values")
        return self._oracle.values(classifier, batch)


def remembering(
    oracle: Class[Batch],
) -> KeptOracle[Batch]:
    """Return the oracle itself if it stores what its class read, otherwise one that does."""
    if isinstance(oracle, KeptOracle) and oracle.remembers:
        return oracle
    return KeptOracle(oracle)
