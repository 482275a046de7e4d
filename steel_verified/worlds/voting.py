"""Learn a world whose steps may slip: independent attempts, until one is confirmed often enough.

    learn_with_slips(world, oracle, parameters, slips(exactly("1e-5")))

No attempt uses data of another one, because a slip may have corrupted it without being noticed: see
LOCATED.md.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.learning.drive import Watch, checked_run
from steel_verified.learning.located import Located, State, Validating
from steel_verified.learning.results import Accepted, NotAccepted, limit_reached
from steel_verified.learning.voting import Poll, meaning_in, with_candidate, with_failure, with_vote
from steel_verified.theory.parameters import require_oracle, require_parameters, require_world
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.theory.slips import Slips, attempt_delta, slips
from steel_verified.theory.wording import counted
from steel_verified.worlds.doubling import FromHere
from steel_verified.worlds.estimates import predict
from steel_verified.worlds.progress import Estimate, reporting

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.drive import LearnerState
    from steel_verified.learning.results import Result
    from steel_verified.learning.voting import Attempt
    from steel_verified.theory.parameters import LocatedParameters, Parameters
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.progress import Progress

Batch = TypeVar("Batch", bound=Sized)

MOST_ATTEMPTS: Final = 30
"""If three of four attempts are right, some ten decide; if most are wrong, none will."""
_UNDECIDED: Final = (
    "{many} were made, and no candidate was confirmed often enough; use a smaller slip rate or, if "
    "attempts reach their limit of {steps:,} steps, learn a smaller world"
)


@dataclass(frozen=True, slots=True)
class Voted:
    """The result of several attempts in a world whose steps may slip.

    If a candidate is accepted, then with probability at least 1 − δ its dynamics are right up to
    relabelling and its encoder errs with probability at most ε on each state, as argued in
    LOCATED.md. With probability at least 1 − δ − θ, `current` is the present state of the world,
    where θ bounds the probability that the last attempt is bad.
    """

    result: Result
    """The candidate as accepted in its own attempt, with the evidence of that attempt."""
    current: int | None
    """The candidate's state at the end of the last attempt; None if nothing is accepted."""
    poll: Poll

    @property
    def steps(self) -> int:
        """The total number of steps of all attempts."""
        return sum(attempt.steps for attempt in self.poll.attempts)

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        return self.poll.attempts


def learn_with_slips(
    world: World[Batch],
    oracle: Class[Batch],
    parameters: Parameters | LocatedParameters,
    slips: Slips,
    *,
    first_action: int = 0,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    max_steps: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Voted:
    """Run attempts with located STEEL until a candidate is confirmed often enough.

    The call ends as not accepted if one more attempt could exceed a total of `max_steps` steps.
    `progress` is called with the progress of each attempt.
    """
    require_world(world)
    require_oracle(oracle)
    require_parameters(parameters)
    _require_slips(slips)
    if max_steps is not None and max_steps < slips.attempt_steps:
        expected = f"at least {slips.attempt_steps:,}, the steps of one attempt"
        raise InvalidArgument("max_steps", max_steps, expected)
    poll: Poll = Poll(slips, parameters.delta)
    own = attempt_parameters(parameters)
    # Slips are to be expected, so no steps are taken to find out why an attempt failed.
    check = None if self_check is None else replace(self_check, steps_to_explain=0)
    taken, current = 0, None
    while not poll.is_decided and len(poll.attempts) < MOST_ATTEMPTS:
        if max_steps is not None and taken + slips.attempt_steps > max_steps:
            break
        before: list[State] = []
        named = f"attempt {len(poll.attempts) + 1}, {poll.score}/{poll.needed} votes"
        result = checked_run(
            FromHere(world),
            oracle,
            Located(own, first_action=first_action),
            self_check=check,
            max_steps=slips.attempt_steps,
            observers=[
                Watch(
                    _last_validation(
                        before, reporting(progress, Estimate(slips.attempt_steps), named)
                    )
                )
            ],
        )
        poll, current = _counted(poll, result, before, oracle)
        taken += result.ledger.steps
        if isinstance(result, NotAccepted) and result.interrupted:
            return Voted(result, None, poll)
    if poll.is_decided and poll.candidate is not None:
        return Voted(poll.candidate, current, poll)
    return Voted(_undecided(poll, max_steps), None, poll)


def attempt_parameters(parameters: Parameters | LocatedParameters) -> LocatedParameters:
    """The parameters of each attempt, which has a δ of its own."""
    return replace(Located(parameters).parameters, delta=attempt_delta(parameters.delta))


def foreseen_slips(
    rate: Fraction,
    parameters: Parameters | LocatedParameters,
    *,
    states: int | None = None,
    diameter: int | None = None,
) -> Slips:
    """Slips of at most this rate; attempts may take what is forecast for one, at most 1/(5p).

    Shorter attempts have fewer slips, so that fewer of them are needed. The forecast is fixed
    before anything is seen: see `predict`, which has the same defaults for |S| and D. An attempt
    that takes longer is not accepted; if that happens often, use `slips(rate)`.
    """
    require_parameters(parameters)
    own = replace(parameters, delta=attempt_delta(parameters.delta))
    allowed = slips(rate)
    foreseen = predict(own, states=states, diameter=diameter).located.most
    most = allowed.attempt_steps
    return replace(allowed, attempt_steps=min(most, foreseen or most))


def _require_slips(slips: object) -> None:
    if not isinstance(slips, Slips):
        expected = 'slips(rate), such as slips(exactly("1e-5"))'
        raise InvalidArgument("slips", type(slips).__name__, expected)


def _last_validation(
    held: list[State], told: Callable[[LearnerState], None]
) -> Callable[[LearnerState], None]:
    """Keep the last state of a run that was in a validation; tell `told` of all states."""

    def watch(state: LearnerState) -> None:
        told(state)
        if isinstance(state, State) and isinstance(state.stage, Validating):
            held[:] = [state]

    return watch


def _counted(
    poll: Poll,
    result: Result,
    validated: list[State],
    oracle: Class[Batch],
) -> tuple[Poll, int | None]:
    """The poll after an attempt, and the candidate's final state if the attempt votes for it."""
    if not isinstance(result, Accepted):
        if poll.candidate is None:
            return with_failure(poll, result), None
        return with_vote(poll, result, confirms=False), None
    if poll.candidate is None:
        return with_candidate(poll, result), result.current
    meaning = meaning_in(poll.candidate, validated[0], oracle)
    poll = with_vote(poll, result, confirms=meaning is not None)
    return poll, None if meaning is None else meaning[result.current]


def _undecided(poll: Poll, max_steps: int | None) -> NotAccepted:
    """Why no candidate is accepted, with the last attempt's model and evidence."""
    many = len(poll.attempts)
    because = _UNDECIDED.format(many=counted(many, "attempt"), steps=poll.slips.attempt_steps)
    if max_steps is not None and many < MOST_ATTEMPTS:
        because = limit_reached(max_steps)
    last = poll.attempts[-1].result
    return NotAccepted(last.method, last.model, last.ledger, because)
