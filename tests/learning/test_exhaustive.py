"""Every small world, every start and every first action, without sampling.

A run does not depend on the names of the states (this is tested here). So it is enough to try one
numbering of each world with a start: state 0 is the start, and the others are numbered in the order
in which they first appear in the rows of the table.
"""

from collections.abc import Iterator
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import of_kind
from steel_verified.learning.looped import Looped, calls
from steel_verified.strategies import dynamics
from steel_verified.theory import bounds
from steel_verified.theory.parameters import Extent
from steel_verified.worlds.dynamics import Dynamics, Table, relabelling
from steel_verified.worlds.ideal import ideal_run

from .problem_runs import true_parameters


def all_dynamics(states: int, actions: int) -> Iterator[Dynamics]:
    """Yield every strongly connected deterministic MDP of this size."""
    rows = list(product(range(states), repeat=actions))
    yield from connected(product(rows, repeat=states))


def numbered_from_the_start(states: int, actions: int) -> Iterator[Dynamics]:
    """Yield every strongly connected deterministic MDP with start 0, in one numbering each."""

    def entries(named: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield all continuations of the table, entry by entry."""
        state, highest = len(named) // actions, max(named, default=0)
        if state == states:
            yield named
        elif state <= highest:  # else no earlier row leads here: not all states can be reached
            for to in range(min(highest + 1, states - 1) + 1):
                yield from entries((*named, to))

    for entry in entries(()):
        rows = (entry[s * actions : (s + 1) * actions] for s in range(states))
        yield from connected([tuple(rows)])


def connected(tables: Iterator[Table] | list[Table]) -> Iterator[Dynamics]:
    for table in tables:
        try:
            yield Dynamics(table)
        except InvalidArgument:
            continue


def renamed(truth: Dynamics, names: tuple[int, ...]) -> Dynamics:
    """Return the same dynamics, with state s renamed to `names[s]`."""
    rows = {names[s]: tuple(names[to] for to in row) for s, row in enumerate(truth.table)}
    return Dynamics(tuple(rows[name] for name in range(truth.states)))


def check(truth: Dynamics, mixing_time: int) -> None:
    """Require that, from state 0, with every first action, the ideal run learns the truth."""
    p = true_parameters(truth, mixing_time)
    limit = bounds.total_bound(p, Extent(truth.states, truth.diameter))
    for first in range(truth.actions):
        learned = ideal_run(truth, 0, Looped(p), first_action=first)
        assert learned.classifiers is not None
        (ends,) = of_kind(int, learned.classifiers[learned.current])
        meaning = relabelling(learned.model, learned.current, truth, ends)
        assert meaning == learned.classifiers
        assert learned.ledger.steps <= limit
        assert len(list(calls(learned.ledger))) <= truth.states * truth.actions


def check_renamed(truth: Dynamics, names: tuple[int, ...], start: int, first: int) -> None:
    """Require that a run on renamed dynamics is the same run, except for the names of states."""
    recipe = Looped(true_parameters(truth, 2))
    one = ideal_run(truth, start, recipe, first_action=first)
    other = ideal_run(renamed(truth, names), names[start], recipe, first_action=first)
    assert one.classifiers is not None
    assert other.classifiers == tuple(names[s] for s in of_kind(int, *one.classifiers))
    assert (other.model, other.current, other.ledger) == (one.model, one.current, one.ledger)


@given(truth=dynamics(), data=st.data())
def test_a_run_does_not_depend_on_the_names_of_states(truth: Dynamics, data: st.DataObject) -> None:
    check_renamed(
        truth,
        tuple(data.draw(st.permutations(range(truth.states)))),
        start=data.draw(st.integers(0, truth.states - 1)),
        first=data.draw(st.integers(0, truth.actions - 1)),
    )


@pytest.mark.parametrize(
    ("states", "actions"), [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)]
)
def test_numbered_worlds_represent_every_world_with_a_start_once(states: int, actions: int) -> None:
    """Renaming the numbered worlds gives every world with every start exactly once."""
    found = [
        (renamed(truth, names).table, names[0])
        for truth in numbered_from_the_start(states, actions)
        for names in permutations(range(states))
    ]
    every = {(t.table, start) for t in all_dynamics(states, actions) for start in range(states)}
    assert set(found) == every
    assert len(found) == len(every)


@pytest.mark.parametrize(
    ("states", "actions", "how_many"),
    [(1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 9), (2, 3, 49), (3, 1, 1), (3, 2, 148), (4, 1, 1)],
)
def test_every_world_up_to_three_states_and_two_actions_is_learned(
    states: int, actions: int, how_many: int
) -> None:
    worlds = list(numbered_from_the_start(states, actions))
    assert len(worlds) == how_many
    for truth in worlds:
        check(truth, mixing_time=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("states", "actions", "how_many"),
    [(3, 3, 6877), (4, 2, 3493), pytest.param(5, 2, 106431, marks=pytest.mark.night)],
)
@pytest.mark.parametrize("mixing_time", [1, 5])
def test_every_world_of_the_next_sizes_is_learned(
    states: int, actions: int, how_many: int, mixing_time: int
) -> None:
    tried = 0
    for truth in numbered_from_the_start(states, actions):
        check(truth, mixing_time)
        tried += 1
    assert tried == how_many
