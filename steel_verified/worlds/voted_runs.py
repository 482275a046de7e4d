"""Runs located STEEL on an instance whose steps slip; the vote is compared with the truth."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.learning.graph import covering_cycle
from steel_verified.learning.located import MOST_STEPS
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.theory.slips import MOST_SLIPPED, Slips
from steel_verified.theory.validation import round_share, validation_samples
from steel_verified.worlds.costs import require_located
from steel_verified.worlds.dynamics import compare
from steel_verified.worlds.estimates import predict
from steel_verified.worlds.slipping import SlipLaw
from steel_verified.worlds.voting import attempt_parameters, learn_with_slips

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.results import Result
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.dynamics import Findings
    from steel_verified.worlds.estimates import LocatedForecast
    from steel_verified.worlds.instances import RunnableInstance
    from steel_verified.worlds.progress import Progress
    from steel_verified.worlds.voting import Voted

Batch = TypeVar("Batch", bound=Sized)

_LONGER: Final = Fraction(5, 4)
"""The walk of a validation depends on the state in which it begins, so the forecast allows for a
walk that is a quarter longer. An attempt that needs more steps is not accepted, and never wrong for
that: this number is a choice and affects speed only."""


@dataclass(frozen=True, slots=True)
class VotedRun:
    """What attempts in a world whose steps slip have voted for, beside the truth."""

    chosen: RunnableInstance
    slips: Slips
    voted: Voted
    learned: Accepted | None
    """The candidate that was accepted, with the state in which the last attempt ended."""
    findings: Findings | None
    """Whether dynamics and encoder are right, wherever the world is; None if not accepted."""
    place_right: bool
    """Whether the world is where the last attempt ended."""
    slipped: int
    """How many steps slipped."""


def attempt_with_slips(
    chosen: RunnableInstance,
    noise_seed: int,
    slips: Slips,
    *,
    max_steps: int | None = None,
    self_check: SelfCheck | None = DEFAULT_CHECK,
    progress: Callable[[Progress], None] | None = None,
) -> VotedRun:
    """Let steps of an instance slip with the rate of `slips`, and learn it by attempts that vote.

    The noise seed is also that of the slips. `progress` is called with the progress of each
    attempt.
    """
    require_located(chosen, MOST_STEPS)
    law = SlipLaw(slips.rate, noise_seed)
    longest = chosen.simulation.drawn.longest_run
    held: list[Voted] = []

    def learner(world: World[Batch], oracle: Class[Batch]) -> Result:
        voted = learn_with_slips(
            world,
            oracle,
            chosen.parameters,
            slips,
            first_action=chosen.first_action,
            self_check=self_check,
            max_steps=longest if max_steps is None else min(max_steps, longest),
            progress=progress,
        )
        held.append(voted)
        return voted.result

    result, ended_in = chosen.simulation.learned_with_slips(learner, noise_seed, law)
    (voted,) = held
    slipped = law.among(voted.steps)
    if not isinstance(result, Accepted) or voted.current is None:
        return VotedRun(chosen, slips, voted, None, None, place_right=False, slipped=slipped)
    found, truth = replace(result, current=voted.current), chosen.simulation.drawn.truth()
    # Dynamics and encoder are right if they would be with the world in one of its states.
    anywhere = [compare(found, truth, state) for state in range(truth.dynamics.states)]
    findings = max(anywhere, key=lambda one: (one.dynamics_right, one.encoder_right is True))
    here = compare(found, truth, ended_in) == findings and findings.dynamics_right
    return VotedRun(chosen, slips, voted, found, findings, place_right=here, slipped=slipped)


def slips_of(chosen: RunnableInstance, rate: Fraction, attempt_steps: int | None = None) -> Slips:
    """Slips of this rate, and how long an attempt on the instance may take.

    Without a number of steps it is what an attempt takes if its first validation passes: computed
    from the true dynamics, with exploring as forecast, before anything is run. It is never more
    than 1/(5p), beyond which nothing is promised. A rate that allows no attempt is refused.
    """
    ahead = _ahead(chosen)
    if not 0 < rate * 5 * ahead.least <= 1:
        expected = (
            f"more than 0 and at most 1/{5 * ahead.least} (about {1 / (5 * ahead.least):.1e}): an "
            f"attempt takes at least {ahead.least:,} steps here, and nothing can be promised if "
            "more than one in five attempts may have a slip"
        )
        raise InvalidArgument("slips", rate, expected)
    most = MOST_SLIPPED // rate
    if attempt_steps is None:
        return Slips(rate, min(most, _foreseen(chosen, ahead)))
    if not ahead.least <= attempt_steps <= most:
        expected = (
            f"{ahead.least:,} to {most:,}: an attempt takes no less here, and if more were "
            "allowed, more than one in five attempts might have a slip"
        )
        raise InvalidArgument("attempt_steps", attempt_steps, expected)
    return Slips(rate, attempt_steps)


def _ahead(chosen: RunnableInstance) -> LocatedForecast:
    """What an attempt takes on a world of the true extent, with the δ of an attempt."""
    own, extent = attempt_parameters(chosen.parameters), chosen.extent
    own = replace(own, max_states=max(own.max_states, extent.states))
    return predict(own, states=extent.states, diameter=extent.diameter).located


def _foreseen(chosen: RunnableInstance, ahead: LocatedForecast) -> int:
    """The steps of an attempt whose first validation passes, on the true dynamics."""
    own, dynamics = attempt_parameters(chosen.parameters), chosen.dynamics
    model = Model(dynamics.actions, dynamics.table)
    walk = len(covering_cycle(model, chosen.start, own.mixing_time))
    share = round_share(own.delta, 1)
    passes = validation_samples(own.epsilon, walk // own.mixing_time, share) + 1
    return int(_LONGER * passes * walk) + (ahead.parts[0].most or 0)
