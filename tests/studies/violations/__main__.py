"""Writes violations.md from the recorded runs.

python -m tests.studies.violations --run    # make the missing runs first
"""

from steel_verified.sweeps.study import at_once

from ..rows import write_page
from .page import violations_page
from .runs import jobs

if __name__ == "__main__":
    write_page(
        "violations",
        "How runs end if a condition is violated.",
        lambda: at_once(jobs()),
        violations_page,
    )
