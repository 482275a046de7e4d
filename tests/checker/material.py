"""Certificates for the tests of the checker."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from proofs_checks.checker.looped import check, read
from proofs_checks.checker.reading import Malformed
from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.learning.looped import Looped
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run
from tests.worlds.kept_runs import certified

from ..certificates import content

if TYPE_CHECKING:
    from steel_verified.learning.results import Accepted

    from ..certificates.content import Value


def written(learned: Accepted) -> bytes:
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
    return written(ideal_run(truth, 0, recipe, with_encoder=with_encoder))


@cache
def lock() -> bytes:
    """Return the certificate of a small real run (computed once)."""
    return certified("looped", instance("combination-lock", 0, states=4, components=30))


@cache
def small() -> dict[str, bytes]:
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


def verdict(data: bytes) -> str:
    try:
        return "rejected" if check(read(data)) else "accepted"
    except Malformed:
        return "malformed"


def broken_rules(data: bytes) -> set[str]:
    """Return the names of the rules that a certificate breaks."""
    return {finding.rule for finding in check(read(data))}
