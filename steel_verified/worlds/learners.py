"""Learners for instances: each algorithm with its settings and its checkpoint files."""

from __future__ import annotations

import hashlib
from collections.abc import Sized
from typing import TYPE_CHECKING, TypeVar

from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.worlds.checkpoints import identity, kept
from steel_verified.worlds.driver import learn_located, learn_looped

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning import looped
    from steel_verified.learning.located import State
    from steel_verified.learning.results import Result
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.checkpoints import Checkpoints
    from steel_verified.worlds.instances import Learner, RunnableInstance
    from steel_verified.worlds.progress import Note

Batch = TypeVar("Batch", bound=Sized)


def looped_learner(
    chosen: RunnableInstance,
    noise_seed: int,
    files: Checkpoints,
    *,
    with_encoder: bool,
    self_check: SelfCheck | None,
    max_steps: int | None,
    watch: Callable[[looped.State], None],
) -> Learner:
    """The paper's algorithm on an instance; the run is saved if checkpoint files are given."""
    method = Looped(chosen.parameters)

    def go(world: World[Batch], oracle: Class[Batch], note: Note) -> Result:
        def look(state: looped.State) -> None:
            watch(state)
            note(state.ledger.steps, lambda: state.model)

        return learn_looped(
            world,
            oracle,
            method,
            first_action=chosen.first_action,
            with_encoder=with_encoder,
            self_check=self_check,
            max_steps=max_steps,
            watch=look,
        )

    def learner(world: World[Batch], oracle: Class[Batch]) -> Result:
        origin = _origin(chosen, noise_seed, self_check) | {"with_encoder": int(with_encoder)}
        run = identity(method, oracle, chosen.first_action, origin)
        return kept(go, world, oracle, files, run)

    return learner


def located_learner(
    chosen: RunnableInstance,
    noise_seed: int,
    files: Checkpoints,
    *,
    self_check: SelfCheck | None,
    max_steps: int,
    watch: Callable[[State], None],
) -> Learner:
    """Located STEEL on an instance; the run is saved if checkpoint files are given."""
    method = Located(chosen.parameters)

    def go(world: World[Batch], oracle: Class[Batch], note: Note) -> Result:
        def look(state: State) -> None:
            watch(state)
            note(state.ledger.steps, state.labels.model_so_far)

        return learn_located(
            world,
            oracle,
            method,
            first_action=chosen.first_action,
            self_check=self_check,
            max_steps=min(max_steps, chosen.simulation.drawn.longest_run),
            watch=look,
        )

    def learner(world: World[Batch], oracle: Class[Batch]) -> Result:
        run = identity(method, oracle, chosen.first_action, _origin(chosen, noise_seed, self_check))
        return kept(go, world, oracle, files, run)

    return learner


def _origin(
    chosen: RunnableInstance, noise_seed: int, self_check: SelfCheck | None
) -> dict[str, int | str]:
    """What distinguishes a run from runs on other instances or with other noise."""
    return {
        "world": chosen.name,
        "env_seed": chosen.env_seed,
        "noise_seed": noise_seed,
        "start": chosen.start,
        "self_check": str(self_check),
        "dynamics": hashlib.sha256(str(chosen.dynamics.table).encode()).hexdigest(),
    }
