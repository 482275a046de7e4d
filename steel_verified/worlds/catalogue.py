"""The catalogue of the paper's worlds. To add a world, add an entry here, and its module.

For these worlds the truth is known, so a bound that is too small is reported before the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.theory.conditions import Condition
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.grid import COLUMNS, ROWS, grid
from steel_verified.worlds.instances import RunnableInstance, Simulation, simulation
from steel_verified.worlds.multi_maze import CELLS, SIDE, multi_maze
from steel_verified.worlds.prime_loops import prime_loops, require_primes

if TYPE_CHECKING:
    from steel_verified.learning.drive import AnyMethod

Number = TypeVar("Number", int, float)

Sizes: TypeAlias = Mapping[str, float]
"""Chosen sizes by name. A size that is left out has its default."""


@dataclass(frozen=True, slots=True)
class Size(Generic[Number]):
    """A number that a user can choose; its limits are checked when a world is drawn."""

    name: str
    number: type[Number]
    default: Number
    help: str

    def of(self, sizes: Sizes) -> Number:
        if self.name not in sizes:
            return self.default
        value = sizes[self.name]
        if not isfinite(value):
            raise InvalidArgument(self.name, value, "a finite number")
        number = self.number(value)
        if number != value:
            raise InvalidArgument(self.name, value, "an integer")
        return number


AnySize: TypeAlias = Size[int] | Size[float]


@dataclass(frozen=True, slots=True)
class Setting:
    """The parameters that a learner is given, the true extent, and the place in the paper."""

    name: str
    parameters: Parameters
    extent: Extent
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of world: everything that commands, experiments, figures and Gymnasium use."""

    name: str
    sizes: tuple[AnySize, ...] = ()
    setting: Callable[[Sizes], Setting]
    draw: Callable[[int, Sizes], Simulation]
    """Draws a world from a seed; raises `InvalidArgument` for sizes outside their limits."""
    width: Callable[[Sizes], int]
    """The number of bits of an observation, or the number of different observations."""
    shows_bits: bool = False
    """Whether observations are vectors of bits; otherwise they are numbers from 0 on."""
    letters: str = ""
    """A letter for each action, if the paper uses letters."""

    @property
    def gymnasium_id(self) -> str:
        title = "".join(word.capitalize() for word in self.name.split("-"))
        return f"steel_verified/{title}-v0"

    def instance(self, env_seed: int, sizes: Sizes) -> RunnableInstance:
        """Draw a world from a seed, with the paper's parameters for its sizes."""
        if env_seed < 0:
            raise InvalidArgument("env_seed", env_seed, "at least 0")
        simulation = self.draw(env_seed, sizes)
        drawn = simulation.drawn
        setting = self.setting(sizes)
        return RunnableInstance(
            name=setting.name,
            parameters=setting.parameters,
            dynamics=drawn.dynamics(),
            start=drawn.start,
            first_action=drawn.first_action,
            layout=drawn.layout(),
            letters=self.letters,
            env_seed=env_seed,
            simulation=simulation,
            width=self.width(sizes),
        )


_STATES: Final = Size("states", int, 20, "K, of the combination lock")
_COMPONENTS: Final = Size("components", int, 512, "L, the bits of the lock's display")
_LEAST_NOISE: Final = Size("least_noise", float, 0.1, "Least flicker probability of the lock")
_MAZES: Final = Size("mazes", int, 9, "Number of mazes, of the multi-maze")
_P: Final = Size("p", int, 11, "The smaller prime, of the prime loops")
_Q: Final = Size("q", int, 13, "The larger prime, of the prime loops")


def _given(
    actions: int, bounds: tuple[int, int], mixing_time: int, class_size: int, epsilon: str = "0.05"
) -> Parameters:
    """The parameters of a learner: N, D̂, t̂_mix, |F| and ε; δ is 0.05 everywhere."""
    return Parameters(
        actions=actions,
        max_states=bounds[0],
        max_diameter=bounds[1],
        mixing_time=mixing_time,
        class_size=class_size,
        delta=Fraction("0.05"),
        epsilon=Fraction(epsilon),
    )


def _lock_setting(sizes: Sizes) -> Setting:
    """N = D̂ = K + 10, and a classifier for each of the L components (caption of Table 2)."""
    states = _STATES.of(sizes)
    given = _given(2, (states + 10, states + 10), 40, _COMPONENTS.of(sizes))
    # A wrong action leads to 0, the right ones to the next state: 0 → K−1 is the longest path.
    extent = Extent(states, max(states - 1, 0))
    return Setting(f"combination-lock-{states}", given, extent, "Table 2 (l. 270)")


def _lock(env_seed: int, sizes: Sizes) -> Simulation:
    states, components = _STATES.of(sizes), _COMPONENTS.of(sizes)
    least_noise = _LEAST_NOISE.of(sizes)
    return simulation(
        combination_lock(env_seed, states=states, components=components, least_noise=least_noise)
    )


def _cells(sizes: Sizes) -> int:
    """The number of cells of all mazes, walls included. Each is one bit and one classifier."""
    return _MAZES.of(sizes) * SIDE * SIDE


def _maze_setting(sizes: Sizes) -> Setting:
    """Mazes of 11 × 11 cells (caption of Table 2)."""
    given = _given(4, (80, 80), 300, _cells(sizes))
    return Setting("multi-maze", given, Extent(len(CELLS), 16), "Table 2 (l. 270)")


def _prime_setting(name: str, copies: int, sizes: Sizes) -> Setting:
    """The bounds are those of two loops, even if there is one; F has 3q classifiers (l. 1915)."""
    p, q = _P.of(sizes), _Q.of(sizes)
    require_primes(p, q)
    given = _given(2, (2 * q, 2 * q), 1, 3 * q, epsilon="0.49")
    # The longest path starts in 1 and goes around to 0. With two loops it goes on: across, around
    # to 0', and to the state before the end of the crossing.
    extent = Extent(copies * q, copies * q - 1)
    return Setting(f"{name}-{p}-{q}", given, extent, "Table 3 (l. 1915)")


def _primes(copies: int, env_seed: int, sizes: Sizes) -> Simulation:
    return simulation(prime_loops(env_seed, copies, p=_P.of(sizes), q=_Q.of(sizes)))


def _grid_setting(_: Sizes) -> Setting:
    """The paper gives no parameters for Figure 1, so these are the true values."""
    return Setting("grid", _given(4, (6, 3), 1, 6), Extent(6, 3), "Figure 1 (l. 196)")


KINDS: Final = (
    Kind(
        name="combination-lock",
        sizes=(_STATES, _COMPONENTS, _LEAST_NOISE),
        setting=_lock_setting,
        draw=_lock,
        width=_COMPONENTS.of,
        shows_bits=True,
    ),
    Kind(
        name="multi-maze",
        sizes=(_MAZES,),
        setting=_maze_setting,
        draw=lambda env_seed, sizes: simulation(multi_maze(env_seed, mazes=_MAZES.of(sizes))),
        width=_cells,
        shows_bits=True,
        letters="URDL",
    ),
    *(
        Kind(
            name=name,
            sizes=(_P, _Q),
            setting=partial(_prime_setting, name, copies),
            draw=partial(_primes, copies),
            width=lambda sizes: 2 * _Q.of(sizes),
        )
        for name, copies in (("double-prime", 2), ("single-prime", 1))
    ),
    Kind(
        name="grid",
        setting=_grid_setting,
        draw=lambda env_seed, _: simulation(grid(env_seed)),
        width=lambda _: ROWS * COLUMNS,
        letters="UDLR",
    ),
)

NAMES: Final = tuple(kind.name for kind in KINDS)
DEFAULT: Final = NAMES[0]
SIZES: Final[tuple[AnySize, ...]] = tuple(
    dict.fromkeys(size for kind in KINDS for size in kind.sizes)
)
"""The sizes of all kinds; kinds may share a size."""


def kind_of(name: str, sizes: Sizes) -> Kind:
    kind = next((kind for kind in KINDS if kind.name == name), None)
    if kind is None:
        raise InvalidArgument("WORLD", name, "one of " + ", ".join(NAMES))
    for size, value in sizes.items():
        if all(size != own.name for own in kind.sizes):
            owners = [k.name for k in KINDS if any(size == own.name for own in k.sizes)]
            expected = f"nothing: only {' and '.join(owners)} can have it"
            raise InvalidArgument(size, value, expected if owners else "nothing: no world has it")
    return kind


def setting(name: str, /, **sizes: float) -> Setting:
    return kind_of(name, sizes).setting(sizes)


def instance(name: str, env_seed: int, /, **sizes: float) -> RunnableInstance:
    return kind_of(name, sizes).instance(env_seed, sizes)


@dataclass(frozen=True, slots=True)
class FalseBound:
    """A bound that is too small, or not known to be large enough."""

    condition: Condition
    argument: str
    symbol: str
    given: int
    needed: int
    because: str
    """The known fact about the world that makes the bound too small."""


def false_bounds(chosen: RunnableInstance, method: AnyMethod) -> tuple[FalseBound, ...]:
    """The bounds that the method uses and that are smaller than the known truth."""
    p, extent = chosen.parameters, chosen.extent
    used = {} if method.parameters is None else {each.name for each in fields(method.parameters)}
    mixing = chosen.simulation.drawn.truth().mixing_time
    too_many = f"there are {extent.states:,} states"
    unproven = f"only {mixing:,} is proven to be enough"
    too_far = f"some state is {extent.diameter:,} steps away from another"
    compared = (
        (Condition.MAX_STATES, "max_states", "N", p.max_states, extent.states, too_many),
        (Condition.MIXING, "mixing_time", "t̂_mix", p.mixing_time, mixing, unproven),
        (Condition.MAX_DIAMETER, "max_diameter", "D̂", p.max_diameter, extent.diameter, too_far),
    )
    bounds = (FalseBound(*bound) for bound in compared)
    return tuple(each for each in bounds if each.given < each.needed and each.argument in used)
