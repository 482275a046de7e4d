"""The recorded rows of the studies, how those that are missing are made, and their pages."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from steel_verified.cli.jobs import HowToRun, swept
from steel_verified.reports.comparison import recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from steel_verified.sweeps.study import Row, Study

RESULTS: Final = Path(__file__).parents[2] / "docs" / "results"
_FOLDER: Final = Path(__file__).parent / "recorded"


def recorded_rows(name: str) -> Mapping[str, Row]:
    """The rows of a study that are recorded."""
    return recorded(name, _FOLDER)


def write_page(
    name: str, about: str, study: Callable[[], Study], page: Callable[[Mapping[str, Row]], str]
) -> None:
    """The command of a study: write its page; with --run, make and record missing rows first."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--run", action="store_true", help="make the runs that are missing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many processes")
    chosen = parser.parse_args()
    if chosen.run:
        how = HowToRun(
            jobs=chosen.jobs, cluster=None, results=_FOLDER, shipped=False, for_program=False
        )
        swept(study(), name, how)
    file = RESULTS / f"{name}.md"
    file.write_text(page(recorded_rows(name)), encoding="utf-8")
    print(f"Wrote {file}.")
