"""What all commands do with their arguments: read numbers, and name the option that is wrong."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

import click

from steel_verified.errors import InvalidArgument, SteelError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_JOBS: Final = 256
"""More processes than most machines have cores; each needs about 100 MB."""
_LONGEST_VALUE: Final = 200

# `int` alone accepts digits of all alphabets, underscores, and numbers so long that printing them
# takes minutes. 99 digits are more than enough, as for fractions.
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,99}")


def whole(least: int | None = None, most: int | None = None) -> Callable[[str | int], int]:
    """A function that reads a whole number; the help shows its name, `integer`, as the type."""

    def integer(value: str | int) -> int:
        text = str(value)
        if not _WHOLE.fullmatch(text):
            shown = text if len(text) <= 40 else f"{text[:40]}…"
            raise click.BadParameter(f"{shown!r}: expected a whole number of at most 99 digits.")
        number = int(text)
        if least is not None and number < least:
            raise click.BadParameter(f"{number}: expected at least {least:,}.")
        if most is not None and number > most:
            raise click.BadParameter(f"{number}: expected at most {most:,}.")
        return number

    return integer


json_option = click.option("--json", "for_program", is_flag=True, help="Print JSON, for programs.")
jobs_option = click.option(
    "--jobs",
    type=whole(1, MOST_JOBS),
    default=os.cpu_count(),
    show_default="one per core",
    help="Number of processes on this machine.",
)


def as_usage_error(error: SteelError) -> click.ClickException:
    """Click's error for one of this package; of a bad argument it names the option as typed."""
    if not isinstance(error, InvalidArgument):
        return click.ClickException(str(error))
    message = f"{_shortened(str(error.value))}: expected {error.expected}."
    return click.BadParameter(message, param_hint=option_name(error.argument))


def _shortened(value: str) -> str:
    """The value as a text that fits a message: a long one is cut, and its length is given.

    Terminals obey escape sequences, so these are shown and not sent.
    """
    value = "".join(each if each.isprintable() else repr(each)[1:-1] for each in value)
    return value if len(value) <= _LONGEST_VALUE else f"{value[:40]}… ({len(value):,} characters)"


def option_name(name: str) -> str:
    """The option for an argument. Other names (file, a row of it, WORLD) are returned unchanged."""
    is_option = name.isidentifier() and name.islower() and name != "file"
    return "--" + name.replace("_", "-") if is_option else name
