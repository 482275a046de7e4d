"""Every small world, every start, every first action: no sampling."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import Added
from steel_verified.theory import bounds
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.theory.recipe import paper
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.truth import relabelling


def all_dynamics(states: int, actions: int) -> Iterator[Dynamics]:
    """Every strongly connected deterministic MDP of this size."""
    rows = list(product(range(states), repeat=actions))
    for table in product(rows, repeat=states):
        try:
            yield Dynamics(table)
        except InvalidArgument:
            continue


def check(truth: Dynamics, mixing_time: int) -> None:
    """From every start and with every first action, the ideal run learns the truth in bounds."""
    p = Parameters(
        actions=truth.actions,
        max_states=truth.states,
        max_diameter=truth.diameter,
        mixing_time=mixing_time,
        class_size=truth.states,
        delta=Fraction(1, 2),
        epsilon=Fraction(1, 2),
    )
    extent = Extent(truth.states, truth.diameter)
    limit = bounds.total_bound(paper(p), extent)
    for start, first in product(range(truth.states), range(truth.actions)):
        learned = ideal_run(truth, start, p, first_action=first)
        assert learned.classifiers is not None
        ends = learned.classifiers[learned.current]
        meaning = relabelling(learned.model, learned.current, truth, ends)
        assert meaning == learned.classifiers
        assert learned.ledger.steps <= limit
        calls = sum(isinstance(row, Added) for row in learned.ledger.rows)
        assert calls <= truth.states * truth.actions


@pytest.mark.parametrize(
    ("states", "actions", "how_many"),
    [(1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 9), (3, 1, 2), (3, 2, 296)],
)
def test_every_world_up_to_three_states_and_two_actions(
    states: int, actions: int, how_many: int
) -> None:
    worlds = list(all_dynamics(states, actions))
    assert len(worlds) == how_many
    for truth in worlds:
        check(truth, mixing_time=2)


@pytest.mark.slow
@pytest.mark.parametrize(("states", "actions"), [(4, 2), (3, 3)])
@pytest.mark.parametrize("mixing_time", [1, 5])
def test_every_world_of_the_next_size(states: int, actions: int, mixing_time: int) -> None:
    for truth in all_dynamics(states, actions):
        check(truth, mixing_time)
