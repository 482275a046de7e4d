"""Pairs of worlds with the same rows, whatever is done: what no method can tell apart.

Each world is a state with its table, and what is shown as a function of the state and of noise. In
one world of each pair what is listed is a part of the state; in the other one it is not, or the
state has other parts. Words are tried exhaustively, so the laws are compared exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product as every
from typing import TYPE_CHECKING

import pytest

from steel_verified.learning.factored import Factored, product_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.learning.factors import Product


@dataclass(frozen=True)
class World:
    """Parts of the state, each with its table and its value at first, and what is shown."""

    tables: tuple[Sequence[Sequence[int]], ...]
    start: tuple[int, ...]
    shows: Callable[[tuple[int, ...], Sequence[int]], int]
    """The row, from the values of the parts and all actions so far: noise may depend on these."""

    def row(self, word: Sequence[int]) -> int:
        values = self.start
        for action in word:
            values = tuple(t[v][action] for t, v in zip(self.tables, values, strict=True))
        return self.shows(values, word)


def bits(*shown: tuple[int, int]) -> int:
    """A row: for each (number of values, value) one bit of so many is 1."""
    row, first = 0, 0
    for values, value in shown:
        row, first = row | 1 << first + value, first + values
    return row


RING = [[(v + 1) % 4, v] for v in range(4)]
PARITY = [[1, 0], [0, 1]]
FIRST, SECOND = [[1, 0, 0], [0, 1, 1]], [[0, 1, 0], [1, 0, 1]]


def turns(word: Sequence[int]) -> int:
    return sum(action == 0 for action in word) % 4


PAIR = [[2 * FIRST[v // 2][a] + SECOND[v % 2][a] for a in range(3)] for v in range(4)]
SUM = [[(v + (a < 2)) % 2 for a in range(3)] for v in range(2)]
TURNED = [[a ^ v ^ 1 for a in range(2)] for v in range(2)]
FLIPS = [[v ^ a for a in range(2)] for v in range(2)]

PAIRS: dict[str, tuple[int, int, World, World]] = {
    "a quotient of a factor": (
        6,
        2,
        World((RING,), (0,), lambda v, _: bits((4, v[0]), (2, v[0] % 2))),
        World((PARITY,), (0,), lambda v, word: bits((4, turns(word)), (2, v[0]))),
    ),
    "a product of factors": (
        8,
        3,
        World(
            (FIRST, SECOND), (0, 0), lambda v, _: bits((2, v[0]), (2, v[1]), (4, 2 * v[0] + v[1]))
        ),
        World((PAIR,), (0,), lambda v, _: bits((2, v[0] // 2), (2, v[0] % 2), (4, v[0]))),
    ),
    "the sum of two counters": (
        6,
        3,
        World((FIRST, SECOND), (0, 0), lambda v, _: bits((2, v[0]), (2, v[1]), (2, v[0] ^ v[1]))),
        World((FIRST, SUM), (0, 0), lambda v, _: bits((2, v[0]), (2, v[0] ^ v[1]), (2, v[1]))),
    ),
    "a factor turned by a clock": (
        4,
        2,
        World((FLIPS,), (0,), lambda v, word: bits((2, v[0]), (2, v[0] ^ len(word) % 2))),
        World((TURNED,), (0,), lambda v, word: bits((2, v[0] ^ len(word) % 2), (2, v[0]))),
    ),
}


def learned(world: World, classifiers: int, actions: int) -> Product:
    method = Factored(classifiers, actions, delta=Fraction(1, 20), check_steps=20)
    known, word = method.nothing(), list[int]()
    while (action := method.next_action(known)) is not None:
        word.append(action)
        known = method.with_row(known, action, world.row(word))
    return product_of(known)


@pytest.mark.parametrize("limit", PAIRS)
def test_both_worlds_show_the_same_rows_whatever_is_done(limit: str) -> None:
    _, actions, one, other = PAIRS[limit]
    for length in range(7):
        for word in every(range(actions), repeat=length):
            assert one.row(word) == other.row(word)


@pytest.mark.parametrize(
    ("limit", "sizes", "derived"),
    [
        ("a quotient of a factor", [2, 4], ["quotient"]),
        ("a product of factors", [2, 2, 4], ["product"]),
        ("the sum of two counters", [2, 2, 2], ["function"]),
        ("a factor turned by a clock", [2, 2], []),
    ],
)
def test_all_of_them_are_listed_and_pass_their_coins(
    limit: str, sizes: list[int], derived: list[str]
) -> None:
    classifiers, actions, one, _ = PAIRS[limit]
    found = learned(one, classifiers, actions)
    assert sorted(factor.values for factor in found.factors) == sizes
    assert [each.how for each in found.derived.values()] == derived
    assert all(factor.coins > 0 for factor in found.factors)


def test_clock_is_listed_and_set_apart() -> None:
    world = World((FLIPS,), (0,), lambda v, word: bits((2, v[0]), (3, len(word) % 3)))
    found = learned(world, 5, 2)
    assert sorted((f.values, f.is_autonomous, f.coins > 0) for f in found.factors) == [
        (2, False, True),
        (3, True, False),
    ]


def test_copies_that_move_together_are_reported_once() -> None:
    world = World((FLIPS,), (0,), lambda v, _: bits((2, v[0]), (2, 1 - v[0])))
    (factor,) = learned(world, 4, 2).factors
    assert {frozenset(fits) for fits in factor.classifiers} == {
        frozenset({0, 3}),
        frozenset({1, 2}),
    }
