"""A bar on the terminal for what takes long.

    with shown_progress() as progress:
        learned = learn(world, F, method, progress=progress)

The bar is written to standard error, and only if that is a terminal.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

from steel_verified.errors import is_installed
from steel_verified.worlds.progress import Estimate, Progress, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Task

__all__ = ["Estimate", "Progress", "Stage", "progress_bar", "shown_progress"]


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int, int | None], None]]:
    """Show a bar until the block ends; call the yielded function with the parts done and in all."""
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    began = monotonic()
    with _stage_bar(began, what, Stage(what, "part", 0, total or 0)) as tell:

        def show(done: int, of: int | None) -> None:
            left = (monotonic() - began) * (of - done) / done if of and done else None
            tell(what, Stage(what, "part", done, of or 0, seconds_left=left))

        yield show


@contextmanager
def shown_progress(after: float = 2.0) -> Iterator[Callable[[Progress], None]]:
    """A bar for the argument `progress` of `learn`: on a terminal, for runs of some seconds.

    It shows the stage of the run, how much of it is done, the time so far, and the time that is
    left of this stage. It is marked with ≈ if the end of the stage or its speed is only estimated.
    """
    began = monotonic()
    with ExitStack() as stack:
        show: Callable[[str, Stage], None] | None = None

        def show_progress(now: Progress) -> None:
            nonlocal show
            if show is None and sys.stderr.isatty() and monotonic() - began >= after:
                show = stack.enter_context(_stage_bar(began, _name(now), now.stage))
            if show is not None:
                show(_name(now), now.stage)

        yield show_progress


@contextmanager
def _stage_bar(began: float, name: str, stage: Stage) -> Iterator[Callable[[str, Stage], None]]:
    """A bar for the stages of what began at this time; call it with the name of each stage.

    Without the extra `bars`, it is a line of text.
    """
    if not is_installed("rich"):
        yield _told
        sys.stderr.write("\r\x1b[K")
        return
    from rich.console import Console  # noqa: PLC0415 (only a terminal shows a bar)
    from rich.progress import BarColumn, ProgressColumn, TextColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415
    from rich.table import Column  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    told_at = monotonic()

    class Times(ProgressColumn):
        """The time so far, and the time that is left, which runs down between two reports."""

        def render(self, task: Task) -> Text:  # noqa: ARG002 (as rich calls it)
            now = monotonic()
            return Text(f"{_clock(now - began)} {time_left(stage, now - told_at)}")

    with Bar(
        TextColumn("{task.description}", table_column=Column(no_wrap=True)),
        BarColumn(None, table_column=Column(ratio=1)),
        TextColumn("{task.fields[count]}", table_column=Column(no_wrap=True)),
        Times(table_column=Column(no_wrap=True)),
        console=Console(stderr=True),
        transient=True,
        expand=True,
    ) as bar:
        task = bar.add_task(name, total=stage.of or None, count=str(stage))

        def tell(name: str, now: Stage) -> None:
            nonlocal stage, told_at
            stage, told_at = now, monotonic()
            bar.update(
                task,
                description=name,
                completed=stage.done,
                total=stage.of or None,
                count=str(stage),
            )

        yield tell


def _told(name: str, now: Stage) -> None:
    sys.stderr.write(f"\r\x1b[K{name} {now} {time_left(now, 0)}".rstrip())
    sys.stderr.flush()


def _name(now: Progress) -> str:
    return f"{now.attempt}: {now.stage.name}" if now.attempt else now.stage.name


def time_left(stage: Stage, passed: float) -> str:
    """The time that is left of a stage, so many seconds after its last report."""
    if stage.seconds_left is None:
        return ""
    about = "" if stage.end_is_known and stage.done else "≈ "
    return f"left {about}{_clock(max(0.0, stage.seconds_left - passed))}"


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=ceil(seconds)))
