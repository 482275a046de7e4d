"""Words escape a model and cycles cover it; labels are merged as a naive closure says."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.learning.graph import (
    Labels,
    covering_cycle,
    escaping_word,
    shortest_words,
    visits,
)
from steel_verified.learning.located import ENOUGH, next_action
from steel_verified.learning.model import Model
from steel_verified.strategies import dynamics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.worlds.dynamics import Dynamics


@st.composite
def partial_models(draw: st.DrawFn) -> tuple[Model, Dynamics]:
    """Draw what is known after some cycles: labels are true states, some transitions unknown."""
    truth = draw(dynamics(max_states=6))
    table = [[to if draw(st.integers(0, 3)) else None for to in row] for row in truth.table]
    hidden = draw(st.integers(0, truth.states - 1)), draw(st.integers(0, truth.actions - 1))
    table[hidden[0]][hidden[1]] = None
    return Model(truth.actions, tuple(tuple(row) for row in table)), truth


def all_words(actions: int, length: int) -> list[tuple[int, ...]]:
    """Return all words of a length in lexicographic order."""
    return list(product(range(actions), repeat=length))


@given(case=partial_models())
def test_escaping_word_escapes_from_every_state_within_the_length_bound(
    case: tuple[Model, Dynamics],
) -> None:
    model, truth = case
    word = escaping_word(model)
    assert all(model.walk(state, word) is None for state in range(model.states))
    assert len(word) <= model.states * (truth.diameter + 1)


@given(case=partial_models())
def test_escaping_word_begins_with_the_first_shortest_word_out(
    case: tuple[Model, Dynamics],
) -> None:
    """Choices 3 and 4, compared with trying all words by length and then lexicographically."""
    model, truth = case
    ways_out = (
        (length, state, word)
        for length in range(1, truth.diameter + 2)
        for state in range(model.states)
        for word in all_words(model.actions, length)
        if model.walk(state, word) is None
    )
    _, _, first = next(ways_out)
    assert escaping_word(model)[: len(first)] == first


@given(truth=dynamics(max_states=5, max_actions=2), data=st.data())
def test_shortest_words_equal_a_search_of_all_words(truth: Dynamics, data: st.DataObject) -> None:
    """This includes partial models: an unreachable state has no word."""
    unknown = data.draw(st.sets(st.integers(0, truth.states * truth.actions - 1), max_size=3))
    table = tuple(
        tuple(None if s * truth.actions + a in unknown else to for a, to in enumerate(row))
        for s, row in enumerate(truth.table)
    )
    model = Model(truth.actions, table)
    start = data.draw(st.integers(0, truth.states - 1))
    words = shortest_words(model, start)
    for goal in range(truth.states):
        tried = (
            word
            for length in range(1, truth.states + 1)
            for word in all_words(truth.actions, length)
            if model.walk(start, word) == goal
        )
        assert words.get(goal) == next(tried, None)
    assert words.keys() <= set(range(truth.states))


@given(truth=dynamics(max_states=6), at_least=st.integers(1, 40), data=st.data())
def test_covering_cycle_visits_all_states_and_returns(
    truth: Dynamics, at_least: int, data: st.DataObject
) -> None:
    model = Model(truth.actions, truth.table)
    home = data.draw(st.integers(0, truth.states - 1))
    cycle = covering_cycle(model, home, at_least)
    assert set(visits(model, home, cycle)) == set(range(truth.states))
    assert model.walk(home, cycle) == home
    longest = max(truth.states * truth.diameter, at_least + truth.diameter)
    assert at_least <= len(cycle) <= longest
    if truth.states > 1:
        words = shortest_words(model, home)
        others = set(range(truth.states)) - {home}
        nearest = words[min(others, key=lambda state: (len(words[state]), state))]
        assert covering_cycle(model, home, 1)[: len(nearest)] == nearest


def test_covering_cycle_repeats_a_self_loop_at_its_first_place() -> None:
    """A cycle of three states; only state 1 can stay. Home is 0, and five steps are required."""
    ring = Model(2, ((1, 1), (2, 1), (0, 0)))
    assert covering_cycle(ring, 0, 1) == (0, 0, 0)
    assert covering_cycle(ring, 0, 5) == (0, 1, 1, 0, 0)


ACTIONS = 2

Fact = tuple[str, int, int, int]
"""("edge", ℓ, a, ℓ') or ("same", ℓ, ℓ', 0)."""


@dataclass
class Naive:
    """All facts; the partition is computed anew each time, up to a fixed point."""

    size: int
    edges: set[tuple[int, int, int]] = field(default_factory=set)
    same: set[tuple[int, int]] = field(default_factory=set)

    def classes(self) -> list[int]:
        """Return the smallest label that provably equals each label."""
        name = list(range(self.size))
        pairs = set(self.same)
        while True:
            for one, other in pairs:
                low, high = sorted((name[one], name[other]))
                name = [low if n == high else n for n in name]
            found = {
                (to, too)
                for (one, a, to), (other, b, too) in product(self.edges, repeat=2)
                if a == b and name[one] == name[other] and name[to] != name[too]
            }
            if not found and all(name[one] == name[other] for one, other in pairs):
                return name
            pairs |= found


def with_fact(labels: Labels, fact: Fact) -> Labels:
    """Add a fact; a second target of a known transition means that two labels are one state."""
    kind, one, a, other = fact
    if kind == "same":
        return labels.merged(one, a)
    one, other = labels.root(one), labels.root(other)
    known = labels.rows[one][a]
    return labels.with_transition(one, a, other) if known is None else labels.merged(known, other)


@st.composite
def stories(draw: st.DrawFn) -> tuple[int, list[Fact]]:
    """Draw a number of labels, and facts about them."""
    size = draw(st.integers(1, 9))
    label = st.integers(0, size - 1)
    edge = st.tuples(st.just("edge"), label, st.integers(0, ACTIONS - 1), label)
    same = st.tuples(st.just("same"), label, label, st.just(0))
    return size, draw(st.lists(edge | edge | same, max_size=24))


def labelled(size: int) -> Labels:
    labels = Labels(ACTIONS)
    for number in range(size):
        new, labels = labels.with_label()
        assert new == number
    return labels


def check(labels: Labels, naive: Naive) -> None:
    """Require the same partition, a table that is a function, and no unproved transitions."""
    name = naive.classes()
    assert [labels.root(label) for label in range(naive.size)] == name
    assert sorted(labels.rows) == sorted(set(name))
    known = {(name[one], a): name[to] for one, a, to in naive.edges}
    for label, row in labels.rows.items():
        assert row == tuple(known.get((label, a)) for a in range(ACTIONS))
        reached = {label}
        while True:
            more = {to for (one, _), to in known.items() if one in reached} - reached
            if not more:
                break
            reached |= more
        assert labels.reached(label) == reached
    for label in labels.rows:
        every = [labels.reached(inner) for inner in labels.reached(label)]
        closed = [one for one in every if all(labels.reached(inner) == one for inner in one)]
        assert labels.terminal(label) == min(closed, key=lambda one: (len(one), min(one)))


@given(story=stories())
def test_labels_agree_with_a_naive_closure(story: tuple[int, list[Fact]]) -> None:
    size, facts = story
    labels, naive = labelled(size), Naive(size)
    for fact in facts:
        kind, one, a, other = fact
        before = labels.parent, dict(labels.rows)
        after = with_fact(labels, fact)
        assert (labels.parent, labels.rows) == before, "labels are a value"
        labels = after
        if kind == "same":
            naive.same.add((one, a))
        else:
            naive.edges.add((one, a, other))
        check(labels, naive)


def plain_next_action(labels: Labels, seen: Mapping[int, int], current: int) -> int | None:
    """Return the next action by the definition: three searches from the current label."""

    def unfinished(label: int) -> bool:
        return None in labels.rows[label]

    for wanted in (
        lambda label: unfinished(label) and seen[label] >= ENOUGH,
        lambda label: label != current and unfinished(label) and current in labels.reached(label),
        unfinished,
    ):
        way = labels.shortest_way(current, wanted)
        if way is not None:
            return way[0] if way else labels.rows[current].index(None)
    return None


@given(story=stories(), data=st.data())
def test_next_action_is_that_of_the_definition(
    story: tuple[int, list[Fact]], data: st.DataObject
) -> None:
    size, facts = story
    labels = labelled(size)
    for fact in facts:
        labels = with_fact(labels, fact)
    often = data.draw(st.lists(st.integers(7, 8), min_size=size, max_size=size))
    seen = dict(enumerate(often))
    ways = labels.ways
    for current in labels.rows:
        expected = plain_next_action(labels, seen, current)
        assert ways.lead_on(current) == (expected is not None)
        if expected is not None:
            assert next_action(labels, seen, current) == expected


def test_merging_two_paths_at_their_start_merges_all_successors() -> None:
    """Two paths of 500 steps: merging their first labels merges all pairs that follow."""
    length, labels = 500, Labels(1)
    for _ in range(2 * length):
        _, labels = labels.with_label()
    for start, k in product((0, length), range(length - 1)):
        labels = labels.with_transition(start + k, 0, start + k + 1)
    merged = labels.merged(0, length)
    assert sorted(merged.rows) == list(range(length))
    assert all(merged.root(length + k) == k for k in range(length))


def test_transitions_lead_to_roots() -> None:
    labels = labelled(3).merged(1, 2)
    with pytest.raises(InvalidArgument, match="transition"):
        labels.with_transition(0, 0, 2)


def test_model_of_labels_with_outer_targets_is_refused() -> None:
    """The states of the model are the labels in order; unknown or outer targets are refused."""
    labels = labelled(4)
    for one, a, to in [(0, 0, 3), (0, 1, 0), (3, 0, 0), (3, 1, 1), (1, 0, 1), (1, 1, 2)]:
        labels = labels.with_transition(one, a, to)
    for some in [(0, 3), (1, 2), (0, 1, 2, 3)]:
        with pytest.raises(InvalidArgument, match="lead only to each other"):
            labels.model_of(some)
    so_far = labels.model_so_far()
    assert so_far.table == ((3, 0), (1, 2), (None, None), (0, 1))
    closed = labels.merged(1, 2).merged(0, 1)
    assert list(closed.rows) == [0]
    model, states = closed.model_of((0,))
    assert (model.table, states) == (((0, 0),), {0: 0})
