"""About how many seconds a run takes, before it starts: from its steps, and from measured runs.

The constants were measured on one core, on the paper's worlds (Python 3.11, 2026). Another machine
may take half as long, or twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.evidence.ledger import Read

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger

LOCATED_STEP: Final = 1e-4
"""Seconds that located STEEL itself takes for a step, besides the environment: 0.05 to 0.17 ms."""
_ROW: Final = 2e-7
"""Seconds to draw a row of a simulated world and summarise it, if many are read together: 0.13 to
0.35 µs for 6 to 1,089 bits."""
_CHECK, _CHECK_BIT = 0.2, 0.002
"""Seconds of the self-check of a looped run, and those for each bit of an observation: 0.2 s for 6
bits, 0.9 s for 512 bits, and 2.3 s for 1,089 bits."""


def simulated_seconds(predicted: Ledger, width: int, *, checked: bool) -> float:
    """The seconds of a looped run in a simulated world, whose reads are predicted."""
    reads = (entry for entry in predicted.entries if isinstance(entry, Read))
    rows = sum(sample.rows for entry in reads for sample in entry.samples)
    return _ROW * rows + (_CHECK + _CHECK_BIT * width if checked else 0.0)
