"""Writes VIOLATIONS.md from the recorded runs.

python -m tests.studies.violations --run                      # make the missing runs first
python -m tests.studies.violations --figure violations.svg    # also draw the figure
"""

from __future__ import annotations

import argparse
from pathlib import Path

from steel_verified.reports.figures.style import as_bytes

from ..rows import completed
from .page import recorded_runs, violations_figure, violations_page
from .runs import WORLDS, all_runs, violations_study


def main() -> None:
    parser = argparse.ArgumentParser(description="How runs end if a condition is violated.")
    parser.add_argument("--run", action="store_true", help="make the runs that are missing")
    parser.add_argument("--figure", type=Path, help="where to draw the figure")
    chosen = parser.parse_args()
    figure: Path | None = chosen.figure
    if chosen.run:
        completed(violations_study(all_runs(WORLDS)), "violations")
    page = Path(__file__).parents[3] / "docs" / "results" / "VIOLATIONS.md"
    page.write_text(violations_page(), encoding="utf-8")
    print(f"Wrote {page}.")
    if figure is not None:
        figure.write_bytes(as_bytes(violations_figure(recorded_runs()), figure.suffix))


if __name__ == "__main__":
    main()
