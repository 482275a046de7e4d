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
_SMALL: Final = 1e-3
_NUDGE: Final = 0.05
"""In steps: so far states are moved around a circle, so that no two start at the same place."""
_LEAST_APART: Final = 0.6
"""No two states are nearer than this share of the median distance to a nearest state."""


def spread_out(table: Table) -> list[tuple[float, float]]:
    """A position for each state; distances are close to the numbers of steps between states.

    The direction of steps does not count. Places are found by classical scaling, then by stress
    majorization (Gansner, Koren and North, 2004); states that are still too near to each other are
    moved apart. The same table always gives the same picture.
    """
    states = len(table)
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
    circle = np.array(on_a_circle(states))
    places = _majorized(_scaled(apart) + _NUDGE * circle, apart)
    return [(float(x), float(y)) for x, y in _moved_apart(places)]


def _scaled(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Classical scaling: the plane in which the distances are represented best."""
    squares = apart**2
    means = squares.mean(axis=0)
    values, vectors = np.linalg.eigh((means + means[:, None] - squares - means.mean()) / 2)
    places: NDArray[np.float64] = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 0))
    # An eigenvector may have either sign: the entry that is furthest from 0 shall be positive.
    furthest = np.abs(places).argmax(axis=0)
    return places * np.where(places[furthest, [0, 1]] < 0, -1, 1)


def _majorized(places: NDArray[np.float64], apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move all states until the stress Σ (distance / steps − 1)² hardly decreases."""
    weights = 1 / np.where(apart > 0, apart, np.inf) ** 2
    laplacian = np.diag(weights.sum(axis=1)) - weights
    # Positions are determined up to a common shift, so state 0 stays where it is.
    solve = np.linalg.inv(laplacian[1:, 1:])
    before = np.inf
    for _ in range(_MOST_ROUNDS):
        _, lengths = _between(places)
        stress = float((weights * (lengths - apart) ** 2).sum())
        if stress > before * (1 - _SMALL):
            break
        before = stress
        pull = np.divide(weights * apart, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        wanted = (pull.sum(axis=1)[:, None] * places - pull @ places)[1:]
        places = np.concatenate([np.zeros((1, 2)), solve @ wanted])
    return places


def _moved_apart(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Push states away from each other that are so near that their circles would be tiny."""
    _, lengths = _between(places)
    np.fill_diagonal(lengths, np.inf)
    least = _LEAST_APART * float(np.median(lengths.min(axis=1)))
    for _ in range(_MOST_ROUNDS):
        differences, lengths = _between(places)
        np.fill_diagonal(lengths, np.inf)
        if lengths.min() >= least * (1 - _SMALL):
            break
        # Half of what is missing for each of the two, along the line through both.
        missing = np.maximum(least / np.maximum(lengths, _SMALL * least) - 1, 0) / 2
        places = places + (missing[..., None] * differences).sum(axis=1)
    return places


def _between(places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The way to each state from each other one, and how long it is."""
    differences = places[:, None] - places[None]
    return differences, np.hypot(differences[..., 0], differences[..., 1])


def _both_ways(table: Table) -> list[list[int]]:
    """The neighbours of each state, ignoring the direction of arrows."""
    neighbours: list[set[int]] = [set() for _ in table]
    for state, row in enumerate(table):
        for to in row:
            neighbours[state].add(to)
            neighbours[to].add(state)
    return [sorted(each - {state}) for state, each in enumerate(neighbours)]
