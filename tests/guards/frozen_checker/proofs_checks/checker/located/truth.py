"""Compares the table of a located run with the true dynamics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.entries import Ran
from proofs_checks.checker.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.dynamics import Table
    from proofs_checks.checker.located.entries import Certificate


def check_truth(certificate: Certificate, table: Table, start: int) -> Iterator[Finding]:
    """Run all plans from the true start, then compare both tables from the end state."""
    here = start
    for entry in certificate.record:
        if isinstance(entry, Ran):
            for step in range(entry.done, entry.done + entry.steps):
                here = table[here][entry.word[step % len(entry.word)]]
    truth = {certificate.current: here}
    waiting = [certificate.current]
    while waiting:
        state = waiting.pop()
        for action, to in enumerate(certificate.table[state]):
            right = table[truth[state]][action]
            if to not in truth:
                truth[to] = right
                waiting.append(to)
            elif truth[to] != right:
                message = f"T({state}, {action}) = {to} contradicts the true dynamics"
                yield Finding("truth", f"table[{state}]", message)
                return
    if len(set(truth.values())) < len(truth):
        yield Finding("truth", "table", "two states of the table are the same true state")
    elif len(truth) != len(table):
        message = f"{len(truth)} states were learned, but the true dynamics have {len(table)}"
        yield Finding("truth", "table", message)
