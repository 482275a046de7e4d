"""`steel learn`: run STEEL on a world of the paper."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Unpack

import click

from steel_verified.cli.console import named_as_options, progress_of, show, show_json
from steel_verified.cli.options import (
    WorldGiven,
    drawn_instance,
    parameter_options,
    world_options,
)
from steel_verified.evidence.files import require_outputs, write_or_rescue
from steel_verified.reports import outcome
from steel_verified.reports.model_files import as_bytes, require_model_file
from steel_verified.worlds.catalogue import DEFAULT
from steel_verified.worlds.runs import run


@click.command(
    "learn",
    epilog="Exit codes: 0 learned and right, 1 not right or given up, 2 an argument is missing or "
    "not allowed.",
)
@click.argument("world", default=DEFAULT, metavar="[WORLD]")
@world_options
@click.option(
    "--noise-seed", type=int, default=0, show_default=True, help="Which noise: Ω is a value."
)
@parameter_options
@click.option("--dynamics-only", is_flag=True, help="Stop when the dynamics are known.")
@click.option(
    "--model",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the learned model, as .json, .dot or .graphml.",
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the evidence, for `steel check FILE`.",
)
@click.option("--json", "for_program", is_flag=True, help="Print JSON for a program.")
def learn_command(
    *,
    world: str,
    noise_seed: int,
    dynamics_only: bool,
    model: Path | None,
    certificate: Path | None,
    for_program: bool,
    **given: Unpack[WorldGiven],
) -> None:
    """Run STEEL on a world of the paper, and hold what it learned against the truth.

    WORLD is {worlds_and_default}, with the paper's parameters; each can be set. The run is also
    predicted: unless a verdict was wrong, it takes exactly the plans of the prediction.

    \b
    Examples:
      steel learn combination-lock --states 20 --env-seed 0 --noise-seed 3
      steel learn multi-maze --model maze.dot --certificate maze.json
      steel learn single-prime --p 17 --q 19 --delta 1/1000 --json
    """
    with named_as_options():
        if model is not None:
            require_model_file(model)
        require_outputs(model=model, certificate=certificate)
        chosen = drawn_instance(world, given)
        began = perf_counter()
        with progress_of(chosen) as watch:
            went = run(chosen, noise_seed, with_encoder=not dynamics_only, watch=watch)
        seconds = perf_counter() - began
        if model is not None:
            write_or_rescue(model, as_bytes(went.learned, model.suffix))
        if certificate is not None:
            write_or_rescue(certificate, went.certificate())
        report = outcome.outcome(went, seconds)
    if for_program:
        show_json(outcome.as_json(report))
    else:
        show(outcome.as_parts(report))
    if not went.findings.all_right:
        raise SystemExit(1)
