"""The recorded rows of the studies, and how those that are missing are made."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from steel_verified.cli.jobs import HowToRun, swept
from steel_verified.reports.comparison import recorded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.sweeps.study import Row, Study

_FOLDER: Final = Path(__file__).parent / "recorded"


def recorded_rows(name: str) -> Mapping[str, Row]:
    """The rows of a study that are recorded."""
    return recorded(name, _FOLDER)


def completed(study: Study, name: str, jobs: int = os.cpu_count() or 1) -> Mapping[str, Row]:
    """The rows of a study: those that are missing are made in processes, and recorded."""
    how = HowToRun(jobs=jobs, cluster=None, results=_FOLDER, shipped=False, for_program=False)
    return swept(study, name, how)
