"""Check that the options of `steel learn` are compatible, and handle interrupted runs."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import click

from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import LARGEST_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

INTERRUPTED: Final = 130
"""Exit code of an interrupted run: 128 plus the number of SIGINT, as is usual for shells."""


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


def require_options(
    method: str,
    *,
    dynamics_only: bool,
    max_steps: int | None,
    fallback: bool,
    slips: str | None,
    attempt_steps: int | None,
) -> None:
    """Raise `InvalidArgument` if an option does not fit the method or another option."""
    if dynamics_only and method != "looped":
        raise InvalidArgument("dynamics_only", True, "--method looped")  # noqa: FBT003 (a value)
    if method != "looped" and max_steps is not None and max_steps > LARGEST_LIMIT:
        raise InvalidArgument("max_steps", max_steps, f"at most {LARGEST_LIMIT:,}")
    if fallback and method != "located":
        raise InvalidArgument("fallback", method, "--method located")
    if fallback and max_steps is not None:
        raise InvalidArgument("max_steps", max_steps, "no --max-steps: --fallback sets a limit")
    if slips is not None and method != "located":
        raise InvalidArgument("slips", slips, "--method located: a looped run takes too many steps")
    if slips is not None and fallback:
        expected = "no --fallback: nothing is promised of the paper's algorithm where steps slip"
        raise InvalidArgument("slips", slips, expected)
    if attempt_steps is not None and slips is None:
        raise InvalidArgument("attempt_steps", attempt_steps, "a rate of slips beside it (--slips)")
