"""`steel predict`: what can be computed about a run before it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Unpack

import click

from steel_verified.cli.arguments import json_option, whole
from steel_verified.cli.console import (
    progress_of,
    show,
    show_json,
)
from steel_verified.cli.options import (
    WorldGiven,
    chosen_instance,
    own_parameters,
    parameter_options,
    table_options,
    world_options,
    worlds_to_type,
)
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import MOST_STEPS, Located
from steel_verified.progress import progress_bar
from steel_verified.reports import prediction
from steel_verified.worlds import forecast as forecasting
from steel_verified.worlds.costs import require_located
from steel_verified.worlds.instances import RunnableInstance
from steel_verified.worlds.runs import predict
from steel_verified.worlds.validation_ahead import measured, require_walks, validation_ahead, walks

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.cli.options import Chosen
    from steel_verified.worlds.instances import Instance

_SEEDS: Final = 5
_MOST_SEEDS: Final = 10_000
"""One run takes between a tenth of a second and minutes, so more seeds would take days."""


@click.command(
    "predict",
    epilog="Exit codes: 0 printed, 2 an argument is missing or not allowed.",
)
@click.argument("world", required=False, metavar="[WORLD]", shell_complete=worlds_to_type)
@click.option(
    "--method",
    type=click.Choice(["looped", "located"]),
    default="looped",
    show_default=True,
    help="The paper's algorithm, or located STEEL.",
)
@click.option(
    "--noise-seeds",
    type=whole(0, _MOST_SEEDS),
    help=f"Number of noise seeds over which the exploration of a located run is measured "
    f"[{_SEEDS}].",
)
@click.option(
    "--steps-per-second",
    type=click.FloatRange(min=0, min_open=True),
    help="Speed of your environment, to forecast the time in seconds.",
)
@world_options
@table_options
@parameter_options
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
    **given: Unpack[WorldGiven],
) -> None:
    """Predict a run: exactly for the paper's algorithm, in part for located STEEL.

    WORLD is {worlds}, with the paper's parameters, or give a --table. The command runs the same
    learner on the known dynamics with an oracle that is never wrong. A real run executes the same
    plans, whatever its noise, unless a verdict is wrong.

    With --method located, only the validation is known beforehand. How long a run explores depends
    on the noise, so it is measured by real runs (of a WORLD; a table has no observations).

    Without a WORLD or a --table, the command forecasts a run in your own environment, for located
    STEEL and, if you give --class-size, for the paper's algorithm. It needs --actions, --max-states
    and --mixing-time. It assumes N states; D̂ defaults to N − 1, δ and ε default to 1/20.

    For a table, N, D̂, |A| and |F| default to their true values, t̂_mix to 1, δ and ε to 1/20.

    \b
    Examples:
      steel predict combination-lock --states 20 --env-seed 0
      steel predict combination-lock --method located --noise-seeds 10
      steel predict double-prime --p 3 --q 5 --json
      steel predict --table dynamics.json --start 0 --mixing-time 40 --class-size 512
      steel predict --actions 6 --max-states 500 --mixing-time 1 --class-size 500
    """
    if noise_seeds is not None and method != "located":
        raise InvalidArgument("noise_seeds", noise_seeds, "--method located")
    if world is None and table is None:
        _show_forecast(given["parameters"], steps_per_second, for_program=for_program)
        return
    if steps_per_second is not None:
        expected = "neither a WORLD nor a --table, which are simulated"
        raise InvalidArgument("steps_per_second", steps_per_second, expected)
    chosen = chosen_instance(world, table, start, given)
    seeds = _SEEDS if noise_seeds is None else noise_seeds
    if method == "located":
        _require_located(chosen, seeds)
    with progress_of(chosen) as bar:
        learned = predict(chosen, watch=lambda state: bar(len(state.model.transitions())))
    if method == "located":
        _show_located(chosen, seeds, learned.ledger.steps, for_program=for_program)
        return
    if for_program:
        show_json(prediction.looped_as_json(learned.ledger, chosen.parameters, chosen.extent))
    else:
        show(
            prediction.looped_as_parts(
                learned.ledger, chosen.name, chosen.parameters, chosen.extent
            )
        )


def _show_forecast(given: Chosen, steps_per_second: float | None, *, for_program: bool) -> None:
    """Show a forecast for an environment of which only the parameters are known."""
    with_class = "class_size" in given
    own = own_parameters(given, "a WORLD or a --table", with_class=with_class)
    bounds = own if with_class else Located(own).parameters
    forecast = forecasting.predict(bounds, steps_per_second=steps_per_second)
    if for_program:
        show_json(prediction.forecast_as_json(forecast))
    else:
        show(prediction.forecast_as_parts(forecast))


def _require_located(chosen: Instance, seeds: int) -> None:
    """Raise an error, before anything is computed, if located STEEL cannot be predicted here."""
    Located(chosen.parameters)
    require_walks(chosen.dynamics)
    if isinstance(chosen, RunnableInstance) and seeds:
        require_located(chosen, MOST_STEPS)


def _show_located(chosen: Instance, seeds: int, looped_steps: int, *, for_program: bool) -> None:
    """Show what is known of a run of located STEEL beforehand, and measure the rest."""
    found = None
    if isinstance(chosen, RunnableInstance) and seeds:
        with progress_bar("runs", seeds) as told:
            found = measured(chosen, seeds, lambda done: told(done, seeds))
    states = chosen.dynamics.states
    with progress_bar("walks", states) as told:
        lengths = walks(chosen, lambda done: told(done, states))
    ahead = validation_ahead(chosen.parameters, lengths)
    if for_program:
        show_json(prediction.located_as_json(ahead, found, looped_steps))
    else:
        show(prediction.located_as_parts(ahead, found, looped_steps, chosen.name))
