"""The paper's experiments: the parameters given to STEEL, and the true sizes of its worlds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.worlds.prime_loops import are_primes_in_order


@dataclass(frozen=True, slots=True)
class Setting:
    """One experiment of the paper and where it is described."""

    name: str
    parameters: Parameters
    extent: Extent
    place: str


def combination_lock(states: int, components: int = 512) -> Setting:
    """The lock with K states, L = 512 components and N = D̂ = K + 10 (caption of Table 2)."""
    parameters = Parameters(
        actions=2,
        max_states=states + 10,
        max_diameter=states + 10,
        mixing_time=40,
        class_size=components,
        delta=Fraction("0.05"),
        epsilon=Fraction("0.05"),
    )
    # A wrong action leads to 0, the right ones onwards: 0 → K−1 is the longest way.
    extent = Extent(states, max(states - 1, 0))
    return Setting(f"combination-lock-{states}", parameters, extent, "Table 2 (l. 270)")


def multi_maze(mazes: int = 9) -> Setting:
    """Nine mazes of 11 × 11 cells, each cell a classifier (caption of Table 2)."""
    parameters = Parameters(
        actions=4,
        max_states=80,
        max_diameter=80,
        mixing_time=300,
        class_size=mazes * 11 * 11,
        delta=Fraction("0.05"),
        epsilon=Fraction("0.05"),
    )
    return Setting("multi-maze", parameters, Extent(68, 16), "Table 2 (l. 270)")


def double_prime(p: int, q: int) -> Setting:
    """Two loops of q states joined at 0 and 0', with 3q classifiers (Section on prime loops)."""
    if not are_primes_in_order(p, q):
        raise InvalidArgument("preset", f"double-prime-{p}-{q}", "two primes P < Q")
    parameters = Parameters(
        actions=2,
        max_states=2 * q,
        max_diameter=2 * q,
        mixing_time=1,
        class_size=3 * q,
        delta=Fraction("0.05"),
        epsilon=Fraction("0.49"),
    )
    # From 1 round to 0, across, round to 0', and on to the state before the crossing's end.
    extent = Extent(2 * q, 2 * q - 1)
    return Setting(f"double-prime-{p}-{q}", parameters, extent, "Table 3 (l. 1915)")


def grid() -> Setting:
    """The grid of Figure 1, for which the paper gives no parameters: here they are its truth."""
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


_NAMED: Final = {
    setting.name: setting
    for setting in (*(combination_lock(states) for states in (20, 30, 40)), multi_maze())
}
_DOUBLE_PRIME: Final = re.compile(r"double-prime-(\d{1,6})-(\d{1,6})", re.ASCII)

NAMES: Final = (*_NAMED, "double-prime-P-Q")


def setting(name: str) -> Setting:
    """Return the experiment of that name; P and Q stand for two primes, as in double-prime-3-5."""
    if name in _NAMED:
        return _NAMED[name]
    if match := _DOUBLE_PRIME.fullmatch(name):
        return double_prime(int(match[1]), int(match[2]))
    raise InvalidArgument("preset", name, "one of " + ", ".join(NAMES))
