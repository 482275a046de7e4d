"""`steel learn`: run STEEL on a world of the paper."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

import click

from steel_verified.cli import options
from steel_verified.cli.arguments import json_option, whole
from steel_verified.cli.console import INTERRUPTED, interruptible, show, show_json
from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import Certain
from steel_verified.learning.drive import METHODS, AnyMethod, too_few_steps
from steel_verified.learning.listed import MOST_CLASSIFIERS
from steel_verified.learning.located import LARGEST_LIMIT, Located
from steel_verified.learning.results import Accepted, NotAccepted, Result
from steel_verified.progress import shown_progress
from steel_verified.reports import run as report
from steel_verified.theory.conditions import Condition
from steel_verified.theory.exact import exactly
from steel_verified.theory.self_check import MOST_FRESH_STEPS, SelfCheck
from steel_verified.theory.wording import counted, counted_range, duration_range
from steel_verified.worlds.catalogue import DEFAULT, false_bounds
from steel_verified.worlds.checkpoints import NO_FILES
from steel_verified.worlds.runs import certificate_of_run, looped_steps, method_named, run

if TYPE_CHECKING:
    from steel_verified.worlds.instances import RunnableInstance
    from steel_verified.worlds.run_info import RunInfo

    Ended = tuple[Result, RunInfo]

_NONE: Final = "No estimate of steps or time: with a false bound, a run ends where it notices this."
_BESIDE: Final = ("certain", "located", "looped")
_RESUMED: Final = "It is less for a run that is resumed."


@click.command(
    "learn",
    epilog="Exit codes: 0 learned and right, 1 not right or given up, 2 an argument is missing or "
    f"not allowed, or a file was not written, {INTERRUPTED} interrupted (Ctrl-C or SIGTERM): "
    "partial results were written.",
)
@click.argument("world", default=DEFAULT, metavar="[WORLD]", shell_complete=options.worlds_to_type)
@click.option(
    "--method",
    type=click.Choice([*METHODS, "all"]),
    help="Certain is right for every noise and needs no bounds; slipping is for worlds whose steps "
    "slip (--slips); located needs N and t̂_mix; looped "
    "is the paper's algorithm; fallback is located, and then looped if located is not accepted in "
    "a tenth of its steps; all runs the first three [certain; if bounds are given, the first that "
    "uses them].",
)
@options.world_options
@options.noise_seed_option
@options.parameter_options
@click.option(
    "--dynamics-only",
    is_flag=True,
    help="Stop when the dynamics are known (looped and located).",
)
@click.option(
    "--max-steps",
    type=whole(1),
    help="Stop after this many steps, as not accepted [certain: "
    f"{Certain.most_steps}; located: {Located.most_steps}; looped: none].",
)
@click.option(
    "--slips",
    metavar="RATE",
    help="Let each step lead elsewhere with this chance, less than 1/2, and learn in spite of it "
    "(slipping).",
)
@click.option(
    "--self-check-steps",
    type=whole(0, MOST_FRESH_STEPS),
    help="Take this many fresh steps to check the model (default: as many as its power needs).",
)
@click.option("--no-self-check", is_flag=True, help="Accept the learned model without a check.")
@click.option(
    "--log",
    "logs",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    help="Learn from this file of recorded episodes (.npz or .csv) instead of a world; several "
    "files are one log. Fits --class, --actions, --model, --certificate, --html and --json.",
)
@click.option(
    "--class",
    "class_name",
    type=click.Choice(["components", "conjunctions", "thresholds", "boxes", "half-spaces"]),
    help="The classifiers, for a world of your own [recommended after a walk] or a --log "
    "[components, and no others].",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An argument with which a world of your own is made.",
)
@options.file_options
@json_option
@click.pass_context
def learn_command(
    context: click.Context,
    *,
    world: str,
    logs: tuple[Path, ...],
    class_name: str | None,
    settings: tuple[str, ...],
    method: str | None,
    noise_seed: int,
    dynamics_only: bool,
    max_steps: int | None,
    slips: str | None,
    self_check_steps: int | None,
    no_self_check: bool,
    for_program: bool,
    files: options.RunFiles,
    **given: Unpack[options.WorldGiven],
) -> None:
    """Run STEEL on a world of the paper, and compare the result with the truth; or on your own.

    WORLD is your own as gym:ID (an environment of Gymnasium) or FILE.py:NAME (a class, an object or
    a function in a file); then --noise-seed is its seed. Or it is {worlds_and_default},
    with the paper's parameters; each can be changed by an option.
    Certain STEEL needs none of them: F is finite in these worlds. A looped run is also predicted:
    it executes exactly the predicted plans, unless a verdict was wrong. Its prediction is compared
    with the runs of the other methods, too.

    \b
    Examples:
      steel learn combination-lock --states 20 --env-seed 0 --noise-seed 3
      steel learn combination-lock --method all
      steel learn combination-lock --method located --certificate lock.json
      steel learn grid --method fallback
      steel learn combination-lock --slips 1/20 --certificate lock.json
      steel learn multi-maze --model maze.dot --certificate maze.json
      steel learn grid --html grid.html
      steel learn grid --method looped --max-states 4 --findings grid.json
      steel learn multi-maze --method looped --checkpoint maze.run
      steel learn multi-maze --method looped --resume maze.run
      steel learn single-prime --p 17 --q 19 --delta 1/1000 --json
      steel learn gym:FrozenLake-v1 --set is_slippery=False --html lake.html
      steel learn shop.py:Shop --class components --model shop.dot
      steel learn --log walk.npz --class components --certificate walk.json
    """
    if logs:
        from steel_verified.cli.own_world import learn_log  # noqa: PLC0415 (no other run needs it)

        if class_name not in (None, "components"):
            raise InvalidArgument("class", class_name, "components, with --log")
        actions = given["parameters"].get("actions")
        learn_log(context, logs, actions, files, for_program=for_program)
        return
    if no_self_check and self_check_steps:
        raise InvalidArgument("self_check_steps", self_check_steps, "no --no-self-check")
    check = None if no_self_check else SelfCheck(steps=self_check_steps)
    if is_own(world):
        from steel_verified.cli.own_world import (  # noqa: PLC0415 (no other run needs it)
            learn_own,
            that_shows_rows,
        )

        with interruptible(), that_shows_rows(world):
            learn_own(
                context,
                world,
                settings,
                class_name,
                method,
                noise_seed,
                check,
                max_steps,
                files,
                given,
                for_program=for_program,
            )
        return
    for name, value in (("class", class_name), ("set", settings)):
        if value:
            raise InvalidArgument(name, value, "a world of your own: gym:ID, or FILE.py:NAME")
    with interruptible():
        chosen = options.drawn_instance(world, given)
        name = method or _fitting(
            chosen, given["parameters"], dynamics_only=dynamics_only, slips=slips is not None
        )
        require_options(name, given, dynamics_only, max_steps, slips)
        kept = NO_FILES
        if any(files.values()):
            # Imported here because most runs write no files.
            from steel_verified.cli.run_files import require_files  # noqa: PLC0415

            kept = require_files(files, name)
        names = _BESIDE if name == "all" else (name,)
        delta = given["parameters"].get("delta")
        rate = Fraction(0) if slips is None else exactly(slips, "slips")
        methods = [
            method_named(
                each, chosen, with_encoder=not dynamics_only, certain_delta=delta, slips=rate
            )
            for each in names
        ]
        warn(chosen, methods, max_steps)
        ended: list[Ended] = []
        for each in methods:
            ahead = partial(
                foretell,
                chosen,
                each,
                checked=check is not None,
                resumed=kept.resume is not None,
            )
            with shown_progress() as advance:
                result, info = run(
                    chosen,
                    each,
                    noise_seed,
                    self_check=check,
                    max_steps=max_steps,
                    files=kept,
                    foretell=ahead,
                    progress=advance,
                )
            if name in ("certain", "located") and isinstance(result, Accepted):
                info = replace(info, looped_steps=looped_steps(chosen))
            ended.append((result, replace(info, false_bounds=false_bounds(chosen, each))))
            if any(files.values()):
                from steel_verified.cli.run_files import write_files  # noqa: PLC0415

                evidence = partial(certificate_of_run, chosen, noise_seed=noise_seed)
                functions = chosen.simulation.functions()
                write_files(result, files, functions, evidence, chosen.name)
            if _is_interrupted(result):
                break
    shown(ended, for_program=for_program)


def is_own(world: str) -> bool:
    """Whether this names an environment of Gymnasium, or something in a Python file."""
    return world.startswith("gym:") or ".py:" in world


def _fitting(
    chosen: RunnableInstance, parameters: options.Chosen, *, dynamics_only: bool, slips: bool
) -> str:
    """The strongest method that fits what is asked for. Only looped uses D̂ and |F|."""
    if slips:
        return "slipping"
    if dynamics_only or "max_diameter" in parameters or "class_size" in parameters:
        return "looped"
    listed = chosen.parameters.class_size <= MOST_CLASSIFIERS
    return "certain" if listed and parameters.keys() <= {"delta"} else "located"


def shown(ended: list[Ended], *, for_program: bool) -> None:
    """Print what came of one run, or of several beside each other, and exit with its code."""
    several = len(ended) > 1
    if for_program:
        show_json(report.beside_as_json(ended) if several else report.as_json(*ended[0]))
    else:
        show(report.beside_as_parts(ended) if several else report.as_parts(*ended[0]))
    if not all(report.is_right(*each) for each in ended):
        raise SystemExit(INTERRUPTED if _is_interrupted(ended[-1][0]) else 1)


def _is_interrupted(result: Result) -> bool:
    return isinstance(result, NotAccepted) and result.interrupted


def require_options(
    method: str,
    given: options.WorldGiven,
    dynamics_only: bool,  # noqa: FBT001 (an option of the command)
    max_steps: int | None,
    slips: str | None,
) -> None:
    """Raise `InvalidArgument` if an option does not fit the method or another option."""
    for name, value in given["parameters"].items() if method in ("certain", "slipping") else ():
        if name != "delta":
            raise InvalidArgument(name, value, f"no --method {method}, which needs no bounds")
    if dynamics_only and method not in ("looped", "located"):
        expected = "--method looped or located"
        raise InvalidArgument("dynamics_only", True, expected)  # noqa: FBT003 (a value)
    if method != "looped" and max_steps is not None and max_steps > LARGEST_LIMIT:
        raise InvalidArgument("max_steps", max_steps, f"at most {LARGEST_LIMIT:,}")
    if method == "fallback" and max_steps is not None:
        expected = "no --max-steps: --method fallback sets a limit"
        raise InvalidArgument("max_steps", max_steps, expected)
    if slips is not None and method != "slipping":
        raise InvalidArgument("slips", slips, "--method slipping: others take each step for usual")
    if slips is None and method == "slipping":
        raise InvalidArgument("slips", None, "a bound on the chance that a step slips, as 1/100")


def warn(chosen: RunnableInstance, methods: list[AnyMethod], max_steps: int | None) -> None:
    """Print a warning for each false bound that a method uses, and for too small a limit.

    Raises `InvalidArgument` for a located run with too small an N and no limit of steps. Such a
    run cannot be accepted, and would continue for many minutes.
    """
    used = dict.fromkeys(each for method in methods for each in false_bounds(chosen, method))
    for bound in used:
        too_small = bound.condition is Condition.MAX_STATES and max_steps is None
        if too_small and any(isinstance(each, Located) for each in methods):
            expected = (
                f"at least {bound.needed:,}, as {bound.because} (or a --max-steps, to see how a "
                "run with a false bound ends)"
            )
            raise InvalidArgument(bound.argument, bound.given, expected)
        click.echo(report.as_sentence(bound), err=True)
    for method in methods:
        if too_few := too_few_steps(method, max_steps):
            click.echo(f"Warning: {too_few}. This run cannot be accepted.", err=True)


def foretell(
    chosen: RunnableInstance,
    method: AnyMethod,
    predicted: Accepted | None,
    *,
    checked: bool,
    resumed: bool,
) -> None:
    """Print the steps of a run as predicted or estimated, and about how long they take."""
    if not sys.stderr.isatty():
        return
    # Imported here because only a terminal shows it.
    from steel_verified.worlds.estimates import estimated  # noqa: PLC0415

    known = estimated(chosen, method, predicted, checked=checked)
    if known is None:
        _say(_NONE)
        return
    kind = "Estimated" if predicted is None else "Predicted"
    least = f"at least {counted(known.least, 'step')}"
    steps = least if known.most is None else counted_range(known.least, known.most, "step")
    time = "" if known.seconds is None else f", in {_about(*known.seconds)}"
    _say(f"{kind} for {method.name}: {steps}{time}.", known.remark, _RESUMED * resumed)


def _about(least: float, most: float) -> str:
    return "less than a second" if most < 1 else f"about {duration_range(max(1, least), most)}"


def _say(*sentences: str) -> None:
    if sys.stderr.isatty():
        # Not `click.echo`: it would write behind a progress bar, in the same line.
        sys.stderr.write(" ".join(filter(None, sentences)) + "\n")
