"""Writes SLIPS.md from the recorded runs.

python -m tests.studies.slips --run                 # make the missing runs: half an hour
python -m tests.studies.slips --figure slips.svg    # also draw the figure
"""

from __future__ import annotations

import argparse
from pathlib import Path

from steel_verified.reports.figures.style import as_bytes

from ..rows import completed, recorded_rows
from .page import slips_figure, slips_page
from .runs import slips_study


def main() -> None:
    parser = argparse.ArgumentParser(description="How runs end if steps slip to other states.")
    parser.add_argument("--run", action="store_true", help="make the runs that are missing")
    parser.add_argument("--figure", type=Path, help="where to draw the figure")
    chosen = parser.parse_args()
    figure: Path | None = chosen.figure
    rows = completed(slips_study(), "slips") if chosen.run else recorded_rows("slips")
    page = Path(__file__).parents[3] / "docs" / "results" / "SLIPS.md"
    page.write_text(slips_page(rows), encoding="utf-8")
    print(f"Wrote {page}.")
    if figure is not None:
        figure.write_bytes(as_bytes(slips_figure(rows), figure.suffix))


if __name__ == "__main__":
    main()
