"""The checker's formulas and plans, written a second time, agree with the learner's."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker import formulas, planning
from proofs_checks.checker import reading as second
from steel_verified.learning.model import Model
from steel_verified.learning.words import covering_cycle, escaping_word
from steel_verified.strategies import dynamics, parameters
from steel_verified.theory import budget, counts, schedules
from steel_verified.theory.exact import ball
from steel_verified.theory.parameters import Parameters
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics

words = st.integers(1, 40)


def restated(p: Parameters) -> second.Parameters:
    return second.Parameters(
        p.actions,
        p.max_states,
        p.max_diameter,
        p.mixing_time,
        p.class_size,
        p.delta,
        p.epsilon,
    )


@pytest.mark.properties
@given(p=parameters(), word=words)
def test_counts_and_rollouts(p: Parameters, word: int) -> None:
    recipe, other = paper(p), restated(p)
    assert formulas.period_samples(other) == counts.period_test_samples(recipe)
    assert formulas.position_samples(other) == counts.position_samples(recipe)
    assert formulas.initial_steps(other, word) == counts.initial_rollout(recipe, word)
    for period in range(1, p.max_states + 1):
        assert formulas.call_steps(other, word, period) == counts.cycle_find_steps(
            recipe, word, period
        )


@pytest.mark.properties
@given(p=parameters(max_states=6), word=st.integers(1, 6))
def test_schedules(p: Parameters, word: int) -> None:
    because = schedules.FixedByParameters()
    for period in range(1, p.max_states + 1):
        theirs = schedules.position_times(paper(p), word, period, because)
        for i, times in enumerate(theirs):
            ours = formulas.position_times(restated(p), word, period, i)
            for mine, other in zip(ours, (times.early, times.late), strict=True):
                (level,) = other.levels
                assert mine == second.Times(other.first, level.count, level.stride)
                assert mine.last == other.last
    for test in schedules.period_tests(paper(p), word, because):
        repetitions, gap, last = formulas.period_test(restated(p), word, test.hypothesis)
        assert repetitions == len(test.ones)
        assert last == test.zeros.last
        gaps = [test.row(1).first - test.ones.first]
        if repetitions > 1:
            last_row = test.row(test.hypothesis - 1).first
            gaps.append(test.ones.first + test.ones.levels[0].stride - last_row)
            assert gap == min(gaps)


@pytest.mark.properties
@given(p=parameters(), states=st.integers(1, 30))
def test_the_encoder(p: Parameters, states: int) -> None:
    recipe, other = paper(p), restated(p)
    assert formulas.encoder_samples(other, states) == counts.encoder_samples(recipe, states)
    assert formulas.tour_passes(other, states) == counts.sampling_passes(recipe, states)
    assert formulas.encoder_charge(other, states) == budget.encoder_charge(recipe, states).amount


@pytest.mark.properties
@given(p=parameters(), tests=st.integers(0, 10**9))
def test_charges(p: Parameters, tests: int) -> None:
    theirs = budget.period_charge(paper(p), tests)
    assert formulas.separation_charge(restated(p), tests, theirs.samples) == theirs.amount


@pytest.mark.properties
@given(x=st.fractions(0, 300), bits=st.sampled_from([16, 64, 200]))
def test_exp_is_between_its_bounds(x: Fraction, bits: int) -> None:
    low, high = formulas.exp_bounds(x, bits)
    with ctx.workprec(1500):
        value = ball(x).exp() * 2**bits
        assert value >= low
        assert value <= high


@st.composite
def partial_tables(draw: st.DrawFn) -> tuple[Model, Dynamics]:
    truth = draw(dynamics(max_states=7))
    table = [[to if draw(st.integers(0, 3)) else None for to in row] for row in truth.table]
    table[draw(st.integers(0, truth.states - 1))][draw(st.integers(0, truth.actions - 1))] = None
    return Model(truth.actions, tuple(tuple(row) for row in table)), truth


@pytest.mark.properties
@given(case=partial_tables())
def test_escaping_words(case: tuple[Model, Dynamics]) -> None:
    model, _ = case
    theirs = escaping_word(model)
    table = [list(row) for row in model.table]
    assert planning.escaping_word(table, len(theirs), planning.Work()) == theirs
    assert planning.escaping_word(table, len(theirs) - 1, planning.Work()) is None


@pytest.mark.properties
@given(truth=dynamics(max_states=7), at_least=st.integers(1, 60), data=st.data())
def test_covering_cycles(truth: Dynamics, at_least: int, data: st.DataObject) -> None:
    home = data.draw(st.integers(0, truth.states - 1))
    theirs = covering_cycle(Model(truth.actions, truth.table), home, at_least)
    table: planning.Table = [list(row) for row in truth.table]
    ours = planning.covering_cycle(table, home, at_least, len(theirs), planning.Work())
    assert ours == theirs
    shorter = planning.covering_cycle(table, home, at_least, len(theirs) - 1, planning.Work())
    assert shorter is None


def test_exact_equality_is_decided_alike() -> None:
    """δ such that (9/16)⁴⁰ is exactly what is allowed."""
    delta = 4 * 2 * 2 * 1 * 3 * Fraction(9, 16) ** 40
    p = Parameters(
        actions=2,
        max_states=2,
        max_diameter=1,
        mixing_time=1,
        class_size=3,
        delta=delta,
        epsilon=Fraction(1, 2),
    )
    assert formulas.period_samples(restated(p)) == counts.period_test_samples(paper(p)) == 40
    less = replace(p, delta=delta * Fraction(999, 1000))
    assert formulas.period_samples(restated(less)) == 41
