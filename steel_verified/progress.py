"""A bar on the terminal for what takes long.

    with shown_progress() as progress:
        result = learn(world, oracle, recipe, progress=progress)

The bar is written to standard error, and only if that is a terminal.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from steel_verified.worlds.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Progress", "progress_bar", "shown_progress"]


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int, int | None], None]]:
    """Show a bar until the block ends; call the yielded function with the parts done and in all."""
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    from rich.console import Console  # noqa: PLC0415 (only a terminal shows a bar)
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, of: bar.update(task, completed=done, total=of)


@contextmanager
def shown_progress(after: float = 2.0) -> Iterator[Callable[[Progress], None]]:
    """A bar for the argument `progress` of `learn`: on a terminal, for runs of some seconds."""
    with ExitStack() as stack:
        told: Callable[[int, int | None], None] | None = None

        def show_progress(now: Progress) -> None:
            nonlocal told
            total = now.estimate.steps if now.estimate.exact else None
            if told is None and now.seconds >= after:
                told = stack.enter_context(progress_bar(f"steps (of {now.estimate})", total))
            if told is not None:
                told(now.steps, total)

        yield show_progress
