"""Merging labels: a union-find with congruence closure, compared with a naive model."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.learning.graph import Labels

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


def told(labels: Labels, fact: Fact) -> Labels:
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
        terminal = labels.terminal(label)
        assert terminal <= labels.reached(label)
        assert all(labels.reached(inner) == terminal for inner in terminal)


@given(story=stories())
def test_labels_agree_with_a_naive_closure(story: tuple[int, list[Fact]]) -> None:
    size, facts = story
    labels, naive = labelled(size), Naive(size)
    for fact in facts:
        kind, one, a, other = fact
        before = labels.parent, dict(labels.rows)
        after = told(labels, fact)
        assert (labels.parent, labels.rows) == before, "labels are a value"
        labels = after
        if kind == "same":
            naive.same.add((one, a))
        else:
            naive.edges.add((one, a, other))
        check(labels, naive)


@given(story=stories(), data=st.data())
def test_order_of_facts_does_not_change_the_partition(
    story: tuple[int, list[Fact]], data: st.DataObject
) -> None:
    size, facts = story
    one = other = labelled(size)
    for fact in facts:
        one = told(one, fact)
    for fact in data.draw(st.permutations(facts)):
        other = told(other, fact)
    assert one.rows == other.rows
    assert [one.root(label) for label in range(size)] == [
        other.root(label) for label in range(size)
    ]


@given(story=stories())
def test_merging_everything_leaves_one_label(story: tuple[int, list[Fact]]) -> None:
    """Merging terminates for every table; a label that is made later stays separate."""
    size, facts = story
    labels = labelled(size)
    for fact in facts:
        labels = told(labels, fact)
    for label in range(size):
        labels = labels.merged(0, label)
    assert list(labels.rows) == [0]
    new, labels = labels.with_label()
    assert (new, sorted(labels.rows)) == (size, [0, size])


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


def test_second_target_of_a_transition_is_refused() -> None:
    labels = labelled(3).with_transition(0, 1, 2)
    with pytest.raises(InvalidArgument, match="not known yet"):
        labels.with_transition(0, 1, 1)
    with pytest.raises(InvalidArgument, match="not known yet"):
        labels.merged(0, 1).with_transition(0, 1, 2)


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


def test_terminal_returns_the_smallest_terminal_component() -> None:
    """From 0, one action leads to 1 and 3, which lead to each other; the other leads to 2."""
    labels = Labels(2)
    for _ in range(4):
        _, labels = labels.with_label()
    for label, row in enumerate(((1, 2), (3, 3), (2, 2), (1, 1))):
        for action, to in enumerate(row):
            labels = labels.with_transition(label, action, to)
    assert labels.terminal(0) == {2}
    assert labels.terminal(3) == {1, 3}
