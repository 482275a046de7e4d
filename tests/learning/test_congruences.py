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


@pytest.mark.parametrize("table", [[[0], [1], [2], [3]], *map(drawn, range(100))])
def test_all_congruences_by_definition(table: list[list[int]]) -> None:
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
        of_label = {label: block for block in blocks(least) for label in block}
        assert all(block == tuple(sorted(block)) for block in blocks(least))
        assert [of_label[label][0] for label in range(len(table))] == list(least)


def test_a_list_that_is_cut_says_so() -> None:
    table = [[label] for label in range(5)]  # Every partition is a congruence: 52 of them.
    assert len(congruences(table, 52).found) == 52
    assert not congruences(table, 52).is_cut
    assert congruences(table, 51).is_cut
    assert len(congruences(table, 51).found) == 51
    assert congruences(table, 1).is_cut
