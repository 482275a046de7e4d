"""`steel reproduce`: the paper's tables and figures, beside the printed ones."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypedDict, TypeVar, Unpack

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from proofs_checks.checker.reading import Malformed, read
from proofs_checks.checker.rules import check
from steel_verified.cli.console import console, named_as_options
from steel_verified.cli.workers import workers
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.experiments.steel_runs import from_all_starts, study
from steel_verified.experiments.study import at_once, side_by_side
from steel_verified.experiments.sweep import sweep
from steel_verified.reports import comparison
from steel_verified.reports.reproducibility import page, recorded
from steel_verified.reports.result_files import results_file
from steel_verified.reports.steel_tables import table2, table3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from steel_verified.experiments.study import Row, Study
    from steel_verified.experiments.sweep import Progress
    from steel_verified.reports.comparison import Reproduction

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
            type=click.IntRange(1),
            default=os.cpu_count(),
            show_default="one a core",
            help="Processes to use here.",
        ),
    ):
        command = option(command)
    return command


@click.group("reproduce")
def reproduce_command() -> None:
    """Run the paper's experiments again, and put our numbers beside the printed ones.

    Finished runs are kept as JSON lines, so that an interrupted command goes on where it stopped.
    The rows do not depend on how many workers there are.
    """


@reproduce_command.command("table2")
@sweep_options
def table2_command(**how: Unpack[HowToRun]) -> None:
    """Table 2: STEEL on the combination locks and the multi-maze, 160 runs.

    \b
    Examples:
      steel reproduce table2
      steel reproduce table2 --jobs 8 --results runs
      steel reproduce table2 --cluster tcp://10.0.0.1:8786
    """
    # The longest runs first, so that no worker is left with one at the end.
    groups = [group for column in reversed(TABLE2) for group in (column.fixed, column.variable)]
    rows = swept(study(groups, accepts), "table2", how)
    show(table2(rows), how)


@reproduce_command.command("table3")
@sweep_options
def table3_command(**how: Unpack[HowToRun]) -> None:
    """Table 3: STEEL on the prime loops, 240 runs.

    \b
    Example:
      steel reproduce table3
    """
    groups = [group for column in reversed(TABLE3) for group in (column.double, column.single)]
    starts = at_once(from_all_starts(column.pair) for column in reversed(TABLE3))
    rows = swept(side_by_side([starts, study(groups, accepts)]), "table3", how)
    show(table3(rows), how)


@reproduce_command.command("page")
def page_command() -> None:
    """Print REPRODUCIBILITY.md: every printed number, and ours from the recorded runs."""
    click.echo(page(), nl=False)


def accepts(certificate: bytes) -> bool:
    """Whether the independent checker accepts a certificate."""
    try:
        return not check(read(certificate))
    except Malformed:
        return False


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
        with (
            results_file(folder / f"{name}.jsonl") as kept,
            workers(how["jobs"], how["cluster"]) as executor,
            _bar(name) as told,
        ):
            return sweep(asked, kept, executor, told)


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Progress], None]]:
    """A bar over all runs, with the time that is left; gone at the end."""
    screen = Console(stderr=True)
    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    ) as bar:
        task = bar.add_task(name, total=None)
        yield lambda progress: bar.update(task, completed=progress.done, total=progress.asked)


def show(table: Reproduction, how: HowToRun) -> None:
    if how["for_program"]:
        click.echo(json.dumps(comparison.as_json(table), indent=2))
    else:
        console().print(comparison.as_text(table))
