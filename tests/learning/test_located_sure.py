"""The sure decisions of located STEEL are right for every noise, also for adversarial noise.

There are no statistics: after every plan, each dataset contains one state, the known transitions
are those of the world, and the learner is at the state that it reports.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from steel_verified.strategies import dynamics

from .located_truth import (
    ChosenWorld,
    Learner,
    Seeing,
    advanced,
    check_truth,
    inside,
    realising,
    recipe_for,
)

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics

ALPHABET = 3
LIMIT = 400


@dataclass(frozen=True)
class Case:
    """A world, a class that realises its encoder and has any other classifiers, and bounds."""

    truth: Dynamics
    start: int
    oracle: Seeing
    spare: int
    mixing_time: int
    first_action: int

    def begun(self) -> Learner:
        recipe = recipe_for(self.truth, spare=self.spare, mixing_time=self.mixing_time)
        return replace(recipe, first_action=self.first_action).begin()


@st.composite
def cases(draw: st.DrawFn, *, max_states: int = 5) -> Case:
    truth = draw(dynamics(max_states=max_states))
    size = truth.states * ALPHABET
    column = st.lists(st.booleans(), min_size=size, max_size=size)
    by_noise = st.lists(st.booleans(), min_size=ALPHABET, max_size=ALPHABET).map(
        lambda shown: [shown[x % ALPHABET] for x in range(size)]
    )
    others = draw(st.lists(column | by_noise, max_size=8))
    return Case(
        truth=truth,
        start=draw(st.integers(0, truth.states - 1)),
        oracle=realising(truth.states, ALPHABET, others),
        spare=draw(st.integers(0, 2)),
        mixing_time=draw(st.integers(1, 6)),
        first_action=draw(st.integers(0, truth.actions - 1)),
    )


class Adversary(RuleBasedStateMachine):
    """An adversary that sees the learner's whole state chooses the noise of every step."""

    @initialize(case=cases())
    def start(self, case: Case) -> None:
        self.case = case
        self.world = ChosenWorld(case.truth, case.start, ALPHABET, lambda _time, _action, _state: 0)
        self.learner = case.begun()

    def go(self, plans: int) -> None:
        for _ in range(plans):
            self.learner = advanced(self.learner, self.world, self.case.oracle, LIMIT)
            check_truth(self.learner, self.case.truth, self.world.state)

    @rule(choices=st.lists(st.integers(0, ALPHABET - 1), min_size=1, max_size=12))
    def step_by_step(self, choices: list[int]) -> None:
        """Each choice is the noise of the next step."""
        drawn = iter(choices * LIMIT)
        self.world.noise = lambda _time, _action, _state: next(drawn)
        self.go(1)

    @rule(e=st.integers(0, ALPHABET - 1), plans=st.integers(1, 20))
    def constant(self, e: int, plans: int) -> None:
        self.world.noise = lambda _time, _action, _state: e
        self.go(plans)

    @rule(
        word=st.lists(st.integers(0, ALPHABET - 1), min_size=2, max_size=7),
        plans=st.integers(1, 20),
    )
    def periodic(self, word: list[int], plans: int) -> None:
        self.world.noise = lambda time, _action, _state: word[time % len(word)]
        self.go(plans)

    @rule(
        by_action=st.lists(st.integers(0, ALPHABET - 1), min_size=3, max_size=3),
        by_state=st.lists(st.integers(0, ALPHABET - 1), min_size=5, max_size=5),
        plans=st.integers(1, 20),
    )
    def against_the_plan(self, by_action: list[int], by_state: list[int], plans: int) -> None:
        """The noise is a function of the last action and of the state that it led to."""
        self.world.noise = lambda _time, action, state: (
            (by_action[action] + by_state[state]) % ALPHABET
        )
        self.go(plans)

    @rule(plans=st.integers(1, 20), turn=st.integers(0, 1))
    def resembling_others(self, plans: int, turn: int) -> None:
        """Choose the noise for which the fewest classifiers separate the state from others."""

        def chosen(time: int, _action: int, state: int) -> int:
            columns = self.case.oracle.functions.columns
            pools = [inside(pool.summary) for pool in self.learner.pools.held.values()]
            others = [pool.marks for pool in pools if state not in pool.states]

            def separators(e: int) -> tuple[int, int]:
                column = columns[state * ALPHABET + e]
                ways = [
                    min((column & ~m.some).bit_count(), (m.every & ~column).bit_count())
                    for m in others
                ]
                return min(ways, default=0), (e + turn * time) % ALPHABET

            return min(range(ALPHABET), key=separators)

        self.world.noise = chosen
        self.go(plans)

    @invariant()
    def within_the_limit(self) -> None:
        if hasattr(self, "learner"):
            assert self.learner.ledger.steps <= LIMIT


TestAdversary = Adversary.TestCase
TestAdversary.settings = settings(stateful_step_count=25)
