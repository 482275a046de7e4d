"""All small Markov chains with given denominators, and exact measures on their states."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, TypeVar

from proofs_checks.checks.finite import exhausted
from steel_verified.errors import InvalidArgument
from steel_verified.worlds.chains import Chain, mixing_time, stationary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from proofs_checks.checks.evidence import Evidence

Choice = TypeVar("Choice")
Vector = tuple[Fraction, ...]
Weights = tuple[Fraction, ...]
"""Pr(f = 1) in each state: 0 or 1 for an event, any value in [0, 1] for an observation."""

WHICH: Final = (
    "every irreducible aperiodic chain with 1 state, with 2 in quarters, with 3 in halves"
)
_SIZES: Final = ((1, 1), (2, 4), (3, 2))


@dataclass(frozen=True, slots=True)
class Mixed:
    """A chain with its stationary distribution, its mixing time and some powers of its matrix."""

    chain: Chain
    law: Vector
    t_mix: int
    powers: tuple[tuple[Vector, ...], ...]
    """The powers 0, 1, …, t_mix + 3 of the transition matrix."""

    def after(self, vector: Vector, steps: int) -> Vector:
        """M^steps applied to a measure."""
        rows = self.powers[steps]
        return tuple(
            sum((v * row[f] for v, row in zip(vector, rows, strict=True)), Fraction(0))
            for f in range(len(rows))
        )

    def unit(self, e: int) -> Vector:
        """All mass in one state."""
        return tuple(Fraction(e == f) for f in range(len(self.chain)))


def passing(vector: Vector, weights: Weights) -> Vector:
    """Γ: the part of a measure that passes."""
    return tuple(v * w for v, w in zip(vector, weights, strict=True))


def total(vector: Vector) -> Fraction:
    """The integral."""
    return sum(vector, Fraction(0))


def on_chains(
    choices: Callable[[Mixed], Iterable[Choice]],
    holds: Callable[[Mixed, Choice], bool],
    size: str,
) -> Evidence:
    """Check a property of every small chain with each of its choices; `size` describes these."""
    cases = ((mixed, choice) for mixed in all_mixed() for choice in choices(mixed))
    return exhausted(cases, lambda case: holds(*case), f"{WHICH}; {size}")


@cache
def all_mixed() -> tuple[Mixed, ...]:
    """The chains that `WHICH` describes."""
    return tuple(_mixed(chain) for n, parts in _SIZES for chain in _chains(n, parts))


def with_powers(rows: tuple[Vector, ...]) -> Mixed:
    """One chain, by its rows."""
    return _mixed(Chain(rows))


def _chains(n: int, parts: int) -> Iterator[Chain]:
    row = [
        tuple(Fraction(p, parts) for p in counts)
        for counts in product(range(parts + 1), repeat=n)
        if sum(counts) == parts
    ]
    for rows in product(row, repeat=n):
        try:
            yield Chain(rows)
        except InvalidArgument:  # reducible or periodic
            continue


def _mixed(chain: Chain) -> Mixed:
    n, t_mix = len(chain), mixing_time(chain)
    powers = [tuple(tuple(Fraction(e == f) for f in range(n)) for e in range(n))]
    for _ in range(t_mix + 3):
        powers.append(
            tuple(
                tuple(
                    sum((row[k] * chain.rows[k][f] for k in range(n)), Fraction(0))
                    for f in range(n)
                )
                for row in powers[-1]
            )
        )
    return Mixed(chain, stationary(chain), t_mix, tuple(powers))
