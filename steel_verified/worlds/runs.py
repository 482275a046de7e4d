"""Run a method on an instance, and compare the result with the truth and with the prediction."""

from __future__ import annotations

import hashlib
from collections.abc import Sized
from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from steel_verified.learning.certain import Certain
from steel_verified.learning.drive import Fallback, Watch, checked_run
from steel_verified.learning.located import MOST_STEPS, Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted
from steel_verified.learning.slipping import Slipping
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.worlds.checkpoints import NO_FILES, identity, kept
from steel_verified.worlds.costs import (
    MOST_TESTS,
    prediction_tests,
    require_located,
    require_looped,
    require_predictable,
    require_simulable,
)
from steel_verified.worlds.dynamics import compare
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.progress import (
    Estimate,
    Growth,
    growing,
    most_steps,
    progress_observer,
    reporting,
)
from steel_verified.worlds.run_info import RunInfo
from steel_verified.worlds.slipping import SlipLaw

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning import looped
    from steel_verified.learning.drive import AnyMethod, LearnerState, Note
    from steel_verified.learning.results import Result
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.checkpoints import Checkpoints
    from steel_verified.worlds.instances import Instance, RunnableInstance
    from steel_verified.worlds.progress import Progress

Batch = TypeVar("Batch", bound=Sized)
Other = TypeVar("Other", bound=Sized)


def method_named(
    name: str,
    chosen: Instance,
    *,
    with_encoder: bool = True,
    certain_delta: Fraction | None = None,
    slips: Fraction = Fraction(0),
) -> AnyMethod:
    """The method with this name, with the parameters of an instance; certain has coins only with a
    δ.
    """
    p, first = chosen.parameters, chosen.first_action
    match name:
        case "looped":
            return Looped(p, first, with_encoder)
        case "located":
            return Located(p, first, with_encoder)
        case "certain":
            return Certain(p.class_size, p.actions, first, delta=certain_delta or Fraction(0))
        case "slipping":
            return Slipping(slips, p.class_size, p.actions, p.delta, first)
        case _:
            return Fallback(p, first)


def run(
    chosen: RunnableInstance,
    method: AnyMethod,
    noise_seed: int,
    *,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    max_steps: int | None = None,
    files: Checkpoints = NO_FILES,
    foretell: Callable[[Accepted | None], None] = lambda _: None,
    progress: Callable[[Progress], None] | None = None,
    watch: Callable[[LearnerState], None] = lambda _: None,
) -> tuple[Result, RunInfo]:
    """Run a method on an instance, and compare the result with the truth.

    If the method is slipping, the steps slip with the chance that it allows. `foretell` is called
    before the run with the prediction, or with None if there is none; `progress` with the progress
    of the prediction and of the run; `watch` with every state of the learner. The run is saved in
    `files`, if there are any.
    """
    predicted, estimate = _ahead(chosen, method, max_steps, progress)
    foretell(predicted)
    growth: list[Growth] = []
    watched = progress_observer(progress, method, estimate)
    if method.most_steps is not None:
        max_steps = min(max_steps or method.most_steps, chosen.simulation.drawn.longest_run)

    def go(world: World[Other], F: Class[Other], note: Note) -> Result:  # noqa: N803 (its usual name)
        observers = (Watch(growing(growth)), Watch(watch), watched, Watch(note))
        return checked_run(
            world, F, method, self_check=self_check, max_steps=max_steps, observers=observers
        )

    def learner(world: World[Batch], F: Class[Batch]) -> Result:  # noqa: N803
        origin = _origin(chosen, method, noise_seed, self_check)
        return kept(go, world, F, files, identity(method, F, origin))

    began = perf_counter()
    law = SlipLaw(method.rate, noise_seed) if isinstance(method, Slipping) else None
    result, ended_in = chosen.simulation.learned_by(learner, noise_seed, law)
    seconds = perf_counter() - began
    truth = chosen.simulation.drawn.truth()
    info = RunInfo(
        chosen.name,
        chosen.env_seed,
        noise_seed,
        seconds=seconds,
        growth=tuple(growth),
        mixing_time=None if method.parameters is None else method.parameters.mixing_time,
        true_mixing_time=truth.mixing_time,
        predicted_steps=None if predicted is None else predicted.ledger.steps,
        slipped=None if law is None else law.among(result.ledger.steps),
    )
    if not isinstance(result, Accepted):
        return result, info
    if isinstance(method, Looped):
        same = predicted is not None and result.ledger == predicted.ledger
        info = replace(info, as_predicted=same)
    return result, replace(info, findings=compare(result, truth, ended_in))


def _ahead(
    chosen: RunnableInstance,
    method: AnyMethod,
    max_steps: int | None,
    progress: Callable[[Progress], None] | None,
) -> tuple[Accepted | None, Estimate | None]:
    """The prediction of a looped run, if its bounds may be true, and its steps."""
    if isinstance(method, Located):
        require_located(chosen, max_steps or MOST_STEPS)
    if isinstance(method, Certain | Slipping | Located):
        return None, None
    with_encoder = isinstance(method, Fallback) or method.with_encoder
    require_looped(chosen, with_encoder=with_encoder)
    if isinstance(method, Fallback) or not _foreseeable(chosen):
        return None, None
    watch = reporting(progress, most_steps(method), "prediction")
    predicted = predict(chosen, with_encoder=with_encoder, watch=watch)
    require_simulable(chosen, predicted.ledger)
    return predicted, Estimate(predicted.ledger.steps, exact=True)


def predict(
    chosen: Instance,
    *,
    with_encoder: bool = True,
    watch: Callable[[looped.State], None] = lambda _: None,
) -> Accepted:
    """Predict the run of looped STEEL on an instance, whatever its noise; see `ideal_run`."""
    require_predictable(chosen)
    return ideal_run(
        chosen.dynamics,
        chosen.start,
        Looped(chosen.parameters),
        first_action=chosen.first_action,
        with_encoder=with_encoder,
        watch=watch,
    )


def looped_steps(chosen: RunnableInstance) -> int | None:
    """The predicted steps of looped STEEL; None if a bound is false or this would take long."""
    if not _foreseeable(chosen) or prediction_tests(chosen) > MOST_TESTS // 10:
        return None
    return predict(chosen).ledger.steps


def _foreseeable(chosen: RunnableInstance) -> bool:
    """Whether N, D̂ and |F| may be true: a run with a false bound ends where it notices this."""
    p, extent = chosen.parameters, chosen.extent
    most = min(p.max_states, p.class_size)
    return extent.states <= most and extent.diameter <= p.max_diameter


def certificate_of_run(chosen: RunnableInstance, learned: Accepted, noise_seed: int) -> bytes:
    """The certificate of an accepted run on an instance, as the bytes of a file."""
    # Imported here because most runs write none.
    from steel_verified.evidence.certificate import certificate, provenance  # noqa: PLC0415

    origin = provenance(chosen.name, chosen.env_seed, noise_seed)
    if learned.decided is not None:
        from steel_verified.learning.certifying import certificate_of_certain  # noqa: PLC0415

        return certificate_of_certain(learned, learned.decided, origin)
    claimed = learned.model.table, learned.current, learned.classifiers
    return certificate(learned.ledger, chosen.simulation.declared(), *claimed, origin)


def _origin(
    chosen: RunnableInstance,
    method: AnyMethod,
    noise_seed: int,
    self_check: SelfCheck | None,
) -> dict[str, int | str]:
    encoder = {"with_encoder": int(method.with_encoder)} if isinstance(method, Looped) else {}
    if isinstance(method, Located) and not method.with_encoder:
        encoder = {"with_encoder": 0}
    return {
        "world": chosen.name,
        "env_seed": chosen.env_seed,
        "noise_seed": noise_seed,
        "start": chosen.start,
        "self_check": str(self_check),
        "dynamics": hashlib.sha256(str(chosen.dynamics.table).encode()).hexdigest(),
        **encoder,
    }
