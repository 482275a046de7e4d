"""`steel reproduce slips`: how located STEEL ends where steps slip."""

from __future__ import annotations

from typing import Unpack

import click

from steel_verified.cli.console import show, show_json
from steel_verified.cli.sweeping import HowToRun, sweep_options, swept
from steel_verified.experiments.slips import slips_study
from steel_verified.reports.slips import once_table, voted_table
from steel_verified.reports.tables import records


@click.command("slips", short_help="Runs in which steps slip to other states.")
@sweep_options
def slips_command(**how: Unpack[HowToRun]) -> None:
    """How located STEEL ends where each step leads elsewhere with a small chance p.

    It learns small random worlds, a prime loop and the lock with K = 20, for eight rates from 10⁻⁵
    to 10⁻²: with and without the self-check, and with attempts that vote. All runs take about half
    an hour of CPU time.

    \b
    Example:
      steel reproduce slips --recorded
    """
    rows = swept(slips_study(), "slips", how)
    made = [once_table(rows), voted_table(rows)]
    if how["for_program"]:
        show_json([{"title": table.title, "numbers": records(table)} for table in made])
    else:
        show(made)
