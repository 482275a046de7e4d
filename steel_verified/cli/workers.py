"""Executors for jobs: processes on this machine, or a dask cluster that is already running."""

from __future__ import annotations

import os
import re
import socket
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument, missing_extra

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

MOST_JOBS: Final = 256
"""More processes than most machines have cores; each needs about 100 MB."""

_SECONDS_TO_ANSWER: Final = 10
_SECONDS_TO_CONNECT: Final = 1.5
_ADDRESS: Final = re.compile(
    r"(?:tcp|tls)://(?P<host>[^\s/:]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})"
)


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
