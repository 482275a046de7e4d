"""`steel reproduce table1`: what each method can do, as counts beside the printed marks."""

from __future__ import annotations

from typing import Unpack

import click

from steel_verified.cli.console import show, show_json
from steel_verified.cli.sweeping import HowToRun, sweep_options, swept
from steel_verified.experiments.table1.study import table1_study
from steel_verified.reports.table1 import REMARKS, tables
from steel_verified.reports.tables import Prose, records


@click.command("table1", short_help="Table 1: every method on a world for each column.")
@sweep_options
def table1_command(**how: Unpack[HowToRun]) -> None:
    """Table 1, as a measurement: how often each method is right on a small world for each column.

    STEEL (looped and located), PPE, AC-State, ACDF and ExoRL run 100 times on each small world, and
    20 times on a combination lock. If a method needs resets and the world has none, it gets
    pseudo-episodes. The table shows the printed marks beside the counts. The last table compares
    the steps of PPE with resets and of STEEL without them on the same lock. All runs take some ten
    minutes on one core.

    \b
    Examples:
      steel reproduce table1 --recorded
      steel reproduce table1 --jobs 8 --results runs
    """
    made = tables(swept(table1_study(), "table1", how))
    if how["for_program"]:
        show_json([{"title": table.title, "numbers": records(table)} for table in made])
    else:
        show([*made, *map(Prose, REMARKS)])
