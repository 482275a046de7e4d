"""The catalogue of the paper's worlds. To add a world, add an entry here, and its module.

An entry has the sizes that a user can choose, the parameters that the paper gives to a learner for
these sizes, a function that draws the world from a seed, and the type of its observations and
actions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.grid import COLUMNS, ROWS, grid
from steel_verified.worlds.instances import RunnableInstance, Simulation, simulation
from steel_verified.worlds.kinds import AnySize, Bits, Kind, Numbers, Setting, Size, Sizes
from steel_verified.worlds.multi_maze import CELLS, SIDE, multi_maze
from steel_verified.worlds.prime_loops import double_prime, require_primes, single_prime

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
