"""Commands that run many jobs: options, the file of finished rows, processes or a cluster."""

from __future__ import annotations

import os
import re
import socket
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, ParamSpec, TypedDict, TypeVar

import click

from steel_verified.cli.arguments import jobs_option, json_option
from steel_verified.cli.console import INTERRUPTED
from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.progress import progress_bar
from steel_verified.reports.comparison import recorded
from steel_verified.sweeps.study import Row, Study, results_file, sweep
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


P = ParamSpec("P")
R = TypeVar("R")

_SECONDS_TO_ANSWER: Final = 10
_SECONDS_TO_CONNECT: Final = 1.5
_ADDRESS: Final = re.compile(
    r"(?:tcp|tls)://(?P<host>[^\s/:]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})"
)


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
        json_option,
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
        jobs_option,
    ):
        command = option(command)
    return command


def swept(asked: Study, name: str, how: HowToRun) -> Mapping[str, Row]:
    """Run a study with a progress bar, and save its rows in a file of this name."""
    if how["shipped"]:
        return recorded(name)
    make_folder(how["results"], "results")
    file = how["results"] / f"{name}.jsonl"
    with results_file(file) as kept:
        try:
            with (
                workers(how["jobs"], how["cluster"]) as executor,
                progress_bar(name, None) as advance,
            ):
                return sweep(asked, kept, executor, lambda now: advance(now.done, now.asked))
        except KeyboardInterrupt:
            click.echo(
                f"Stopped. {file} has {counted(len(kept.rows()), 'row')}; run the command "
                "again to continue."
            )
            raise SystemExit(INTERRUPTED) from None


def make_folder(folder: Path, option: str) -> None:
    """Make the folder that an option names; raises `InvalidArgument` if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(option, folder, f"a folder ({error})") from None


@contextmanager
def workers(jobs: int, cluster: str | None) -> Iterator[Executor]:
    """An executor. If the block ends with an exception, jobs that have not started are dropped."""
    with _pool(jobs) if cluster is None else _cluster(cluster) as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: a forked copy could inherit a lock that another thread holds.
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Make this worker exit as soon as its parent process has ended, even if it was killed."""
    parent = parent_process()
    assert parent is not None, "a worker has a parent"

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _require_scheduler(address: str) -> None:
    """Raise `InvalidArgument` at once if nothing listens there; dask would retry for long."""
    expected = "the address of a running scheduler, tcp://host:port"
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise InvalidArgument("cluster", address, expected)
    try:
        place = (found["host"].strip("[]"), int(found["port"]))
        with socket.create_connection(place, timeout=_SECONDS_TO_CONNECT):
            pass
    except (OSError, OverflowError) as error:
        raise InvalidArgument("cluster", address, f"{expected} ({error})") from None


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # noqa: PLC0415 (an extra, and a second to load)
    except ImportError as missing:
        raise missing_extra("cluster", missing) from missing
    _require_scheduler(address)
    try:
        client = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InvalidArgument(
            "cluster", address, f"the address of a running scheduler, tcp://host:port ({error})"
        ) from None
    # A job runs again if its worker dies. `pure=False` keeps dask from reusing results, so that
    # two sweeps never share one by accident.
    with client, client.get_executor(pure=False) as executor:
        yield executor
