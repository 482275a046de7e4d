"""Make the recorded rows of AC-State's protocol small: outcomes in place of what they follow from.

    python tests/benchmarks/condense.py steel_verified/experiments/recorded/ac_state.jsonl

To be run when rows have been added. What the pages, tables and figures tell stays the same; rows of
runs that are not complete are left, so that these go on where they stopped.
"""

from __future__ import annotations

import argparse
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from steel_verified.baselines.ac_state.protocol import Protocol, outcome
from steel_verified.baselines.ac_state.repeats import condensed, readings
from steel_verified.evidence.codec import rows_as_bytes, rows_of
from steel_verified.evidence.files import write_atomically
from steel_verified.experiments.published import PRIME_LOOPS
from steel_verified.reports.reproducibility import READINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from steel_verified.sweeps.study import Row


def told(rows: Mapping[str, Row]) -> Iterator[Protocol]:
    """Every run that something is told of."""
    for protocol, number in READINGS:
        for _, several in readings(protocol, number):
            yield from several
    for pair in PRIME_LOOPS:
        for policy in ("uniform", "exploration"):
            for repeat in count():
                yield (one := Protocol(pair, policy, repeat=repeat))
                if outcome(one, rows) is None:
                    break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    file = parser.parse_args().file
    data = file.read_bytes()
    rows = rows_of(data, str(file))
    # Each once: the readings share runs with the tables.
    smaller = rows_as_bytes(condensed(rows, list(dict.fromkeys(told(rows)))))
    write_atomically(file, smaller)
    print(f"{file}: {len(data):,} bytes before, {len(smaller):,} now")


if __name__ == "__main__":
    main()
