"""`steel draw`: a world as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from steel_verified.cli.console import named_as_options
from steel_verified.cli.options import (
    WorldGiven,
    drawn_instance,
    parameter_options,
    world_options,
)
from steel_verified.errors import InvalidArgument
from steel_verified.reports.files import write_atomically


@click.command("draw", epilog="Exit codes: 0 written, 2 an argument is missing or not allowed.")
@click.argument("world", default="combination-lock", metavar="[WORLD]")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="Where to write the figure, as .svg, .pdf or .png.",
)
@world_options
@click.option("--noise-seed", type=int, default=0, show_default=True, help="Which noise.")
@parameter_options
def draw_command(*, world: str, output: Path, noise_seed: int, **given: Unpack[WorldGiven]) -> None:
    """Draw a world of the paper: its latent dynamics, and an observed transition.

    \b
    Example:
      steel draw multi-maze --env-seed 0 --output maze.svg
    """
    with named_as_options():
        if not output.parent.is_dir():
            raise InvalidArgument("output", output, "a file in a folder that exists")
        # Loaded late: it needs an extra, and takes a second.
        from steel_verified.reports import figures  # noqa: PLC0415

        figure = figures.world_figure(drawn_instance(world, given), noise_seed)
        write_atomically(output, figures.as_bytes(figure, output.suffix))
    click.echo(f"Wrote {output}.")
