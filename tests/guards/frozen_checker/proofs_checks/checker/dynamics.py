"""Reads the true dynamics, for users who know them and compare a certificate with them."""

from __future__ import annotations

import json

from proofs_checks.checker.document import Malformed

Table = list[list[int]]


def read_table(data: bytes, actions: int) -> Table:
    """Return the rows of the table: row s is [T(s,0), T(s,1), …]. Raises `Malformed`."""
    try:
        rows: object = json.loads(data.decode("ascii"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed("dynamics", f"not valid JSON ({error})") from None
    if not isinstance(rows, list) or not rows:
        raise Malformed("dynamics", "expected a list of rows, [[T(0,0), T(0,1), …], …]")
    for state, row in enumerate(rows):
        if not (
            isinstance(row, list)
            and len(row) == actions
            and all(type(to) is int and 0 <= to < len(rows) for to in row)
        ):
            raise Malformed(
                f"dynamics[{state}]",
                f"expected {actions} states, one per action, each 0 to {len(rows) - 1}",
            )
    return rows
