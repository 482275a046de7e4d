"""`steel learn`: run STEEL on a world of the paper."""

from __future__ import annotations

import sys
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Final, Unpack

import click

from steel_verified.cli.arguments import json_option, whole
from steel_verified.cli.console import INTERRUPTED, interruptible, show, show_json
from steel_verified.cli.options import (
    RunFiles,
    WorldGiven,
    drawn_instance,
    file_options,
    noise_seed_option,
    parameter_options,
    world_options,
    worlds_to_type,
)
from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import Certain
from steel_verified.learning.located import LARGEST_LIMIT, MOST_STEPS
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.progress import shown_progress
from steel_verified.reports import run as report
from steel_verified.theory.conditions import Condition
from steel_verified.theory.exact import exactly
from steel_verified.theory.self_check import MOST_FRESH_STEPS, SelfCheck
from steel_verified.theory.wording import counted, counted_range, duration_range
from steel_verified.worlds.catalogue import DEFAULT, false_bounds
from steel_verified.worlds.checkpoints import NO_FILES
from steel_verified.worlds.runs import METHODS, ahead, looped_steps, method_named, run

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.learning.results import Result
    from steel_verified.worlds.catalogue import FalseBound
    from steel_verified.worlds.checkpoints import Checkpoints
    from steel_verified.worlds.instances import RunnableInstance
    from steel_verified.worlds.run_info import RunInfo
    from steel_verified.worlds.runs import Method
    from steel_verified.worlds.voted_runs import VotedRun

    Ended = tuple[Result, RunInfo]

_NONE: Final = "No estimate of steps or time: with a false bound, a run ends where it notices this."
_RESUMED: Final = "It is less for a run that is resumed."


@click.command(
    "learn",
    epilog="Exit codes: 0 learned and right, 1 not right or given up, 2 an argument is missing or "
    f"not allowed, {INTERRUPTED} interrupted (Ctrl-C or SIGTERM): partial results were written.",
)
@click.argument("world", default=DEFAULT, metavar="[WORLD]", shell_complete=worlds_to_type)
@click.option(
    "--method",
    type=click.Choice([*METHODS, "both"]),
    default="looped",
    show_default=True,
    help="Looped is the paper's algorithm; located takes far fewer steps; fallback is located, and "
    "then looped if located is not accepted in a tenth of its steps; certain is right for every "
    "noise, where F is finite; both runs looped and located.",
)
@world_options
@noise_seed_option
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
      steel learn grid --method fallback
      steel learn grid --method located --slips 1e-5
      steel learn multi-maze --model maze.dot --certificate maze.json
      steel learn grid --html grid.html
      steel learn grid --max-states 4 --findings grid.json
      steel learn multi-maze --checkpoint maze.run
      steel learn multi-maze --resume maze.run
      steel learn single-prime --p 17 --q 19 --delta 1/1000 --json
    """
    with interruptible():
        require_options(method, dynamics_only, max_steps, slips, attempt_steps)
        kept = NO_FILES
        if any(files.values()):
            # Imported here because most runs write no files.
            from steel_verified.cli.run_files import require_files  # noqa: PLC0415

            kept = require_files(files, method, slips=slips is not None)
        if no_self_check and self_check_steps:
            raise InvalidArgument("self_check_steps", self_check_steps, "no --no-self-check")
        check = None if no_self_check else SelfCheck(steps=self_check_steps)
        chosen = drawn_instance(world, given)
        false = warned(chosen, only_located=method == "located", limited=max_steps is not None)
        if slips is not None:
            allowed = (slips, attempt_steps)
            went, seconds = voted(chosen, allowed, noise_seed, check, max_steps, files["model"])
            shown_vote(went, seconds, false, for_program=for_program)
            return
        ended: list[Ended] = []
        for name in ("looped", "located") if method == "both" else (method,):
            value = method_named(name, chosen, with_encoder=not dynamics_only)
            if isinstance(value, Certain) and "delta" in given["parameters"]:
                value = replace(value, delta=chosen.parameters.delta)
            result, info = learned(chosen, value, noise_seed, check, max_steps, kept)
            if name == "located" and isinstance(result, Accepted):
                known = ended[0][0].ledger.steps if ended else looped_steps(chosen)
                info = replace(info, looped_steps=known)
            ended.append((result, replace(info, false_bounds=false)))
            if any(files.values()):
                from steel_verified.cli.run_files import write_files  # noqa: PLC0415

                write_files(result, info, chosen, files)
            if not isinstance(result, Accepted):
                break
    shown(ended, for_program=for_program)


def learned(
    chosen: RunnableInstance,
    method: Method | Certain,
    noise_seed: int,
    check: SelfCheck | None,
    max_steps: int | None,
    files: Checkpoints,
) -> Ended:
    """Run a method, with its expected steps before it, and a bar."""
    with shown_progress() as told:
        return run(
            chosen,
            method,
            noise_seed,
            self_check=check,
            max_steps=max_steps,
            files=files,
            foretell=lambda predicted: foretell(
                chosen,
                method,
                predicted,
                checked=check is not None,
                resumed=files.resume is not None,
            ),
            progress=told,
        )


def shown(ended: list[Ended], *, for_program: bool) -> None:
    """Print what came of one run, or of several beside each other, and exit with its code."""
    result, info = ended[-1]
    several = len(ended) > 1
    if several and not isinstance(result, Accepted):
        remark = f"{result.method.name} STEEL; looped STEEL learned it"
        info, several = replace(info, world=f"{info.world} ({remark})"), False
    if for_program:
        show_json(report.beside_as_json(ended) if several else report.as_json(result, info))
    else:
        show(report.beside_as_parts(ended) if several else report.as_parts(result, info))
    if not all(report.is_right(*each) for each in ended):
        raise SystemExit(_failed(result))


def voted(
    chosen: RunnableInstance,
    allowed: tuple[str, int | None],
    noise_seed: int,
    check: SelfCheck | None,
    max_steps: int | None,
    model: Path | None,
) -> tuple[VotedRun, float]:
    """Let steps slip and attempts vote. Return what came of it, and the seconds."""
    # Imported here because no other run needs them.
    from steel_verified.worlds.costs import LOCATED_STEP  # noqa: PLC0415
    from steel_verified.worlds.voted_runs import attempt_with_slips, slips_of  # noqa: PLC0415
    from steel_verified.worlds.voting import MOST_ATTEMPTS  # noqa: PLC0415

    rate, attempt_steps = allowed
    slips = slips_of(chosen, exactly(rate, "slips"), attempt_steps)
    seconds = LOCATED_STEP * slips.attempt_steps
    _say(
        f"Estimated: attempts of at most {counted(slips.attempt_steps, 'step')}, each in "
        f"{_about(seconds, seconds)}; at most {MOST_ATTEMPTS} are made."
    )
    began = perf_counter()
    with shown_progress() as told:
        went = attempt_with_slips(
            chosen, noise_seed, slips, max_steps=max_steps, self_check=check, progress=told
        )
    if model is not None:
        from steel_verified.cli.run_files import write_model_of_vote  # noqa: PLC0415

        write_model_of_vote(went, model)
    return went, perf_counter() - began


def shown_vote(
    went: VotedRun, seconds: float, false: tuple[FalseBound, ...], *, for_program: bool
) -> None:
    """Print what came of a vote, and exit with its code."""
    from steel_verified.reports import voted_outcome  # noqa: PLC0415 (no other run needs it)

    outcome = voted_outcome.VotedOutcome(went, seconds, false)
    if for_program:
        show_json(voted_outcome.as_json(outcome))
    else:
        show(voted_outcome.as_parts(outcome))
    if not outcome.all_right:
        raise SystemExit(_failed(went.voted.result))


def _failed(result: Result) -> int:
    """The exit code of a run that is not right."""
    return INTERRUPTED if isinstance(result, NotAccepted) and result.interrupted else 1


def require_options(
    method: str,
    dynamics_only: bool,  # noqa: FBT001 (an option of the command)
    max_steps: int | None,
    slips: str | None,
    attempt_steps: int | None,
) -> None:
    """Raise `InvalidArgument` if an option does not fit the method or another option."""
    if dynamics_only and method != "looped":
        raise InvalidArgument("dynamics_only", True, "--method looped")  # noqa: FBT003 (a value)
    if method != "looped" and max_steps is not None and max_steps > LARGEST_LIMIT:
        raise InvalidArgument("max_steps", max_steps, f"at most {LARGEST_LIMIT:,}")
    if method == "fallback" and max_steps is not None:
        expected = "no --max-steps: --method fallback sets a limit"
        raise InvalidArgument("max_steps", max_steps, expected)
    if slips is not None and method != "located":
        raise InvalidArgument("slips", slips, "--method located: looped takes too many steps")
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
        click.echo(report.as_sentence(bound), err=True)
    return found


def foretell(
    chosen: RunnableInstance,
    method: Method | Certain,
    predicted: Accepted | None,
    *,
    checked: bool,
    resumed: bool,
) -> None:
    """Print the steps of a run as predicted or estimated, and about how long they take."""
    if not sys.stderr.isatty():
        return
    known = ahead(chosen, method, predicted, checked=checked)
    if known is None:
        _say(_NONE)
        return
    kind = "Estimated" if predicted is None else "Predicted"
    steps = counted_range(*known.steps, "step")
    _say(f"{kind}: {steps}, in {_about(*known.seconds)}.", known.remark, _RESUMED * resumed)


def _about(least: float, most: float) -> str:
    return "less than a second" if most < 1 else f"about {duration_range(max(1, least), most)}"


def _say(*sentences: str) -> None:
    if sys.stderr.isatty():
        # Not `click.echo`: it would write behind a progress bar, in the same line.
        sys.stderr.write(" ".join(filter(None, sentences)) + "\n")
