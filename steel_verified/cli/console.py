"""What commands do with the screen: tables, progress bars, and being interrupted."""

from __future__ import annotations

import errno
import json
import os
import select
import shutil
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import click

from steel_verified.progress import progress_bar
from steel_verified.reports.tables import Part, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

    from steel_verified.evidence.codec import Json
    from steel_verified.worlds.instances import Instance

INTERRUPTED: Final = 130
"""Exit code of an interrupted run: 128 plus the number of SIGINT, as is usual for shells."""


def screen() -> tuple[int | None, bool]:
    """The width of the terminal, and whether it shows colours; a file or a pipe has neither."""
    if not sys.stdout.isatty():
        return None, False
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return shutil.get_terminal_size().columns, not plain


def show(parts: Iterable[Part]) -> None:
    """Print tables and prose, laid out for the width of the screen."""
    width, colored = screen()
    click.echo(as_text(parts, width, colored=colored))


def show_json(value: Json) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def report(value: Json, parts: Iterable[Part], *, for_program: bool) -> None:
    """Print a result in one of its two forms: as JSON for a program, or as tables and prose."""
    if for_program:
        show_json(value)
    else:
        show(parts)


def require_reader() -> None:
    """Raise `BrokenPipeError` if nobody reads standard output any more, as after `| head -1`."""
    try:
        output = sys.stdout.fileno()
    except (OSError, ValueError):  # It is no file, as in tests.
        return
    asked = select.poll()
    asked.register(output, 0)
    if any(advance & select.POLLERR for _, advance in asked.poll(0)):
        raise BrokenPipeError(errno.EPIPE, "nobody reads standard output")


@contextmanager
def progress_of(chosen: Instance) -> Iterator[Callable[[int], None]]:
    """A progress bar of the known transitions. It yields a function that takes their number."""
    total = chosen.dynamics.states * chosen.dynamics.actions
    with progress_bar("transitions known", total) as advance:
        yield lambda known: advance(known, total)


@contextmanager
def interruptible() -> Iterator[None]:
    """Make SIGTERM end a run as Ctrl-C does. Print "Interrupted." if nothing else handles it."""

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        raise SystemExit(INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGTERM, before)
