"""The time of a sample must not depend on what was seen."""

from steel_verified.evidence.sealed import Observed
from steel_verified.evidence.plans import Trajectory
from steel_verified.theory.progressions import Progression


def look_again(trajectory: Trajectory[int], seen: Observed[int]) -> object:
    return trajectory.rows((Progression(seen),))  # expect: arg-type, expected "int"


def look_there(trajectory: Trajectory[int], seen: Observed[Progression]) -> object:
    return trajectory.rows((seen,))  # expect: arg-type, expected "tuple[Progression, ...]"


def later(seen: Observed[int]) -> Progression:
    return Progression(10 + seen)  # expect: operator, Observed
