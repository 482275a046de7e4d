"""`steel predict`: the exact number of steps, before a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from steel_verified.cli.console import named_as_options, progress_of, show, show_json
from steel_verified.cli.options import (
    WorldGiven,
    chosen_instance,
    parameter_options,
    table_options,
    world_options,
)
from steel_verified.reports import prediction
from steel_verified.worlds.runs import predict

if TYPE_CHECKING:
    from pathlib import Path


@click.command(
    "predict",
    epilog="Exit codes: 0 printed, 2 an argument is missing or not allowed.",
)
@click.argument("world", required=False, metavar="[WORLD]")
@world_options
@table_options
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

    WORLD is {worlds}, with the paper's parameters, or give a --table. The same learner runs on the
    known dynamics with an oracle that is never wrong; a real run takes the same plans
    whatever its noise, unless a verdict is wrong.

    Of a table, N, D̂, |A| and |F| default to the truth, t̂_mix to 1, δ and ε to 1/20.

    \b
    Examples:
      steel predict combination-lock --states 20 --env-seed 0
      steel predict double-prime --p 3 --q 5 --json
      steel predict --table dynamics.json --start 0 --mixing-time 40 --class-size 512
    """
    with named_as_options():
        chosen = chosen_instance(world, table, start, given)
        with progress_of(chosen) as watch:
            learned = predict(chosen, watch=watch)
    told = prediction.story(learned.ledger)
    if for_program:
        show_json(prediction.as_json(told, chosen.parameters, chosen.extent))
    else:
        show(prediction.as_parts(told, chosen.name, chosen.parameters, chosen.extent))
