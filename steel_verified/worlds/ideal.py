"""The ideal run: the same learner on known dynamics, without noise, and with a perfect oracle.

Unless a verdict is wrong, a real run on the same dynamics executes the same plans and keeps the
same times, whatever its noise. So the ideal run predicts its ledger and its exact number of steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.errors import InvalidArgument, Undecided
from steel_verified.evidence.oracle import Classifier, Declared, Summary, of_kind
from steel_verified.learning.drive import Watch, drive
from steel_verified.learning.looped import Looped, State
from steel_verified.learning.results import Accepted, accepted
from steel_verified.worlds.dynamics import Dynamics, Orbit, orbit

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Plan
    from steel_verified.theory.progressions import Progression

States = frozenset[int]


@dataclass(frozen=True, slots=True)
class SeenStates(Summary):
    """The states that a dataset shows."""

    states: States


@dataclass(frozen=True, slots=True)
class IdealRows:
    """The latent states at some times, and the number of these times."""

    states: States
    count: int

    def __len__(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True)
class IdealTrajectory:
    """One loop of known dynamics."""

    loop: Orbit

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[IdealRows, ...]:
        return tuple(
            IdealRows(
                frozenset[int]().union(*(self.loop.within(piece) for piece in pieces)),
                sum(len(piece) for piece in pieces),
            )
            for pieces in datasets
        )


class IdealWorld:
    """Known dynamics whose observations are the latent states."""

    def __init__(self, dynamics: Dynamics, start: int) -> None:
        self.dynamics = dynamics
        self.state: int = start
        self.steps: int = 0
        self._loop = orbit(dynamics, start, (0,))

    @property
    def actions(self) -> int:
        return self.dynamics.actions

    def run(self, plan: Plan) -> IdealTrajectory:
        if plan.done == 0:
            self._loop = orbit(self.dynamics, self.state, plan.word)
        self.steps += plan.steps
        self.state = self._loop.at(plan.done + plan.steps)
        return IdealTrajectory(self._loop)


@dataclass(frozen=True, slots=True)
class PerfectOracle:
    """Gives the verdicts that the dynamics determine. Its classifier for a state is that state.

    The dynamics do not determine whether several states can be separated from others. A sound run
    never asks this; if it is asked, `Undecided` is raised.
    """

    class_size: int = 1

    @property
    def declared(self) -> Declared:
        return Declared("states", "int64", 1)

    @property
    def none_is_proved(self) -> bool:
        return True

    def pack(self, batch: IdealRows) -> bytes:
        """The set of states, which is all that is known of ideal rows."""
        return np.array(sorted(batch.states), dtype="<i8").tobytes()

    def nothing(self) -> SeenStates:
        return SeenStates(frozenset())

    def summarise(self, batch: IdealRows) -> SeenStates:
        return SeenStates(batch.states)

    def merge(self, one: Summary, other: Summary) -> SeenStates:
        a, b = of_kind(SeenStates, one, other)
        return SeenStates(a.states | b.states)

    def separating(self, zeros: Summary, ones: Summary) -> int | None:
        low, high = of_kind(SeenStates, zeros, ones)
        if low.states & high.states:
            return None
        if len(high.states) != 1:
            said = f"telling {sorted(high.states)} from {sorted(low.states)} is undetermined"
            raise Undecided(said)
        (state,) = high.states
        return state

    def contains(self, classifier: Classifier) -> bool:
        return isinstance(classifier, int) and classifier >= 0

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        low, high = of_kind(SeenStates, zeros, ones)
        return high.states == {classifier} and classifier not in low.states

    def values(self, classifier: Classifier, batch: IdealRows) -> NDArray[np.bool_]:
        return np.array([state == classifier for state in sorted(batch.states)], dtype=np.bool_)


def ideal_run(
    dynamics: Dynamics,
    start: int,
    method: Looped,
    *,
    first_action: int = 0,
    with_encoder: bool = True,
    watch: Callable[[State], None] = lambda _: None,
) -> Accepted:
    """Predict a run. `classifiers[label]` is the true state that a label stands for."""
    if not 0 <= start < dynamics.states:
        raise InvalidArgument("start", start, f"a state from 0 to {dynamics.states - 1}")
    given: object = method
    if not isinstance(given, Looped):
        expected = "Looped(parameters): the steps of located STEEL depend on the noise; see predict"
        raise InvalidArgument("method", type(given).__name__, expected)
    method = replace(method, first_action=first_action, with_encoder=with_encoder)
    return accepted(drive(method, IdealWorld(dynamics, start), PerfectOracle(), (Watch(watch),)))
