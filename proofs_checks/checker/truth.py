"""Replays a certificate on the true dynamics: was any verdict wrong?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from proofs_checks.checker.reading import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.reading import Call, Certificate

Table = list[list[int]]


def read_table(data: bytes, actions: int) -> Table:
    """A list of rows; row s lists T(s,0), T(s,1), …"""
    try:
        rows: object = json.loads(data.decode("utf-8"))
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


def wrong_verdicts(c: Certificate, table: Table, start: int) -> Iterator[str]:
    """Every call whose period or labels are not those of the true dynamics."""
    if not 0 <= start < len(table):
        raise Malformed("start", f"expected a state from 0 to {len(table) - 1}")
    meaning: dict[int, int] = {}
    here = start
    for number, call in enumerate(c.calls):
        loop, cycle = _loop(table, here, call)
        period = (len(loop) - cycle) // len(call.word)
        if call.period != period:
            yield f"calls[{number}].period: {call.period}, but in truth {period}"
        for i, position in enumerate(call.positions):
            # The last time before which the loop repeats, at this position.
            true = loop[cycle + (i - cycle) % (len(loop) - cycle)]
            if meaning.setdefault(position.label, true) != true:
                place = f"calls[{number}].positions[{i}].label"
                yield f"{place}: {position.label} stands for two states"
                return
        if len(set(meaning.values())) < len(meaning):
            yield f"calls[{number}]: two labels stand for one state"
            return
        steps = call.steps
        here = loop[steps] if steps < cycle else loop[cycle + (steps - cycle) % (len(loop) - cycle)]
    if len(meaning) != len(table):
        yield f"table: {len(meaning)} states were learned, in truth there are {len(table)}"


def _loop(table: Table, start: int, call: Call) -> tuple[list[int], int]:
    """The states of a looped word until it returns, and where it returns to."""
    seen: dict[int, int] = {}
    states: list[int] = []
    here = start
    while here not in seen:
        seen[here] = len(states)
        for action in call.word:
            states.append(here)
            here = table[here][action]
    return states, seen[here]
