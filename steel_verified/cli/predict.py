"""`steel predict`: what can be computed about a run before it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Unpack

import click

from steel_verified.cli import options
from steel_verified.cli.arguments import json_option, whole
from steel_verified.cli.console import show, show_json
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import Located
from steel_verified.progress import progress_bar
from steel_verified.reports import prediction
from steel_verified.worlds.estimates import FORESEEN, foreseen, predict

if TYPE_CHECKING:
    from pathlib import Path


_SEEDS: Final = 5
_MOST_SEEDS: Final = 10_000
"""One run takes between a tenth of a second and minutes, so more seeds would take days."""


@click.command(
    "predict",
    epilog="Exit codes: 0 printed, 2 an argument is missing or not allowed.",
)
@click.argument("world", required=False, metavar="[WORLD]", shell_complete=options.worlds_to_type)
@click.option(
    "--method",
    type=click.Choice(FORESEEN),
    default="looped",
    show_default=True,
    help="The paper's algorithm, which is known exactly, or another method.",
)
@click.option(
    "--noise-seeds",
    type=whole(0, _MOST_SEEDS),
    help=f"Number of noise seeds over which exploring is measured, if it depends on the noise "
    f"[{_SEEDS}].",
)
@click.option(
    "--steps-per-second",
    type=click.FloatRange(min=0, min_open=True),
    help="Speed of your environment, to forecast the time in seconds.",
)
@options.world_options
@options.table_options
@options.parameter_options
@json_option
def predict_command(
    *,
    world: str | None,
    method: str,
    noise_seeds: int | None,
    steps_per_second: float | None,
    table: Path | None,
    start: int | None,
    for_program: bool,
    **given: Unpack[options.WorldGiven],
) -> None:
    """Predict a run: exactly for the paper's algorithm, in part for the other methods.

    WORLD is {worlds}, with the paper's parameters, or give a --table. The command runs the same
    learner on the known dynamics with an oracle that is never wrong. A real run executes the same
    plans, whatever its noise, unless a verdict is wrong.

    How long the other methods explore depends on the noise, so it is measured by real runs (of a
    WORLD; a table has no observations). Of a located run, the validation is known beforehand. A
    certain run takes at least as many steps as a shortest walk through all transitions.

    Without a WORLD or a --table, the command forecasts a run in your own environment, for located
    STEEL and, if you give --class-size, for the paper's algorithm. It needs --actions, --max-states
    and --mixing-time. It assumes N states; D̂ defaults to N − 1, δ and ε default to 1/20.

    For a table, N, D̂, |A| and |F| default to their true values, t̂_mix to 1, δ and ε to 1/20.

    \b
    Examples:
      steel predict combination-lock --states 20 --env-seed 0
      steel predict combination-lock --method certain
      steel predict combination-lock --method located --noise-seeds 10
      steel predict double-prime --p 3 --q 5 --json
      steel predict --table dynamics.json --start 0 --mixing-time 40 --class-size 512
      steel predict --actions 6 --max-states 500 --mixing-time 1 --class-size 500
    """
    if noise_seeds is not None and method == "looped":
        raise InvalidArgument("noise_seeds", noise_seeds, "--method certain or located")
    if world is None and table is None:
        _show_forecast(given["parameters"], steps_per_second, for_program=for_program)
        return
    if steps_per_second is not None:
        expected = "neither a WORLD nor a --table, which are simulated"
        raise InvalidArgument("steps_per_second", steps_per_second, expected)
    chosen = options.chosen_instance(world, table, start, given)
    with progress_bar("predicting", None) as advance:
        ahead = foreseen(method, chosen, _SEEDS if noise_seeds is None else noise_seeds, advance)
    if for_program:
        show_json(prediction.as_json(ahead))
    else:
        show(prediction.as_parts(ahead))


def _show_forecast(
    given: options.Chosen, steps_per_second: float | None, *, for_program: bool
) -> None:
    """Show a forecast for an environment of which only the parameters are known."""
    with_class = "class_size" in given
    own = options.own_parameters(given, "a WORLD or a --table", with_class=with_class)
    bounds = own if with_class else Located(own).parameters
    forecast = predict(bounds, steps_per_second=steps_per_second)
    if for_program:
        show_json(prediction.forecast_as_json(forecast))
    else:
        show(prediction.forecast_as_parts(forecast))
