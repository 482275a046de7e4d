"""Knowledge is a value that depends on the set of transitions only, and never removes a cover."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning import knowledge
from steel_verified.learning.knowledge import Trajectory, nothing_known
from tests.learning.certain.worlds import Definition, known_of, logs

if TYPE_CHECKING:
    from steel_verified.learning.knowledge import Knowledge
    from tests.learning.certain.worlds import Hostile

Drawn = tuple["Hostile", list[Trajectory]]


def parts_of(episodes: list[Trajectory], cut: int) -> list[Trajectory]:
    """The episodes in two parts each, with the row of the cut in both."""
    early = [Trajectory(e.rows[: cut + 1], e.actions[:cut]) for e in episodes]
    return early + [Trajectory(e.rows[cut:], e.actions[cut:]) for e in episodes if e.rows[cut:]]


def merged_in_any_order(world: Hostile, parts: list[Trajectory], random: Random) -> Knowledge:
    """What the parts say, some of them twice, merged two by two."""
    nothing = nothing_known(world.size, world.actions)
    values = [nothing.of(part) for part in (*parts, *random.sample(parts, len(parts) // 2))]
    while len(values) > 1:
        random.shuffle(values)
        values.append(values.pop().merged(values.pop()))
    return values[0]


@given(logs(), st.randoms(use_true_random=False), st.integers(0, 12))
def test_order_and_repetition_do_not_matter(drawn: Drawn, random: Random, cut: int) -> None:
    world, episodes = drawn
    nothing = nothing_known(world.size, world.actions)
    whole = known_of(episodes, world.size, world.actions)
    assert merged_in_any_order(world, parts_of(episodes, cut), random) == whole
    assert whole.merged(whole) == whole == nothing.merged(whole)


def test_transition_says_nothing_new_exactly_if_it_changes_nothing() -> None:
    """Random transitions between rows of one or two of four classifiers, one after the other."""
    random, nothing = Random(0), nothing_known(4, 1)
    rows = [1 << f | 1 << g for f in range(4) for g in range(4)]
    heard = 0
    for _ in range(1500):
        known = nothing
        for _ in range(7):
            before, after = random.choice(rows), random.choice(rows)
            is_step = random.random() < 0.7
            transition = (before, 0, after) if is_step else (before, None, before)
            merged = known.merged(nothing.merged(nothing.with_transition(transition)))
            assert known.has(transition) == (merged == known)
            assert known.with_transition(transition) == merged
            assert merged.has(transition)
            for fact in merged.facts.values():
                assert not (fact.some_with | fact.after[0][0]) & merged.out
            heard += not merged.is_contradicted and known.has(transition)
            known = merged
            if known.is_contradicted:
                break
    assert heard > 100


@given(logs())
def test_members_of_covers_are_never_removed_and_columns_are_columns(drawn: Drawn) -> None:
    world, episodes = drawn
    known = known_of(episodes, world.size, world.actions)
    definition = Definition.of(episodes, world.size, world.actions, connected=False)
    for f, fact in known.facts.items():
        same = {g for g in range(world.size) if definition.column(g) == definition.column(f)}
        assert sum(1 << g for g in same) == fact.column
        assert min(same) == f
    columns = {definition.column(f) for f in known.facts}
    for cover in definition.covers():
        assert cover <= columns


@given(logs())
def test_conflicts_are_those_of_the_definition(drawn: Drawn) -> None:
    world, episodes = drawn
    known = known_of(episodes, world.size, world.actions)
    definition = Definition.of(episodes, world.size, world.actions, connected=False)
    columns = {f: definition.column(f) for f in known.facts}
    for f, one in columns.items():
        for g, other in columns.items():
            ways = [(definition.after(one, a), other) for a in range(world.actions)]
            ways += [(definition.after(other, a), one) for a in range(world.actions)]
            partly = any(way & to and not way <= to for way, to in ways)
            assert bool(known.conflicts[f] >> g & 1) == (partly or bool(f != g and one & other))


@given(logs(), st.integers(0, 12))
def test_more_rows_never_revive_a_classifier(drawn: Drawn, cut: int) -> None:
    world, episodes = drawn
    whole = known_of(episodes, world.size, world.actions)
    for part in parts_of(episodes, cut):
        fewer = nothing_known(world.size, world.actions).of(part)
        assert not fewer.out & ~whole.out


@given(logs(), st.randoms(use_true_random=False), st.integers(0, 12), st.integers(0, 6))
def test_large_class_is_treated_like_a_small_one_in_the_end(
    drawn: Drawn, random: Random, cut: int, limit: int
) -> None:
    world, episodes = drawn
    usual = known_of(episodes, world.size, world.actions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "MOST_AT_ONCE", limit)
        crowded = merged_in_any_order(world, parts_of(episodes, cut), random)
    assert not crowded.out & ~usual.out
    if crowded.pending:
        assert not crowded.is_resolved
        crowded = crowded.merged(nothing_known(world.size, world.actions))
    assert crowded == usual


def test_classifiers_that_go_while_rows_wait_are_forgotten() -> None:
    path = Trajectory((0b111, 0b101, 0b001), (0, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "MOST_AT_ONCE", 1)
        crowded = known_of([path], 3, 1)
    assert crowded.merged(nothing_known(3, 1)) == known_of([path], 3, 1)


def test_classifiers_with_few_columns_are_few_whatever_their_number() -> None:
    # 40 functions are 1 in state 0 only, 40 in state 1 only, and 100 never.
    one, other, limit = (1 << 40) - 1, (1 << 80) - (1 << 40), 2
    path = Trajectory((one, other, one), (0, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "MOST_AT_ONCE", limit)
        assert known_of([path], 180, 1).is_resolved
        patch.setattr(knowledge, "MOST_AT_ONCE", limit - 1)
        assert known_of([path], 180, 1).pending


def test_forgotten_second_kind_of_conflict_changes_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def together_only(fact: knowledge.Fact) -> int:
        return fact.some_with & ~fact.column

    # Bits 2 and 3 together are 1 where bit 1 is. But the only action leads from bit 0 to either.
    either = Trajectory((0b0001, 0b0110, 0b0001, 0b1010, 0b0001), (0, 0, 0, 0))
    assert known_of([either], 4, 1).left == 0b0011
    monkeypatch.setattr(knowledge.Fact, "conflicts", together_only)
    assert known_of([either], 4, 1).left == 0b1111


def locked(steps: int) -> list[tuple[int, int, int]]:
    """Transitions of a lock of 20 states among 512 flickering bits."""
    random, here, noise = Random(1), 0, 0
    chances = [random.uniform(0.1, 0.9) for _ in range(492)]
    row, found = 1, list[tuple[int, int, int]]()
    for _ in range(steps):
        action = int(random.random() < 0.8)
        here = (here + 1) % 20 if action else 0
        noise ^= sum((random.random() < chance) << i for i, chance in enumerate(chances))
        found.append((row, action, 1 << here | noise << 20))
        row = found[-1][2]
    return found


def test_late_row_costs_no_more_than_an_early_one() -> None:
    transitions = locked(3000)
    known: Knowledge = nothing_known(512, 2)
    seconds = list[float]()
    for transition in transitions:
        began = time.process_time()
        known = known.with_transition(transition)
        seconds.append(time.process_time() - began)
    assert known.is_resolved
    # The quicker ones of each, which other processes slow down least; were the cost in proportion
    # to the rows, late ones would take more than ten times as long.
    early, late = sorted(seconds[100:200]), sorted(seconds[2000:3000])
    assert late[len(late) // 4] <= 3 * early[len(early) // 4]
