"""Runs a learner on a world and compares the result with the truth and with the prediction."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.certificate import (
    certificate,
    certificate_as_bytes,
    provenance,
)
from steel_verified.learning.located import MOST_STEPS
from steel_verified.learning.results import Accepted, violation
from steel_verified.theory.recipe import located, paper
from steel_verified.worlds.driver import learn_located, learn_looped
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.truth import Findings, Truth, compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import World
    from steel_verified.learning import steel
    from steel_verified.learning.classes import Marks
    from steel_verified.learning.labels import Labels
    from steel_verified.learning.located import State
    from steel_verified.learning.results import GivenUp, Result
    from steel_verified.worlds.ideal import States
    from steel_verified.worlds.instances import Instance, RunnableInstance

Batch = TypeVar("Batch", bound=Sized)


@dataclass(frozen=True)
class Run:
    """What a run of the paper's algorithm learned, beside the truth and the prediction."""

    chosen: RunnableInstance
    noise_seed: int
    learned: Accepted[int]
    truth: Truth
    findings: Findings

    @cached_property
    def predicted(self) -> Accepted[int]:
        """The prediction of this run. It is made when it is asked for the first time."""
        return predict(self.chosen, with_encoder=self.learned.classifiers is not None)

    @property
    def as_predicted(self) -> bool:
        """Whether every plan, timestep and verdict was the predicted one."""
        return self.learned.ledger == self.predicted.ledger

    def certificate(self) -> bytes:
        """The evidence of the run, as the bytes of a file."""
        learned = self.learned
        origin = provenance(self.chosen.name, self.chosen.env_seed, self.noise_seed)
        return certificate_as_bytes(
            certificate(
                learned.ledger, learned.model.table, learned.current, learned.classifiers, origin
            )
        )


@dataclass(frozen=True, slots=True)
class Growth:
    """What located STEEL knows after some steps."""

    steps: int
    made: int
    """Labels made so far."""
    labels: int
    """Labels that were not merged into another."""
    transitions: int
    """Known transitions of these."""

    @property
    def merged(self) -> int:
        return self.made - self.labels


@dataclass(frozen=True)
class LocatedRun:
    """What a run of located STEEL learned, beside the truth."""

    chosen: RunnableInstance
    noise_seed: int
    learned: Accepted[int]
    truth: Truth
    findings: Findings
    growth: tuple[Growth, ...]
    """After every step that changed what is known, in order; at least one."""

    @cached_property
    def looped_steps(self) -> int:
        """The steps that the paper's algorithm takes on the same instance, as predicted."""
        return predict(self.chosen).ledger.steps


def attempt(
    chosen: RunnableInstance,
    noise_seed: int,
    *,
    with_encoder: bool = True,
    watch: Callable[[steel.State[Marks, int]], None] = lambda _: None,
) -> Run | GivenUp:
    """Run the paper's algorithm on an instance, and compare what it learned with the truth.

    `watch` is shown every state of the learner. Raises what `learn` raises.
    """

    def learner(world: World[Batch], oracle: Oracle[Batch, Marks, int]) -> Result[int]:
        return learn_looped(
            world,
            oracle,
            paper(chosen.parameters),
            first_action=chosen.first_action,
            with_encoder=with_encoder,
            watch=watch,
        )

    result, ended_in = chosen.simulation.learned_by(learner, noise_seed)
    if not isinstance(result, Accepted):
        return result
    truth = chosen.simulation.drawn.truth()
    return Run(chosen, noise_seed, result, truth, compare(result, truth, ended_in))


def run(chosen: RunnableInstance, noise_seed: int, *, with_encoder: bool = True) -> Run:
    """Run the paper's algorithm; raise `AssumptionViolated` if the run gives up."""
    went = attempt(chosen, noise_seed, with_encoder=with_encoder)
    if isinstance(went, Run):
        return went
    raise violation(went)


def attempt_located(
    chosen: RunnableInstance,
    noise_seed: int,
    *,
    max_steps: int = MOST_STEPS,
    watch: Callable[[Growth], None] = lambda _: None,
) -> LocatedRun | GivenUp:
    """Run located STEEL on an instance, and compare what it learned with the truth.

    `watch` is shown what is known, after every step that changed it. Raises what `learn` raises.
    """
    growth: list[Growth] = []
    last: Labels | None = None

    def look(state: State[Marks, int]) -> None:
        nonlocal last
        if state.labels is last:
            return
        last = state.labels
        known = sum(to is not None for row in state.labels.rows.values() for to in row)
        made, labels = len(state.labels.parent), len(state.labels.rows)
        now = Growth(state.ledger.steps, made, labels, known)
        if not growth or replace(now, steps=growth[-1].steps) != growth[-1]:
            growth.append(now)
            watch(now)

    def learner(world: World[Batch], oracle: Oracle[Batch, Marks, int]) -> Result[int]:
        return learn_located(
            world,
            oracle,
            located(chosen.parameters),
            first_action=chosen.first_action,
            max_steps=max_steps,
            watch=look,
        )

    result, ended_in = chosen.simulation.learned_by(learner, noise_seed)
    if not isinstance(result, Accepted):
        return result
    truth = chosen.simulation.drawn.truth()
    findings = compare(result, truth, ended_in)
    return LocatedRun(chosen, noise_seed, result, truth, findings, tuple(growth))


def run_located(chosen: RunnableInstance, noise_seed: int) -> LocatedRun:
    """Run located STEEL; raise `AssumptionViolated` if the run gives up."""
    went = attempt_located(chosen, noise_seed)
    if isinstance(went, LocatedRun):
        return went
    raise violation(went)


def predict(
    chosen: Instance,
    *,
    with_encoder: bool = True,
    watch: Callable[[steel.State[States, int]], None] = lambda _: None,
) -> Accepted[int]:
    """Predict the run on an instance, whatever its noise; see `ideal_run`."""
    return ideal_run(
        chosen.dynamics,
        chosen.start,
        paper(chosen.parameters),
        first_action=chosen.first_action,
        with_encoder=with_encoder,
        watch=watch,
    )
