"""Looks store what the class read, whether it was summarised, packed or both."""

import numpy as np

from steel_verified.classes.finite import tables
from steel_verified.evidence.checkpoint import KeptOracle, KeptWorld, Look, Passed
from steel_verified.evidence.plans import Plan
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld

ORACLE = tables([[True, False, False], [False, True, False], [False, False, True]])
PLAN = Plan((0,), 3)
DATASETS = ((Progression(1),), (Progression(2),), (Progression(3),))


def new_world() -> SimulatedWorld[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Return a world whose observation is its state."""

    def observe(asked: object) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
        assert isinstance(asked, list)
        return [each.states for each in asked if isinstance(each, Asked)]

    return SimulatedWorld(Dynamics(((1,), (2,), (0,))), 0, observe)


def test_rows_packed_without_a_summary_are_stored_and_retraced() -> None:
    world, oracle = KeptWorld(new_world(), ORACLE), KeptOracle(ORACLE)
    first, second, third = world.run(PLAN).rows(*DATASETS)
    read = (
        oracle.summarise(first),
        oracle.pack(first),
        oracle.pack(second),
        oracle.summarise(third),
    )
    assert [len(look.packed) for look in oracle.looks] == [1, 1, 0]

    passed = Passed("run", 3, world.plans, tuple(oracle.looks))
    again, remembering = KeptWorld(new_world(), ORACLE, passed), KeptOracle(ORACLE, passed)
    one, two, three = again.run(PLAN).rows(*DATASETS)
    assert all(isinstance(look, Look) for look in (one, two, three))
    assert read == (
        remembering.summarise(one),
        remembering.pack(one),
        remembering.pack(two),
        remembering.summarise(three),
    )
    assert list(remembering.looks) == oracle.looks
    again.end()
    assert not again.is_retracing
