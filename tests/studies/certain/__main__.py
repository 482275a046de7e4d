"""Writes certain.md from the recorded runs.

python -m tests.studies.certain --run    # make the missing runs: some minutes
"""

from __future__ import annotations

import argparse
from pathlib import Path

from steel_verified.sweeps.study import at_once

from ..rows import completed, recorded_rows
from .page import certain_page
from .sizes import size_jobs


def main() -> None:
    parser = argparse.ArgumentParser(description="Steps and time of certain STEEL.")
    parser.add_argument("--run", action="store_true", help="make the runs that are missing")
    chosen = parser.parse_args()
    study = at_once(size_jobs())
    rows = completed(study, "certain") if chosen.run else recorded_rows("certain")
    page = Path(__file__).parents[3] / "docs" / "results" / "certain.md"
    page.write_text(certain_page(rows), encoding="utf-8")
    print(f"Wrote {page}.")


if __name__ == "__main__":
    main()
