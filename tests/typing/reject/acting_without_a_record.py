"""The learner takes in loops that were run and written down, and datasets that were read."""

from dataclasses import replace

from steel_verified.evidence.ledger import Ledger
from steel_verified.evidence.plans import Plan, World
from steel_verified.evidence.observed import read, run
from steel_verified.evidence.sealed import Loop, Sample
from steel_verified.classes.finite import Tables
from steel_verified.learning.looped import State
from steel_verified.theory.budget import Budget
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.ideal import IdealRows, IdealWorld, PerfectOracle


def unrecorded(state: State, world: IdealWorld, plan: Plan) -> State:
    trajectory = world.run(plan)
    return state.method.absorb(state, trajectory, PerfectOracle())  # expect: arg-type, "Loop


def without_a_ledger(world: World[IdealRows], plan: Plan) -> Loop[IdealRows]:
    return run(world, plan)  # expect: call-arg, argument "ledger"


def rows_at_numbers(loop: Loop[IdealRows]) -> object:
    return read(loop.ledger, loop, PerfectOracle(), ((7, 8),))  # expect: arg-type, expected "tuple


def another_class(loop: Loop[IdealRows], oracle: Tables, times: Progression) -> object:
    return read(loop.ledger, loop, oracle, ((times,),))  # expect: misc, type parameter "Batch"


def renumbered(sample: Sample) -> Sample:
    return replace(sample, number=0)  # expect: call-arg, argument "key"


def refunded(ledger: Ledger, budget: Budget) -> Ledger:
    return replace(ledger, budget=budget)  # expect: call-arg, argument "key"
