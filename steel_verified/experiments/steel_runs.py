"""Experiments with STEEL: runs by seeds, each held against its prediction and its certificate."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.evidence.codec import sealed
from steel_verified.experiments import settings
from steel_verified.experiments.instances import Sizes, instance
from steel_verified.experiments.released import released_steps
from steel_verified.experiments.study import Job, at_once
from steel_verified.theory.recipe import paper
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.prime_loops import PrimeLoops

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from steel_verified.experiments.study import Row, Study


@dataclass(frozen=True, slots=True)
class Seeds:
    """Which instance of a world, and which noise."""

    env: int
    noise: int


@dataclass(frozen=True, slots=True)
class SteelRuns:
    """Runs of STEEL on one kind of world, with the paper's parameters for its size."""

    world: str
    sizes: Sizes
    seeds: tuple[Seeds, ...]

    @property
    def keys(self) -> list[str]:
        """Under which the rows of these runs are kept."""
        return [_key(self, seeds) for seeds in self.seeds]


def study(groups: Iterable[SteelRuns], accepts: Callable[[bytes], bool]) -> Study:
    """All runs of these groups. `accepts` is the checker of certificates, handed in from outside.

    It must be a function that another process can import.
    """
    return at_once(
        Job(_key(group, seeds), partial(steel_run, group.world, group.sizes, seeds, accepts))
        for group in groups
        for seeds in group.seeds
    )


def _key(group: SteelRuns, seeds: Seeds) -> str:
    chosen = {name: size for name, size in asdict(group.sizes).items() if size is not None}
    sizes = "".join(f" {name}={size}" for name, size in chosen.items())
    return f"steel {group.world}{sizes} env={seeds.env:02d} noise={seeds.noise:02d}"


def steel_run(world: str, sizes: Sizes, seeds: Seeds, accepts: Callable[[bytes], bool]) -> Row:
    """Run STEEL once, and say how it went. The row holds no clock: it is the same every time."""
    chosen = instance(world, seeds.env, sizes)
    assert chosen.run is not None, "every named world can be run"
    run = chosen.run(
        seeds.noise,
        chosen.parameters,
        first_action=chosen.first_action,
        with_encoder=True,
        watch=None,
    )
    predicted = ideal_run(
        chosen.dynamics, chosen.start, chosen.parameters, first_action=chosen.first_action
    )
    recipe, ledger = paper(chosen.parameters), run.learned.ledger
    origin = provenance(chosen.name, {"env_seed": seeds.env, "noise_seed": seeds.noise})
    evidence = sealed(certificate(run.learned, recipe, origin))
    return {
        "world": chosen.name,
        "env_seed": seeds.env,
        "noise_seed": seeds.noise,
        "dynamics_right": run.findings.dynamics_right,
        "encoder_right": run.findings.encoder_right,
        "steps": ledger.steps,
        "calls": sum(1 for _ in ledger.calls()),
        "predicted_steps": predicted.ledger.steps,
        "as_predicted": ledger == predicted.ledger,
        "released_steps": released_steps(predicted, recipe),
        "delta_spent": str(ledger.budget.spent),
        "certificate_sha256": hashlib.sha256(evidence).hexdigest(),
        "certificate_accepted": accepts(evidence),
    }


def from_all_starts(pair: tuple[int, int]) -> Job:
    """Predict the run on DoublePrime from every start, with either first action."""
    p, q = pair
    return Job(f"steel double-prime p={p} q={q} from all starts", partial(_from_all_starts, pair))


def _from_all_starts(pair: tuple[int, int]) -> Row:
    """Exchanging the two copies changes nothing but names, so the starts in one are enough."""
    parameters = settings.double_prime(*pair).parameters
    dynamics = PrimeLoops(2, *pair, start=0, first_action=0).dynamics()
    runs = (
        ideal_run(dynamics, start, parameters, first_action=action)
        for start in range(pair[1])
        for action in range(2)
    )
    return {"predicted_steps": sorted(run.ledger.steps for run in runs)}
