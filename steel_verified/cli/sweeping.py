"""Commands that run many jobs: their options, the file of finished rows, and a progress bar."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypedDict, TypeVar

import click

from steel_verified.cli.numbers import whole
from steel_verified.cli.workers import MOST_JOBS, workers
from steel_verified.errors import InvalidArgument
from steel_verified.progress import progress_bar
from steel_verified.reports.reproducibility import recorded
from steel_verified.sweeps.results_file import results_file
from steel_verified.sweeps.study import sweep
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from steel_verified.sweeps.study import Progress, Row, Study

_INTERRUPTED: Final = 130

P = ParamSpec("P")
R = TypeVar("R")


class HowToRun(TypedDict):
    """The values of the options of `sweep_options`."""

    jobs: int
    cluster: str | None
    results: Path
    shipped: bool
    for_program: bool


def sweep_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add the options of a command that runs many jobs."""
    for option in (
        click.option("--json", "for_program", is_flag=True, help="Print JSON, for programs."),
        click.option(
            "--recorded", "shipped", is_flag=True, help="Show the recorded runs; run nothing."
        ),
        click.option(
            "--results",
            type=click.Path(path_type=Path, file_okay=False),
            default=Path("results"),
            show_default=True,
            metavar="FOLDER",
            help="Folder for finished runs. Runs that are already there are not repeated.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Run on a dask cluster at this address, tcp://host:port (extra `cluster`).",
        ),
        click.option(
            "--jobs",
            type=whole(1, MOST_JOBS),
            default=os.cpu_count(),
            show_default="one per core",
            help="Number of processes on this machine.",
        ),
    ):
        command = option(command)
    return command


def swept(asked: Study, name: str, how: HowToRun) -> Mapping[str, Row]:
    """Run a study with a progress bar, and save its rows in a file of this name."""
    if how["shipped"]:
        return recorded(name)
    folder = how["results"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument("results", folder, f"a folder ({error})") from None
    file = folder / f"{name}.jsonl"
    with results_file(file) as kept:
        try:
            with workers(how["jobs"], how["cluster"]) as executor, _bar(name) as told:
                return sweep(asked, kept, executor, told)
        except KeyboardInterrupt:
            click.echo(
                f"Stopped. {file} has {counted(len(kept.rows()), 'row')}; run the command "
                "again to continue."
            )
            raise SystemExit(_INTERRUPTED) from None


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Progress], None]]:
    """A progress bar over all runs."""
    with progress_bar(name, None) as told:
        yield lambda progress: told(progress.done, progress.asked)
