"""Certain STEEL is never wrong, whatever the noise does, and ends as early as it can."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning.certain import Certain
from steel_verified.learning.covers import covers
from steel_verified.learning.deciding import Decided, Open, Refuted, rows_that_refute
from steel_verified.learning.knowledge import Trajectory, nothing_known
from tests.learning.certain.worlds import (
    KINDS,
    Adversary,
    Definition,
    explored,
    hostile_worlds,
    is_connected,
    is_right,
    judge,
    scripted,
    tables,
)

if TYPE_CHECKING:
    from steel_verified.learning.certain import Exploring
    from tests.learning.certain.worlds import History, Hostile


def never_wrong(state: Exploring, path: Trajectory, world: Hostile | Adversary) -> None:
    states = world.states if isinstance(world, Adversary) else world.visited
    assert not isinstance(state.decision, Refuted)
    if isinstance(state.decision, Decided):
        assert is_right(state.decision, path.rows, states, world.table)
        assert len(state.decision.table) == len(world.table)
    assert judge([path], world.size, world.actions, connected=True) == state.decision or (
        isinstance(state.decision, Open)
    )


@given(hostile_worlds(connected=True), st.integers(0, 3))
def test_scripted_noise_never_gives_a_wrong_model(world: Hostile, seed: int) -> None:
    state, path = explored(world, most=60, seed=seed, check_steps=5)
    never_wrong(state, path, world)


@given(st.data(), tables(connected=True), st.integers(1, 6))
def test_adversary_that_chooses_each_bit_as_it_goes_never_causes_an_error(
    data: st.DataObject, table: list[list[int]], extra: int
) -> None:
    def choose(_: History) -> int:
        return data.draw(st.integers(0, (1 << extra) - 1))

    world = Adversary(table, extra, choose)
    never_wrong(*explored(world, most=25, check_steps=3), world)


@given(
    tables(connected=True),
    st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 40)), min_size=1, max_size=8),
)
def test_bits_that_follow_the_history_never_cause_an_error(
    table: list[list[int]], kinds: list[tuple[str, int]]
) -> None:
    shown = [scripted(kind, number, len(table)) for kind, number in kinds]

    def choose(history: History) -> int:
        return sum(bit(history) << i for i, bit in enumerate(shown))

    world = Adversary(table, len(shown), choose)
    never_wrong(*explored(world, most=120, check_steps=10), world)


def every_tiny_record(
    steps: int, extra: int
) -> list[tuple[list[list[int]], Trajectory, list[int]]]:
    """All worlds of two states and two actions, all words and all noise, with the true states."""
    found = []
    every = [[[a, b], [c, d]] for a, b, c, d in product((0, 1), repeat=4)]
    for table in filter(is_connected, every):
        for word in product((0, 1), repeat=steps):
            states = [0]
            for action in word:
                states.append(table[states[-1]][action])
            for noise in product(range(1 << extra), repeat=steps + 1):
                rows = (1 << s | bits << 2 for s, bits in zip(states, noise, strict=True))
                found.append((table, Trajectory(tuple(rows), word), states))
    return found


def agrees_with_brute_force(steps: int, extra: int) -> int:
    """Compare all tiny records with the definition; return how many are decided."""
    decided = 0
    for table, path, states in every_tiny_record(steps, extra):
        decision = judge([path], 2 + extra, 2, connected=True)
        definition = Definition.of([path], 2 + extra, 2, connected=True)
        assert isinstance(decision, Decided) == definition.is_decided()
        assert not isinstance(decision, Refuted)
        if isinstance(decision, Decided):
            decided += 1
            assert is_right(decision, path.rows, states, table)
    return decided


def test_all_tiny_worlds_are_decided_as_brute_force_decides_them() -> None:
    assert agrees_with_brute_force(steps=4, extra=1) > 0


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_all_tiny_worlds_with_more_noise_are_decided_as_brute_force_decides_them() -> None:
    assert agrees_with_brute_force(steps=5, extra=2) > 0


def flickering(states: int, bits: int, seed: int) -> Adversary:
    """A lock among flickering bits: one action leads on, the other one back."""
    random = Random(seed)
    chances = [random.uniform(0.1, 0.9) for _ in range(bits)]
    lit = 0
    table = [[(s + 1) % states, 0] for s in range(states)]
    for line in table:
        random.shuffle(line)

    def choose(_: History) -> int:
        nonlocal lit
        lit ^= sum((random.random() < chance) << i for i, chance in enumerate(chances))
        return lit

    return Adversary(table, bits, choose)


def test_lock_of_20_states_takes_few_more_steps_than_needed() -> None:
    for seed in range(3):
        world = flickering(20, 492, seed)
        state, path = explored(world, most=1000, check_steps=100)
        never_wrong(state, path, world)
        assert state.decided_at is not None
        assert 20 * 21 // 2 <= state.decided_at <= 240
        assert state.steps == state.decided_at + 100


def test_unique_classifiers_are_the_true_ones_and_copies_are_listed() -> None:
    world = flickering(4, 20, 0)
    world.extra += 1
    noise = world.choose
    world.choose = lambda history: noise(history) | (history[-1][0] == 2) << 20
    state, _ = explored(world, most=1000)
    assert isinstance(state.decision, Decided)
    assert sorted(state.decision.labels) == [(0,), (1,), (2, 24), (3,)]


def test_two_states_are_supposed_exactly_if_a_classifier_is_always_1() -> None:
    for always in (False, True):
        world = Adversary([[1, 0], [0, 1]], 1, lambda _, lit=always: int(lit))  # type: ignore[misc]
        state, _ = explored(world, most=300)
        assert isinstance(state.decision, Decided)
        assert state.decision.supposes_two == always


def test_world_that_changes_after_the_decision_is_refuted() -> None:
    world = flickering(6, 30, 1)
    policy = Certain(world.size, world.actions)
    state = policy.nothing()
    while (word := policy.next_word(state)) is not None:
        if isinstance(state.decision, Decided):
            world.table[3] = [5, 5]
        state = policy.with_rows(state, word, [world.step(action) for action in word])
    assert isinstance(state.decision, Refuted)
    assert not state.decision.supposes_connected


def test_world_that_is_not_connected_is_refuted_by_connectedness_only() -> None:
    state, _ = explored(Adversary([[1], [1]], 0, lambda _: 0), most=10)
    assert state.decision == Refuted(supposes_connected=True)


@given(st.integers(0, 10**6))
def test_rows_that_refute_are_refuting_and_all_needed(seed: int) -> None:
    random = Random(seed)
    rows = tuple(random.randrange(1, 32) for _ in range(20))
    path = Trajectory(rows, tuple(random.randrange(2) for _ in rows[1:]))
    nothing = nothing_known(5, 2)
    transitions = list(path.transitions())
    if covers(nothing.of(path), None, most=1):
        return
    needed = rows_that_refute(transitions, nothing)

    def explained(some: list[tuple[int, int | None, int]]) -> bool:
        known = nothing
        for transition in some:
            known = known.with_transition(transition)
        return bool(covers(known, None, most=1))

    assert not explained(needed)
    assert all(explained([*needed[:i], *needed[i + 1 :]]) for i in range(len(needed)))


def test_last_row_is_not_counted_as_taken() -> None:
    # The last transition that is needed has not been taken: nothing is decided before it.
    whole = Trajectory((1, 2, 1), (0, 0))
    assert isinstance(judge([whole], 2, 1, connected=True), Decided)
    assert isinstance(judge([Trajectory((1, 2), (0,))], 2, 1, connected=True), Open)
