"""Transition tables from files: JSON (a list of rows) or CSV, row s listing T(s,0), T(s,1), …"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.files import read_bytes
from steel_verified.worlds.dynamics import Dynamics

if TYPE_CHECKING:
    from pathlib import Path

_LARGEST_TABLE: Final = 1 << 20
"""A table of 2,000 states and two actions has 30 kB; much larger tables are rejected anyway."""
# `int` alone accepts digits of all alphabets, signs and underscores; 99 digits are enough.
_STATE: Final = re.compile(r" *[0-9]{1,99} *")


def read_table(path: Path) -> Dynamics:
    """Read the dynamics from a .json or .csv file; raises `InvalidArgument` if it has none."""
    try:
        text = read_bytes(path, _LARGEST_TABLE).decode("utf-8")
    except InvalidArgument as refused:
        raise InvalidArgument("table", path, refused.expected) from None
    except UnicodeDecodeError as error:
        raise InvalidArgument("table", path, f"a text file in UTF-8 ({error})") from None
    match path.suffix.lower():
        case ".json":
            return Dynamics(_from_json(path, text))
        case ".csv":
            return Dynamics(_from_csv(path, text))
        case _:
            raise InvalidArgument("table", path, "a file whose name ends in .json or .csv")


def _from_json(path: Path, text: str) -> tuple[tuple[int, ...], ...]:
    try:
        rows: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument("table", path, f"JSON ({error})") from error
    if not isinstance(rows, list):
        raise InvalidArgument("table", path, "a JSON list of rows, such as [[1, 0], [0, 1]]")
    table = []
    for state, row in enumerate(rows):
        if not isinstance(row, list) or not all(type(to) is int for to in row):
            raise InvalidArgument(
                f"table[{state}]", json.dumps(row)[:80], "a list of state numbers"
            )
        table.append(tuple(row))
    return tuple(table)


def _from_csv(path: Path, text: str) -> tuple[tuple[int, ...], ...]:
    table = []
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise InvalidArgument("table", path, f"CSV ({error})") from None
    for number, row in enumerate(rows, start=1):
        if row:
            if not all(map(_STATE.fullmatch, row)):
                shown = ",".join(row)[:80]
                where = f"{path}, line {number}"
                raise InvalidArgument(where, shown, "state numbers separated by commas")
            table.append(tuple(map(int, row)))
    return tuple(table)
