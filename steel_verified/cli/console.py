"""What commands show: tables, progress, and errors under the names that were typed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

import click
from rich.console import Console

from steel_verified.errors import InvalidArgument, SteelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from steel_verified.experiments.instances import Instance
    from steel_verified.learning.steel import State

Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

_PIPED_WIDTH: Final = 130


def console() -> Console:
    """As wide as the terminal; wide enough for unbroken formulas where there is none."""
    return Console() if Console().is_terminal else Console(width=_PIPED_WIDTH)


@contextmanager
def progress_of(
    chosen: Instance,
) -> Iterator[Callable[[State[Summary, Classifier]], None]]:
    """A bar on the terminal that fills with the transitions known; it is gone at the end."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    from rich.progress import (  # noqa: PLC0415 (only a terminal shows a bar)
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    ) as progress:
        total = chosen.dynamics.states * chosen.dynamics.actions
        task = progress.add_task("transitions known", total=total)

        def watch(state: State[Summary, Classifier]) -> None:
            progress.update(task, completed=len(state.model.transitions()))

        yield watch


@contextmanager
def named_as_options() -> Iterator[None]:
    """Report errors under the name of the option that the person typed."""
    try:
        yield
    except InvalidArgument as error:
        message = f"{error.value}: expected {error.expected}."
        raise click.BadParameter(message, param_hint=option_name(error.argument)) from error
    except SteelError as error:
        raise click.ClickException(str(error)) from error


def option_name(name: str) -> str:
    """The option for an argument; what is not one (a row of a file, WORLD) is named as it is."""
    return "--" + name.replace("_", "-") if name.isidentifier() and name.islower() else name
