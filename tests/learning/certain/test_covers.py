"""The covers that are found are those of the definition, and when one is left is as proved."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning.covers import covers, finest, is_cover, parting
from steel_verified.learning.deciding import Decided, decide, without_lone_labels
from steel_verified.learning.knowledge import Trajectory, bits, the_one
from tests.learning.certain.worlds import (
    NOISE,
    Definition,
    Hostile,
    is_connected,
    known_of,
    logs,
)
from tests.learning.test_congruences import by_definition

if TYPE_CHECKING:
    from steel_verified.learning.knowledge import Knowledge
    from tests.learning.certain.worlds import Column

Drawn = tuple[Hostile, list[Trajectory]]


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


def test_label_that_would_be_the_only_state_is_no_cover_of_a_connected_world() -> None:
    always = known_of([Trajectory((1, 1), (0,))], 2, 1)
    assert covers(always, None) == (1,)
    assert covers(always, 1) == ()


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
        quotients = [c for c in by_definition(table) if len(set(c)) > 1]
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


# --- what would tell covers apart -----------------------------------------------------------------


def some_world(random: Random) -> Hostile:
    """A world of a pair of bits, or of one; F has classifiers for sets of states and of noise.

    In some of them the noise is a clock that F classifies.
    """
    table = [[1], [1]]
    while not is_connected(table):
        down = [[random.randrange(2) for _ in range(random.randrange(1, 3))]] * 2
        up = [[random.randrange(2) for _ in down[0]] for _ in range(4)]
        table = [[2 * down[s // 2][a] + up[s][a] for a in range(len(down[0]))] for s in range(4)]
        table = table if random.random() < 0.7 else [[random.randrange(2)] * 2 for _ in range(2)]
    states = len(table)
    if random.random() < 0.3:
        times = range(random.randrange(2, NOISE + 1))
        shown = [sum(1 << state * NOISE + e for state in range(states)) for e in times]
        return Hostile(table, shown, [*times])
    sets = [*([0, 1], [2, 3]) * (states == 4), *(random.sample(range(states), 1) for _ in "ab")]
    noises = [random.sample(range(NOISE), random.choice((2, NOISE))) for _ in sets]
    if states == 4:
        noises[:2] = [[*range(NOISE)]] * 2
    others = [
        sum(1 << state * NOISE + e for state in each for e in shown)
        for each, shown in zip(sets, noises, strict=True)
    ]
    return Hostile(table, others, [random.randrange(NOISE) for _ in range(random.randrange(1, 4))])


def walked(world: Hostile, random: Random) -> tuple[Trajectory, Knowledge]:
    """Some random steps, and what is known after them."""
    path = world.record(0, [random.randrange(world.actions) for _ in range(random.randrange(40))])
    known = known_of([path], world.size, world.actions)
    return path, without_lone_labels(known, connected=True)


def test_covers_part_after_the_word_unless_both_labels_are_shown() -> None:
    seen = Counter[str]()
    for seed in range(250):
        random = Random(seed)
        world = some_world(random)
        path, known = walked(world, random)
        here = path.rows[-1]
        if len(left := covers(known, here)) < 2:
            continue
        part = parting(known, here, *left)
        if part is None:
            seen["never"] += 1
            continue
        labels = [the_one(here & cover) for cover in left]
        tables = [known.table(cover) for cover in left]
        for action in part.word[:-1]:
            ahead = [table[label][action] for table, label in zip(tables, labels, strict=True)]
            labels = [to for to in ahead if to is not None]
            assert known.facts[labels[0]].some_with >> labels[1] & 1
        last = [table[label][part.word[-1]] for table, label in zip(tables, labels, strict=True)]
        assert (None in last) == part.is_untaken
        seen["untaken" if part.is_untaken else "parts"] += 1
        if not part.is_untaken:
            rows = (here, *(world.step(action) for action in part.word))
            after = known.of(Trajectory(rows, part.word))
            together = all(rows[-1] >> to & 1 for to in last if to is not None)
            assert together or not all(is_cover(after, cover, rows[-1]) for cover in left)
    assert min(seen["never"], seen["untaken"], seen["parts"]) >= 5, seen


def finest_by_definition(definition: Definition) -> set[frozenset[Column]]:
    """The covers at whose labels all actions were taken, of which every cover is a quotient."""
    every = definition.covers()
    return {
        cover
        for cover in every
        if all(definition.after(column, a) for column in cover for a in range(definition.actions))
        and all(any(label <= wide for wide in other) for other in every for label in cover)
    }


def test_finest_cover_is_that_of_the_definition() -> None:
    seen = Counter[str]()
    for seed in range(250):
        random = Random(seed)
        world = some_world(random)
        path, known = walked(world, random)
        definition = Definition.of([path], world.size, world.actions, connected=True)
        if not (left := covers(known, path.rows[-1])):
            continue
        found = finest(known, path.rows[-1], left)
        columns = () if found is None else (frozenset(map(definition.column, bits(found))),)
        assert set(columns) == finest_by_definition(definition)
        seen["none" if found is None else "quotients" if len(left) > 1 else "one"] += 1
    assert min(seen["none"], seen["one"], seen["quotients"]) >= 5, seen


def test_quotient_never_parts_from_its_model() -> None:
    """Two bits that actions turn; F also classifies the first one alone."""
    labels = (0, 1, 0, 2, 3, 2, 0, 0, 1, 1, 3, 3, 2, 2, 3, 1)
    rows = tuple(1 << label | 1 << 4 + label // 2 for label in labels)
    known = known_of([Trajectory(rows, (1, 1, 0, 1, 1, 0, 2, 1, 2, 0, 2, 1, 2, 1, 0))], 6, 3)
    assert covers(known, rows[-1], most=9) in ((15, 48), (48, 15))
    assert parting(known, rows[-1], 15, 48) is None
    assert finest(known, rows[-1], (48,)) == 15
