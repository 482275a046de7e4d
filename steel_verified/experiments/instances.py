"""The paper's worlds by name: the parameters STEEL is given, the dynamics, and how a run starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol

from steel_verified.errors import InvalidArgument
from steel_verified.experiments import settings
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.grid import grid
from steel_verified.worlds.multi_maze import multi_maze
from steel_verified.worlds.prime_loops import double_prime, single_prime

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics


class Drawn(Protocol):
    """What every world of the paper has, once it is drawn from a seed."""

    @property
    def start(self) -> int: ...

    @property
    def first_action(self) -> int: ...

    def dynamics(self) -> Dynamics: ...


@dataclass(frozen=True)
class Instance:
    """A world to run STEEL on, or to predict it on."""

    name: str
    parameters: Parameters
    dynamics: Dynamics
    start: int
    first_action: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes that a person may choose; None for the world's own default."""

    states: int | None = None
    p: int | None = None
    q: int | None = None


NAMES: Final = ("combination-lock", "multi-maze", "double-prime", "single-prime", "grid")

_SIZES_OF: Final = {
    "combination-lock": {"states"},
    "double-prime": {"p", "q"},
    "single-prime": {"p", "q"},
}


def instance(name: str, env_seed: int, sizes: Sizes) -> Instance:
    """Draw the world of that name from a seed, with the paper's parameters for its size."""
    for size in ("states", "p", "q"):
        if getattr(sizes, size) is not None and size not in _SIZES_OF.get(name, set()):
            owners = ", ".join(world for world in NAMES if size in _SIZES_OF.get(world, set()))
            raise InvalidArgument(size, getattr(sizes, size), f"nothing: only {owners} has it")
    if env_seed < 0:
        raise InvalidArgument("env_seed", env_seed, "at least 0")
    states = 20 if sizes.states is None else sizes.states
    p = 11 if sizes.p is None else sizes.p
    q = 13 if sizes.q is None else sizes.q
    drawn: Drawn
    match name:
        case "combination-lock":
            drawn = combination_lock(env_seed, states=states)
            setting = settings.combination_lock(states)
        case "multi-maze":
            drawn = multi_maze(env_seed)
            setting = settings.multi_maze()
        case "double-prime":
            drawn = double_prime(env_seed, p=p, q=q)
            setting = settings.double_prime(p, q)
        case "single-prime":
            drawn = single_prime(env_seed, p=p, q=q)
            setting = replace(settings.double_prime(p, q), name=f"single-prime-{p}-{q}")
        case "grid":
            drawn = grid(env_seed)
            setting = settings.grid()
        case _:
            raise InvalidArgument("WORLD", name, "one of " + ", ".join(NAMES))
    return Instance(
        setting.name, setting.parameters, drawn.dynamics(), drawn.start, drawn.first_action
    )


def instance_of_table(name: str, dynamics: Dynamics) -> Instance:
    """A world of one's own, with bounds that are the truth and an error of 1/20 allowed."""
    parameters = Parameters(
        actions=dynamics.actions,
        max_states=dynamics.states,
        max_diameter=dynamics.diameter,
        mixing_time=1,
        class_size=dynamics.states,
        delta=Fraction(1, 20),
        epsilon=Fraction(1, 20),
    )
    return Instance(name, parameters, dynamics, start=0, first_action=0)
