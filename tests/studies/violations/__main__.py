"""Writes violations.md from the recorded runs.

python -m tests.studies.violations --run    # make the missing runs first
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from steel_verified.sweeps.study import at_once

from ..rows import completed, recorded_rows
from .page import violations_page
from .runs import jobs


def main() -> None:
    parser = argparse.ArgumentParser(description="How runs end if a condition is violated.")
    parser.add_argument("--run", action="store_true", help="make the runs that are missing")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="in so many processes"
    )
    chosen = parser.parse_args()
    if chosen.run:
        completed(at_once(jobs()), "violations", chosen.jobs)
    page = Path(__file__).parents[3] / "docs" / "results" / "violations.md"
    page.write_text(violations_page(recorded_rows("violations")), encoding="utf-8")
    print(f"Wrote {page}.")


if __name__ == "__main__":
    main()
