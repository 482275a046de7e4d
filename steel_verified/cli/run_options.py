"""Check that the options of `steel learn` are compatible, and handle interrupted runs."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import click

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.checkpoint import read_checkpoint
from steel_verified.evidence.codec import Unreadable
from steel_verified.evidence.files import require_outputs
from steel_verified.learning.located import LARGEST_LIMIT
from steel_verified.reports.model_files import require_model_file
from steel_verified.worlds.checkpoints import Checkpoints

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
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


def require_files(
    method: str,
    *,
    fallback: bool,
    model: Path | None,
    certificate: Path | None,
    findings: Path | None,
    checkpoint: Path | None,
    resume: Path | None,
) -> Checkpoints:
    """Check the files, and return where checkpoints are read and written.

    Raises `InvalidArgument` if a file cannot be written or does not fit this kind of run.
    """
    files = {
        "model": model,
        "certificate": certificate,
        "findings": findings,
        "checkpoint": checkpoint,
        "resume": resume,
    }
    for name, file in files.items():
        if method == "both" and file is not None:
            raise InvalidArgument(name, file, "--method looped or located: a file holds one run")
        if fallback and file is not None and name != "model":
            expected = f"no --fallback: a run of two algorithms has no {_KINDS[name]}"
            raise InvalidArgument(name, file, expected)
    if model is not None:
        require_model_file(model)
    if resume is not None:
        _require_readable(resume)
    written = resume if checkpoint is None else checkpoint
    require_outputs(model=model, certificate=certificate, findings=findings, checkpoint=written)
    return Checkpoints(written, resume)


def _require_readable(resume: Path) -> None:
    """Raise a usage error for a damaged checkpoint before anything is computed."""
    try:
        read_checkpoint(resume)
    except Unreadable as error:
        raise click.UsageError(str(error)) from None


_KINDS: Final = {
    "certificate": "certificate",
    "findings": "file of findings",
    "checkpoint": "checkpoint",
    "resume": "checkpoint",
}
