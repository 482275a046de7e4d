"""`steel learn`: run STEEL on a world of the paper."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Final, Unpack

import click

from steel_verified.cli.arguments import json_option, whole
from steel_verified.cli.console import INTERRUPTED, interruptible, show, show_json
from steel_verified.cli.options import (
    WorldGiven,
    drawn_instance,
    parameter_options,
    world_options,
    worlds_to_type,
)
from steel_verified.cli.run_files import (
    RunFiles,
    file_options,
    require_files,
    write_files,
    write_model_of_vote,
)
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import LARGEST_LIMIT, MOST_STEPS, Located
from steel_verified.learning.results import NotAccepted
from steel_verified.progress import shown_progress
from steel_verified.reports import run as run_report
from steel_verified.reports import voted_outcome
from steel_verified.theory.conditions import Condition
from steel_verified.theory.exact import exactly
from steel_verified.theory.self_check import MOST_FRESH_STEPS, SelfCheck
from steel_verified.theory.wording import counted, counted_range, duration_range
from steel_verified.worlds.catalogue import DEFAULT, false_bounds
from steel_verified.worlds.checkpoints import NO_FILES
from steel_verified.worlds.costs import (
    LOCATED_STEP,
    require_located,
    require_looped,
    simulated_seconds,
)
from steel_verified.worlds.driver import steps_before_fallback
from steel_verified.worlds.forecast import predict
from steel_verified.worlds.run_info import RunInfo
from steel_verified.worlds.runs import (
    FallbackRun,
    LocatedRun,
    Run,
    attempt,
    attempt_located,
    attempt_with_fallback,
)
from steel_verified.worlds.simulated import LAST_SEED
from steel_verified.worlds.voted_runs import attempt_with_slips, slips_of
from steel_verified.worlds.voting import MOST_ATTEMPTS

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.learning.results import GivenUp
    from steel_verified.reports.run import Ended
    from steel_verified.reports.tables import Part
    from steel_verified.theory.slips import Slips
    from steel_verified.worlds.catalogue import FalseBound
    from steel_verified.worlds.checkpoints import Checkpoints
    from steel_verified.worlds.instances import RunnableInstance
    from steel_verified.worlds.voted_runs import VotedRun

_NONE: Final = "No estimate of steps or time: with a false bound, a run ends where it notices this."
_RESUMED: Final = "It is less for a run that is resumed."


@dataclass(frozen=True, slots=True)
class Ending:
    """What is shown of one run or two, for a person and for a program."""

    parts: tuple[Part, ...]
    plain: Json
    right: bool
    interrupted: bool = False


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
    "--slips",
    metavar="RATE",
    help="Let each step slip with this chance (such as 1e-5), and let attempts vote (located).",
)
@click.option(
    "--attempt-steps",
    type=whole(1, LARGEST_LIMIT),
    help="With --slips: the most steps of an attempt [what is forecast, at most 1/(5 RATE)].",
)
@click.option(
    "--self-check-steps",
    type=whole(0, MOST_FRESH_STEPS),
    default=0,
    show_default=True,
    help="After the run, take this many random steps and use them in the self-check, too.",
)
@click.option("--no-self-check", is_flag=True, help="Accept the learned model without a check.")
@file_options
@json_option
def learn_command(
    *,
    world: str,
    method: str,
    noise_seed: int,
    dynamics_only: bool,
    max_steps: int | None,
    fallback: bool,
    slips: str | None,
    attempt_steps: int | None,
    self_check_steps: int,
    no_self_check: bool,
    for_program: bool,
    files: RunFiles,
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
      steel learn grid --method located --slips 1e-5
      steel learn multi-maze --model maze.dot --certificate maze.json
      steel learn grid --html grid.html
      steel learn grid --max-states 4 --findings grid.json
      steel learn multi-maze --checkpoint maze.run
      steel learn multi-maze --resume maze.run
      steel learn single-prime --p 17 --q 19 --delta 1/1000 --json
    """
    with interruptible():
        require_options(
            method,
            dynamics_only=dynamics_only,
            max_steps=max_steps,
            fallback=fallback,
            slips=slips,
            attempt_steps=attempt_steps,
        )
        kept = require_files(files, method, fallback=fallback, slips=slips is not None)
        if no_self_check and self_check_steps:
            raise InvalidArgument("self_check_steps", self_check_steps, "no --no-self-check")
        check = None if no_self_check else SelfCheck(steps=self_check_steps)
        chosen = drawn_instance(world, given)
        only_located = method == "located" and not fallback
        false = warned(chosen, only_located=only_located, limited=max_steps is not None)
        if method == "looped":
            went, seconds = run_looped(chosen, noise_seed, check, max_steps, kept, dynamics_only)
            write_files(went, chosen.name, files)
            ending = ending_of(ended(went, chosen, noise_seed, seconds, false))
        elif fallback:
            foretell_fallback(chosen)
            fallen, seconds = run_with_fallback(chosen, noise_seed, check)
            write_files(fallen, chosen.name, files)
            ending = ending_of(ended(fallen, chosen, noise_seed, seconds, false))
        elif slips is not None:
            allowed = slips_of(chosen, exactly(slips, "slips"), attempt_steps)
            foretell_slips(allowed)
            voted, seconds = run_with_slips(chosen, noise_seed, check, max_steps, allowed)
            write_model_of_vote(voted, files["model"])
            ending = ending_of_slips(voted, seconds, false)
        elif method == "located":
            foretell_located(chosen, max_steps, resumed=kept.resume is not None)
            gone, seconds = run_located(chosen, noise_seed, check, max_steps, kept)
            write_files(gone, chosen.name, files)
            ending = ending_of(ended(gone, chosen, noise_seed, seconds, false))
        else:
            ending = ending_of_both(chosen, noise_seed, check, max_steps, false)
    if for_program:
        show_json(ending.plain)
    else:
        show(ending.parts)
    if not ending.right:
        raise SystemExit(INTERRUPTED if ending.interrupted else 1)


def require_options(
    method: str,
    *,
    dynamics_only: bool,
    max_steps: int | None,
    fallback: bool,
    slips: str | None,
    attempt_steps: int | None,
) -> None:
    """Raise `InvalidArgument` if an option does not fit the method or another option."""
    if dynamics_only and method != "looped":
        raise InvalidArgument("dynamics_only", True, "--method looped")  # noqa: FBT003 (a value)
    if method != "looped" and max_steps is not None and max_steps > LARGEST_LIMIT:
        raise InvalidArgument("max_steps", max_steps, f"at most {LARGEST_LIMIT:,}")
    if fallback and method != "located":
        raise InvalidArgument("fallback", method, "--method located")
    if fallback and max_steps is not None:
        raise InvalidArgument("max_steps", max_steps, "no --max-steps: --fallback sets a limit")
    if slips is not None and method != "located":
        raise InvalidArgument("slips", slips, "--method located: a looped run takes too many steps")
    if slips is not None and fallback:
        expected = "no --fallback: nothing is promised of the paper's algorithm where steps slip"
        raise InvalidArgument("slips", slips, expected)
    if attempt_steps is not None and slips is None:
        raise InvalidArgument("attempt_steps", attempt_steps, "a rate of slips beside it (--slips)")


def warned(
    chosen: RunnableInstance, *, only_located: bool, limited: bool
) -> tuple[FalseBound, ...]:
    """Print a warning for each bound that does not hold, and return these bounds.

    Raises `InvalidArgument` for a located run with too small an N and no limit of steps. Such a
    run cannot be accepted, and would continue for many minutes.
    """
    found = false_bounds(chosen, with_diameter=not only_located)
    for bound in found:
        if bound.condition is Condition.MAX_STATES and only_located and not limited:
            expected = (
                f"at least {bound.needed:,}, as {bound.because} (or a --max-steps, to see how a "
                "run with a false bound ends)"
            )
            raise InvalidArgument(bound.argument, bound.given, expected)
        click.echo(run_report.as_sentence(bound), err=True)
    return found


def run_looped(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    files: Checkpoints = NO_FILES,
    dynamics_only: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
) -> tuple[Run | GivenUp, float]:
    """Run the paper's algorithm, with a bar. Return what came of it, and the seconds it took."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt(
            chosen,
            noise_seed,
            with_encoder=not dynamics_only,
            max_steps=max_steps,
            self_check=self_check,
            files=files,
            foretell=lambda predicted: foretell_looped(
                chosen,
                predicted,
                checked=self_check is not None,
                resumed=files.resume is not None,
            ),
            progress=told,
        )
    return went, perf_counter() - began


def run_located(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    files: Checkpoints = NO_FILES,
) -> tuple[LocatedRun | GivenUp, float]:
    """Run located STEEL, with a bar. Return what came of it, and the seconds it took."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt_located(
            chosen,
            noise_seed,
            max_steps=max_steps or MOST_STEPS,
            self_check=self_check,
            files=files,
            progress=told,
        )
    return went, perf_counter() - began


def run_with_fallback(
    chosen: RunnableInstance, noise_seed: int, self_check: SelfCheck | None
) -> tuple[LocatedRun | FallbackRun | GivenUp, float]:
    """Run located STEEL, then perhaps the paper's algorithm, with one bar for both."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt_with_fallback(chosen, noise_seed, self_check=self_check, progress=told)
    return went, perf_counter() - began


def run_with_slips(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    slips: Slips,
) -> tuple[VotedRun, float]:
    """Run attempts that vote, with a bar for each of them."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt_with_slips(
            chosen,
            noise_seed,
            slips,
            max_steps=max_steps,
            self_check=self_check,
            progress=told,
        )
    return went, perf_counter() - began


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
    own, extent = Located(chosen.parameters).parameters, chosen.extent
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


def ended(
    went: Run | LocatedRun | FallbackRun | GivenUp,
    chosen: RunnableInstance,
    noise_seed: int,
    seconds: float,
    false: tuple[FalseBound, ...],
) -> Ended:
    """The result of a run, and the facts beside it."""
    info = RunInfo(chosen.name, chosen.env_seed, noise_seed, seconds=seconds, false_bounds=false)
    match went:
        case Run():
            steps = None if went.predicted is None else went.predicted.ledger.steps
            info = replace(info, predicted_steps=steps, as_predicted=went.as_predicted)
        case LocatedRun():
            info = replace(info, growth=went.growth, looped_steps=went.looped_steps)
        case FallbackRun():
            pass
        case _:
            return went, info
    truth = chosen.simulation.drawn.truth()
    info = replace(info, findings=went.findings, true_mixing_time=truth.mixing_time)
    return went.learned, info


def ending_of(of: Ended) -> Ending:
    """What is shown of one run."""
    result, _ = of
    return Ending(
        run_report.as_parts(*of),
        run_report.as_json(*of),
        run_report.is_right(*of),
        interrupted=isinstance(result, NotAccepted) and result.interrupted,
    )


def ending_of_slips(went: VotedRun, seconds: float, false: tuple[FalseBound, ...]) -> Ending:
    report = voted_outcome.VotedOutcome(went, seconds, false)
    result = went.voted.result
    return Ending(
        voted_outcome.as_parts(report),
        voted_outcome.as_json(report),
        right=report.all_right,
        interrupted=isinstance(result, NotAccepted) and result.interrupted,
    )


def ending_of_both(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    false: tuple[FalseBound, ...],
) -> Ending:
    """Run both algorithms, and show them side by side."""
    went, seconds = run_looped(chosen, noise_seed, self_check, max_steps)
    looped = ended(went, chosen, noise_seed, seconds, false)
    if not isinstance(went, Run):
        return ending_of(_named(looped, "looped STEEL; located STEEL was not run"))
    foretell_located(chosen, max_steps, resumed=False)
    gone, seconds = run_located(chosen, noise_seed, self_check, max_steps)
    other = ended(gone, chosen, noise_seed, seconds, false)
    if not isinstance(gone, LocatedRun):
        return ending_of(_named(other, "located STEEL; looped STEEL learned it"))
    return Ending(
        run_report.beside_as_parts((looped, other)),
        run_report.beside_as_json((looped, other)),
        went.findings.all_right and gone.findings.all_right,
    )


def _named(of: Ended, remark: str) -> Ended:
    result, info = of
    return result, replace(info, world=f"{info.world} ({remark})")
