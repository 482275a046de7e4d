"""Reads the true dynamics, which somebody who knows them can hold a certificate against."""

from __future__ import annotations

import json

from proofs_checks.checker.document import Malformed

Table = list[list[int]]


def read_table(data: bytes, actions: int) -> Table:
    """A list of rows; row s lists T(s,0), T(s,1), …"""
    try:
        rows: object = json.loads(data.decode("ascii"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed("dynamics", f"not JSON ({error})") from None
    if not isinstance(rows, list) or not rows:
        raise Malformed("dynamics", "expected a list of rows")
    for state, row in enumerate(rows):
        if not (
            isinstance(row, list)
            and len(row) == actions
            and all(type(to) is int and 0 <= to < len(rows) for to in row)
        ):
            raise Malformed(f"dynamics[{state}]", f"expected {actions} states")
    return rows
