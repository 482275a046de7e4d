"""Experiments with STEEL by seeds: runs of looped, of located and of certain STEEL.

The steps of the authors' released code are recomputed from two differences from the paper, which
were inferred from its logged counts and not tested on others:

1. The first roll-out of every call is longer than the printed c_init, by t̂_mix + N|â| − 1.
2. D'_i is always merged into the dataset of the state of position i. So a state that was found
   v times enters phase 2 with 2·n_samp.·v samples, states reach d at different times, and phase 2
   plans again, with one pass that keeps no samples, whenever some state has enough. The state in
   which phase 2 begins counts among those that need samples, which fits best.

Which of several equally short words is taken remains open; here it is the word of our run.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from steel_verified.learning.certain import Certain
from steel_verified.learning.graph import covering_cycle, visits
from steel_verified.learning.located import rounds
from steel_verified.learning.looped import Looped, calls
from steel_verified.learning.results import Accepted, accepted
from steel_verified.sweeps.study import Job, Row, Study, at_once
from steel_verified.theory.counts import (
    encoder_samples,
    full_rollout,
    initial_rollout,
    position_samples,
)
from steel_verified.worlds.catalogue import Sizes, instance, kind_of
from steel_verified.worlds.dynamics import Truth, least_walk, relabelling
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.runs import certificate_of_run, method_named, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from steel_verified.learning.deciding import Decided
    from steel_verified.learning.model import Model
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.instances import RunnableInstance

MOST_CERTAIN_STEPS: Final = 1_500
"""A certain run ends as not accepted after this many steps. Where the rows can decide, they did so
after at most 900 steps; on the double prime loops they never do (Theorem 8)."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seed of the instance and the seed of the noise."""

    env: int
    noise: int


@dataclass(frozen=True, slots=True)
class SeededRuns:
    """Runs of STEEL on one kind of world, with the paper's parameters for its size."""

    world: str
    sizes: Sizes
    seeds: tuple[Seeds, ...]

    def keys(self, method: str) -> list[str]:
        """The keys of the rows of these runs with a method, looped, located or certain."""
        return [_key(method, self, seeds) for seeds in self.seeds]


def seeded_study(
    method: str, groups: Iterable[SeededRuns], accepts: Callable[[bytes], bool]
) -> Study:
    """All runs of these groups with a method; workers can import the checker, `accepts`."""
    return at_once(
        Job(
            _key(method, group, seeds),
            partial(seeded_run, method, group.world, group.sizes, seeds, accepts),
        )
        for group in groups
        for seeds in group.seeds
    )


def _key(method: str, group: SeededRuns, seeds: Seeds) -> str:
    own = kind_of(group.world, group.sizes).sizes
    sizes = "".join(f" {o.name}={o.of(group.sizes)}" for o in own if o.name in group.sizes)
    return f"{method} {group.world}{sizes} env={seeds.env:02d} noise={seeds.noise:02d}"


def seeded_run(
    method: str, world: str, sizes: Sizes, seeds: Seeds, accepts: Callable[[bytes], bool]
) -> Row:
    """Run STEEL once, and return a row without times; not accepted is neither right nor wrong."""
    chosen = instance(world, seeds.env, **sizes)
    row: Row = {"world": chosen.name, "env_seed": seeds.env, "noise_seed": seeds.noise}
    return {**row, **_ROWS[method](chosen, seeds.noise, accepts)}


def _looped(chosen: RunnableInstance, noise: int, accepts: Callable[[bytes], bool]) -> Row:
    ahead: list[Accepted | None] = []
    result, info = run(chosen, method_named("looped", chosen), noise, foretell=ahead.append)
    learned, findings, (predicted,) = accepted(result), info.findings, ahead
    assert findings is not None
    assert predicted is not None, "the bounds of the catalogue are true"
    ledger, evidence = learned.ledger, certificate_of_run(chosen, learned, noise)
    return {
        "dynamics_right": findings.dynamics_right,
        "encoder_right": findings.encoder_right,
        "steps": ledger.steps,
        "calls": sum(1 for _ in calls(ledger)),
        "predicted_steps": predicted.ledger.steps,
        "as_predicted": info.as_predicted,
        "released_steps": released_steps(predicted, chosen.parameters),
        "delta_spent": str(ledger.budget.spent),
        "certificate_sha256": hashlib.sha256(evidence).hexdigest(),
        "certificate_accepted": accepts(evidence),
    }


def _located(chosen: RunnableInstance, noise: int, _: Callable[[bytes], bool]) -> Row:
    result, info = run(chosen, method_named("located", chosen), noise)
    ledger, made = result.ledger, rounds(result.ledger)
    validating = sum(validation.steps for validation in made)
    row: Row = {
        "steps": ledger.steps,
        "exploring": ledger.steps - validating,
        "validating": validating,
        "rounds": len(made),
        "delta_spent": str(ledger.budget.spent),
        "accepted": info.findings is not None,
    }
    if info.findings is None:
        return row
    return {
        **row,
        "dynamics_right": info.findings.dynamics_right,
        "encoder_right": info.findings.encoder_right,
        "labels_made": info.growth[-1].made,
        "labels_merged": info.growth[-1].merged,
    }


def _certain(chosen: RunnableInstance, noise: int, accepts: Callable[[bytes], bool]) -> Row:
    """`steps` end when the rows decide; `least_steps` are a least walk and the first step."""
    method = method_named("certain", chosen)
    assert isinstance(method, Certain)
    table, first = chosen.dynamics.table, method.first_action
    result, info = run(chosen, method, noise, max_steps=MOST_CERTAIN_STEPS)
    row: Row = {"least_steps": 1 + least_walk(table, table[chosen.start][first])}
    if info.findings is None or not isinstance(result, Accepted) or result.decided is None:
        return {**row, "accepted": False, "steps": result.ledger.steps}
    return {
        **row,
        "accepted": True,
        "steps": result.ledger.steps - method.check_steps,
        "dynamics_right": info.findings.dynamics_right,
        "exact_right": _are_exact(result, result.decided, chosen.simulation.drawn.truth()),
        "labels": len(result.decided.labels),
        "exact_labels": sum(len(fits) == 1 for fits in result.decided.labels),
        "supposes_two": result.decided.supposes_two,
        "certificate_accepted": accepts(certificate_of_run(chosen, result, noise)),
    }


_ROWS: Final = {"looped": _looped, "located": _located, "certain": _certain}


def _are_exact(result: Accepted, decided: Decided, truth: Truth) -> bool:
    only = {label: fits[0] for label, fits in enumerate(decided.labels) if len(fits) == 1}
    for label, f in only.items():
        if f not in truth.classifiers:
            return False
        state = truth.classifiers.index(f)
        meaning = relabelling(result.model, label, truth.dynamics, state)
        if meaning is None or any(truth.classifiers[meaning[one]] != g for one, g in only.items()):
            return False
    return True


def from_all_starts(pair: tuple[int, int]) -> Job:
    """Predict the run on DoublePrime from every start, with each first action."""
    p, q = pair
    return Job(f"looped double-prime p={p} q={q} from all starts", partial(_from_all_starts, pair))


def _from_all_starts(pair: tuple[int, int]) -> Row:
    """Exchanging the two copies only renames states, so the starts in one copy are enough."""
    p, q = pair
    chosen = instance("double-prime", 0, p=p, q=q)
    runs = (
        ideal_run(chosen.dynamics, start, Looped(chosen.parameters), first_action=action)
        for start in range(q)
        for action in range(2)
    )
    return {"predicted_steps": sorted(ideal.ledger.steps for ideal in runs)}


def released_steps(run: Accepted, parameters: Parameters) -> int:
    """The steps of the released code for a run like ours, with our choice among equal words."""
    steps, current = 0, 0
    samples: Counter[int] = Counter()
    for call in calls(run.ledger):
        rollout = max(
            full_rollout(parameters, len(call.word), call.period),
            longer_initial_rollout(parameters, len(call.word)),
        )
        steps += rollout
        current = call.labels[rollout % len(call.labels)]
        for label in call.labels:
            samples[label] += 2 * position_samples(parameters)
    return steps + _phase2(run.model, current, samples, parameters)


def longer_initial_rollout(parameters: Parameters, word_length: int) -> int:
    """(2t̂_mix + 3N|â| − 2)·n_samp.cyc. + max((N−1)|â|, t̂_mix)."""
    p = parameters
    return initial_rollout(parameters, word_length) + p.mixing_time + p.max_states * word_length - 1


def _phase2(model: Model, home: int, samples: Mapping[int, int], parameters: Parameters) -> int:
    """Plan through all states that need samples until one has enough, then plan again."""
    missing = {
        state: encoder_samples(parameters, model.states) - samples[state]
        for state in range(model.states)
    }
    steps = 0
    while short := {state: number for state, number in missing.items() if number > 0}:
        cycle = covering_cycle(model, home, parameters.mixing_time, through=short)
        passes = min(short.values())
        steps += len(cycle) * (1 + passes)
        for state in set(visits(model, home, cycle)):
            missing[state] -= passes
    return steps
