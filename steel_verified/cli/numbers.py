"""Options that are whole numbers: ASCII digits, a limited number of them, within given limits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Callable

# `int` alone accepts digits of all alphabets, underscores, and numbers so long that printing them
# takes minutes. 99 digits are more than enough, as for fractions.
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,99}")


def whole(least: int | None = None, most: int | None = None) -> Callable[[str | int], int]:
    """A function that reads a whole number between `least` and `most`, if these are given.

    click shows the function's name, `integer`, as the type of the value in the help. The function
    raises `click.BadParameter` for anything else.
    """

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
