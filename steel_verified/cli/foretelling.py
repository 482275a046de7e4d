"""Steps and time of a run, printed by `steel learn` before it starts, if there is a terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from steel_verified.learning.located import MOST_STEPS
from steel_verified.theory.recipe import located
from steel_verified.theory.wording import counted, counted_range, duration_range
from steel_verified.worlds.costs import (
    LOCATED_STEP,
    require_located,
    require_looped,
    simulated_seconds,
)
from steel_verified.worlds.driver import steps_before_fallback
from steel_verified.worlds.forecast import predict
from steel_verified.worlds.voting import MOST_ATTEMPTS

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.theory.slips import Slips
    from steel_verified.worlds.instances import RunnableInstance

_NONE: Final = "No estimate of steps or time: with a false bound, a run ends where it notices this."
_RESUMED: Final = "It is less for a run that is resumed."


def foretell_looped(
    chosen: RunnableInstance, predicted: Ledger | None, *, checked: bool, resumed: bool
) -> None:
    """Print the predicted steps of a looped run, and about how long they take."""
    if predicted is None:
        _say(_NONE)
        return
    seconds = simulated_seconds(predicted, chosen.width, checked=checked)
    steps = counted(predicted.steps, "step")
    _say(f"Predicted: {steps}, in {_about(seconds, seconds)}.", _RESUMED * resumed)


def foretell_located(chosen: RunnableInstance, max_steps: int | None, *, resumed: bool) -> None:
    """Print the estimated steps of a located run, and about how long they take.

    Raises `InvalidArgument` if the run cannot be accepted.
    """
    require_located(chosen, max_steps or MOST_STEPS)
    _say(_located(chosen, 1), _RESUMED * resumed)


def foretell_fallback(chosen: RunnableInstance) -> None:
    """Print the same for a located run with half of δ, and when the paper's algorithm follows.

    Raises `InvalidArgument` if a run would take too much time or memory.
    """
    require_looped(chosen, with_encoder=True)
    limit = steps_before_fallback(chosen.parameters)
    _say(
        _located(chosen, 2),
        f"If located STEEL is not accepted in {counted(limit, 'step')}, the paper's algorithm "
        f"continues, for at most {counted(10 * limit, 'step')}.",
    )


def foretell_slips(slips: Slips) -> None:
    """Print how long an attempt takes, and how many attempts are made."""
    steps = counted(slips.attempt_steps, "step")
    seconds = LOCATED_STEP * slips.attempt_steps
    _say(
        f"Estimated: attempts of at most {steps}, each in {_about(seconds, seconds)}; at most "
        f"{MOST_ATTEMPTS} are made."
    )


def _located(chosen: RunnableInstance, parts: int) -> str:
    """The estimate for located STEEL with one of so many parts of δ."""
    own, extent = located(chosen.parameters).parameters, chosen.extent
    if extent.states > own.max_states:
        return _NONE
    own = replace(own, delta=own.delta / parts)
    ahead = predict(own, states=extent.states, diameter=extent.diameter).located
    steps = counted_range(ahead.least, ahead.most, "step")
    time = _about(LOCATED_STEP * ahead.least, LOCATED_STEP * ahead.most)
    return f"Estimated: {steps}, in {time}."


def _about(least: float, most: float) -> str:
    return "less than a second" if most < 1 else f"about {duration_range(max(1, least), most)}"


def _say(*sentences: str) -> None:
    if sys.stderr.isatty():
        # Not `click.echo`: it would write behind a progress bar, in the same line.
        sys.stderr.write(" ".join(filter(None, sentences)) + "\n")
