"""Commands that run many jobs: their options, where rows are kept, and a bar over all of it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypedDict, TypeVar

import click

from steel_verified.cli.console import named_as_options
from steel_verified.cli.numbers import whole
from steel_verified.cli.workers import MOST_JOBS, workers
from steel_verified.errors import InvalidArgument
from steel_verified.progress import progress_bar
from steel_verified.reports.reproducibility import recorded
from steel_verified.reports.result_files import results_file
from steel_verified.sweeps.sweep import sweep
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from steel_verified.sweeps.study import Row, Study
    from steel_verified.sweeps.sweep import Progress

_INTERRUPTED: Final = 130

P = ParamSpec("P")
R = TypeVar("R")


class HowToRun(TypedDict):
    """What the options of `sweep_options` said."""

    jobs: int
    cluster: str | None
    results: Path
    shipped: bool
    for_program: bool


def sweep_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options of every command that runs many jobs."""
    for option in (
        click.option("--json", "for_program", is_flag=True, help="Print JSON for a program."),
        click.option(
            "--recorded", "shipped", is_flag=True, help="Show the recorded runs; run nothing."
        ),
        click.option(
            "--results",
            type=click.Path(path_type=Path, file_okay=False),
            default=Path("results"),
            show_default=True,
            metavar="FOLDER",
            help="Where finished runs are kept. What is there already is not run again.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Run on a dask cluster, as tcp://host:port (extra `cluster`).",
        ),
        click.option(
            "--jobs",
            type=whole(1, MOST_JOBS),
            default=os.cpu_count(),
            show_default="one a core",
            help="Processes to use here.",
        ),
    ):
        command = option(command)
    return command


def swept(asked: Study, name: str, how: HowToRun) -> Mapping[str, Row]:
    """Carry out a study, with a bar; its rows are kept in a file of that name."""
    if how["shipped"]:
        return recorded(name)
    with named_as_options():
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
                    f"Stopped. {file} has {counted(len(kept.rows()), 'row')}; run again to go on."
                )
                raise SystemExit(_INTERRUPTED) from None


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Progress], None]]:
    """A bar over all runs."""
    with progress_bar(name, None) as told:
        yield lambda progress: told(progress.done, progress.asked)
