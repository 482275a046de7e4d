"""Any world has violated twins: copies of its states that look and behave alike."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.strategies import problems
from steel_verified.theory.conditions import Condition
from steel_verified.using.learn import attempt
from steel_verified.worlds.tabular import HiddenModel, HiddenWorld, law
from tests.worlds.laws_of_data import hidden_model

from .laws_of_data import difference
from .readings import Reading, broken, reading_of

if TYPE_CHECKING:
    from steel_verified.strategies.worlds import Problem
    from steel_verified.worlds.tabular import Law


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
)
def test_world_with_copied_states_has_the_same_law_and_results(
    problem: Problem, chances: list[Fraction], seed: int
) -> None:
    """The law of data is that of the world without copies, and both methods learn the same."""
    own = reading_of(problem.world)
    violated = copied(own, chances)
    assert Condition.REALISABLE in broken(violated, problem.oracle, problem.parameters)
    assert broken(own, problem.oracle, problem.parameters) == set()
    one, other = violated.model, hidden_model(problem.world)
    action = problem.first_action
    assert difference(one, other, first_action=action) is None
    whole = one.denominator() * other.denominator()
    for method in (Looped, Located):
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
