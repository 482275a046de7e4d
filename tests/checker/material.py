"""Certificates of looped and located runs, and a learner that replays the rows of a file."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from proofs_checks.checker.classes import Finite
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed, canonical
from steel_verified.classes.finite import Components
from steel_verified.classes.rows import PackedBits
from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.evidence.oracle import Declared
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted
from steel_verified.theory.parameters import LocatedParameters, Parameters
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run

from ..certificates import content
from ..certificates.content import as_json
from ..learning.scenes import HASTY, PERIODIC, random_scene
from ..worlds.kept_runs import certified

if TYPE_CHECKING:
    from proofs_checks.checker.located_record import Certificate
    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression

    from ..certificates.content import Value
    from ..learning.scenes import Scene


def written_looped(learned: Accepted) -> bytes:
    """Return the certificate of a finished run."""
    result = learned.model.table, learned.current, learned.classifiers
    return certificate(learned.ledger, None, *result, provenance("test", 0, 0))


def parameters_for(truth: Dynamics, **changes: int | Fraction) -> Parameters:
    """Return bounds that are true for these dynamics, except for the changed ones."""
    bounds: dict[str, int | Fraction] = {
        "actions": truth.actions,
        "max_states": truth.states,
        "max_diameter": max(truth.states - 1, 0),
        "mixing_time": 2,
        "class_size": truth.states,
        "delta": Fraction(1, 20),
        "epsilon": Fraction(1, 2),
    }
    return Parameters(**{**bounds, **changes})  # type: ignore[arg-type]  # a value of its field's type


def ideal(truth: Dynamics, *, with_encoder: bool = True, **changes: int | Fraction) -> bytes:
    """The certificate of a run on dynamics without noise."""
    recipe = Looped(parameters_for(truth, **changes))
    return written_looped(ideal_run(truth, 0, recipe, with_encoder=with_encoder))


@cache
def lock() -> bytes:
    """Return the certificate of a small real run (computed once)."""
    return certified("looped", instance("combination-lock", 0, states=4, components=30))


@cache
def looped_runs() -> dict[str, bytes]:
    """Certificates of every shape: with and without tour, encoder, period tests, second plans."""
    swap = Dynamics(((1, 0), (0, 1)))
    return {
        "lock": lock(),
        "two states, one plan in each call": ideal(swap, mixing_time=1),
        "two plans in a call": ideal(swap, mixing_time=30, max_diameter=10**6),
        "three states": ideal(Dynamics(((1, 0), (2, 0), (0, 2))), max_states=4),
        "no tour": ideal(swap, max_diameter=10**80),
        "one state": ideal(Dynamics(((0, 0),))),
        "dynamics only": ideal(Dynamics(((1, 1), (2, 0), (0, 0))), with_encoder=False),
    }


def resealed(value: Value) -> bytes:
    """Return the tampered certificate with a recomputed digest."""
    assert isinstance(value, dict)
    return content.written(value)


def sealed(*lines: bytes) -> bytes:
    """Return a file of these lines, with their digest."""
    content = b"".join(line + b"\n" for line in lines)
    digest = hashlib.sha256(content).hexdigest()
    return content + canonical({"kind": "end", "digest": digest}) + b"\n"


def verdict(data: bytes) -> str:
    try:
        return "rejected" if judged(data).findings else "accepted"
    except Malformed:
        return "malformed"


def broken_rules(data: bytes) -> set[str]:
    """Return the names of the rules that a certificate breaks."""
    return {finding.rule for finding in judged(data).findings}


def finite(certificate: Certificate) -> Finite:
    """The class of a certificate, which must be finite."""
    assert isinstance(certificate.functions, Finite)
    return certificate.functions


def written_located(learned: Accepted, functions: Declared) -> bytes:
    """The certificate of an accepted located run."""
    result = learned.model.table, learned.current, learned.classifiers
    return certificate(learned.ledger, functions, *result, provenance("test", 0, 0))


# --- runs of every kind ---------------------------------------------------------------------------


def run_of(scene: Scene) -> bytes | None:
    """The certificate of a run; None if it was not accepted."""
    recipe = Located(scene.parameters)
    result = checked_run(
        scene.world(),
        scene.oracle,
        replace(recipe, first_action=scene.first_action),
        max_steps=20000,
    )
    return written_located(result, scene.oracle.declared) if isinstance(result, Accepted) else None


def accepted_run(scene: Scene) -> bytes:
    """The same, of a run that was accepted."""
    data = run_of(scene)
    assert data is not None
    return data


@cache
def located_runs() -> dict[str, bytes]:
    """Certificates of small located runs, of every kind."""
    lock = instance("combination-lock", 0, states=4, components=30)
    return {
        "grid": certified("located", instance("grid", 0)),
        "single-prime": certified("located", instance("single-prime", 0, p=3, q=5)),
        "lock": certified("located", lock),
        "first round failed": accepted_run(HASTY),
        "loop that goes on": accepted_run(PERIODIC),
        "two states": accepted_run(random_scene(126)),
        "two rounds": accepted_run(random_scene(261)),
        "three rounds": accepted_run(random_scene(381)),
        "loop when lost": accepted_run(random_scene(353)),
        "loop when lost, merged by congruence": accepted_run(random_scene(2821)),
        "labels without a way back": accepted_run(random_scene(527)),
    }


# --- the learner on recorded rows -----------------------------------------------------------------


class NotRecorded(Exception):
    """The learner requests a row that is not in the file."""


@dataclass
class Replayed:
    """A world that shows the rows of a certificate at the steps at which they were read."""

    actions: int
    width: int
    rows: dict[int, bytes]
    """By the step of the whole trajectory."""
    steps: int = 0
    start: int = field(default=0, init=False)

    def run(self, plan: Plan) -> RecordedRows:
        self.start = self.steps - plan.done
        self.steps += plan.steps
        return RecordedRows(self)


@dataclass(frozen=True)
class RecordedRows:
    world: Replayed

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[PackedBits, ...]:
        found = []
        for pieces in datasets:
            steps = [self.world.start + time for piece in pieces for time in piece]
            if not set(steps) <= self.world.rows.keys():
                raise NotRecorded
            rows = b"".join(self.world.rows[step] for step in steps)
            packed = np.frombuffer(rows, dtype=np.uint8).reshape(len(steps), -1)
            found.append(PackedBits(packed, self.world.width))
        return tuple(found)


def replayed(data: bytes) -> bytes | None:
    """The certificate that the learner writes if it is shown the rows of a file, in its world.

    Parameters, class, first action and what is said for people are taken from the file. None if it
    asks for rows that are not there, or does not accept.
    """
    c = json.loads(as_json(data))
    p, width, rows = c["parameters"], c["class"]["width"], dict[int, bytes]()
    size, loop = -(-width // 8), 0
    for entry in c["record"]:
        if entry["kind"] == "ran":
            loop = entry["start"] - entry["done"]
        elif entry["kind"] == "seen":
            seen = base64.b64decode(entry["rows"])
            for number, time in enumerate(entry["times"]):
                rows[loop + time] = seen[number * size : (number + 1) * size]
    parameters = LocatedParameters(
        actions=p["actions"],
        max_states=p["max_states"],
        mixing_time=p["mixing_time"],
        delta=Fraction(p["delta"]),
        epsilon=Fraction(p["epsilon"]),
    )
    first_action = c["record"][0]["word"][0]
    world = Replayed(p["actions"], width, rows)
    try:
        result = checked_run(
            world, Components(width), Located(parameters, first_action=first_action)
        )
    except NotRecorded:
        return None
    if not isinstance(result, Accepted):
        return None
    again = json.loads(
        as_json(written_located(result, Declared(c["class"]["name"], c["class"]["entries"], width)))
    )
    return resealed({**again, "assumptions": c["assumptions"], "provenance": c["provenance"]})
