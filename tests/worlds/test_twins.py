"""Violations that nobody can see: a world that breaks no condition has the same law of data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Marks, Tables, tables
from steel_verified.evidence.oracle import Summary, of_kind
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted
from steel_verified.strategies import problems
from steel_verified.theory.conditions import Condition
from steel_verified.using.attempt import attempt
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.tabular import ExBmdp, HiddenModel, HiddenWorld, certain, law
from tests.bounds import bounds, with_class
from tests.worlds.laws_of_data import hidden_model

from .laws_of_data import chance, difference, seen_as
from .readings import Reading, broken, reading_of
from .twins import HORIZON, TWINS, Twins

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.strategies.worlds import Problem
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.tabular import Law

    from .laws_of_data import History


each_pair = pytest.mark.parametrize("pair", TWINS, ids=lambda pair: pair.name)


def as_learned_from(pair: Twins) -> tuple[HiddenModel, HiddenModel]:
    """Both worlds, with observations named by what the classifiers say where only that counts."""
    one, other = pair.broken.model, hidden_model(pair.twin)
    if not pair.by_classifiers:
        return one, other
    names = pair.classifiers.columns
    return seen_as(one, names.__getitem__), seen_as(other, names.__getitem__)


@each_pair
def test_the_world_breaks_these_conditions_and_its_twin_breaks_none(pair: Twins) -> None:
    assert broken(pair.broken, pair.classifiers, pair.parameters) == pair.breaks
    assert broken(reading_of(pair.twin), pair.classifiers, pair.parameters) == set()


@each_pair
def test_the_law_of_data_is_the_same(pair: Twins) -> None:
    """For every length and all actions after the first, which is the learner's."""
    one, other = as_learned_from(pair)
    assert difference(one, other, first_action=0, steps=pair.steps) is None


@each_pair
@pytest.mark.parametrize("method", [Looped, Located])
def test_both_methods_learn_the_twin(
    pair: Twins, method: Callable[[Parameters], Looped | Located]
) -> None:
    """From the same seed they see the same data; so the results are equal, ledgers included."""
    one, other = pair.broken.model, hidden_model(pair.twin)
    whole = lcm(one.denominator(), other.denominator())
    violated, honest = HiddenWorld(one, 7, whole), HiddenWorld(other, 7, whole)
    results = [
        attempt(world, pair.classifiers, method(pair.parameters)) for world in (violated, honest)
    ]
    assert results[0] == results[1]
    learned = results[1]
    assert isinstance(learned, Accepted)
    state = honest.state // len(pair.twin.noise)
    assert relabelling(learned.model, learned.current, pair.twin.dynamics, state)
    assert pair.steps is None or learned.ledger.steps < pair.steps


def test_law_differs_after_the_change_without_a_step_limit() -> None:
    """Without the limit of steps, the change of the dynamics shows as soon as it is there."""
    (later,) = (pair for pair in TWINS if pair.steps is not None)
    found = difference(later.broken.model, hidden_model(later.twin), first_action=0)
    assert found is not None
    assert len(found.history) == HORIZON + 1
    assert set(found.chances) == {0, 1}


def test_the_first_action_matters_for_a_fall() -> None:
    """After another first action, the first observation shows the difference."""
    (fallen,) = (pair for pair in TWINS if pair.name == "a fall at the first step")
    found = difference(fallen.broken.model, hidden_model(fallen.twin), first_action=1)
    assert found is not None
    assert len(found.history) == 1


def test_twins_equal_for_classifiers_differ_in_observations() -> None:
    (pair,) = (pair for pair in TWINS if pair.by_classifiers)
    found = difference(pair.broken.model, hidden_model(pair.twin), first_action=0)
    assert found is not None
    assert found.history == ((0, 1), (0, 0))


def test_every_condition_on_worlds_and_bounds_has_a_twin() -> None:
    """The oracle is no part of a world; its twin is below."""
    assert set().union(*(pair.breaks for pair in TWINS)) == set(Condition) - {Condition.ORACLE}


@dataclass(frozen=True, slots=True)
class Forgetful(Tables):
    """An oracle that never finds one of its classifiers."""

    forgotten: int

    def separating(self, zeros: Summary, ones: Summary) -> int | None:
        """The lowest classifier that separates, the forgotten one left out."""
        low, high = of_kind(Marks, zeros, ones)
        found = high.every & ~low.some & ~(1 << self.forgotten)
        return (found & -found).bit_length() - 1 if found else None


@pytest.mark.parametrize("method", [Looped, Located])
def test_forgetful_oracle_equals_an_oracle_with_another_class(
    method: Callable[[Parameters], Looped | Located],
) -> None:
    """It answers as a right oracle does whose class has another classifier in that place."""
    pair = TWINS[0]
    kept = [[bool(c >> f & 1) for c in pair.classifiers.columns] for f in range(4)]
    own = Tables(5, tables([*kept, [x == 0 for x in range(6)]]).columns)
    without = tables([*kept, kept[0]])
    forgetful = Forgetful(5, own.columns, forgotten=4)
    world = hidden_model(pair.twin)
    given = replace(pair.parameters, class_size=5)
    one, other = (
        attempt(HiddenWorld(world, 3), oracle, method(given)) for oracle in (forgetful, without)
    )
    assert isinstance(one, Accepted)
    assert isinstance(other, Accepted)
    for name in ("model", "current", "classifiers"):
        assert getattr(one, name) == getattr(other, name)
    assert one.ledger.steps == other.ledger.steps


@pytest.mark.parametrize("gamma", [Fraction(1, 10), Fraction(1, 10**9)])
def test_observations_before_a_fall_equal_those_of_rare_noise(gamma: Fraction) -> None:
    """Honest noise passes through a strange look at first, and comes back to it with chance γ."""
    flip_or_stay = ((certain(1), certain(0)), (certain(0), certain(1)))
    fallen = HiddenModel(
        certain(3),
        (*flip_or_stay, (certain(0), certain(1)), (certain(2), certain(2))),
        tuple(certain(s) for s in range(4)),
    )
    zero, one = Fraction(0), Fraction(1)
    looks = [tuple(Fraction(x == shown) for x in range(5)) for shown in range(5)]
    honest = ExBmdp(
        dynamics=Dynamics(((1, 0), (0, 1))),
        noise=Chain(((1 - gamma, gamma, zero), (zero, zero, one), (one, zero, zero))),
        initial_noise=(zero, one, zero),
        emission=((looks[0], looks[0], looks[4]), (looks[1], looks[1], looks[2])),
        start=0,
    )
    oracle = tables([[x in own for x in range(5)] for own in ({0, 4}, {1, 2}, {0}, {1}, {2}, {3})])
    given = with_class(bounds(2, 4, 2, delta=Fraction(1, 100), epsilon=Fraction(1, 2)), 6)
    assert broken(reading_of(honest), oracle, given) == set()
    reading = Reading(fallen, (0, 1, 2, 3), (0, 0, 0, 0))
    assert broken(reading, oracle, given) == {Condition.CONNECTED}
    for taken in product((0, 1), repeat=5):
        history: History = ((0, 2),)
        for action in taken:
            history += next(
                ((action, x),) for x in (0, 1) if chance(fallen, (*history, (action, x)))
            )
            assert chance(fallen, history) == 1
            rare = max(0, len(history) - 3)
            assert chance(hidden_model(honest), history) == (1 - gamma) ** rare


def copied(world: Reading, chances: list[Fraction]) -> Reading:
    """Each hidden state is there twice; a move goes to the first copy with a chance of its own.

    Where that chance is 0 or 1 the world is as deterministic as before. The copies of a state are
    neighbours, so that both worlds show the same data from the same draws.
    """
    model = world.model

    def split(each: Law, first: Fraction) -> Law:
        halves = {2 * h: weight * first for h, weight in each}
        return law(halves | {2 * h + 1: weight * (1 - first) for h, weight in each})

    moves = []
    for h in range(2 * len(model)):
        first = chances[h % len(chances)]
        moves.append(tuple(split(each, first) for each in model.moves[h // 2]))
    return Reading(
        HiddenModel(
            split(model.start, chances[0]),
            tuple(moves),
            tuple(shown for shown in model.shows for _ in range(2)),
        ),
        tuple(2 * s + copy for s in world.latent for copy in range(2)),
        tuple(e for e in world.noise for _ in range(2)),
    )


@given(
    problem=problems(max_states=3),
    chances=st.lists(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]), min_size=1),
    seed=st.integers(0, 99),
    method=st.sampled_from([Looped, Located]),
)
def test_world_with_copied_states_has_the_same_law_and_results(
    problem: Problem,
    chances: list[Fraction],
    seed: int,
    method: Callable[[Parameters], Looped | Located],
) -> None:
    """The law of data is that of the world without copies, and either method learns the same."""
    own = reading_of(problem.world)
    violated = copied(own, chances)
    assert Condition.REALISABLE in broken(violated, problem.oracle, problem.parameters)
    assert broken(own, problem.oracle, problem.parameters) == set()
    one, other = violated.model, hidden_model(problem.world)
    action = problem.first_action
    assert difference(one, other, first_action=action) is None
    whole = one.denominator() * other.denominator()
    results = [
        attempt(
            HiddenWorld(model, seed, whole),
            problem.oracle,
            method(problem.parameters),
            first_action=action,
        )
        for model in (one, other)
    ]
    assert results[0] == results[1]
