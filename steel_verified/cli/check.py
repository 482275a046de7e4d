"""`steel check`: run the independent checker on a certificate."""

from __future__ import annotations

from pathlib import Path

import click

from proofs_checks.checker.__main__ import EPILOG
from proofs_checks.checker.__main__ import main as check
from steel_verified.cli.arguments import whole


@click.command("check", epilog="\b\n" + EPILOG.replace("\n\n", "\n\n\b\n"))
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE", required=False)
@click.option("--json", "for_program", is_flag=True, help="Print the verdict as JSON.")
@click.option("--explain", is_flag=True, help="Say what acceptance means; needs no FILE.")
@click.option(
    "--dynamics",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The true transition table as JSON: replay the run and report wrong verdicts.",
)
@click.option(
    "--verified",
    is_flag=True,
    help="Also run the checker that is extracted from the Coq proofs. It reads certain and "
    "located runs.",
)
@click.option("--start", type=whole(), default=0, show_default=True, help="The true start state.")
def check_command(
    *,
    file: Path | None,
    for_program: bool,
    explain: bool,
    dynamics: Path | None,
    verified: bool,
    start: int,
) -> None:
    """Check the certificate of a run.

    This is the same as `python -m proofs_checks.checker FILE`, which needs nothing but Python.
    The checker recomputes what the record should contain from the parameters and the recorded
    verdicts, with formulas implemented independently. docs/reference/certificate.md describes
    the format and the rules.

    \b
    Examples:
      steel learn grid --certificate grid.json
      steel check grid.json
      steel check --explain
    """
    if file is None and not explain:
        raise click.UsageError("expected the FILE of a certificate, or --explain")
    words = [f"--start={start}"]
    words += ["--json"] if for_program else []
    words += ["--explain"] if explain else []
    words += ["--verified"] if verified else []
    words += [f"--dynamics={dynamics}"] if dynamics is not None else []
    words += ["--", str(file)] if file is not None else []
    raise SystemExit(check(words))
