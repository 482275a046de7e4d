"""Warnings that `steel learn` prints before a run if a bound does not hold in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from steel_verified.errors import InvalidArgument
from steel_verified.reports.warnings import as_sentence
from steel_verified.theory.conditions import Condition
from steel_verified.worlds.catalogue import false_bounds

if TYPE_CHECKING:
    from steel_verified.worlds.catalogue import FalseBound
    from steel_verified.worlds.instances import RunnableInstance


def warned(
    chosen: RunnableInstance, *, only_located: bool, limited: bool
) -> tuple[FalseBound, ...]:
    """Print a warning for each bound that does not hold, and return these bounds.

    Raises `InvalidArgument` for a located run with too small an N and no limit of steps. Such a
    run cannot be accepted, and would continue for many minutes.
    """
    found = false_bounds(chosen, with_diameter=not only_located)
    for bound in found:
        if bound.condition is Condition.MAX_STATES and only_located and not limited:
            expected = (
                f"at least {bound.needed:,}, as {bound.because} (or a --max-steps, to see how a "
                "run with a false bound ends)"
            )
            raise InvalidArgument(bound.argument, bound.given, expected)
        click.echo(as_sentence(bound), err=True)
    return found
