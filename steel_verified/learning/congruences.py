"""Congruences of a table: which labels could be one state, as far as the table says.

A *congruence* divides the labels of a complete table into blocks such that each action leads from
labels of one block to labels of one block. If σ is a map from labels to states that agrees with the
actions, the labels with equal states are the blocks of one. All labels apart is the *trivial*
congruence, all in one block the *total* one; a table that has no other is *simple*.

The *principal* congruence of a pair is the least one that joins the two labels. Every congruence is
a join of principal ones, and every one but the trivial contains an *atom*: a principal congruence
that contains no other. So few pairs show that σ is injective, but to go through all congruences the
joins are needed, and there can be exponentially many: `congruences` says if it stopped early.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Table: TypeAlias = "Sequence[Sequence[int]]"
"""A complete table: for each label and action the next label."""

Congruence: TypeAlias = tuple[int, ...]
"""For each label the lowest label of its block."""


def least_congruence(table: Table, pairs: Iterable[tuple[int, int]]) -> Congruence:
    """Return the least congruence of a table that joins the labels of each of these pairs."""
    lower = list(range(len(table)))

    def lowest(label: int) -> int:
        while lower[label] != label:
            lower[label] = label = lower[lower[label]]
        return label

    waiting = list(pairs)
    while waiting:
        one, other = waiting.pop()
        low, high = sorted((lowest(one), lowest(other)))
        if low != high:
            lower[high] = low
            waiting += zip(table[one], table[other], strict=True)
    return tuple(map(lowest, lower))


def principal_congruences(table: Table) -> frozenset[Congruence]:
    """Return the least congruences that join a pair of labels, for all pairs."""
    total, joins_all, found = (0,) * len(table), set[tuple[int, int]](), set[Congruence]()
    for one, other in combinations(range(len(table)), 2):
        after = {_pair(*to) for to in zip(table[one], table[other], strict=True)}
        least = total if after & joins_all else least_congruence(table, [(one, other)])
        found.add(least)
        if least == total:
            joins_all.add((one, other))
    return frozenset(found)


def atoms(table: Table) -> tuple[Congruence, ...]:
    """Return the minimal congruences that are not trivial, in a fixed order.

    No pair of labels is in the blocks of two of them, and for each congruence but the trivial one,
    all pairs in the blocks of some atom are in its blocks.
    """
    found = principal_congruences(table)
    least = (one for one in found if not any(o != one and is_finer(o, one) for o in found))
    return tuple(sorted(least))


def is_finer(one: Congruence, other: Congruence) -> bool:
    """Whether labels in one block of the first congruence are in one block of the other."""
    return all(other[label] == other[low] for label, low in enumerate(one))


def blocks(congruence: Congruence) -> tuple[tuple[int, ...], ...]:
    """Return the blocks of a congruence, each in order."""
    members: dict[int, list[int]] = {}
    for label, low in enumerate(congruence):
        members.setdefault(low, []).append(label)
    return tuple(map(tuple, members.values()))


@dataclass(frozen=True, slots=True)
class Congruences:
    """Congruences of a table; all of them unless the list was cut."""

    found: tuple[Congruence, ...]
    """They include the trivial and the total one, unless the list was cut."""
    is_cut: bool
    """Whether there may be more. Then nothing follows from what the ones found have in common."""


def congruences(table: Table, most: int) -> Congruences:
    """Return all congruences of a table, or some if there are more than `most`."""
    generators = sorted(principal_congruences(table))
    found = [tuple(range(len(table)))]
    known = set(found)
    for one in found:  # It grows: every congruence is a join of generators, one after the other.
        for other in generators:
            if is_finer(other, one):
                continue
            join = least_congruence(table, [*enumerate(one), *enumerate(other)])
            if join not in known:
                if len(found) == most:
                    return Congruences(tuple(found), is_cut=True)
                known.add(join)
                found.append(join)
    return Congruences(tuple(found), is_cut=False)


def proper_partitions(table: Table, most: int) -> tuple[tuple[tuple[int, ...], ...], ...] | None:
    """Return all congruences that are neither trivial nor total, by their blocks, in a fixed order.

    None if the table has more than `most` congruences.
    """
    every = congruences(table, most)
    if every.is_cut:
        return None
    proper = (one for one in sorted(every.found) if len(set(one)) not in (1, len(table)))
    return tuple(map(blocks, proper))


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
