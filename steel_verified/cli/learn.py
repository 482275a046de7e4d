"""`steel learn`: run STEEL on a world of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Unpack

import click

from steel_verified.cli.console import foretell, named_as_options, progress_of, show, show_json
from steel_verified.cli.numbers import whole
from steel_verified.cli.options import (
    WorldGiven,
    drawn_instance,
    parameter_options,
    world_options,
    worlds_to_type,
)
from steel_verified.cli.run_files import write_files
from steel_verified.cli.run_options import (
    INTERRUPTED,
    interruptible,
    require_files,
    require_options,
)
from steel_verified.cli.warning import warned
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import LARGEST_LIMIT, MOST_STEPS
from steel_verified.learning.results import NotAccepted
from steel_verified.reports import fallback_outcome, given_up, located_outcome, outcome
from steel_verified.reports.warnings import in_json, in_parts
from steel_verified.theory.self_check import SelfCheck
from steel_verified.worlds.catalogue import DEFAULT
from steel_verified.worlds.checkpoints import NO_FILES
from steel_verified.worlds.random_access import LAST_SEED
from steel_verified.worlds.runs import (
    FallbackRun,
    LocatedRun,
    Run,
    attempt,
    attempt_located,
    attempt_with_fallback,
)

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.learning.results import GivenUp
    from steel_verified.reports.tables import Part
    from steel_verified.worlds.checkpoints import Checkpoints
    from steel_verified.worlds.instances import RunnableInstance


@click.command(
    "learn",
    epilog="Exit codes: 0 learned and right, 1 not right or given up, 2 an argument is missing or "
    f"not allowed, {INTERRUPTED} interrupted (Ctrl-C or SIGTERM): partial results were written.",
)
@click.argument("world", default=DEFAULT, metavar="[WORLD]", shell_complete=worlds_to_type)
@click.option(
    "--method",
    type=click.Choice(["looped", "located", "both"]),
    default="looped",
    show_default=True,
    help="The paper's algorithm, located STEEL (far fewer steps), or both.",
)
@world_options
@click.option(
    "--noise-seed",
    type=whole(0, LAST_SEED),
    default=0,
    show_default=True,
    help="Seed of the noise.",
)
@parameter_options
@click.option(
    "--dynamics-only", is_flag=True, help="Stop when the dynamics are known (looped only)."
)
@click.option(
    "--max-steps",
    type=whole(1),
    help=f"Stop after this many steps, as not accepted [none; located: {MOST_STEPS}].",
)
@click.option(
    "--fallback",
    is_flag=True,
    help="Continue with the paper's algorithm if located STEEL is not accepted in a tenth of its "
    "steps.",
)
@click.option(
    "--self-check-steps",
    type=whole(0, LARGEST_LIMIT),
    default=0,
    show_default=True,
    help="After the run, take this many random steps and use them in the self-check, too.",
)
@click.option("--no-self-check", is_flag=True, help="Accept the learned model without a check.")
@click.option(
    "--model",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the learned model to a .json, .dot or .graphml file.",
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the certificate, for `steel check FILE`.",
)
@click.option(
    "--findings",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="If the run is not accepted, write its findings, for `steel findings FILE`.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Save the state of the run in this file regularly, to resume it later.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Continue a run from its checkpoint, and save new checkpoints in the same file.",
)
@click.option("--json", "for_program", is_flag=True, help="Print JSON, for programs.")
def learn_command(
    *,
    world: str,
    method: str,
    noise_seed: int,
    dynamics_only: bool,
    max_steps: int | None,
    fallback: bool,
    self_check_steps: int,
    no_self_check: bool,
    model: Path | None,
    certificate: Path | None,
    findings: Path | None,
    checkpoint: Path | None,
    resume: Path | None,
    for_program: bool,
    **given: Unpack[WorldGiven],
) -> None:
    """Run STEEL on a world of the paper, and compare the result with the truth.

    WORLD is {worlds_and_default}, with the paper's parameters; each can be changed by an option.
    A looped run is also predicted: it executes exactly the predicted plans, unless a verdict was
    wrong. A located run needs neither |F| nor D̂. They only serve to predict the looped run that it
    is compared with.

    \b
    Examples:
      steel learn combination-lock --states 20 --env-seed 0 --noise-seed 3
      steel learn combination-lock --method located --certificate lock.json
      steel learn grid --method located --fallback
      steel learn multi-maze --model maze.dot --certificate maze.json
      steel learn grid --max-states 4 --findings grid.json
      steel learn multi-maze --checkpoint maze.run
      steel learn multi-maze --resume maze.run
      steel learn single-prime --p 17 --q 19 --delta 1/1000 --json
    """
    with named_as_options(), interruptible():
        require_options(method, dynamics_only=dynamics_only, max_steps=max_steps, fallback=fallback)
        files = require_files(
            method,
            fallback=fallback,
            model=model,
            certificate=certificate,
            findings=findings,
            checkpoint=checkpoint,
            resume=resume,
        )
        if no_self_check and self_check_steps:
            raise InvalidArgument("self_check_steps", self_check_steps, "no --no-self-check")
        check = None if no_self_check else SelfCheck(steps=self_check_steps)
        chosen = drawn_instance(world, given)
        only_located = method == "located" and not fallback
        false = warned(chosen, only_located=only_located, limited=max_steps is not None)
        if method == "looped":
            went, seconds = _looped(chosen, noise_seed, check, max_steps, files, dynamics_only)
            write_files(went, chosen.name, model, certificate, findings)
            ending = _ending_of_looped(went, seconds, chosen.name)
        elif fallback:
            fallen, seconds = _with_fallback(chosen, noise_seed, check)
            write_files(fallen, chosen.name, model, certificate, findings)
            ending = _ending_of_fallback(fallen, seconds, chosen.name)
        elif method == "located":
            gone, seconds = _located(chosen, noise_seed, check, max_steps, files)
            write_files(gone, chosen.name, model, certificate, findings)
            ending = _ending_of_located(gone, seconds, chosen.name)
        else:
            ending = _ending_of_both(chosen, noise_seed, check, max_steps, guaranteed=not false)
    if for_program:
        show_json(in_json(ending.plain, false))
    else:
        show(in_parts(ending.parts, false))
    if not ending.right:
        raise SystemExit(INTERRUPTED if ending.interrupted else 1)


@dataclass(frozen=True, slots=True)
class _Ending:
    """The result of one run or two, as text parts and as JSON."""

    parts: tuple[Part, ...]
    plain: Json
    right: bool
    interrupted: bool = False


def _looped(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    files: Checkpoints = NO_FILES,
    dynamics_only: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
) -> tuple[Run | GivenUp, float]:
    """Run the paper's algorithm, with a progress bar. Return the result and the seconds taken."""
    began = perf_counter()
    with progress_of(chosen) as told:
        went = attempt(
            chosen,
            noise_seed,
            with_encoder=not dynamics_only,
            max_steps=max_steps,
            self_check=self_check,
            files=files,
            watch_prediction=lambda state: told(len(state.model.transitions())),
            foretell=foretell,
            watch=lambda state: told(len(state.model.transitions())),
        )
    return went, perf_counter() - began


def _located(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    files: Checkpoints = NO_FILES,
) -> tuple[LocatedRun | GivenUp, float]:
    """Run located STEEL, with a progress bar. Return the result and the seconds taken."""
    began = perf_counter()
    with progress_of(chosen) as told:
        went = attempt_located(
            chosen,
            noise_seed,
            max_steps=max_steps or MOST_STEPS,
            self_check=self_check,
            files=files,
            watch=lambda now: told(now.transitions),
        )
    return went, perf_counter() - began


def _with_fallback(
    chosen: RunnableInstance, noise_seed: int, self_check: SelfCheck | None
) -> tuple[LocatedRun | FallbackRun | GivenUp, float]:
    """Run located STEEL, then the paper's algorithm if needed, with one progress bar for both."""
    began = perf_counter()
    with progress_of(chosen) as told:
        went = attempt_with_fallback(chosen, noise_seed, self_check=self_check, watch=told)
    return went, perf_counter() - began


def _ending_of_looped(went: Run | GivenUp, seconds: float, name: str) -> _Ending:
    if not isinstance(went, Run):
        return _given_up(went, name)
    report = outcome.outcome(went, seconds)
    return _Ending(outcome.as_parts(report), outcome.as_json(report), went.findings.all_right)


def _ending_of_located(went: LocatedRun | GivenUp, seconds: float, name: str) -> _Ending:
    if not isinstance(went, LocatedRun):
        return _given_up(went, name)
    report = located_outcome.located_outcome(went, seconds)
    parts, plain = located_outcome.as_parts(report), located_outcome.as_json(report)
    return _Ending(parts, plain, report.all_right)


def _ending_of_fallback(
    went: LocatedRun | FallbackRun | GivenUp, seconds: float, name: str
) -> _Ending:
    if not isinstance(went, FallbackRun):
        return _ending_of_located(went, seconds, name)
    report = fallback_outcome.fallback_outcome(went, seconds)
    parts, plain = fallback_outcome.as_parts(report), fallback_outcome.as_json(report)
    return _Ending(parts, plain, went.findings.all_right)


def _ending_of_both(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    *,
    guaranteed: bool,
) -> _Ending:
    """Run both algorithms, and show them side by side."""
    looped, first = _looped(chosen, noise_seed, self_check, max_steps)
    if not isinstance(looped, Run):
        return _given_up(looped, f"{chosen.name} (looped STEEL; located STEEL was not run)")
    located, second = _located(chosen, noise_seed, self_check, max_steps)
    if not isinstance(located, LocatedRun):
        return _given_up(located, f"{chosen.name} (located STEEL; looped STEEL learned it)")
    old = outcome.outcome(looped, first)
    new = located_outcome.located_outcome(located, second)
    return _Ending(
        located_outcome.both_as_parts(old, new, guaranteed=guaranteed),
        located_outcome.both_as_json(old, new),
        looped.findings.all_right and new.all_right,
    )


def _given_up(went: GivenUp, name: str) -> _Ending:
    parts = given_up.given_up_as_parts(went, name)
    interrupted = isinstance(went, NotAccepted) and went.interrupted
    plain = given_up.given_up_as_json(went, name)
    return _Ending(parts, plain, right=False, interrupted=interrupted)
