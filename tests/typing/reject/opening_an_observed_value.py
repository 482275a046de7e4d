"""An observed value has no attribute to read, and nothing to compute with."""

from steel_verified.evidence.sealed import Observed
from steel_verified.evidence.sealed import Loop, Sample
from steel_verified.classes.finite import Marks
from steel_verified.theory.progressions import Progression

Rows = list[int]


def private(seen: Observed[int]) -> object:
    return seen._Observed__value  # expect: attr-defined


def through_a_sample(sample: Sample) -> object:
    return sample.summary.every  # expect: attr-defined


def through_a_loop(loop: Loop[Rows], times: Progression) -> object:
    return loop.trajectory.rows((times,))  # expect: attr-defined


def larger(one: Observed[int], other: Observed[int]) -> object:
    return one < other  # expect: operator
