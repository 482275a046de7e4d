"""What looped, located and certain STEEL cost on the same worlds, and how costs grow with sizes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Final

from bench.growth import AXES, STATES
from proofs_checks.checker.judging import judged
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import accepted
from steel_verified.sweeps.study import Job
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import CombinationLock
from steel_verified.worlds.dynamics import compare
from steel_verified.worlds.multi_maze import MultiMaze

from .alone import alone

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.drive import AnyMethod
    from steel_verified.sweeps.study import Row
    from steel_verified.theory.parameters import Parameters

METHODS: Final = ("looped", "located", "certain")
LARGE: Final = {"looped": (100,), "located": (100, 200, 400, 1000), "certain": (200, 1000)}
"""Numbers of states that only some methods reach in little time."""


def method_of(name: str, p: Parameters, first_action: int) -> AnyMethod:
    match name:
        case "looped":
            return Looped(p, first_action)
        case "located":
            return Located(p, first_action)
        case _:
            return Certain(p.class_size, p.actions, first_action)


def measured(drawn: CombinationLock | MultiMaze, method: AnyMethod) -> Row:
    """Learn, write and check: the seconds of each, and sizes. The model must be right."""
    world, oracle = drawn.world(0), drawn.oracle()
    began = process_time()
    learned = accepted(checked_run(world, oracle, method, max_steps=10**9))
    learnt = process_time()
    assert compare(learned, drawn.truth(), world.state).all_right
    data = certificate_of_run(learned, oracle, provenance("a study", 0, 0))
    written = process_time()
    assert not judged(data).findings
    spent = (learnt - began, written - learnt, process_time() - written)
    return {
        "steps": learned.ledger.steps,
        "learn": round(1000 * spent[0]),
        "write": round(1000 * spent[1]),
        "check": round(1000 * spent[2]),
        "bytes": len(data),
    }


def on_world(name: str, sizes: dict[str, int], method: str) -> Row:
    chosen = instance(name, 0, **sizes)
    drawn = chosen.simulation.drawn
    assert isinstance(drawn, CombinationLock | MultiMaze)
    return measured(drawn, method_of(method, chosen.parameters, chosen.first_action))


def on_lock(lock: CombinationLock, p: Parameters, method: str) -> Row:
    return measured(lock, method_of(method, p, lock.first_action))


_FEWER: Final = {
    "K": (10, 20, 40, 80),
    "|A|": (2, 4, 8, 16),
    "noise bits": (128, 512, 2048, 8192),
    "N": (30, 60, 120, 240),
}
_SIZES: Final = (512, 1 << 14, 1 << 19, 1 << 24)
GROWING: Final = {
    (axis.name, method): _FEWER[axis.name]
    for axis in AXES
    if axis.name in _FEWER
    for method in METHODS
    if (axis.name, method) != ("N", "certain")
} | {("|F|, declared", "looped"): _SIZES}
"""The values of each quantity for each method. Certain STEEL is given no N, and for a finite class
the bits of a row are the classifiers; looped STEEL is given their number."""


def grown(quantity: str, value: int, method: str) -> Row:
    """A run on the lock of `bench.growth` with another value of one quantity."""
    if quantity == "|F|, declared":
        axis = next(axis for axis in AXES if axis.name == "K")
        return on_lock(
            axis.lock(STATES), replace(axis.parameters(STATES), class_size=value), method
        )
    axis = next(axis for axis in AXES if axis.name == quantity)
    lock = axis.lock(value)
    size = lock.oracle().class_size
    return on_lock(lock, replace(axis.parameters(value), class_size=size), method)


WORLDS: Final[dict[str, tuple[str, dict[str, int]]]] = {
    **{
        f"lock, K = {states}": (
            "combination-lock",
            {"states": states, "components": max(512, 1 << states.bit_length())},
        )
        for states in (20, 30, 40, 100, 200, 400, 1000)
    },
    "multi-maze": ("multi-maze", {}),
}


def reached(world: str) -> tuple[str, ...]:
    """The methods that run on a world."""
    states = WORLDS[world][1].get("states", 0)
    return tuple(m for m in METHODS if states <= 40 or states in LARGE[m])


def world_key(world: str, method: str) -> str:
    return f"costs {method} on {world}"


def growth_key(quantity: str, value: int, method: str) -> str:
    return f"growth {method} {quantity}={value}"


def _job(key: str, work: Callable[[], Row]) -> Job:
    return Job(key, partial(alone, work))


def method_jobs() -> list[Job]:
    """All runs of this part of the study."""
    worlds = [
        _job(world_key(name, method), partial(on_world, *of, method))
        for name, of in WORLDS.items()
        for method in reached(name)
    ]
    growing = [
        _job(growth_key(quantity, value, method), partial(grown, quantity, value, method))
        for (quantity, method), values in GROWING.items()
        for value in values
    ]
    return worlds + growing
