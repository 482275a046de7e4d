"""Writes VIOLATIONS.md from the recorded runs.

python -m tests.studies.violations --run    # make the missing runs first
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..rows import completed
from .page import violations_page
from .runs import WORLDS, all_runs, violations_study


def main() -> None:
    parser = argparse.ArgumentParser(description="How runs end if a condition is violated.")
    parser.add_argument("--run", action="store_true", help="make the runs that are missing")
    chosen = parser.parse_args()
    if chosen.run:
        completed(violations_study(all_runs(WORLDS)), "violations")
    page = Path(__file__).parents[3] / "docs" / "results" / "VIOLATIONS.md"
    page.write_text(violations_page(), encoding="utf-8")
    print(f"Wrote {page}.")


if __name__ == "__main__":
    main()
