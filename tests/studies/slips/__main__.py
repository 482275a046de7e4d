"""Writes slips.md from the recorded runs.

python -m tests.studies.slips --run    # make the missing runs: a few minutes
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..rows import completed, recorded_rows
from .page import slips_page
from .runs import slips_study


def main() -> None:
    parser = argparse.ArgumentParser(description="How runs end if steps slip to other states.")
    parser.add_argument("--run", action="store_true", help="make the runs that are missing")
    chosen = parser.parse_args()
    rows = completed(slips_study(), "slips") if chosen.run else recorded_rows("slips")
    page = Path(__file__).parents[3] / "docs" / "results" / "slips.md"
    page.write_text(slips_page(rows), encoding="utf-8")
    print(f"Wrote {page}.")


if __name__ == "__main__":
    main()
