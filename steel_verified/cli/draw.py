"""`steel draw`: draw a world, or how STEEL discovers it."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from steel_verified.cli import options
from steel_verified.cli.console import progress_of
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.files import require_outputs, write_atomically
from steel_verified.progress import progress_bar
from steel_verified.worlds.catalogue import DEFAULT
from steel_verified.worlds.runs import predict


@click.command(
    "draw",
    epilog="Exit codes: 0 written, 1 matplotlib is missing, 2 an argument is missing or not "
    "allowed.",
)
@click.argument("world", required=False, metavar="[WORLD]", shell_complete=options.worlds_to_type)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write: .svg, .pdf or .png; with --animate, .html [WORLD.svg; WORLD.html].",
)
@click.option(
    "--discovery",
    is_flag=True,
    help="Draw how STEEL discovers the world, one pane for each call of CycleFind.",
)
@click.option(
    "--animate", is_flag=True, help="Animate the discovery: one frame for each call of CycleFind."
)
@options.world_options
@options.table_options
@options.noise_seed_option
@options.parameter_options
def draw_command(
    *,
    world: str | None,
    output: Path | None,
    discovery: bool,
    animate: bool,
    table: Path | None,
    start: int | None,
    noise_seed: int,
    **given: Unpack[options.WorldGiven],
) -> None:
    """Draw a world: its latent dynamics, and an observed transition; or how STEEL discovers it.

    WORLD is {worlds_and_default}, or give a --table. Arrows are transitions, in the colour of their
    action. The filled state is the start.

    With --discovery, the colours are those of Figure 1 of the paper. Grey transitions are still
    unknown, black ones were known before the call, and red ones form the cycle that the call
    follows (bold if they are new). The filled state is where the agent is when the call ends. If
    there are more than 16 calls, the figure shows the first 8 and 8 more, evenly spaced up to the
    last; --animate shows all of them.

    \b
    Examples:
      steel draw multi-maze
      steel draw multi-maze --env-seed 0 --output maze.png
      steel draw grid --discovery --output figure-1.pdf
      steel draw combination-lock --states 8 --animate --output lock.html
      steel draw --table dynamics.json --animate --output mine.html
    """
    if world is None and table is None:
        world = DEFAULT
    if output is None:
        named = world if table is None else table.stem
        output = Path(f"{named}.html" if animate else f"{named}.svg")
    require_outputs(output=output)
    # Imported here because they need an extra and take a second to load.
    from steel_verified.reports.figures import discovery as figure_1  # noqa: PLC0415
    from steel_verified.reports.figures.style import FORMATS, as_bytes  # noqa: PLC0415
    from steel_verified.reports.figures.worlds import world_figure  # noqa: PLC0415

    moving = (".html",)
    kinds = moving if animate else FORMATS
    if output.suffix.lower() not in kinds:
        instead = "without" if animate else "with"
        other = ", ".join(FORMATS if animate else moving)
        expected = f"a name that ends in {', '.join(kinds)} ({instead} --animate: {other})"
        raise InvalidArgument("output", output, expected)
    chosen = options.chosen_instance(world, table, start, given)
    if animate or discovery:
        with progress_of(chosen) as known:
            went = predict(chosen, watch=lambda state: known(len(state.model.transitions())))
        calls = figure_1.discovery(chosen, went)
        if animate:
            drawn = figure_1.animated(chosen, calls)
        else:
            with progress_bar("panes", None) as advance:
                drawn = as_bytes(figure_1.discovery_figure(chosen, calls, advance), output.suffix)
    else:
        drawn = as_bytes(world_figure(chosen, noise_seed), output.suffix)
    write_atomically(output, drawn)
    click.echo(f"Wrote {output}.")
