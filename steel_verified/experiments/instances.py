"""The paper's worlds by name: the parameters STEEL is given, the dynamics, and how a run starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.experiments import settings
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.driver import learn
from steel_verified.worlds.grid import grid
from steel_verified.worlds.multi_maze import multi_maze
from steel_verified.worlds.pictures import on_a_circle
from steel_verified.worlds.prime_loops import double_prime, single_prime
from steel_verified.worlds.truth import Findings, Truth, compare

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.learning.classes import Marks
    from steel_verified.learning.oracle import Oracle
    from steel_verified.learning.steel import Learned, State
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.simulated import SimulatedWorld

Batch = TypeVar("Batch")
Seen = TypeVar("Seen")


class Drawn(Protocol[Batch, Seen]):
    """What every world of the paper has, once it is drawn from a seed."""

    @property
    def start(self) -> int: ...

    @property
    def first_action(self) -> int: ...

    def dynamics(self) -> Dynamics: ...

    def oracle(self) -> Oracle[Batch, Marks, int]: ...

    def world(self, noise_seed: int) -> SimulatedWorld[Batch]: ...

    def truth(self) -> Truth: ...

    def layout(self) -> list[tuple[float, float]]: ...

    def see(self, noise_seed: int) -> Callable[[int, int], Seen]: ...

    def picture(self, seen: Seen) -> NDArray[np.uint8]: ...


@dataclass(frozen=True)
class Run:
    """What a run learned, and how that compares with the truth."""

    learned: Learned[int]
    truth: Truth
    findings: Findings


class Runner(Protocol):
    """Runs STEEL on an instance."""

    def __call__(
        self,
        noise_seed: int,
        parameters: Parameters,
        *,
        first_action: int,
        with_encoder: bool,
        watch: Callable[[State[Marks, int]], None] | None,
    ) -> Run: ...


@dataclass(frozen=True)
class Instance:
    """A world to run STEEL on, or to predict it on. A table of one's own can only be predicted."""

    name: str
    parameters: Parameters
    dynamics: Dynamics
    start: int
    first_action: int
    run: Runner | None
    layout: list[tuple[float, float]]
    """Where to draw each state."""
    show: Callable[[int, int, int], NDArray[np.uint8]] | None
    """A picture of what is observed with a noise seed, at a time, in a state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes that a person may choose; None for the world's own default."""

    states: int | None = None
    components: int | None = None
    least_noise: float | None = None
    mazes: int | None = None
    p: int | None = None
    q: int | None = None


_SIZES_OF: Final[dict[str, tuple[str, ...]]] = {
    "combination-lock": ("states", "components", "least_noise"),
    "multi-maze": ("mazes",),
    "double-prime": ("p", "q"),
    "single-prime": ("p", "q"),
    "grid": (),
}

NAMES: Final = tuple(_SIZES_OF)


def instance(name: str, env_seed: int, sizes: Sizes) -> Instance:
    """Draw the world of that name from a seed, with the paper's parameters for its size."""
    if name not in NAMES:
        raise InvalidArgument("WORLD", name, "one of " + ", ".join(NAMES))
    if env_seed < 0:
        raise InvalidArgument("env_seed", env_seed, "at least 0")
    _require_sizes_of(name, sizes)
    p = 11 if sizes.p is None else sizes.p
    q = 13 if sizes.q is None else sizes.q
    match name:
        case "combination-lock":
            states = 20 if sizes.states is None else sizes.states
            components = 512 if sizes.components is None else sizes.components
            least_noise = 0.1 if sizes.least_noise is None else sizes.least_noise
            lock = combination_lock(
                env_seed, states=states, components=components, least_noise=least_noise
            )
            return _instance(settings.combination_lock(states, components), lock)
        case "multi-maze":
            mazes = 9 if sizes.mazes is None else sizes.mazes
            return _instance(settings.multi_maze(mazes), multi_maze(env_seed, mazes=mazes))
        case "double-prime":
            loops = double_prime(env_seed, p=p, q=q)
            return _instance(settings.double_prime(p, q), loops)
        case "single-prime":
            loop = single_prime(env_seed, p=p, q=q)
            setting = replace(settings.double_prime(p, q), name=f"single-prime-{p}-{q}")
            return _instance(setting, loop)
        case _:
            return _instance(settings.grid(), grid(env_seed))


def _require_sizes_of(name: str, sizes: Sizes) -> None:
    for size in ("states", "components", "least_noise", "mazes", "p", "q"):
        value: object = getattr(sizes, size)
        if value is not None and size not in _SIZES_OF[name]:
            owners = " and ".join(world for world in NAMES if size in _SIZES_OF[world])
            raise InvalidArgument(size, value, f"nothing: only {owners} can have it")


def _instance(setting: settings.Setting, drawn: Drawn[Batch, Seen]) -> Instance:
    def run(
        noise_seed: int,
        parameters: Parameters,
        *,
        first_action: int,
        with_encoder: bool,
        watch: Callable[[State[Marks, int]], None] | None,
    ) -> Run:
        world = drawn.world(noise_seed)
        learned = learn(
            world,
            drawn.oracle(),
            parameters,
            first_action=first_action,
            with_encoder=with_encoder,
            watch=watch,
        )
        truth = drawn.truth()
        return Run(learned, truth, compare(learned, truth, world.state))

    def show(noise_seed: int, time: int, state: int) -> NDArray[np.uint8]:
        return drawn.picture(drawn.see(noise_seed)(time, state))

    return Instance(
        name=setting.name,
        parameters=setting.parameters,
        dynamics=drawn.dynamics(),
        start=drawn.start,
        first_action=drawn.first_action,
        run=run,
        layout=drawn.layout(),
        show=show,
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
    return Instance(
        name=name,
        parameters=parameters,
        dynamics=dynamics,
        start=0,
        first_action=0,
        run=None,
        layout=on_a_circle(dynamics.states),
        show=None,
    )
