"""In each violated world exactly the named condition is broken, judged by its tables alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import pytest

from steel_verified.theory.conditions import Condition
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from tests.studies.violations.breaking import SLIP_CHANCES, Violation, violated_world

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from steel_verified.worlds.dynamics import Table
    from tests.studies.violations.drawing import ViolatedWorld


def broken(world: ViolatedWorld) -> Iterator[Condition]:
    """The conditions that do not hold, as far as tables and parameters tell."""
    process, told = world.process, world.parameters
    if any(1 not in law for row in process.moves for law in row):
        yield Condition.DETERMINISTIC
    if world.later is not None:
        yield Condition.UNCHANGING
    connected = is_connected(world.table)
    if not connected:
        yield Condition.CONNECTED
    if len(set(process.noise)) > 1:
        yield Condition.EXOGENOUS
    elif not mixes(world):
        yield Condition.MIXING
    if len(world.table) > told.max_states:
        yield Condition.MAX_STATES
    tables = (world.table, world.later or world.table)
    if connected and max(Dynamics(table).diameter for table in tables) > told.max_diameter:
        yield Condition.MAX_DIAMETER
    if world.oracle.class_size > told.class_size:
        yield Condition.CLASS_SIZE
    if not all(is_realised(world, state) for state in range(len(world.table))):
        yield Condition.REALISABLE


def is_connected(table: Table) -> bool:
    return nx.is_strongly_connected(graph((s, to) for s, row in enumerate(table) for to in row))


def graph(edges: Iterable[tuple[int, int]]) -> nx.DiGraph[int]:
    made: nx.DiGraph[int] = nx.DiGraph()
    made.add_edges_from(edges)
    return made


def mixes(world: ViolatedWorld) -> bool:
    rows = world.process.noise[0]
    moves = graph((e, f) for e, row in enumerate(rows) for f, p in enumerate(row) if p)
    if not nx.is_strongly_connected(moves) or not nx.is_aperiodic(moves):
        return False
    return mixing_time(Chain(rows)) <= world.parameters.mixing_time


def is_realised(world: ViolatedWorld, state: int) -> bool:
    """Whether some classifier is 1 on all that the state shows, and 0 on what others show."""
    shown = [
        {x for law in laws for x, weight in enumerate(law) if weight}
        for laws in world.process.emission
    ]
    others = {x for s, seen in enumerate(shown) if s != state for x in seen}
    columns = world.oracle.columns
    return any(
        all(columns[x] >> f & 1 for x in shown[state])
        and not any(columns[x] >> f & 1 for x in others)
        for f in range(world.oracle.class_size)
    )


@pytest.mark.parametrize("violation", Violation)
def test_exactly_one_condition_is_broken(violation: Violation) -> None:
    expected = [] if violation.condition is None else [violation.condition]
    for seed in range(15):
        assert list(broken(violated_world(violation, seed))) == expected, seed


@pytest.mark.parametrize("violation", Violation)
def test_a_world_is_a_function_of_its_seed(violation: Violation) -> None:
    assert violated_world(violation, 3) == violated_world(violation, 3)
    assert violated_world(violation, 3) != violated_world(violation, 4)


@pytest.mark.parametrize("violation", Violation)
def test_f_contains_both_constants(violation: Violation) -> None:
    oracle = violated_world(violation, 0).oracle
    classifiers = range(oracle.class_size)
    values = [{column >> f & 1 for column in oracle.columns} for f in classifiers]
    assert {0} in values
    assert {1} in values


@pytest.mark.parametrize(("violation", "chance"), SLIP_CHANCES.items())
def test_slips_keep_the_most_likely_transitions(violation: Violation, chance: Fraction) -> None:
    for seed in range(20):
        world = violated_world(violation, seed)
        for row, laws in zip(world.table, world.process.moves, strict=True):
            for to, law in zip(row, laws, strict=True):
                assert law[to] >= 1 - chance
        slips = {1 - max(law) for laws in world.process.moves for law in laws}
        assert 0 < max(slips) <= chance
