"""Run a learner on a world, and compare the result with the truth and with the prediction."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.evidence.entries import Ran
from steel_verified.evidence.ledger import Opened
from steel_verified.learning.located import MOST_STEPS, Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, violation
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.worlds.checkpoints import NO_FILES
from steel_verified.worlds.costs import (
    MOST_TESTS,
    prediction_tests,
    require_located,
    require_looped,
    require_predictable,
    require_simulable,
)
from steel_verified.worlds.driver import learn_with_fallback
from steel_verified.worlds.growth import Growth, growing
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.learners import located_learner, looped_learner
from steel_verified.worlds.progress import Estimate, most_steps, reporting
from steel_verified.worlds.truth import Findings, Truth, compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning import looped
    from steel_verified.learning.results import GivenUp, Result
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.checkpoints import Checkpoints
    from steel_verified.worlds.instances import Instance, Learner, RunnableInstance
    from steel_verified.worlds.progress import Progress

Batch = TypeVar("Batch", bound=Sized)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of the paper's algorithm, with the truth and the prediction."""

    chosen: RunnableInstance
    noise_seed: int
    learned: Accepted
    truth: Truth
    findings: Findings
    predicted: Accepted | None
    """The prediction, made before the run; None if a bound is false."""

    @property
    def as_predicted(self) -> bool:
        """Whether every plan, timestep and verdict is equal to the predicted one."""
        return self.predicted is not None and self.learned.ledger == self.predicted.ledger

    def certificate(self) -> bytes:
        """The certificate of the run, as the bytes of a file."""
        learned = self.learned
        origin = provenance(self.chosen.name, self.chosen.env_seed, self.noise_seed)
        declared = self.chosen.simulation.declared()
        return certificate(learned.ledger, declared, learned.model.table, learned.current, origin)


@dataclass(frozen=True)
class LocatedRun:
    """The result of located STEEL, with the truth."""

    chosen: RunnableInstance
    noise_seed: int
    learned: Accepted
    truth: Truth
    findings: Findings
    growth: tuple[Growth, ...]
    """What was known after every step that changed it, in order; at least one entry."""

    def certificate(self) -> bytes:
        """The certificate of the run, with every row that was read, as the bytes of a file."""
        learned = self.learned
        origin = provenance(self.chosen.name, self.chosen.env_seed, self.noise_seed)
        declared = self.chosen.simulation.declared()
        return certificate(learned.ledger, declared, learned.model.table, learned.current, origin)

    @cached_property
    def looped_steps(self) -> int | None:
        """The predicted steps of the paper's algorithm on the same instance.

        None if the prediction would take long compared with this run, or if a bound is false.
        """
        if not _foreseeable(self.chosen) or prediction_tests(self.chosen) > MOST_TESTS // 10:
            return None
        return predict(self.chosen).ledger.steps


@dataclass(frozen=True, slots=True)
class FallbackRun:
    """The result of the paper's algorithm after located STEEL was not accepted in time."""

    chosen: RunnableInstance
    learned: Accepted
    findings: Findings

    @property
    def located_steps(self) -> int:
        """The number of steps before the paper's algorithm began."""
        entries = self.learned.ledger.entries
        began = next(number for number, entry in enumerate(entries) if isinstance(entry, Opened))
        return sum(entry.steps for entry in entries[:began] if isinstance(entry, Ran))


def attempt(
    chosen: RunnableInstance,
    noise_seed: int,
    *,
    with_encoder: bool = True,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    max_steps: int | None = None,
    files: Checkpoints = NO_FILES,
    foretell: Callable[[Ledger | None], None] = lambda _: None,
    progress: Callable[[Progress], None] | None = None,
    watch: Callable[[looped.State], None] = lambda _: None,
) -> Run | GivenUp:
    """Run the paper's algorithm on an instance, and compare the result with the truth.

    The run is predicted first. Raises `InvalidArgument` if it would take too much time or memory.
    `foretell` is called before the run with the predicted ledger, or with None if a bound is false,
    `progress` with the progress of the prediction and then of the run, and `watch` with every state
    of the learner. The run is saved in `files`, if there are any. Raises what `learn` raises.
    """
    require_looped(chosen, with_encoder=with_encoder)
    predicted, estimate = None, most_steps(Looped(chosen.parameters))
    if _foreseeable(chosen):
        watch_prediction: Callable[[looped.State], None]
        watch_prediction = reporting(progress, estimate, "prediction")
        predicted = predict(chosen, with_encoder=with_encoder, watch=watch_prediction)
        require_simulable(chosen, predicted.ledger)
        estimate = Estimate(predicted.ledger.steps, exact=True)
    foretell(None if predicted is None else predicted.ledger)
    told: Callable[[looped.State], None] = reporting(progress, estimate)

    def both(state: looped.State) -> None:
        watch(state)
        told(state)

    learner = looped_learner(
        chosen,
        noise_seed,
        files,
        with_encoder=with_encoder,
        self_check=self_check,
        max_steps=max_steps,
        watch=both,
    )
    went = _judged(chosen, noise_seed, learner)
    if not isinstance(went, _Judged):
        return went
    return Run(chosen, noise_seed, went.learned, went.truth, went.findings, predicted)


def run(chosen: RunnableInstance, noise_seed: int, *, with_encoder: bool = True) -> Run:
    """Run the paper's algorithm; raises `AssumptionViolated` if the run gives up."""
    went = attempt(chosen, noise_seed, with_encoder=with_encoder)
    if isinstance(went, Run):
        return went
    raise violation(went)


def attempt_located(
    chosen: RunnableInstance,
    noise_seed: int,
    *,
    max_steps: int = MOST_STEPS,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    files: Checkpoints = NO_FILES,
    progress: Callable[[Progress], None] | None = None,
) -> LocatedRun | GivenUp:
    """Run located STEEL on an instance, and compare the result with the truth.

    Raises `InvalidArgument` if the run cannot be accepted, or would take too much memory.
    `progress` is called with the progress of the run. The run is saved in `files`, if there are
    any. Raises what `learn` raises.
    """
    require_located(chosen, max_steps)
    growth: list[Growth] = []
    learner = located_learner(
        chosen,
        noise_seed,
        files,
        self_check=self_check,
        max_steps=max_steps,
        watch=growing(growth, reporting(progress, most_steps(Located(chosen.parameters)))),
    )
    went = _judged(chosen, noise_seed, learner)
    return _located_run(chosen, noise_seed, went, growth) if isinstance(went, _Judged) else went


def run_located(chosen: RunnableInstance, noise_seed: int) -> LocatedRun:
    """Run located STEEL; raises `AssumptionViolated` if the run gives up."""
    went = attempt_located(chosen, noise_seed)
    if isinstance(went, LocatedRun):
        return went
    raise violation(went)


def attempt_with_fallback(
    chosen: RunnableInstance,
    noise_seed: int,
    *,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    progress: Callable[[Progress], None] | None = None,
) -> LocatedRun | FallbackRun | GivenUp:
    """Run located STEEL, and then the paper's algorithm if it is not accepted in time.

    Raises `InvalidArgument` if the run would take too much time or memory. `progress` is called
    with the progress of each run. Raises what `learn` raises.
    """
    require_looped(chosen, with_encoder=True)
    growth: list[Growth] = []

    def learner(world: World[Batch], oracle: Class[Batch]) -> Result:
        return learn_with_fallback(
            world,
            oracle,
            chosen.parameters,
            first_action=chosen.first_action,
            self_check=self_check,
            progress=progress,
            watch_located=growing(growth),
        )

    went = _judged(chosen, noise_seed, learner)
    if not isinstance(went, _Judged):
        return went
    if isinstance(went.learned.method, Located):
        return _located_run(chosen, noise_seed, went, growth)
    return FallbackRun(chosen, went.learned, went.findings)


def predict(
    chosen: Instance,
    *,
    with_encoder: bool = True,
    watch: Callable[[looped.State], None] = lambda _: None,
) -> Accepted:
    """Predict the run on an instance, whatever its noise; see `ideal_run`.

    Raises `InvalidArgument` if the prediction would take too long.
    """
    require_predictable(chosen)
    return ideal_run(
        chosen.dynamics,
        chosen.start,
        Looped(chosen.parameters),
        first_action=chosen.first_action,
        with_encoder=with_encoder,
        watch=watch,
    )


def _foreseeable(chosen: RunnableInstance) -> bool:
    """Whether N, D̂ and |F| may be true, so that the dynamics determine every plan.

    A run with a false bound ends where it notices this, and so would its prediction.
    """
    p, extent = chosen.parameters, chosen.extent
    most = min(p.max_states, p.class_size)
    return extent.states <= most and extent.diameter <= p.max_diameter


@dataclass(frozen=True, slots=True)
class _Judged:
    learned: Accepted
    truth: Truth
    findings: Findings


def _judged(chosen: RunnableInstance, noise_seed: int, learner: Learner) -> _Judged | GivenUp:
    """Run a learner on an instance; if it is accepted, compare the result with the truth."""
    result, ended_in = chosen.simulation.learned_by(learner, noise_seed)
    if not isinstance(result, Accepted):
        return result
    truth = chosen.simulation.drawn.truth()
    return _Judged(result, truth, compare(result, truth, ended_in))


def _located_run(
    chosen: RunnableInstance, noise_seed: int, went: _Judged, growth: list[Growth]
) -> LocatedRun:
    return LocatedRun(chosen, noise_seed, went.learned, went.truth, went.findings, tuple(growth))
