"""The learner takes in loops that were run and written down, and datasets that were read."""

from dataclasses import replace

from steel_verified.evidence.ledger import Ledger
from steel_verified.evidence.plans import Plan, World
from steel_verified.evidence.observed import read, run
from steel_verified.evidence.sealed import Loop, Sample
from steel_verified.learning import looped
from steel_verified.evidence.observed import read, run
from steel_verified.evidence.sealed import Loop, Sample
from steel_verified.learning import looped
from steel_verified.classes.finite import Marks, Tables
from steel_verified.learning.looped import State
from steel_verified.theory.budget import Budget
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.ideal import IdealRows, IdealWorld, PerfectOracle

States = frozenset[int]


def unrecorded(state: State, world: IdealWorld, plan: Plan) -> State:
    return state.method.absorb(state, world.run(plan), PerfectOracle())  # expect: arg-type


def without_a_ledger(world: World[IdealRows], plan: Plan) -> Loop[IdealRows]:
    return run(world, plan)  # expect: call-arg


def rows_at_numbers(loop: Loop[IdealRows]) -> object:
    return read(loop.ledger, loop, PerfectOracle(), ((7, 8),))  # expect: arg-type


def another_class(loop: Loop[IdealRows], oracle: Tables, times: Progression) -> object:
    return read(loop.ledger, loop, oracle, ((times,),))  # expect: misc


def renumbered(sample: Sample) -> Sample:
    return replace(sample, number=0)  # expect: call-arg


def refunded(ledger: Ledger, budget: Budget) -> Ledger:
    return replace(ledger, budget=budget)  # expect: call-arg
