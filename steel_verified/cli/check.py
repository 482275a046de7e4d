"""`steel check`: hand a certificate to the independent checker."""

from __future__ import annotations

from pathlib import Path

import click

from proofs_checks.checker.__main__ import EPILOG
from proofs_checks.checker.__main__ import main as check


@click.command("check", epilog="\b\n" + EPILOG)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--json", "for_program", is_flag=True, help="Print the verdict as JSON.")
@click.option(
    "--dynamics",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The true table as JSON, to replay: was any verdict wrong?",
)
@click.option("--start", type=int, default=0, show_default=True, help="The true start state.")
def check_command(*, file: Path, for_program: bool, dynamics: Path | None, start: int) -> None:
    """Check the certificate of a run.

    The same as `python -m proofs_checks.checker FILE`, which needs nothing but Python: everything
    is recomputed from the parameters and the stated verdicts, by formulas written a second time.

    \b
    Examples:
      steel learn grid --certificate grid.json
      steel check grid.json
    """
    words = [str(file), "--start", str(start)]
    words += ["--json"] if for_program else []
    words += ["--dynamics", str(dynamics)] if dynamics is not None else []
    raise SystemExit(check(words))
