"""Who does the work: processes of this machine, or a cluster that is already running."""

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
"""More processes than any one machine is likely to have cores; each takes some 100 MB."""

_SECONDS_TO_ANSWER: Final = 10
_SECONDS_TO_CONNECT: Final = 1.5
_ADDRESS: Final = re.compile(
    r"(?:tcp|tls)://(?P<host>[^\s/:]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})"
)


@contextmanager
def workers(jobs: int, cluster: str | None) -> Iterator[Executor]:
    """An executor. When the block is left early, work that has not begun is dropped."""
    with _pool(jobs) if cluster is None else _cluster(cluster) as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Started afresh, not forked: no lock or thread of this process can be caught in the copy.
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Let this worker end as soon as the process that started it has ended, even if killed."""
    parent = parent_process()
    assert parent is not None, "a worker has a parent"

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _require_scheduler(address: str) -> None:
    """Refuse an address at which nothing listens, at once: dask would try again for long."""
    expected = "the address of a scheduler that runs, tcp://host:port"
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
            "cluster", address, f"the address of a scheduler that runs, tcp://host:port ({error})"
        ) from None
    # A job is done again if its worker dies; it is no function of its arguments alone to dask, so
    # that two sweeps never share a result by accident.
    with client, client.get_executor(pure=False) as executor:
        yield executor
