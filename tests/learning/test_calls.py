"""Calls, datasets and tour that are read from a ledger are those of the learner."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import given

from steel_verified.evidence.entries import LabelsFound, Ran
from steel_verified.learning.looped import Looped, Touring, calls, datasets, tour
from steel_verified.learning.model import Model
from steel_verified.strategies import dynamics
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run

if TYPE_CHECKING:
    from steel_verified.learning.looped import State


def parameters_for(world: Dynamics) -> Parameters:
    return Parameters(
        actions=world.actions,
        max_states=world.states,
        max_diameter=world.diameter,
        mixing_time=3,
        class_size=world.states,
        delta=Fraction(1, 2),
        epsilon=Fraction(1, 20),
    )


@given(world=dynamics(max_states=4))
def test_ledger_gives_the_calls_datasets_and_tour_of_the_run(world: Dynamics) -> None:
    states: list[State] = []
    recipe = Looped(parameters_for(world))
    ledger = ideal_run(world, 0, recipe, watch=states.append).ledger
    made, before = list(calls(ledger)), Model(world.actions)
    # Each call adds a transition, so every model except the empty one is that of a call.
    models = dict.fromkeys(state.model for state in states if state.model.states)
    for call, after in zip(made, models, strict=True):
        assert call.new_states == after.states - before.states
        assert set(call.new_transitions) == after.transitions() - before.transitions()
        before = after
    assert datasets(ledger) == tuple(dataset.times.pieces for dataset in states[-1].datasets)
    planned = [state.stage for state in states if isinstance(state.stage, Touring)]
    run = tour(ledger.entries)
    walked = [] if run is None else [(run.word, run.steps)]
    assert walked == [(stage.cycle, stage.passes * len(stage.cycle)) for stage in planned]


def test_ledger_without_an_encoder_has_no_tour_and_no_datasets() -> None:
    world = Dynamics(((1, 0), (0, 1)))
    ledger = ideal_run(world, 0, Looped(parameters_for(world)), with_encoder=False).ledger
    assert datasets(ledger) == ()
    assert tour(ledger.entries) is None
    assert tour(()) is None
    # Before the labels of a call are found, its plan is the last one that was run.
    entries = [entry for entry in ledger.entries if isinstance(entry, Ran | LabelsFound)]
    assert tour(entries[:1]) == entries[0]
