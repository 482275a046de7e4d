"""The paper's experiments with STEEL: their worlds, seeds and places in the paper.

To add one, add an entry, and its printed numbers to `published` under the same name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from steel_verified.errors import InvalidArgument
from steel_verified.experiments.published import PRIME_LOOPS
from steel_verified.experiments.seeded_runs import SeededRuns, Seeds
from steel_verified.worlds.catalogue import Setting, setting

_FIXED: Final = tuple(Seeds(0, noise) for noise in range(20))
"""One environment, start and first action, with twenty noise seeds (l. 275)."""
_VARIABLE: Final = tuple(Seeds(seed, seed) for seed in range(20, 40))
"""Twenty environments, each with its own noise seed (l. 275)."""
_STARTS: Final = tuple(Seeds(seed, seed) for seed in range(20))
"""Twenty trajectories from random starts (l. 1915); the paper gives no seeds."""


@dataclass(frozen=True, slots=True)
class SimulationColumn:
    """A column of Table 2."""

    title: str
    setting: Setting
    fixed: SeededRuns
    variable: SeededRuns

    @property
    def name(self) -> str:
        return self.setting.name


@dataclass(frozen=True, slots=True)
class PrimeLoopColumn:
    """A column of Table 3: the part about STEEL."""

    pair: tuple[int, int]
    double: SeededRuns
    single: SeededRuns


def _simulation(title: str, world: str, **sizes: float) -> SimulationColumn:
    return SimulationColumn(
        title,
        setting(world, **sizes),
        SeededRuns(world, sizes, _FIXED),
        SeededRuns(world, sizes, _VARIABLE),
    )


def _prime_loops(p: int, q: int) -> PrimeLoopColumn:
    sizes = {"p": p, "q": q}
    return PrimeLoopColumn(
        (p, q),
        SeededRuns("double-prime", sizes, _STARTS),
        SeededRuns("single-prime", sizes, _STARTS),
    )


TABLE2: Final = (
    _simulation("Lock, K = 20", "combination-lock", states=20),
    _simulation("Lock, K = 30", "combination-lock", states=30),
    _simulation("Lock, K = 40", "combination-lock", states=40),
    _simulation("Multi-maze", "multi-maze"),
)
"""Simulation results (l. 255–270)."""

TABLE3: Final = tuple(_prime_loops(p, q) for p, q in PRIME_LOOPS)
"""Prime loops (l. 1947–1967)."""


_NAMED: Final = {column.name: column.setting for column in TABLE2}
_DOUBLE_PRIME: Final = re.compile(r"double-prime-(\d{1,6})-(\d{1,6})", re.ASCII)

NAMES: Final = (*_NAMED, "double-prime-P-Q")


def preset(name: str) -> Setting:
    """The setting of this name; P and Q stand for two primes, as in double-prime-3-5."""
    if name in _NAMED:
        return _NAMED[name]
    if match := _DOUBLE_PRIME.fullmatch(name):
        try:
            return setting("double-prime", p=int(match[1]), q=int(match[2]))
        except InvalidArgument as error:
            raise InvalidArgument("preset", name, "two primes P < Q") from error
    raise InvalidArgument("preset", name, "one of " + ", ".join(NAMES))
