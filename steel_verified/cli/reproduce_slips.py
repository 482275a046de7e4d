"""`steel reproduce slips`: how runs of located STEEL end if steps slip to other states."""

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
    """How runs of located STEEL end if each step goes to a wrong state with a small probability p.

    The worlds are small random worlds, a prime loop and the lock with K = 20; p takes eight values
    from 10⁻⁵ to 10⁻². Each run is made with and without the self-check, and with several attempts
    that vote. All runs take about half an hour of CPU time.

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
