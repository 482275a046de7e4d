"""Checks beside `congruences.toml`: which tables can be wrong, on all small labelled worlds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.checks.finite import exhausted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence

Partition = frozenset[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A table of labels, and the state of each label: the table is true under this map.

    A transition is None if it leads to a state that has no label.
    """

    table: tuple[tuple[int | None, ...], ...]
    states: tuple[int, ...]


# --- congruences ----------------------------------------------------------------------------------


@cache
def _partitions(size: int) -> list[Partition]:
    if not size:
        return [frozenset()]
    found: list[Partition] = []
    for smaller in _partitions(size - 1):
        found.append(smaller | {frozenset({size - 1})})
        found += [smaller - {block} | {block | {size - 1}} for block in smaller]
    return found


def _is_congruence(table: tuple[tuple[int | None, ...], ...], blocks: Partition) -> bool:
    block_of = {label: block for block in blocks for label in block}
    return all(
        len({block_of[to] for label in block if (to := table[label][action]) is not None}) <= 1
        for block in blocks
        for action in range(len(table[0]))
    )


def _proper(table: tuple[tuple[int | None, ...], ...]) -> list[Partition]:
    """All congruences that are neither trivial nor total."""
    size = len(table)
    return [
        blocks
        for blocks in _partitions(size)
        if 1 < len(blocks) < size and _is_congruence(table, blocks)
    ]


def _is_finer(one: Partition, other: Partition) -> bool:
    return all(any(block <= whole for whole in other) for block in one)


def _principal(found: list[Partition]) -> list[Partition]:
    """Those of all proper congruences that one pair of labels generates."""
    pairs = {
        frozenset((a, b)) for blocks in found for block in blocks for a in block for b in block
    }
    least = []
    for pair in (pair for pair in pairs if len(pair) == 2):
        joining = [blocks for blocks in found if any(pair <= block for block in blocks)]
        least += [one for one in joining if all(_is_finer(one, other) for other in joining)]
    return least


def _kernel(case: Labelled) -> Partition:
    labels = range(len(case.states))
    return frozenset(
        frozenset(label for label in labels if case.states[label] == state)
        for state in set(case.states)
    )


# --- all small labelled worlds --------------------------------------------------------------------


def _reaches_all(table: tuple[tuple[int | None, ...], ...]) -> bool:
    """Whether every label can be reached from every label."""
    for start in range(len(table)):
        found, new = {start}, [start]
        while new:
            for to in table[new.pop()]:
                if to is not None and to not in found:
                    found.add(to)
                    new.append(to)
        if len(found) < len(table):
            return False
    return True


def _labellings(world: tuple[tuple[int, ...], ...], states: tuple[int, ...]) -> Iterator[Labelled]:
    """Each strongly connected table of labels that is true for labels of these states."""
    labels_of = [[label for label, s in enumerate(states) if s == t] for t in range(len(world))]
    choices: list[list[int] | list[None]] = [
        labels_of[to] or [None] for state in states for to in world[state]
    ]
    actions = len(world[0])
    for chosen in product(*choices):
        rows = tuple(chosen[i : i + actions] for i in range(0, len(chosen), actions))
        if _reaches_all(rows):
            yield Labelled(rows, states)


@cache
def _cases(closed: int, two: int) -> list[Labelled]:
    """Up to 4 labels in every connected world of 2 states and 2 actions.

    `two` = 0: in the world of one state. `closed` = 0: a state may have no label.
    """
    if not two:
        worlds: list[tuple[tuple[int, ...], ...]] = [((0, 0),)]
    else:
        rows = list(product(range(2), repeat=2))
        worlds = [each for each in product(rows, repeat=2) if _reaches_all(each)]
    return [
        case
        for world in worlds
        for size in (1, 2, 3, 4)
        for states in _sorted_maps(size, len(world))
        if not closed or set(states) == set(range(len(world)))
        for case in _labellings(world, states)
    ]


def _sorted_maps(size: int, states: int) -> list[tuple[int, ...]]:
    return [each for each in product(range(states), repeat=size) if list(each) == sorted(each)]


_WORLDS = "up to 4 labels in connected worlds of 2 states and 2 actions"


def unrefuted_tables_are_right(
    listed: str = "all", closed: int = 1, two: int = 1, blocks: str = "some"
) -> Evidence:
    """Check Theorem 9 for the least class, which has one classifier for each state.

    A larger class separates more, so it refutes fewer congruences. Mistakes: only `principal`
    congruences are tested, or the list is `cut`; a table that is not closed; one state; a
    congruence counts as refuted without looking (`blocks` is "none").
    """

    def is_right(case: Labelled) -> bool:
        found = _proper(case.table)
        if listed == "principal":
            found = _principal(found)
        elif listed == "cut":
            found = found[1:]
        states = _kernel(case)
        refuted = all(
            blocks == "none" or any(block not in states for block in each) for each in found
        )
        every = len(set(case.states)) == (2 if two else 1)
        return not refuted or (len(states) == len(case.states) and every)

    return exhausted(_cases(closed, two), is_right, _WORLDS)


def kernels_contain_an_atom(which: str = "some") -> Evidence:
    """Check that each congruence of proper size has an atom below it, which is principal.

    An atom is a least congruence that is not trivial. Mistake: `one` fixed atom is below all.
    """

    def contained(case: Labelled) -> bool:
        found = _proper(case.table)
        atoms = [one for one in found if not any(_is_finer(o, one) and o != one for o in found)]
        if which == "one":
            atoms = atoms[:1]
        return all(any(_is_finer(atom, each) for atom in atoms) for each in found) and all(
            atom in _principal(found) for atom in atoms
        )

    return exhausted(_cases(1, 1), contained, _WORLDS)


# --- private coins --------------------------------------------------------------------------------


def coins_are_passed_by_chance(longer: int = 0, obeys: int = 0, known: int = 0) -> Evidence:
    """Check that n coins between two labels of one state are passed with chance at most 2^−n.

    The noise has two values, which are all that is seen; each stays with a chance of 0, 1/4, 1/2,
    3/4 or 1. The learner chooses, from all that it saw, what it will read as which label. Mistakes:
    one word is `longer`; the noise `obeys` the action; the coin is `known` when the reading is
    chosen.
    """
    chances = [Fraction(part, 4) for part in range(5)]

    def moved(noise: tuple[Fraction, Fraction], law: Fraction) -> Fraction:
        """The chance of value 1 after a step, given that before it."""
        return law * noise[1] + (1 - law) * (1 - noise[0])

    def best(noise: tuple[Fraction, Fraction], value: int, coins: int) -> Fraction:
        """The largest chance to pass so many coins, from a value of the noise."""
        if not coins:
            return Fraction(1)
        ends = [moved(noise, Fraction(value))] * 2  # the chance of 1 after either word
        if longer:
            ends[1] = moved(noise, ends[1])
        if obeys:
            ends = [Fraction(0), Fraction(1)]
        later = [best(noise, 0, coins - 1), best(noise, 1, coins - 1)]

        def passed(side: int, reading: tuple[int, ...]) -> Fraction:
            chances = (1 - ends[side], ends[side])
            parts = (chances[x] * later[x] for x in range(2) if reading[x] == side)
            return sum(parts, Fraction(0))

        readings = list(product(range(2), repeat=2))
        if known:
            return (
                sum((max(passed(side, r) for r in readings) for side in range(2)), Fraction(0)) / 2
            )
        return max(passed(0, r) + passed(1, r) for r in readings) / 2

    def is_rare(case: tuple[Fraction, Fraction, int, int]) -> bool:
        stay0, stay1, value, coins = case
        return best((stay0, stay1), value, coins) <= Fraction(1, 2**coins)

    cases = product(chances, chances, range(2), range(1, 5))
    return exhausted(cases, is_rare, "noise of two values with chances in quarters, up to 4 coins")
