"""Congruences against their definition, over all partitions of small tables."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest

from steel_verified.learning.congruences import (
    atoms,
    blocks,
    congruences,
    is_finer,
    least_congruence,
    principal_congruences,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.learning.congruences import Congruence, Table


def partitions(labels: int) -> Iterator[Congruence]:
    """All partitions, each as the lowest label of the block of each label."""

    def extended(start: Congruence) -> Iterator[Congruence]:
        if len(start) == labels:
            yield start
            return
        for low in (*sorted(set(start)), len(start)):
            yield from extended((*start, low))

    return extended(())


def by_definition(table: Table) -> set[Congruence]:
    """All congruences: partitions whose blocks every action maps into blocks."""
    return {
        p
        for p in partitions(len(table))
        if all(
            p[to] == p[low_to]
            for label, low in enumerate(p)
            for to, low_to in zip(table[label], table[low], strict=True)
        )
    }


def drawn(seed: int) -> list[list[int]]:
    """A random table; every third one is a product with a copy, so that it has congruences."""
    random = Random(seed)
    size, actions = random.randrange(1, 7), random.randrange(1, 4)
    if seed % 3:
        return [[random.randrange(size) for _ in range(actions)] for _ in range(size)]
    half = (size + 1) // 2
    down = [[random.randrange(half) for _ in range(actions)] for _ in range(half)]
    up = [[random.randrange(2) for _ in range(actions)] for _ in range(2 * half)]
    return [
        [2 * to + u for to, u in zip(down[label // 2], up[label], strict=True)]
        for label in range(2 * half)
    ]


@pytest.mark.parametrize("seed", range(150))
def test_all_congruences_by_definition(seed: int) -> None:
    table = drawn(seed)
    every, trivial = by_definition(table), tuple(range(len(table)))
    found = congruences(table, len(every))
    assert not found.is_cut
    assert len(found.found) == len(every)
    assert set(found.found) == every
    proper = every - {trivial}
    assert set(atoms(table)) == {
        one for one in proper if not any(o != one and is_finer(o, one) for o in proper)
    }
    for pair in combinations(range(len(table)), 2):
        least = least_congruence(table, [pair])
        joining = [one for one in every if one[pair[0]] == one[pair[1]]]
        assert least in principal_congruences(table)
        assert least in joining
        assert all(is_finer(least, one) for one in joining)


@pytest.mark.parametrize("seed", range(40))
def test_pairs_of_different_atoms_are_different(seed: int) -> None:
    joined = [
        {pair for block in blocks(one) for pair in combinations(block, 2)}
        for one in atoms(drawn(seed))
    ]
    assert all(not one & other for one, other in combinations(joined, 2))


def test_a_list_that_is_cut_says_so() -> None:
    table = [[label] for label in range(5)]  # Every partition is a congruence: 52 of them.
    assert len(congruences(table, 52).found) == 52
    assert not congruences(table, 52).is_cut
    assert congruences(table, 51).is_cut
    assert len(congruences(table, 51).found) == 51
    assert congruences(table, 1).is_cut


def test_more_congruences_than_principal_ones() -> None:
    """Going through principal congruences only would forget joins of them."""
    table = [[label] for label in range(4)]
    assert len(principal_congruences(table)) == 6
    assert len(congruences(table, 100).found) == 15


def test_simple_and_trivial_tables() -> None:
    lock = [[(label + 1) % 7, 0] for label in range(7)]
    assert set(congruences(lock, 9).found) == {tuple(range(7)), (0,) * 7}
    assert atoms(lock) == ((0,) * 7,)
    assert atoms([[0]]) == ()
    assert congruences([[0, 0]], 9).found == ((0,),)
    assert blocks((0, 1, 0, 3)) == ((0, 2), (1,), (3,))
