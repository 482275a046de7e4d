"""Checks beside `mixing_times.toml`: products of small chains, and the two examples themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.checks.finite import equal, exact
from steel_verified.worlds.chains import MIXED, Chain, distance_from_stationarity, mixing_time
from steel_verified.worlds.multi_maze import CELLS, MOVES, maze, walkers_mixing_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence

# --- products -------------------------------------------------------------------------------------


def copies_mix(parts: int | None) -> Evidence:
    """Check that c copies mix in t_mix(1/(parts·c)) of one; None stands for t_mix(1/4)."""

    def holds(case: tuple[Chain, int]) -> bool:
        chain, copies = case
        within = MIXED if parts is None else Fraction(1, parts * copies)
        return mixing_time(_copies(chain, copies)) <= mixing_time(chain, within)

    return exact(product(_small_chains(), (2, 3)), holds, "2 and 3 copies of 26 small chains")


def _copies(chain: Chain, copies: int) -> Chain:
    """So many independent copies, as one chain."""
    rows: tuple[tuple[Fraction, ...], ...] = ((Fraction(1),),)
    for _ in range(copies):
        rows = tuple(
            tuple(a * b for a in left for b in right) for left in rows for right in chain.rows
        )
    return Chain(rows)


def _small_chains() -> Iterator[Chain]:
    tenth = Fraction(1, 10)
    for on, off in product(range(1, 10, 2), repeat=2):
        yield Chain(((1 - on * tenth, on * tenth), (off * tenth, 1 - off * tenth)))
    half, none = Fraction(1, 2), Fraction(0)
    yield Chain(((half, half, none), (half, none, half), (none, half, half)))


# --- the mazes ------------------------------------------------------------------------------------


def walkers_mix_in(steps: int, walkers: int = 8) -> Evidence:
    """Compare the mixing time that the code computes for so many walkers."""
    return equal(walkers_mixing_time(walkers), steps)


def first_within(steps: int, distance: Fraction) -> Evidence:
    """Check that so many steps of one walker are close enough, and one fewer is not."""
    return equal([far <= distance for far in _distances(steps)], [False, True])


def _distances(steps: int) -> list[Fraction]:
    """The distance of one walker from stationarity after one step less, and after so many."""
    quarter = Fraction(1, len(MOVES))
    cells = range(len(CELLS))
    walker = Chain(tuple(tuple(quarter * row.count(to) for to in cells) for row in maze().table))
    return [distance_from_stationarity(walker, n) for n in (steps - 1, steps)]
