"""Runs a learner on a world and compares the result with the truth and with the prediction."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.certificate import (
    certificate,
    certificate_as_bytes,
    provenance,
)
from steel_verified.learning.results import accepted
from steel_verified.theory.recipe import paper
from steel_verified.worlds.driver import learn
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.truth import Findings, Truth, compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import World
    from steel_verified.learning.classes import Marks
    from steel_verified.learning.results import Accepted, Result
    from steel_verified.learning.steel import State
    from steel_verified.worlds.ideal import States
    from steel_verified.worlds.instances import Instance, RunnableInstance

Batch = TypeVar("Batch", bound=Sized)


@dataclass(frozen=True)
class Run:
    """What a run learned, how that compares with the truth, and what was predicted."""

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


def run(
    chosen: RunnableInstance,
    noise_seed: int,
    *,
    with_encoder: bool = True,
    watch: Callable[[State[Marks, int]], None] | None = None,
) -> Run:
    """Run STEEL on an instance, and compare what it learned with the truth.

    `watch` is shown every state of the learner. Raises what `learn` raises.
    """

    def learner(world: World[Batch], oracle: Oracle[Batch, Marks, int]) -> Result[int]:
        return learn(
            world,
            oracle,
            paper(chosen.parameters),
            first_action=chosen.first_action,
            with_encoder=with_encoder,
            watch=watch,
        )

    result, ended_in = chosen.simulation.learned_by(learner, noise_seed)
    learned = accepted(result)
    truth = chosen.simulation.drawn.truth()
    return Run(chosen, noise_seed, learned, truth, compare(learned, truth, ended_in))


def predict(
    chosen: Instance,
    *,
    with_encoder: bool = True,
    watch: Callable[[State[States, int]], None] | None = None,
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
