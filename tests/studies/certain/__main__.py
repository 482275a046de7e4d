"""Writes certain.md from the recorded runs.

python -m tests.studies.certain --run    # make the missing runs: some minutes
"""

from steel_verified.sweeps.study import at_once

from ..rows import write_page
from .page import certain_page
from .sizes import size_jobs

if __name__ == "__main__":
    write_page(
        "certain", "Steps and time of certain STEEL.", lambda: at_once(size_jobs()), certain_page
    )
