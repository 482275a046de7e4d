"""`steel reproduce violations`: how runs end if a condition of the guarantee is violated."""

from __future__ import annotations

from typing import Unpack

import click

from steel_verified.cli.console import show, show_json
from steel_verified.cli.numbers import whole
from steel_verified.cli.sweeping import HowToRun, sweep_options, swept
from steel_verified.experiments.violations import WORLDS, all_runs, violations_study
from steel_verified.reports.tables import records
from steel_verified.reports.violation_rows import Rows
from steel_verified.reports.violations import tables, violations_page


@click.command("violations", short_help="Runs in which a condition is violated.")
@click.option(
    "--worlds",
    type=whole(1, WORLDS),
    default=WORLDS,
    show_default=True,
    help="Number of worlds of each kind.",
)
@click.option("--page", "as_page", is_flag=True, help="Print VIOLATIONS.md; run nothing.")
@sweep_options
def violations_command(*, worlds: int, as_page: bool, **how: Unpack[HowToRun]) -> None:
    """How runs end on small random worlds that violate a condition of the guarantee.

    Both methods learn worlds of each kind with the self-check; the command also records how each
    run would have ended without it. A thousand worlds of each kind, and more worlds without a
    violation, take an hour of CPU time.

    \b
    Examples:
      steel reproduce violations --recorded
      steel reproduce violations --worlds 100
    """
    if as_page:
        click.echo(violations_page(), nl=False)
        return
    runs = all_runs(worlds)
    made = tables(Rows(swept(violations_study(runs), "violations", how), tuple(runs)))
    if how["for_program"]:
        show_json([{"title": table.title, "numbers": records(table)} for table in made])
    else:
        show(made)
