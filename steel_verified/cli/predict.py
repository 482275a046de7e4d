"""`steel predict`: the exact number of steps, before a run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import click

from steel_verified.cli.console import console, named_as_options, progress_of
from steel_verified.cli.options import (
    WorldGiven,
    drawn_instance,
    parameter_options,
    with_choices,
    world_options,
)
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.instances import instance_of_table
from steel_verified.reports import prediction
from steel_verified.theory.parameters import Extent
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.table_files import read_table


@click.command("predict", epilog="Exit codes: 0 printed, 2 an argument is missing or not allowed.")
@click.argument("world", required=False, metavar="[WORLD]")
@world_options
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your own dynamics: row s lists T(s,0), T(s,1), …, as JSON or CSV.",
)
@click.option("--start", type=int, help="The state to start in [as drawn; of a table: 0].")
@parameter_options
@click.option("--json", "for_program", is_flag=True, help="Print JSON for a program.")
def predict_command(
    *,
    world: str | None,
    table: Path | None,
    start: int | None,
    for_program: bool,
    **given: Unpack[WorldGiven],
) -> None:
    """Predict a run exactly: every plan, and the number of steps.

    WORLD is combination-lock, multi-maze, double-prime, single-prime or grid, with the paper's
    parameters, or give a --table. The same learner runs on the known dynamics with an oracle that
    is never wrong; a real run takes the same plans whatever its noise, unless a verdict is wrong.

    Of a table, N, D̂, |A| and |F| default to the truth, t̂_mix to 1, δ and ε to 1/20.

    \b
    Examples:
      steel predict combination-lock --states 20 --env-seed 0
      steel predict double-prime --p 3 --q 5 --json
      steel predict --table dynamics.json --start 0 --mixing-time 40 --class-size 512
    """
    with named_as_options():
        if world is not None and table is None:
            chosen = drawn_instance(world, given)
        elif table is not None and world is None:
            chosen = with_choices(instance_of_table(table.name, read_table(table)), given)
        else:
            raise click.UsageError("Give either a WORLD or a --table.")
        if start is not None:
            chosen = replace(chosen, start=_within("start", start, chosen.dynamics.states))
        with progress_of(chosen) as watch:
            learned = ideal_run(
                chosen.dynamics,
                chosen.start,
                chosen.parameters,
                first_action=chosen.first_action,
                watch=watch,
            )
    told = prediction.story(learned.ledger)
    extent = Extent(chosen.dynamics.states, chosen.dynamics.diameter)
    if for_program:
        click.echo(json.dumps(prediction.as_json(told, chosen.parameters, extent), indent=2))
    else:
        console().print(prediction.as_text(told, chosen.name, chosen.parameters, extent))


def _within(argument: str, value: int, count: int) -> int:
    if not 0 <= value < count:
        raise InvalidArgument(argument, value, f"0 to {count - 1}")
    return value
