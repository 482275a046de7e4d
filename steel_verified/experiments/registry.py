"""The paper's experiments with STEEL: which worlds, which seeds, where in the paper.

To add one is to add an entry. What was printed is in `published`, under the same names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from steel_verified.experiments.instances import Sizes
from steel_verified.experiments.published import PRIME_LOOPS
from steel_verified.experiments.steel_runs import Seeds, SteelRuns

_FIXED: Final = tuple(Seeds(0, noise) for noise in range(20))
"""One environment, start and first action; twenty noises (l. 275)."""
_VARIABLE: Final = tuple(Seeds(seed, seed) for seed in range(20, 40))
"""Twenty of each (l. 275)."""
_STARTS: Final = tuple(Seeds(seed, seed) for seed in range(20))
"""Twenty trajectories from random starts (l. 1915); the paper gives no seeds."""


@dataclass(frozen=True, slots=True)
class SimulationColumn:
    """A column of Table 2."""

    name: str
    title: str
    fixed: SteelRuns
    variable: SteelRuns


@dataclass(frozen=True, slots=True)
class PrimeLoopColumn:
    """A column of Table 3, as far as it is about STEEL."""

    pair: tuple[int, int]
    double: SteelRuns
    single: SteelRuns


def _simulation(name: str, title: str, world: str, sizes: Sizes) -> SimulationColumn:
    return SimulationColumn(
        name, title, SteelRuns(world, sizes, _FIXED), SteelRuns(world, sizes, _VARIABLE)
    )


def _prime_loops(p: int, q: int) -> PrimeLoopColumn:
    sizes = Sizes(p=p, q=q)
    return PrimeLoopColumn(
        (p, q),
        SteelRuns("double-prime", sizes, _STARTS),
        SteelRuns("single-prime", sizes, _STARTS),
    )


TABLE2: Final = (
    _simulation("combination-lock-20", "Lock, K = 20", "combination-lock", Sizes(states=20)),
    _simulation("combination-lock-30", "Lock, K = 30", "combination-lock", Sizes(states=30)),
    _simulation("combination-lock-40", "Lock, K = 40", "combination-lock", Sizes(states=40)),
    _simulation("multi-maze", "Multi-maze", "multi-maze", Sizes()),
)
"""Simulation results (l. 255–270)."""

TABLE3: Final = tuple(_prime_loops(p, q) for p, q in PRIME_LOOPS)
"""Prime loops (l. 1947–1967)."""
