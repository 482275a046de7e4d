"""Writes slips.md from the recorded runs.

python -m tests.studies.slips --run    # make the missing runs: a few minutes
"""

from ..rows import write_page
from .page import slips_page
from .runs import slips_study

if __name__ == "__main__":
    write_page("slips", "How runs end if steps slip to other states.", slips_study, slips_page)
