"""Where located STEEL is not accepted in time, the paper's algorithm goes on in the same world."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steel_verified.evidence.ledger import Opened, OpenedLocated
from steel_verified.learning.results import Accepted, accepted
from steel_verified.strategies import Problem, problems
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import largest_extent
from steel_verified.theory.recipe import paper
from steel_verified.worlds import driver
from steel_verified.worlds.driver import learn_with_fallback
from steel_verified.worlds.tabular import tabular_world
from steel_verified.worlds.truth import relabelling

RARE = Fraction(1, 10**6)


def learned(problem: Problem, seed: int) -> tuple[Accepted[int], bool]:
    """What was learned with fallback, and whether the dynamics are right."""
    world = tabular_world(problem.world, seed)
    result = learn_with_fallback(
        world,
        problem.oracle,
        replace(problem.parameters, delta=RARE),
        first_action=problem.first_action,
    )
    found = accepted(result)
    truth = problem.world.dynamics
    right = relabelling(found.model, found.current, truth, world.state) is not None
    return found, right


@pytest.mark.properties
@settings(max_examples=20)
@given(problem=problems(max_states=3), seed=st.integers(0, 2**32), limit=st.integers(0, 60))
def test_the_paper_algorithm_goes_on_from_anywhere(problem: Problem, seed: int, limit: int) -> None:
    """Located STEEL gets so few steps that it seldom ends; the whole stays in its bounds."""
    half = replace(problem.parameters, delta=RARE / 2)
    bound = total_bound(paper(half), largest_extent(half))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "total_bound", lambda *_: 10 * limit)
        found, right = learned(problem, seed)
    assert right
    assert found.ledger.steps <= limit + bound
    assert found.ledger.budget.spent <= found.ledger.budget.allowed <= RARE
    begun = [e for e in found.ledger.entries if isinstance(e, Opened | OpenedLocated)]
    assert isinstance(begun[0], OpenedLocated)
    assert begun[0].recipe.parameters.delta == RARE / 2
    if len(begun) == 2:
        assert begun[1].recipe == paper(half)
        assert found.ledger.budget.allowed == RARE
        assert found.recipe == paper(half)
    else:
        assert found.ledger.steps <= limit


@pytest.mark.properties
@settings(max_examples=20)
@given(problem=problems(max_states=3), seed=st.integers(0, 2**32))
def test_all_takes_at_most_eleven_tenths_of_the_bound(problem: Problem, seed: int) -> None:
    half = replace(problem.parameters, delta=RARE / 2)
    bound = total_bound(paper(half), largest_extent(half))
    found, right = learned(problem, seed)
    assert right
    assert 10 * found.ledger.steps <= 11 * bound
    assert found.ledger.budget.spent <= RARE
