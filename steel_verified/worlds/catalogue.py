"""The catalogue of the paper's worlds. To add a world, add an entry here, and its module.

An entry has the sizes that a user can choose, the parameters that the paper gives to a learner for
these sizes, a function that draws the world from a seed, and the type of its observations and
actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Final, Generic, TypeAlias, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.theory.conditions import Condition
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.grid import COLUMNS, ROWS, grid
from steel_verified.worlds.instances import RunnableInstance, Simulation, simulation
from steel_verified.worlds.multi_maze import CELLS, SIDE, multi_maze
from steel_verified.worlds.prime_loops import double_prime, require_primes, single_prime

Number = TypeVar("Number", int, float)

Sizes: TypeAlias = Mapping[str, float]
"""Chosen sizes by name. A size that is left out has its default."""


@dataclass(frozen=True, slots=True)
class Size(Generic[Number]):
    """A number that a user can choose for a kind of world.

    Limits are checked when the world is drawn, because some of them depend on several sizes.
    """

    name: str
    number: type[Number]
    default: Number
    help: str

    def of(self, sizes: Sizes) -> Number:
        """The chosen number or the default; raises `InvalidArgument` if it is not finite, or is
        a fraction where an integer is needed.
        """
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


@dataclass(frozen=True, slots=True)
class Bits:
    """Observations are vectors of this many bits."""

    count: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """Observations are numbers from 0 to count − 1."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of world: everything that commands, experiments, figures and Gymnasium use."""

    name: str
    sizes: tuple[AnySize, ...]
    setting: Callable[[Sizes], Setting]
    draw: Callable[[int, Sizes], Simulation]
    """Draws a world from a seed; raises `InvalidArgument` for sizes outside their limits."""
    observations: Callable[[Sizes], Bits | Numbers]
    letters: str = ""
    """A letter for each action, if the paper uses letters."""

    @property
    def gymnasium_id(self) -> str:
        """The name of the registered Gymnasium environment."""
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
            width=self.observations(sizes).count,
        )


_STATES: Final = Size("states", int, 20, "K, of the combination lock")
_COMPONENTS: Final = Size("components", int, 512, "L, the bits of the lock's display")
_LEAST_NOISE: Final = Size("least_noise", float, 0.1, "Least flicker probability of the lock")
_MAZES: Final = Size("mazes", int, 9, "Number of mazes, of the multi-maze")
_P: Final = Size("p", int, 11, "The smaller prime, of the prime loops")
_Q: Final = Size("q", int, 13, "The larger prime, of the prime loops")


def _lock_setting(sizes: Sizes) -> Setting:
    """N = D̂ = K + 10, and a classifier for each of the L components (caption of Table 2)."""
    states = _STATES.of(sizes)
    parameters = Parameters(
        actions=2,
        max_states=states + 10,
        max_diameter=states + 10,
        mixing_time=40,
        class_size=_COMPONENTS.of(sizes),
        delta=Fraction("0.05"),
        epsilon=Fraction("0.05"),
    )
    # A wrong action leads to 0, the right ones to the next state: 0 → K−1 is the longest path.
    extent = Extent(states, max(states - 1, 0))
    return Setting(f"combination-lock-{states}", parameters, extent, "Table 2 (l. 270)")


def _lock(env_seed: int, sizes: Sizes) -> Simulation:
    return simulation(
        combination_lock(
            env_seed,
            states=_STATES.of(sizes),
            components=_COMPONENTS.of(sizes),
            least_noise=_LEAST_NOISE.of(sizes),
        )
    )


def _cells(sizes: Sizes) -> int:
    """The number of cells of all mazes, walls included. Each is one bit and one classifier."""
    return _MAZES.of(sizes) * SIDE * SIDE


def _maze_setting(sizes: Sizes) -> Setting:
    """Mazes of 11 × 11 cells (caption of Table 2)."""
    parameters = Parameters(
        actions=4,
        max_states=80,
        max_diameter=80,
        mixing_time=300,
        class_size=_cells(sizes),
        delta=Fraction("0.05"),
        epsilon=Fraction("0.05"),
    )
    return Setting("multi-maze", parameters, Extent(len(CELLS), 16), "Table 2 (l. 270)")


def _prime_parameters(q: int) -> Parameters:
    """The bounds are those of two loops, even if there is one; F has 3q classifiers (l. 1915)."""
    return Parameters(
        actions=2,
        max_states=2 * q,
        max_diameter=2 * q,
        mixing_time=1,
        class_size=3 * q,
        delta=Fraction("0.05"),
        epsilon=Fraction("0.49"),
    )


def _double_prime_setting(sizes: Sizes) -> Setting:
    p, q = _P.of(sizes), _Q.of(sizes)
    require_primes(p, q)
    # The longest path: from 1 around to 0, across, around to 0', and to the state before the end
    # of the crossing.
    extent = Extent(2 * q, 2 * q - 1)
    return Setting(f"double-prime-{p}-{q}", _prime_parameters(q), extent, "Table 3 (l. 1915)")


def _single_prime_setting(sizes: Sizes) -> Setting:
    p, q = _P.of(sizes), _Q.of(sizes)
    require_primes(p, q)
    # The longest path: from 1 around to 0. The actions differ only in 0.
    extent = Extent(q, q - 1)
    return Setting(f"single-prime-{p}-{q}", _prime_parameters(q), extent, "Table 3 (l. 1915)")


def _grid_setting(_: Sizes) -> Setting:
    """The paper gives no parameters for Figure 1, so these are the true values."""
    parameters = Parameters(
        actions=4,
        max_states=6,
        max_diameter=3,
        mixing_time=1,
        class_size=6,
        delta=Fraction("0.05"),
        epsilon=Fraction("0.05"),
    )
    return Setting("grid", parameters, Extent(6, 3), "Figure 1 (l. 196)")


KINDS: Final = (
    Kind(
        name="combination-lock",
        sizes=(_STATES, _COMPONENTS, _LEAST_NOISE),
        setting=_lock_setting,
        draw=_lock,
        observations=lambda sizes: Bits(_COMPONENTS.of(sizes)),
    ),
    Kind(
        name="multi-maze",
        sizes=(_MAZES,),
        setting=_maze_setting,
        draw=lambda env_seed, sizes: simulation(multi_maze(env_seed, mazes=_MAZES.of(sizes))),
        observations=lambda sizes: Bits(_cells(sizes)),
        letters="URDL",
    ),
    Kind(
        name="double-prime",
        sizes=(_P, _Q),
        setting=_double_prime_setting,
        draw=lambda env_seed, sizes: simulation(
            double_prime(env_seed, p=_P.of(sizes), q=_Q.of(sizes))
        ),
        observations=lambda sizes: Numbers(2 * _Q.of(sizes)),
    ),
    Kind(
        name="single-prime",
        sizes=(_P, _Q),
        setting=_single_prime_setting,
        draw=lambda env_seed, sizes: simulation(
            single_prime(env_seed, p=_P.of(sizes), q=_Q.of(sizes))
        ),
        observations=lambda sizes: Numbers(2 * _Q.of(sizes)),
    ),
    Kind(
        name="grid",
        sizes=(),
        setting=_grid_setting,
        draw=lambda env_seed, _: simulation(grid(env_seed)),
        observations=lambda _: Numbers(ROWS * COLUMNS),
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
    """The kind with this name; raises `InvalidArgument` for a size that it does not have."""
    for kind in KINDS:
        if kind.name == name:
            break
    else:
        raise InvalidArgument("WORLD", name, "one of " + ", ".join(NAMES))
    for size, value in sizes.items():
        if all(size != own.name for own in kind.sizes):
            owners = [k.name for k in KINDS if any(size == own.name for own in k.sizes)]
            expected = f"nothing: only {' and '.join(owners)} can have it"
            raise InvalidArgument(size, value, expected if owners else "nothing: no world has it")
    return kind


def setting(name: str, /, **sizes: float) -> Setting:
    """The paper's parameters for a kind of world with these sizes."""
    return kind_of(name, sizes).setting(sizes)


def instance(name: str, env_seed: int, /, **sizes: float) -> RunnableInstance:
    """Draw a world with this name from a seed, with the paper's parameters for its sizes."""
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


def false_bounds(chosen: RunnableInstance, *, with_diameter: bool) -> tuple[FalseBound, ...]:
    """The bounds that are smaller than the known truth; located STEEL does not use D̂."""
    p, extent, truth = chosen.parameters, chosen.extent, chosen.simulation.drawn.truth()
    compared = [
        FalseBound(
            Condition.MAX_STATES,
            "max_states",
            "N",
            p.max_states,
            extent.states,
            f"there are {extent.states:,} states",
        ),
        FalseBound(
            Condition.MIXING,
            "mixing_time",
            "t̂_mix",
            p.mixing_time,
            truth.mixing_time,
            f"only {truth.mixing_time:,} is proven to be enough",
        ),
    ]
    if with_diameter:
        diameter = FalseBound(
            Condition.MAX_DIAMETER,
            "max_diameter",
            "D̂",
            p.max_diameter,
            extent.diameter,
            f"some state is {extent.diameter:,} steps away from another",
        )
        compared.append(diameter)
    return tuple(bound for bound in compared if bound.given < bound.needed)
