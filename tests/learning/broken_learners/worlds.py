"""Worlds and oracles that do not do what is requested."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from steel_verified.classes.rows import BitRows, PackedBits
from steel_verified.evidence.observed import find_period
from steel_verified.evidence.oracle import Searched
from steel_verified.evidence.plans import Plan
from steel_verified.learning import looped

from ..broken import Broken, listed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Sample
    from steel_verified.evidence.oracle import Class, Classifier, Summary
    from steel_verified.evidence.plans import Trajectory, World
    from steel_verified.theory.budget import Charge
    from steel_verified.theory.progressions import Progression

    from .attempts import Attempt

BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


@dataclass
class Meddling:
    """A wrapper between the learner and its world."""

    inner: World[BitRows]
    twice: bool = False
    """It runs each plan twice, and reports all steps."""
    acts: bool = False
    """It takes one more step before each loop, and does not report it."""
    drop: int = 0
    """The number of rows of each dataset that it drops."""
    hidden: int = 0

    @property
    def actions(self) -> int:
        return self.inner.actions

    @property
    def steps(self) -> int:
        return self.inner.steps - self.hidden

    def run(self, plan: Plan) -> Trajectory[BitRows]:
        if self.acts and self.inner.steps and not plan.done:
            self.inner.run(Plan((1,), 1))
            self.hidden += 1
        trajectory = self.inner.run(plan)
        if self.twice:
            trajectory = self.inner.run(replace(plan, done=plan.done + plan.steps, keeps=()))
        return Dropping(trajectory, self.drop)


@dataclass(frozen=True)
class Dropping:
    """Drops the last rows of each dataset."""

    inner: Trajectory[BitRows]
    drop: int

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[BitRows, ...]:
        batches = self.inner.rows(*datasets)
        if not self.drop:
            return batches
        return tuple(PackedBits(b.packed()[: -self.drop], b.width) for b in batches)


@broken("BrokenWorld")
def each_plan_run_twice(at: Attempt) -> None:
    at.world = Meddling(at.world, twice=True)


@broken("DETERMINISTIC")
def a_world_that_acts_between_plans(at: Attempt) -> None:
    at.world = Meddling(at.world, acts=True)


@broken("BrokenWorld")
def rows_dropped(at: Attempt) -> None:
    at.world = Meddling(at.world, drop=1)


@broken("InvalidArgument")
def a_verdict_given_by_the_learner_itself(at: Attempt) -> None:
    """The learner itself, not the oracle, decides that no period is larger than 1."""

    def unasked(
        ledger: Ledger,
        oracle: Class[BitRows],
        tests: Sequence[tuple[int, Sample, Sample]],
        charge: Callable[[int], Charge],
    ) -> tuple[int, Ledger]:
        return find_period(ledger, Searched(oracle, lambda *_: None), tests, charge)

    at.patch.setattr(looped, "find_period", unasked)


@broken("BrokenOracle")
def an_oracle_that_is_right_on_most_samples(at: Attempt) -> None:
    honest = at.oracle

    def lazy(zeros: Summary, ones: Summary) -> Classifier | None:
        found = honest.separating(zeros, ones)
        return 0 if found is None else found

    at.oracle = Searched(honest, lazy)


@broken("BrokenOracle")
def an_oracle_with_classifiers_of_its_own(at: Attempt) -> None:
    at.oracle = Searched(at.oracle, lambda *_: 12)


@broken("REALISABLE")
def an_oracle_that_never_finds_anything(at: Attempt) -> None:
    at.oracle = Searched(at.oracle, lambda *_: None)
