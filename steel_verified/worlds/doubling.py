"""Located STEEL if N or t̂_mix is unknown: several attempts with doubled guesses, in one world.

Attempt k = 0, 1, … uses 2^k times the first guesses, and δ/((k+1)(k+2)): all attempts together
spend less than δ. An attempt begins where the last one ended, which the theorem allows, and uses
only its own data. So with probability at least 1 − δ, every accepted attempt whose guesses are true
(N ≥ |S| and t̂_mix ≥ t_mix) is right (union bound).

What is not guaranteed: that an attempt with guesses that are too small is rejected. So the result
is returned only when two attempts in a row were accepted and the earlier model predicted every step
of the later attempt. This is a test, not a proof; see docs/theory/located.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Ran
from steel_verified.learning.drive import Watch, checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, NotAccepted, Result
from steel_verified.theory.parameters import (
    require_integer,
    require_oracle,
    require_parameters,
    require_world,
)
from steel_verified.theory.self_check import DEFAULT_CHECK, SelfCheck
from steel_verified.theory.validation import round_share
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.progress import Estimate, Progress, reporting

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.theory.parameters import LocatedParameters

Batch = TypeVar("Batch", bound=Sized)

_FIRST_STEPS: Final = 100_000
_MORE_STEPS: Final = 4


@dataclass(frozen=True, slots=True)
class Doubled:
    """All attempts in order, and whether the last two were accepted and agree."""

    attempts: tuple[Result, ...]
    confirmed: bool

    @property
    def result(self) -> Result:
        """The last attempt. If it is not confirmed, it counts as not accepted."""
        last = self.attempts[-1]
        if self.confirmed or not isinstance(last, Accepted):
            return last
        because = f"no two of {len(self.attempts)} attempts in a row agree"
        return NotAccepted(last.method, last.model, last.ledger, because)


class FromHere(Generic[Batch]):
    """The same world, with its step count starting at 0 now, so that a new run can begin in it."""

    def __init__(self, world: World[Batch]) -> None:
        self._world = world
        self._before = world.steps

    @property
    def actions(self) -> int:
        return self._world.actions

    @property
    def steps(self) -> int:
        return self._world.steps - self._before

    def run(self, plan: Plan) -> Trajectory[Batch]:
        return self._world.run(plan)


def learn_with_doubling(
    world: World[Batch],
    oracle: Class[Batch],
    parameters: LocatedParameters,
    *,
    double_states: bool = True,
    double_mixing: bool = True,
    attempts: int = 8,
    first_steps: int = _FIRST_STEPS,
    max_steps: int | None = None,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    progress: Callable[[Progress], None] | None = None,
) -> Doubled:
    """Run located STEEL until two attempts in a row are accepted and agree.

    `parameters` has the first guesses for N (at least 2) and t̂_mix. The first attempt ends as not
    accepted after `first_steps` steps; each further one has four times as many, and all together
    take at most `max_steps`. An attempt is accepted only if the self-check finds no fault; None
    switches it off. `progress` is called with the progress of each attempt. Ctrl-C ends the call;
    it returns the attempts so far.
    """
    require_world(world)
    require_oracle(oracle)
    require_parameters(parameters)
    require_integer("first_steps", first_steps, at_least=1)
    if max_steps is not None:
        require_integer("max_steps", max_steps, at_least=1)
    if parameters.max_states < 2:
        expected = "at least 2: with N = 1 a model with one state is always accepted"
        raise InvalidArgument("max_states", parameters.max_states, expected)
    if attempts < 2:
        raise InvalidArgument("attempts", attempts, "at least 2: one confirms the other")
    # Attempts with too small a guess are expected to fail, so no steps are spent to explain why.
    check = None if self_check is None else replace(self_check, steps_to_explain=0)
    made: list[Result] = []
    begun = world.steps
    for number in range(attempts):
        guess = replace(
            parameters,
            max_states=parameters.max_states << number * double_states,
            mixing_time=parameters.mixing_time << number * double_mixing,
            delta=round_share(parameters.delta, number + 1),
        )
        steps = first_steps * _MORE_STEPS**number
        if max_steps is not None:
            steps = min(steps, max_steps - (world.steps - begun))
            if steps < 1:
                break
        last = checked_run(
            FromHere(world),
            oracle,
            Located(guess),
            self_check=check,
            max_steps=steps,
            observers=[Watch(reporting(progress, Estimate(steps), f"attempt {number + 1}"))],
        )
        made.append(last)
        if isinstance(last, NotAccepted) and last.interrupted:
            break
        if len(made) > 1 and agree(made[-2], made[-1]):
            return Doubled(tuple(made), confirmed=True)
    return Doubled(tuple(made), confirmed=False)


def agree(earlier: Result, later: Result) -> bool:
    """Whether both were accepted, and the earlier model leads to where the later attempt ended."""
    if not isinstance(earlier, Accepted) or not isinstance(later, Accepted):
        return False
    here = earlier.current
    for entry in later.ledger.entries:
        if isinstance(entry, Ran):
            for step in range(entry.done, entry.done + entry.steps):
                to = earlier.model.step(here, entry.word[step % len(entry.word)])
                assert to is not None, "an accepted model has no unknown transition"
                here = to
    table = tuple(tuple(to for to in row if to is not None) for row in earlier.model.table)
    return relabelling(later.model, later.current, Dynamics(table), here) is not None
