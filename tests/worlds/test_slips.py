"""Worlds whose steps slip, what one slip does without a sign, and why attempts that vote help."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Ran
from steel_verified.evidence.plans import Plan, Trajectory
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.located import Located, State, Validating
from steel_verified.learning.results import Accepted, NotAccepted, Result, parameters_of
from steel_verified.learning.voting import Vote, meaning_in
from steel_verified.strategies import ex_bmdps
from steel_verified.theory.exact import exactly
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.slips import slips
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics, is_connected, relabelling
from steel_verified.worlds.grid import Grid
from steel_verified.worlds.simulated import SimulatedWorld
from steel_verified.worlds.slipping import SlipLaw, Slipping, SlippingWorld, slipping
from steel_verified.worlds.tabular import ExBmdp, tabular_world
from steel_verified.worlds.voting import foreseen_slips, learn_with_slips

from ..studies.slips.runs import slipped_steps, slipping_world

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from steel_verified.evidence.ledger import Ledger


def seen(
    world: SimulatedWorld[NDArray[np.int64]] | SlippingWorld[NDArray[np.int64]],
    cuts: list[int],
    word: tuple[int, ...],
) -> list[int]:
    """All rows of one loop that is run in these parts."""
    first, *others = cuts
    trajectory, done = world.run(Plan(word, first)), first
    for part in others:
        trajectory = world.run(Plan(word, part, done))
        done += part
    (rows,) = trajectory.rows((Progression(1, (Level(done, 1),)),))
    return [int(row) for row in rows]


@given(
    world=ex_bmdps().filter(lambda world: world.dynamics.states > 1),
    seed=st.integers(0, 99),
    cuts=st.lists(st.integers(1, 9), min_size=1, max_size=4),
)
def test_slips_do_not_depend_on_how_plans_are_cut(
    world: ExBmdp, seed: int, cuts: list[int]
) -> None:
    law = SlipLaw(Fraction(1, 2), seed)
    whole, parts = (slipping(tabular_world(world, seed), law) for _ in range(2))
    assert seen(whole, [sum(cuts)], (0,)) == seen(parts, cuts, (0,))
    assert whole.slips == parts.slips
    assert whole.state == parts.state


def test_slipped_step_changes_the_target_and_other_steps_do_not() -> None:
    law = SlipLaw(Fraction(1, 3), 7)
    for states in (2, 3, 8):
        targets = {law.target(time, 1, states) for time in range(1, 400)}
        assert targets == set(range(states)) - {1}


def test_number_of_slips_is_near_its_expectation() -> None:
    """Of a million steps, 10,000 should slip: six standard deviations are 597."""
    slipped = SlipLaw(Fraction(1, 100), 3).slipped(np.arange(1, 10**6 + 1))
    assert abs(int(slipped.sum()) - 10_000) < 597


@pytest.mark.parametrize("rate", [Fraction(-1, 10), Fraction(1)])
def test_slip_rate_outside_zero_to_one_raises(rate: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="rate"):
        SlipLaw(rate, 0)


def test_random_slipping_worlds_have_the_stated_rate() -> None:
    world = slipping_world(Fraction(1, 10), 4)
    under_way = world.begin()
    under_way.run(Plan((0, 1), 20_000))
    slips = slipped_steps(world.table, world.process.start, under_way.path)
    assert abs(slips - 2_000) < 255, "six standard deviations"
    honest = slipping_world(Fraction(0), 4).begin()
    honest.run(Plan((0, 1), 200))
    assert slipped_steps(world.table, world.process.start, honest.path) == 0


Cells = NDArray[np.int64]

GRID = Grid(start=0, first_action=0)
PARAMETERS = instance("grid", 0).parameters
STEPS = 1_000
RATE = Fraction(1, 20_000)


def grid_that_slips(law: Slipping, dynamics: Dynamics | None = None) -> SlippingWorld[Cells]:
    world = SimulatedWorld(dynamics or GRID.dynamics(), GRID.start, GRID.observe(0))
    return slipping(world, law)


def learned(world: SlippingWorld[Cells]) -> Result:
    """One run, without the self-check."""
    return checked_run(world, GRID.oracle(), Located(PARAMETERS), max_steps=STEPS)


def is_right(found: Accepted, truth: Dynamics) -> bool:
    """Whether the dynamics are right, wherever the world is."""
    starts = range(truth.states)
    return any(relabelling(found.model, found.current, truth, s) is not None for s in starts)


def path(ledger: Ledger, dynamics: Dynamics) -> Iterator[tuple[int, int, int]]:
    """Each step of a run without slips: its time, the state before it and the action."""
    state, time = GRID.start, 0
    for entry in ledger.entries:
        if isinstance(entry, Ran):
            for step in range(entry.done, entry.done + entry.steps):
                action, time = entry.word[step % len(entry.word)], time + 1
                yield time, state, action
                state = dynamics.table[state][action]


@cache
def twins() -> tuple[tuple[Dynamics, int, int], ...]:
    """Grids in which one transition leads elsewhere, and when it is taken, if it is taken once."""
    return tuple(_twins())


def _twins() -> Iterator[tuple[Dynamics, int, int]]:
    table = GRID.dynamics().table
    for state, row in enumerate(table):
        for action, usual in enumerate(row):
            other = (usual + 2) % len(table)
            changed = (*row[:action], other, *row[action + 1 :])
            twin = (*table[:state], changed, *table[state + 1 :])
            if not is_connected(twin):
                continue
            dynamics = Dynamics(twin)
            result = learned(grid_that_slips(SlipsAt({}), dynamics))
            taken = [
                time for time, s, a in path(result.ledger, dynamics) if (s, a) == (state, action)
            ]
            if len(taken) == 1:
                yield dynamics, taken[0], other


def test_one_slip_can_be_indistinguishable_from_another_world() -> None:
    """In one world a transition is taken once and slips; in its twin it leads there, and no step
    slips. Both show the same, so no rule can tell them apart, and the first is silently wrong."""
    assert len(twins()) >= 5
    for twin, time, target in twins():
        honest = learned(grid_that_slips(SlipsAt({}), twin))
        slipped = learned(grid_that_slips(SlipsAt({time: target})))
        assert isinstance(honest, Accepted)
        assert isinstance(slipped, Accepted)
        assert slipped.ledger == honest.ledger
        assert is_right(slipped, twin)
        assert not is_right(slipped, GRID.dynamics())


def test_voting_rejects_a_wrong_first_candidate() -> None:
    """The first attempt is silently wrong; the next ones have no slip."""
    for _, time, target in twins()[:3]:
        world = grid_that_slips(SlipsAt({time: target}))
        voted = learn_with_slips(
            world, GRID.oracle(), PARAMETERS, slips(RATE, STEPS), self_check=None
        )
        votes = [attempt.vote for attempt in voted.attempts]
        needed = voted.poll.needed
        assert votes == [Vote.CANDIDATE, Vote.AGAINST, Vote.CANDIDATE, *[Vote.FOR] * (needed - 1)]
        assert needed >= 2
        assert isinstance(voted.result, Accepted)
        assert voted.current is not None
        assert relabelling(voted.result.model, voted.current, GRID.dynamics(), world.state)


def test_voting_is_right_with_random_slips() -> None:
    """A fifth of the longest attempts have a slip, and four votes are needed. A run is wrong with
    chance 1/20 at most; of these, which are always the same, none is."""
    rate, spoiled = Fraction(1, 5 * STEPS), 0
    for seed in range(4):
        world = grid_that_slips(SlipLaw(rate, seed))
        voted = learn_with_slips(
            world, GRID.oracle(), PARAMETERS, slips(rate, STEPS), self_check=None
        )
        spoiled += bool(world.slips)
        assert isinstance(voted.result, Accepted)
        assert voted.poll.needed >= 3
        assert is_right(voted.result, GRID.dynamics())
        assert voted.steps == world.steps
    assert spoiled >= 1


def test_a_candidate_with_a_wrong_encoder_is_not_confirmed() -> None:
    """The model is right and two classifiers are exchanged: later attempts must see that."""
    held: list[State] = []

    def keep(state: State) -> None:
        if isinstance(state.stage, Validating):
            held[:] = [state]

    method, world = Located(PARAMETERS), grid_that_slips(SlipsAt({}))
    found = drive(method, world, GRID.oracle(), [Watch(keep)], max_steps=STEPS)
    assert isinstance(found, Accepted)
    assert found.classifiers is not None
    assert meaning_in(found, held[0], GRID.oracle()) == tuple(range(6))
    first, second, *others = found.classifiers
    wrong = replace(found, classifiers=(second, first, *others))
    assert meaning_in(wrong, held[0], GRID.oracle()) is None
    blind = replace(found, classifiers=(first,) * 6)
    assert meaning_in(blind, held[0], GRID.oracle()) is None


def test_voting_ends_not_accepted_after_the_maximum_of_attempts() -> None:
    world = grid_that_slips(SlipLaw(Fraction(0), 0))
    voted = learn_with_slips(world, GRID.oracle(), PARAMETERS, slips(RATE, 50))
    assert isinstance(voted.result, NotAccepted)
    assert "30 attempts were made" in voted.result.because
    assert "limit of 50 steps" in voted.result.because
    assert {attempt.vote for attempt in voted.attempts} == {Vote.NONE}


def test_voting_respects_the_total_step_limit() -> None:
    world = grid_that_slips(SlipLaw(Fraction(0), 0))
    for limit in (1_000, 1_300):
        world = grid_that_slips(SlipLaw(Fraction(0), 0))
        voted = learn_with_slips(
            world, GRID.oracle(), PARAMETERS, slips(RATE, STEPS), max_steps=limit
        )
        assert world.steps == voted.steps <= limit
        assert isinstance(voted.result, NotAccepted)
        assert f"the limit of {limit:,} steps" in voted.result.because
    with pytest.raises(InvalidArgument, match="at least 1,000, the steps of one attempt"):
        learn_with_slips(world, GRID.oracle(), PARAMETERS, slips(RATE, STEPS), max_steps=STEPS - 1)


class Interrupted:
    """A world in which somebody presses Ctrl-C in the second attempt."""

    def __init__(self, after: int) -> None:
        self._world = grid_that_slips(SlipLaw(Fraction(0), 0))
        self._after = after
        self.actions = self._world.actions

    @property
    def steps(self) -> int:
        return self._world.steps

    def run(self, plan: Plan) -> Trajectory[Cells]:
        if self.steps >= self._after:
            raise KeyboardInterrupt
        return self._world.run(plan)


def test_ctrl_c_ends_all_voting_attempts() -> None:
    world = Interrupted(after=800)
    voted = learn_with_slips(world, GRID.oracle(), PARAMETERS, slips(RATE, STEPS), self_check=None)
    assert isinstance(voted.result, NotAccepted)
    assert voted.result.interrupted
    assert [attempt.vote for attempt in voted.attempts] == [Vote.CANDIDATE, Vote.AGAINST]


@pytest.mark.parametrize("delta", [Fraction(1, 20), Fraction(1, 1000)])
def test_voting_attempts_use_a_smaller_delta(delta: Fraction) -> None:
    world = grid_that_slips(SlipLaw(Fraction(0), 0))
    told = replace(PARAMETERS, delta=delta)
    voted = learn_with_slips(world, GRID.oracle(), told, slips(RATE, 4_000), self_check=None)
    assert {parameters_of(attempt.result).delta for attempt in voted.attempts} == {delta / 6}


def test_the_forecast_of_an_attempt_is_enough_and_needs_fewer_votes() -> None:
    """T is fixed from the parameters alone, never beyond 1/(5p); attempts of this world keep it."""
    rate = exactly("1e-6")
    foreseen = foreseen_slips(rate, PARAMETERS)
    assert foreseen.attempt_steps < slips(rate).attempt_steps == 200_000
    assert foreseen_slips(exactly("1e-4"), PARAMETERS) == slips(exactly("1e-4"), 2_000)
    world = grid_that_slips(SlipLaw(Fraction(0), 0))
    voted = learn_with_slips(world, GRID.oracle(), PARAMETERS, foreseen, self_check=None)
    longer = learn_with_slips(
        grid_that_slips(SlipLaw(Fraction(0), 0)),
        GRID.oracle(),
        PARAMETERS,
        slips(rate),
        self_check=None,
    )
    assert isinstance(voted.result, Accepted)
    assert len(voted.attempts) < len(longer.attempts)


@dataclass(frozen=True, slots=True)
class SlipsAt:
    """At these times a step leads to these states; where that is the usual one, nothing changes."""

    targets: Mapping[int, int]

    def slipped(self, times: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.isin(times, list(self.targets))

    def target(self, time: int, usual: int, states: int) -> int:
        del usual
        assert self.targets[time] < states
        return self.targets[time]
