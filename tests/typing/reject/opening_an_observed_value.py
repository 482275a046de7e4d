"""An observed value has no attribute to read, and nothing to compute with."""

from steel_verified.evidence.sealed import Loop, Observed, Sample
from steel_verified.theory.progressions import Progression

Rows = list[int]


def private(seen: Observed[int]) -> object:
    return seen._Observed__value  # expect: attr-defined, no attribute "_Observed__value"


def through_a_sample(sample: Sample) -> object:
    return sample.summary.every  # expect: attr-defined, no attribute "every"


def through_a_loop(loop: Loop[Rows], times: Progression) -> object:
    return loop.trajectory.rows((times,))  # expect: attr-defined, no attribute "rows"


def larger(one: Observed[int], other: Observed[int]) -> object:
    return one < other  # expect: operator, Observed
