"""The learner is told what came of its plans, and nothing else."""

from steel_verified.learning.looped import State
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import PerfectOracle


def cheat(state: State, truth: Dynamics) -> State:
    return state.method.absorb(state, truth, PerfectOracle())  # expect: arg-type, expected "Loop


def plan_by_truth(state: State, truth: Dynamics) -> object:
    return state.method.next_plan(state, truth)  # expect: call-arg, Too many arguments
