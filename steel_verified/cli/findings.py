"""`steel findings`: recheck the findings of a run that was not accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from steel_verified.cli.arguments import json_option
from steel_verified.cli.console import report
from steel_verified.errors import Unreadable
from steel_verified.evidence.files import read_bytes
from steel_verified.learning.self_check.findings import LARGEST_FINDINGS, findings_of, rederived
from steel_verified.reports.findings import as_json, as_parts, is_derived

UNREADABLE: Final = 3
NOT_DERIVED: Final = 4


@click.command(
    "findings",
    epilog="Exit codes: 0 the file's statement follows from its rows, or it makes none, 2 an "
    f"argument is missing or not allowed, {UNREADABLE} the file cannot be read, {NOT_DERIVED} its "
    "statement does not follow from its rows.",
)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@json_option
def findings_command(*, file: Path, for_program: bool) -> None:
    """Recheck the findings of a run that was not accepted.

    FILE was written by `steel learn --findings FILE`, or by `save_findings` of the library. The
    command does not trust the statement in the file. It replays the recorded calls, or computes
    the bets of the self-check again from the recorded rows, with exact arithmetic.

    \b
    Examples:
      steel learn grid --max-states 4 --findings grid.json
      steel findings grid.json
    """
    try:
        found = findings_of(read_bytes(file, LARGEST_FINDINGS, "FILE"), str(file))
    except Unreadable as error:
        click.echo(str(error), err=True)
        raise SystemExit(UNREADABLE) from None
    again = rederived(found)
    report(as_json(found, again), as_parts(found, again), for_program=for_program)
    if not is_derived(found, again):
        raise SystemExit(NOT_DERIVED)
