"""Whole numbers as options: ASCII digits, not too many of them, within limits that are named."""

from __future__ import annotations

import re
from typing import Final

import click

# `int` alone takes digits of all alphabets and underscores, and numbers that take minutes to
# print. 99 digits are more than enough, as for fractions.
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,99}")


class Whole(click.ParamType[int]):
    """An option that is a whole number, from `least` to `most` where these are given."""

    name = "integer"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least = least
        self.most = most

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read a number that was typed; a default is one already."""
        text = str(value)
        if not _WHOLE.fullmatch(text):
            shown = text if len(text) <= 40 else f"{text[:40]}…"
            self.fail(f"{shown!r}: expected a whole number of at most 99 digits.", param, ctx)
        number = int(text)
        if self.least is not None and number < self.least:
            self.fail(f"{number}: expected at least {self.least}.", param, ctx)
        if self.most is not None and number > self.most:
            self.fail(f"{number}: expected at most {self.most}.", param, ctx)
        return number
