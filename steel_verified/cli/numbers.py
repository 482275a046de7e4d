"""Whole numbers as options: ASCII digits, not too many of them, within limits that are named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Callable

# `int` alone takes digits of all alphabets and underscores, and numbers that take minutes to
# print. 99 digits are more than enough, as for fractions.
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,99}")


def whole(least: int | None = None, most: int | None = None) -> Callable[[str | int], int]:
    """A reader of whole numbers from `least` to `most`, where these are given.

    Its name is what the help shows as the kind of value.
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
