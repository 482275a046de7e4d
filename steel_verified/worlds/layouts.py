"""Positions for drawing the states of dynamics if only the table is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.worlds.dynamics import distances
from steel_verified.worlds.pictures import on_a_circle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.worlds.dynamics import Table

FEW_STATES: Final = 8
"""Up to this many states are drawn on a circle, which looks best for few states."""
MANY_STATES: Final = 300
"""More states than this are drawn on a circle: their arrows are unreadable in any layout."""
_MOST_ROUNDS: Final = 300
_SMALL: Final = 1e-4


def spread_out(table: Table) -> list[tuple[float, float]]:
    """A position for each state; distances are close to the numbers of steps between states.

    The direction of steps is ignored. Positions are found by stress majorization (Gansner, Koren
    and North, 2004), starting from a circle in breadth-first order. The same table always gives the
    same picture.
    """
    states = len(table)
    circle = np.array(on_a_circle(states))
    if not FEW_STATES < states <= MANY_STATES:
        return on_a_circle(states)
    both_ways = _both_ways(table)
    apart = np.array(
        [
            [found[s] for s in range(states)]
            for found in (distances(both_ways, s) for s in range(states))
        ],
        dtype=np.float64,
    )
    order = list(distances(both_ways, 0))
    places = np.empty_like(circle)
    places[order] = circle * apart.max() / 2
    return [(float(x), float(y)) for x, y in _majorized(places, apart)]


def _majorized(places: NDArray[np.float64], apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move all states until the stress Σ (distance / steps − 1)² hardly decreases."""
    weights = 1 / np.where(apart > 0, apart, np.inf) ** 2
    laplacian = np.diag(weights.sum(axis=1)) - weights
    # Positions are determined up to a common shift, so state 0 stays where it is.
    solve = np.linalg.inv(laplacian[1:, 1:])
    before = np.inf
    for _ in range(_MOST_ROUNDS):
        differences = places[:, None] - places[None]
        lengths = np.hypot(differences[..., 0], differences[..., 1])
        stress = float((weights * (lengths - apart) ** 2).sum())
        if stress > before * (1 - _SMALL):
            break
        before = stress
        pull = np.divide(weights * apart, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        wanted = (pull.sum(axis=1)[:, None] * places - pull @ places)[1:]
        places = np.concatenate([np.zeros((1, 2)), solve @ wanted])
    return places


def _both_ways(table: Table) -> list[list[int]]:
    """The neighbours of each state, ignoring the direction of arrows."""
    neighbours: list[set[int]] = [set() for _ in table]
    for state, row in enumerate(table):
        for to in row:
            neighbours[state].add(to)
            neighbours[to].add(state)
    return [sorted(each - {state}) for state, each in enumerate(neighbours)]
