"""The two examples: t̂_mix = 40 and 300 are valid bounds (l. 1621-1647)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from flint import arb
from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import equal, exact
from proofs_checks.kernels.together import together
from proofs_checks.paper.mixing_times.products import COMPONENTS, overlaps
from proofs_checks.paper.mixing_times.two_states import BOUNDED, half_of_the_rate
from proofs_checks.sections import MIXING_TIMES
from steel_verified.theory.exact import ball, ceiling, least_power
from steel_verified.worlds.catalogue import instance, setting
from steel_verified.worlds.chains import MIXED, Chain, distance_from_stationarity
from steel_verified.worlds.multi_maze import CELLS, MOVES, SIDE, maze, walkers_mixing_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence


_FASTEST_LOSS: Final = Fraction(4, 5)
"""|λ| is at most this."""
_LOCKS: Final = (20, 30, 40)

m, k = (Symbol(name) for name in ("m", "k"))


def _lock_bound(chains: int) -> int:
    """The least n with chains · 0.8ⁿ ≤ 1/4."""
    return least_power(_FASTEST_LOSS, MIXED / chains)


def _lock_ceiling(stated: int) -> Evidence:
    return together(
        lambda: equal(_lock_bound(COMPONENTS), stated),
        lambda: equal(ceiling(lambda: -arb(2048).log() / ball(_FASTEST_LOSS).log()), stated),
    )


def _lock_given(chains: int) -> Evidence:
    """The bound is no larger than what STEEL is given."""
    given = {setting("combination-lock", states=states).parameters.mixing_time for states in _LOCKS}
    bound = _lock_bound(chains)
    return together(
        lambda: equal(given, {40}),
        lambda: equal(min(*given, bound), bound),
    )


def _drawn_locks(most: int) -> Evidence:
    """The locks of the experiments, with the chances that were drawn for them, on balls."""

    def holds(case: tuple[int, int]) -> bool:
        seed, states = case
        drawn = instance("combination-lock", seed, states=states)
        return drawn.simulation.drawn.truth().mixing_time <= most

    return exact(product(range(20), _LOCKS), holds, "locks of 20 seeds with K = 20, 30, 40")


def _walker() -> Chain:
    quarter = Fraction(1, len(MOVES))
    cells = range(len(CELLS))
    return Chain(tuple(tuple(quarter * row.count(to) for to in cells) for row in maze().table))


def _first_within(steps: int, close: Callable[[Fraction], bool]) -> Evidence:
    """So many steps of one walker are close enough, one fewer is not."""
    walker = _walker()
    return equal(
        [close(distance_from_stationarity(walker, n)) for n in (steps - 1, steps)], [False, True]
    )


def _walkers(steps: int, walkers: int = 8) -> Evidence:
    return together(
        lambda: equal(walkers_mixing_time(walkers), steps),
        partial(_first_within, steps, lambda far: far <= Fraction(1, 32)),
    )


def _walkers_given(walkers: int) -> Evidence:
    given, bound = setting("multi-maze").parameters.mixing_time, walkers_mixing_time(walkers)
    return together(lambda: equal(given, 300), lambda: equal(min(given, bound), bound))


def _rooms(stated: int) -> Evidence:
    """Four rooms of 4 × 4 cells and four doors, and so many states of the maze."""
    room = (SIDE - 3) // 2
    return together(
        lambda: equal(4 * room**2 + 4, stated),
        lambda: equal(len(CELLS), stated),
        lambda: equal(maze().states, stated),
    )


def _within(far: Fraction, factors: int) -> bool:
    """Whether as many factors as far from stationarity are within 1/4, by their overlaps."""
    return 1 - (1 - far) ** factors <= MIXED


def _sharper_lock(steps: int) -> Evidence:
    after = [_FASTEST_LOSS**n / 2 for n in (steps - 1, steps)]
    return together(
        partial(overlaps, m * k),
        partial(half_of_the_rate, 4),
        lambda: equal([_within(far, COMPONENTS) for far in after], [False, True]),
    )


def _sharper_walkers(steps: int) -> Evidence:
    return together(
        partial(overlaps, m * k), partial(_first_within, steps, lambda far: _within(far, 8))
    )


CLAIMS: Final = (
    MIXING_TIMES.proved(
        "H08",
        "1621-1628",
        "The least n with 512·0.8ⁿ ≤ 1/4 is ⌈−log 2048/log 0.8⌉ = 35",
        partial(_lock_ceiling, 35),
        Mutant("34", partial(_lock_ceiling, 34)),
    ),
    MIXING_TIMES.proved(
        "H09",
        "1630",
        "t̂_mix = 40, as given for K = 20, 30, 40 and L = 512, is at least t_mix",
        partial(_lock_given, COMPONENTS),
        Mutant("2,048 components", partial(_lock_given, 2048)),
        assumptions=(BOUNDED,),
    ),
    MIXING_TIMES.exact(
        "S.H09",
        "1630",
        "Of the locks drawn from seeds 0, …, 19, t_mix ≤ 13: Σ |λ|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) ≤ 1/4 "
        "for such an n",
        partial(_drawn_locks, 13),
        Mutant("12", partial(_drawn_locks, 12)),
    ),
    MIXING_TIMES.proved(
        "S.H08",
        "1621-1628",
        "t_mix ≤ 31 for 512 chains: 1 − (1 − ½·0.8³¹)⁵¹² ≤ 1/4",
        partial(_sharper_lock, 31),
        Mutant("30", partial(_sharper_lock, 30)),
        assumptions=(BOUNDED,),
    ),
    MIXING_TIMES.proved(
        "H11",
        "1643",
        "A maze has 4·4² + 4 = 68 states",
        partial(_rooms, 68),
        Mutant("69", partial(_rooms, 69)),
    ),
    MIXING_TIMES.proved(
        "H12",
        "1645",
        "t_mix(1/32) of one walker is 293, in rational arithmetic",
        partial(_walkers, 293),
        Mutant("292", partial(_walkers, 292)),
        Mutant("1/36, for nine walkers", partial(_walkers, 293, walkers=9)),
    ),
    MIXING_TIMES.proved(
        "H13",
        "1647",
        "t̂_mix = 300, as given for the mazes, is at least t_mix of the eight walkers",
        partial(_walkers_given, 8),
        Mutant("sixteen walkers", partial(_walkers_given, 16)),
    ),
    MIXING_TIMES.proved(
        "S.H12",
        "1645",
        "t_mix ≤ 281 for eight walkers: 1 − (1 − d)⁸ ≤ 1/4 for the distance d of one",
        partial(_sharper_walkers, 281),
        Mutant("280", partial(_sharper_walkers, 280)),
    ),
)
