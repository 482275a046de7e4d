"""The published strategies reach each shape, shrink to simple values, and are found by type."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from steel_verified import strategies
from steel_verified.learning.looped import Looped
from steel_verified.strategies import Problem, chains, dynamics, ex_bmdps, problems
from steel_verified.theory.parameters import Extent, Parameters, require_within
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import ExBmdp
from tests.reaching import reach


def has_self_loops(truth: Dynamics) -> bool:
    return truth.states > 1 and all(s in row for s, row in enumerate(truth.table))


def is_ring(truth: Dynamics) -> bool:
    return truth.states > 2 and all(len(set(row)) == 1 for row in truth.table)


def is_lock(truth: Dynamics) -> bool:
    return (
        truth.states > 3 and truth.diameter == truth.states - 1 and all(0 in r for r in truth.table)
    )


def has_two_lengths(truth: Dynamics) -> bool:
    choices = [s for s, row in enumerate(truth.table) if len(set(row)) > 1]
    return truth.states > 3 and len(choices) == 1


def has_no_hamiltonian_cycle(truth: Dynamics) -> bool:
    """Return whether no cycle visits every state once, as in two loops that share a state."""

    def extends(path: tuple[int, ...]) -> bool:
        if len(path) == truth.states:
            return path[0] in truth.table[path[-1]]
        return any(to not in path and extends((*path, to)) for to in truth.table[path[-1]])

    return not extends((0,))


SHAPES: dict[str, Callable[[Dynamics], bool]] = {
    "self-loops": has_self_loops,
    "ring": is_ring,
    "lock": is_lock,
    "two lengths": has_two_lengths,
    "no Hamiltonian cycle": has_no_hamiltonian_cycle,
    "large": lambda truth: truth.states == 5 and truth.actions == 3,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_dynamics_generate_every_shape(shape: str) -> None:
    reach(dynamics(), SHAPES[shape], max_examples=5000)


def test_strategies_shrink_to_the_simplest_values() -> None:
    assert find(dynamics(), lambda _: True).table == ((0,),)
    assert find(dynamics(), lambda truth: truth.states == 3).table == ((1,), (2,), (0,))
    assert find(chains(), lambda chain: len(chain) > 1).rows[0][0] > 0


@pytest.mark.parametrize(
    "wanted", [lambda t: t == 1, lambda t: t >= 10, lambda t: t >= 25], ids=["1", "10", "25"]
)
def test_chains_reach_short_and_long_mixing_times(wanted: Callable[[int], bool]) -> None:
    reach(chains(), lambda chain: wanted(mixing_time(chain)), max_examples=3000)


def test_ex_bmdps_generate_a_noisy_tv() -> None:
    """The noise is visible in some state and hidden in another."""

    def shows(world: ExBmdp, s: int) -> bool:
        return len(set(world.emission[s])) > 1

    def tv(world: ExBmdp) -> bool:
        seen = {shows(world, s) for s in range(world.dynamics.states)}
        return len(world.noise) > 1 and seen == {True, False}

    reach(ex_bmdps(), tv)


@given(problem=problems())
def test_problems_satisfy_every_assumption(problem: Problem) -> None:
    truth, p = problem.world.dynamics, problem.parameters
    require_within(Extent(truth.states, truth.diameter), p)
    assert mixing_time(problem.world.noise) <= p.mixing_time
    owners = problem.world.encoder()
    columns = problem.oracle.columns
    for s in range(truth.states):
        assert any(
            all((columns[x] >> f & 1) == (owner == s) for x, owner in enumerate(owners))
            for f in range(problem.oracle.class_size)
        )


@pytest.mark.parametrize("kind", [Parameters, Looped, Dynamics, Chain, ExBmdp, Problem])
def test_from_type_finds_the_strategy(kind: type[object]) -> None:
    assert isinstance(reach(st.from_type(kind), lambda _: True), kind)


def test_public_names_are_sorted_and_exist() -> None:
    assert sorted(strategies.__all__) == strategies.__all__
    assert all(hasattr(strategies, name) for name in strategies.__all__)


TWO_BY_TWO = {
    table
    for table in product(product(range(2), repeat=2), repeat=2)
    if 1 in table[0] and 0 in table[1]
}


def test_dynamics_generate_all_tables_of_two_states() -> None:
    """All strongly connected tables with two states and two actions are generated."""
    left = set(TWO_BY_TWO)

    def was_the_last(truth: Dynamics) -> bool:
        left.discard(truth.table)
        return not left

    reach(dynamics(), was_the_last, max_examples=5000)
