"""`steel learn`: run STEEL on a world of the paper."""

from __future__ import annotations

from typing import Unpack

import click

from steel_verified.cli.console import show, show_json
from steel_verified.cli.endings import (
    ending_of_both,
    ending_of_fallback,
    ending_of_located,
    ending_of_looped,
    ending_of_slips,
)
from steel_verified.cli.foretelling import foretell_fallback, foretell_located, foretell_slips
from steel_verified.cli.numbers import whole
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
from steel_verified.cli.run_options import INTERRUPTED, interruptible, require_options
from steel_verified.cli.running import (
    run_located,
    run_looped,
    run_with_fallback,
    run_with_slips,
)
from steel_verified.cli.warning import warned
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import LARGEST_LIMIT, MOST_STEPS
from steel_verified.reports.warnings import in_json, in_parts
from steel_verified.theory.exact import exactly
from steel_verified.theory.self_check import MOST_FRESH_STEPS, SelfCheck
from steel_verified.worlds.catalogue import DEFAULT
from steel_verified.worlds.simulated import LAST_SEED
from steel_verified.worlds.voted_runs import slips_of


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
@click.option("--json", "for_program", is_flag=True, help="Print JSON, for programs.")
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
            ending = ending_of_looped(went, seconds, chosen.name)
        elif fallback:
            foretell_fallback(chosen)
            fallen, seconds = run_with_fallback(chosen, noise_seed, check)
            write_files(fallen, chosen.name, files)
            ending = ending_of_fallback(fallen, seconds, chosen.name)
        elif slips is not None:
            allowed = slips_of(chosen, exactly(slips, "slips"), attempt_steps)
            foretell_slips(allowed)
            voted, seconds = run_with_slips(chosen, noise_seed, check, max_steps, allowed)
            write_model_of_vote(voted, files["model"])
            ending = ending_of_slips(voted, seconds)
        elif method == "located":
            foretell_located(chosen, max_steps, resumed=kept.resume is not None)
            gone, seconds = run_located(chosen, noise_seed, check, max_steps, kept)
            write_files(gone, chosen.name, files)
            ending = ending_of_located(gone, seconds, chosen.name)
        else:
            ending = ending_of_both(chosen, noise_seed, check, max_steps, guaranteed=not false)
    if for_program:
        show_json(in_json(ending.plain, false))
    else:
        show(in_parts(ending.parts, false))
    if not ending.right:
        raise SystemExit(INTERRUPTED if ending.interrupted else 1)
