"""The command `steel`. NAME is `NAME_command` in `steel_verified.cli.NAME`, imported when typed."""

from __future__ import annotations

import errno
import warnings
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final, TextIO

import click

from steel_verified.cli.arguments import as_usage_error
from steel_verified.errors import SteelError, Unsaved, extra_with, missing_extra

if TYPE_CHECKING:
    from collections.abc import Iterator

SUMMARIES: Final = {
    "audit": "Show every number behind STEEL's bounds.",
    "check": "Check the certificate of a run.",
    "claims": "Show how each claim of the paper is shown.",
    "draw": "Draw a world, or how STEEL discovers it.",
    "factors": "Learn a world of many joint states as a product of small models.",
    "findings": "Recheck the findings of a run that was not accepted.",
    "learn": "Run STEEL on a world of the paper or of your own.",
    "predict": "Predict every plan and step of a run exactly.",
    "preflight": "Walk in a world of your own, and recommend a class.",
    "proofs": "Recheck the Coq proofs on this machine.",
    "reproduce": "Rerun the paper's experiments and compare the numbers.",
}
"""The summary of each command in `steel --help`, which imports none of the commands."""


@contextmanager
def exit_if_unsaved() -> Iterator[None]:
    """Exit with 2 at the end, if all else went well, if a file was not written."""
    usual, unsaved = warnings.showwarning, False

    def show_warning(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        nonlocal unsaved
        if issubclass(category, Unsaved):
            unsaved = True
            click.echo(f"Error: {message}.", err=True)
        else:
            usual(message, category, filename, lineno, file, line)

    with warnings.catch_warnings():
        warnings.simplefilter("always", Unsaved)
        warnings.showwarning = show_warning
        yield
    if unsaved:
        raise SystemExit(2)


class LazyGroup(click.Group):
    """A group that imports a command only when it is run, not when it is listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return sorted(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in SUMMARIES:
            return None
        module = import_module(f"steel_verified.cli.{cmd_name}")
        command: object = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; errors of this package become messages that name the option."""
        try:
            with exit_if_unsaved():
                return super().invoke(ctx)
        except SteelError as error:
            raise as_usage_error(error) from error
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise click.UsageError(f"the output was not written: {error.strerror}") from error
        except ImportError as error:
            if (extra := extra_with(error.name)) is None:
                raise
            missing = missing_extra(extra, error)
            raise click.ClickException(str(missing)) from missing

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(sorted(SUMMARIES.items()))


@click.group(
    cls=LazyGroup,
    epilog="Exit codes: 0 done, 1 a run went wrong, 2 an argument is missing or not allowed. "
    "COMMAND --help lists the exit codes of that command.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="steel_verified", prog_name="steel")
def main() -> None:
    """STEEL, with every number exact and every run checkable."""
