"""What `steel learn` shows when a run has ended, and whether it was right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.cli.foretelling import foretell_located
from steel_verified.cli.running import run_located, run_looped
from steel_verified.learning.results import NotAccepted
from steel_verified.reports import (
    fallback_outcome,
    given_up,
    located_outcome,
    outcome,
    voted_outcome,
)
from steel_verified.worlds.runs import FallbackRun, LocatedRun, Run

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.learning.results import GivenUp
    from steel_verified.reports.tables import Part
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.instances import RunnableInstance
    from steel_verified.worlds.voted_runs import VotedRun


@dataclass(frozen=True, slots=True)
class Ending:
    """What is shown of one run or two, for a person and for a program."""

    parts: tuple[Part, ...]
    plain: Json
    right: bool
    interrupted: bool = False


def ending_of_looped(went: Run | GivenUp, seconds: float, name: str) -> Ending:
    if not isinstance(went, Run):
        return _given_up(went, name)
    report = outcome.outcome(went, seconds)
    return Ending(outcome.as_parts(report), outcome.as_json(report), went.findings.all_right)


def ending_of_located(went: LocatedRun | GivenUp, seconds: float, name: str) -> Ending:
    if not isinstance(went, LocatedRun):
        return _given_up(went, name)
    report = located_outcome.located_outcome(went, seconds)
    parts, plain = located_outcome.as_parts(report), located_outcome.as_json(report)
    return Ending(parts, plain, report.all_right)


def ending_of_fallback(
    went: LocatedRun | FallbackRun | GivenUp, seconds: float, name: str
) -> Ending:
    if not isinstance(went, FallbackRun):
        return ending_of_located(went, seconds, name)
    report = fallback_outcome.fallback_outcome(went, seconds)
    parts, plain = fallback_outcome.as_parts(report), fallback_outcome.as_json(report)
    return Ending(parts, plain, went.findings.all_right)


def ending_of_slips(went: VotedRun, seconds: float) -> Ending:
    report = voted_outcome.VotedOutcome(went, seconds)
    ended = went.voted.result
    return Ending(
        voted_outcome.as_parts(report),
        voted_outcome.as_json(report),
        right=report.all_right,
        interrupted=isinstance(ended, NotAccepted) and ended.interrupted,
    )


def ending_of_both(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    *,
    guaranteed: bool,
) -> Ending:
    """Run both algorithms, and show them side by side."""
    looped, first = run_looped(chosen, noise_seed, self_check, max_steps)
    if not isinstance(looped, Run):
        return _given_up(looped, f"{chosen.name} (looped STEEL; located STEEL was not run)")
    foretell_located(chosen, max_steps, resumed=False)
    located, second = run_located(chosen, noise_seed, self_check, max_steps)
    if not isinstance(located, LocatedRun):
        return _given_up(located, f"{chosen.name} (located STEEL; looped STEEL learned it)")
    old = outcome.outcome(looped, first)
    new = located_outcome.located_outcome(located, second)
    return Ending(
        located_outcome.both_as_parts(old, new, guaranteed=guaranteed),
        located_outcome.both_as_json(old, new),
        looped.findings.all_right and new.all_right,
    )


def _given_up(went: GivenUp, name: str) -> Ending:
    parts = given_up.given_up_as_parts(went, name)
    interrupted = isinstance(went, NotAccepted) and went.interrupted
    plain = given_up.given_up_as_json(went, name)
    return Ending(parts, plain, right=False, interrupted=interrupted)
