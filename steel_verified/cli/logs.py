"""`steel learn --log`: learn from files of recorded episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from steel_verified.classes.finite import Components
from steel_verified.cli.arguments import option_name
from steel_verified.cli.console import INTERRUPTED, report
from steel_verified.cli.run_files import require_files, write_files
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.reports.run import as_json
from steel_verified.reports.tables import Prose
from steel_verified.using.learned import Learned
from steel_verified.using.logs import attempt_from, width_of
from steel_verified.worlds.run_info import RunInfo

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.cli.options import RunFiles

_TABLE: Final = "The state after each action, for each state:"
_FITTING: Final = {
    "logs",
    "class_name",
    "actions",
    "model",
    "certificate",
    "html",
    "for_program",
}


def learn_log(
    context: click.Context,
    logs: tuple[Path, ...],
    actions: int | None,
    files: RunFiles,
    *,
    for_program: bool,
) -> None:
    """Learn from a log, write the files that were asked for, and print what was learned."""
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in _FITTING:
            raise click.UsageError(f"{option_name(name)} does not fit --log.")
    require_files(files, "certain")
    functions = Components(width_of(logs))
    result = attempt_from(logs, functions, actions=actions)
    table, origin = result.model.table, provenance(", ".join(map(str, logs)), 0, 0)
    write_files(
        result,
        files,
        functions,
        lambda learned: certificate_of_run(learned, functions, origin),
        logs[0].name,
    )
    info = RunInfo(world=", ".join(file.name for file in logs))
    if isinstance(result, Accepted):
        rows = (f"  {label}: {' '.join(map(str, row))}" for label, row in enumerate(table))
        said = "\n".join([str(Learned.of(result, functions)), "", _TABLE, *rows])
    else:
        said = str(result)
    report(as_json(result, info), [Prose(said)], for_program=for_program)
    if isinstance(result, NotAccepted) and result.interrupted:
        raise SystemExit(INTERRUPTED)
    if not isinstance(result, Accepted):
        raise SystemExit(1)
