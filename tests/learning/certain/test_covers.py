"""The covers that are found are those of the definition, and when one is left is as proved."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning.certain import Decided, decide, without_lone_labels
from steel_verified.learning.covers import covers, is_cover
from steel_verified.learning.knowledge import Trajectory, bits
from tests.learning.certain.worlds import Definition, is_connected, known_of, logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.learning.certain.worlds import Hostile

Drawn = tuple["Hostile", list[Trajectory]]


@given(drawn=logs(), connected=st.booleans())
def test_covers_are_those_of_the_definition(*, drawn: Drawn, connected: bool) -> None:
    world, episodes = drawn[0], drawn[1][:1] if connected else drawn[1]
    definition = Definition.of(episodes, world.size, world.actions, connected=connected)
    here = definition.rows[-1] if connected else None
    known = without_lone_labels(known_of(episodes, world.size, world.actions), connected=connected)
    found = covers(known, here, most=1000)
    expected = definition.covers()
    assert len(found) == len(expected)
    assert {frozenset(definition.column(f) for f in bits(one)) for one in found} == set(expected)
    assert len(covers(known, here)) == min(2, len(expected))
    decided = decide(known_of(episodes, world.size, world.actions), here)
    assert isinstance(decided, Decided) == definition.is_decided()


@pytest.mark.parametrize(
    ("rows", "number"), [((12, 6, 9, 49, 6, 34), 1), ((5, 17, 24, 10, 6, 10), 0)]
)
def test_search_decides_what_rule_r_leaves_open(rows: tuple[int, ...], number: int) -> None:
    # A new action at each step: only classifiers that are 1 together conflict.
    episode = Trajectory(rows, tuple(range(len(rows) - 1)))
    known = known_of([episode], 6, len(rows) - 1)
    assert not known.is_resolved
    assert not known.is_contradicted
    assert len(covers(known, None)) == number
    assert len(Definition.of([episode], 6, len(rows) - 1, connected=False).covers()) == number


@given(logs(), st.integers(0, 12))
def test_cover_of_fewer_rows_is_kept_exactly_if_it_still_is_one(drawn: Drawn, cut: int) -> None:
    world, episodes = drawn[0], drawn[1][:1]
    fewer = [Trajectory(e.rows[: cut + 1], e.actions[:cut]) for e in episodes]
    known = known_of(episodes, world.size, world.actions)
    left = {frozenset(known.facts[f].column for f in bits(c)) for c in covers(known, None, most=99)}
    for cover in covers(known_of(fewer, world.size, world.actions), None, most=99):
        still = is_cover(known, cover, None)
        assert still == (
            not cover & known.out and frozenset(known.facts[f].column for f in bits(cover)) in left
        )


def congruences(table: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """Every division of the states into blocks that the dynamics respect, by trying all."""
    states = range(len(table))
    for block in product(*(range(state + 1) for state in states)):
        named = all(block[state] in (state, *block[:state]) for state in states)
        least = all(block[block[state]] == block[state] for state in states)
        if (
            named
            and least
            and all(
                block[to] == block[also]
                for one in states
                for other in states
                if block[one] == block[other]
                for to, also in zip(table[one], table[other], strict=True)
            )
        ):
            yield block


def test_ends_exactly_if_no_proper_quotient_is_classified() -> None:
    """The identification theorem, where F classifies every set of states, and noise."""
    ended = {True: 0, False: 0}
    for seed in range(60):
        random = Random(seed)
        states, actions = random.randrange(2, 5), random.randrange(1, 4)
        table = [[(s + 1) % states] * actions for s in range(states)]
        while actions > 1:
            table = [[random.randrange(states) for _ in range(actions)] for _ in range(states)]
            if is_connected(table):
                break
        episode = noisy_walk(table, random, steps=400)
        classifiers = (1 << states) - 2 + 4
        known, here = known_of([episode], classifiers, actions), episode.rows[-1]
        quotients = [c for c in congruences(table) if len(set(c)) > 1]
        is_simple = len(quotients) == 1
        ended[is_simple] += 1
        assert isinstance(decide(known, here), Decided) == is_simple
        # F classifies all blocks of all of them: the covers that are left are their blocks.
        left = covers(without_lone_labels(known, connected=True), here, most=99)
        blocks = [
            {sum(1 << s for s in range(states) if c[s] == b) - 1 for b in set(c)} for c in quotients
        ]
        assert sorted(map(set, map(bits, left)), key=sorted) == sorted(blocks, key=sorted)
    assert min(ended.values()) >= 10


def noisy_walk(table: list[list[int]], random: Random, steps: int) -> Trajectory:
    """Random actions; classifiers of all sets of states, two bits of noise, and products."""
    sets, here, noise = range(1, (1 << len(table)) - 1), 0, [0, 0]
    rows, actions = list[int](), list[int]()
    for step in range(steps + 1):
        noise = [int(random.random() < 0.6), noise[1] ^ (random.random() < 0.2)]
        shown = [some >> here & 1 for some in sets]
        shown += [*noise, noise[0] & (here == 0), noise[1] ^ (here == 1)]
        rows.append(sum(bit << f for f, bit in enumerate(shown)))
        if step < steps:
            actions.append(random.randrange(len(table[0])))
            here = table[here][actions[-1]]
    return Trajectory(tuple(rows), tuple(actions))
