"""The positions of state numbers that do not fit into their circles."""

from __future__ import annotations

from cmath import rect
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.reports.arrows import along

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from steel_verified.reports.arrows import Point
    from steel_verified.reports.graphs import Graph

_DIRECTIONS: Final = 16
_DISTANCES: Final = (0.1, 0.5, 0.9)
"""How far from the circle a number may be, as a share of the height of letters."""

_OUTSIDE: Final = 0.1
"""A number outside of the graph's corners must be nearer to its own state by this factor."""


def places_beside(drawn: Graph, states: Iterable[int], letters: float) -> dict[int, Point]:
    """The middle of the number of each of these states, beside its circle.

    A number is where it covers least of the graph and of other numbers; of several such places,
    where its own state is nearest compared with the others, if possible within the graph's corners.
    `letters` is the height of letters in the graph's own unit.
    """
    taken = np.array(
        [
            *(along(arrow.curve, n / 24) for arrow in drawn.arrows for n in range(25)),
            *(point for arrow in drawn.arrows for point in arrow.head),
            *(disc.rim(pi * n / 6) for disc in drawn.states for n in range(12)),
        ]
    )
    found: dict[int, Point] = {}
    for state in states:
        if state not in found:
            half = half_size(state, letters)
            found[state] = _best(drawn, state, half, taken)
            corners = np.linspace(-1, 1, 5)
            box = corners[:, None] * half.real + 1j * corners * half.imag
            taken = np.concatenate([taken, found[state] + box.ravel()])
    return found


def half_size(state: int, letters: float) -> Point:
    """Half the width and half the height of a number."""
    return complex(0.35 * len(str(state)), 0.5) * letters


def _best(drawn: Graph, state: int, half: Point, taken: NDArray[np.complex128]) -> Point:
    own = drawn.states[state]
    low, high = drawn.corners
    others = np.array([disc.centre for n, disc in enumerate(drawn.states) if n != state])

    def cost(place: Point) -> tuple[int, float]:
        away = taken - place
        covered = (np.abs(away.real) < half.real) & (np.abs(away.imag) < half.imag)
        lowest, highest = place - half, place + half
        outside = lowest.real < low.real or highest.real > high.real
        outside |= lowest.imag < low.imag or highest.imag > high.imag
        nearest = float(np.abs(others - place).min(initial=np.inf))
        ratio = round(abs(own.centre - place) / nearest, 9)
        return int(covered.sum()), ratio + _OUTSIDE * outside

    turns = [pi / 4 + 2 * pi * n / _DIRECTIONS for n in range(_DIRECTIONS)]
    return min(
        (
            own.rim(turn, abs(cos(turn)) * half.real + abs(sin(turn)) * half.imag)
            + rect(distance * 2 * half.imag, turn)
            for distance in _DISTANCES
            for turn in turns
        ),
        key=cost,
    )
