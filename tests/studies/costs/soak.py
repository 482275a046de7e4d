"""The soak: a thousand random worlds of up to 100 states, with all methods that fit them.

Each run has a process of its own with limits of memory and time. Every accepted model is compared
with the truth, and its certificate is checked by both checkers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed
from proofs_checks.checker.verified import NotVerified
from steel_verified.classes.finite import Components
from steel_verified.evidence.certificate import provenance
from steel_verified.evidence.oracle import of_kind
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.learning.slipping import Slipping
from steel_verified.sweeps.study import Job
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.ideal import ideal_run
from tests.learning.random_worlds import parameters_for, random_world

from .alone import Crashed, alone

if TYPE_CHECKING:
    from steel_verified.learning.drive import AnyMethod
    from steel_verified.sweeps.study import Row
    from steel_verified.theory.parameters import LocatedParameters
    from tests.learning.random_worlds import BitWorld

WORLDS: Final = {"located": 1000, "certain": 1000, "slipping": 500, "looped": 1000}
EACH: Final = 20
"""Worlds of a job."""
MOST_STATES: Final = {"located": 100, "certain": 100, "slipping": 30, "looped": 10}
"""The larger worlds would take slipping a minute, and looped millions of steps."""
DELTA: Final = Fraction(1, 10**9)
"""Of each run: all together are wrong with chance at most 10^−5."""
MOST_STEPS: Final = {"located": 30_000, "certain": 10_000, "slipping": 3_000, "looped": 300_000}
"""A run ends as open after so many steps. Looped runs are made if they are predicted to be as
short."""
PROGRAMS: Final = ("located", "certain")
"""The methods whose runs the extracted checkers read."""
RIGHT, OPEN, WRONG, REFUSED, CRASHED, LEFT_OUT = "RONXC-"
"""How a run ended: X if a checker refused its certificate, - if it was not made."""


def made(name: str, world: BitWorld, p: LocatedParameters, first: int) -> AnyMethod | None:
    """The method; None if it does not fit the world, or would take too many steps."""
    size = len(world.bits)
    match name:
        case "located":
            return Located(p, first)
        case "certain":
            return Certain(size, p.actions, first)
        case "slipping":
            return Slipping(Fraction(1, 1000), size, p.actions, DELTA, first)
    bounds = Parameters(
        actions=p.actions,
        max_states=p.max_states,
        max_diameter=max(1, world.dynamics.diameter),
        mixing_time=p.mixing_time,
        class_size=size,
        delta=p.delta,
        epsilon=p.epsilon,
    )
    looped = Looped(bounds, first)
    predicted = ideal_run(world.dynamics, world.start, looped, first_action=first).ledger.steps
    return looped if predicted <= MOST_STEPS[name] else None


def ended(name: str, seed: int) -> Row:
    """Run a method on a random world: how it ended, its steps, and whether both checkers accept."""
    rng = np.random.default_rng(seed)
    truth = random_world(rng, MOST_STATES[name])
    p = parameters_for(rng, truth, DELTA)
    oracle, world = Components(len(truth.bits)), truth.world(seed)
    method = made(name, truth, p, int(rng.integers(p.actions)))
    if method is None:
        return {"fate": LEFT_OUT, "steps": 0, "twice": 0}
    result = checked_run(world, oracle, method, max_steps=MOST_STEPS[name])
    steps = result.ledger.steps
    if not isinstance(result, Accepted):
        is_false = isinstance(result, Contradicted) and truth.dynamics.states > 1
        return {"fate": WRONG if is_false else OPEN, "steps": steps, "twice": 0}
    meaning = relabelling(result.model, result.current, truth.dynamics, world.state)
    if meaning is None:
        return {"fate": WRONG, "steps": steps, "twice": 0}
    if name == "located":
        found = of_kind(int, *(result.classifiers or ()))
        errors = [truth.error(found, label, state) for label, state in enumerate(meaning)]
        if max(errors) > p.epsilon:
            return {"fate": WRONG, "steps": steps, "twice": 0}
    data = certificate_of_run(result, oracle, provenance("the soak", seed, seed))
    refused, twice = False, 0
    try:
        verdict = judged(data)
        refused = bool(verdict.findings or verdict.verified())
        twice = int(not refused)
    except Malformed:
        refused = True
    except NotVerified:  # this checker reads neither looped nor slipping runs
        assert name not in PROGRAMS, "build the extracted checkers: make proofs"
    return {"fate": REFUSED if refused else RIGHT, "steps": steps, "twice": twice}


def soaked(name: str, first: int) -> Row:
    """Some worlds, from a seed on. Times and memory depend on the machine."""
    rows: list[Row] = []
    for seed in range(first, first + EACH):
        try:
            rows.append(alone(partial(ended, name, seed)))
        except Crashed:
            rows.append(
                {"fate": CRASHED, "steps": 0, "twice": 0, "milliseconds": 0, "megabytes": 0}
            )
    listed = {key: [row[key] for row in rows] for key in ("steps", "milliseconds", "megabytes")}
    twice = sum(row["twice"] == 1 for row in rows)
    return {"fates": "".join(str(row["fate"]) for row in rows), "twice": twice, **listed}


def soak_key(name: str, first: int) -> str:
    return f"soak {name} from {first}"


def soak_jobs() -> list[Job]:
    """All runs of this part of the study."""
    return [
        Job(soak_key(name, first), partial(soaked, name, first))
        for name, worlds in WORLDS.items()
        for first in range(0, worlds, EACH)
    ]
