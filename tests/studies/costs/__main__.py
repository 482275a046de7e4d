"""Writes costs.md and its plot from the recorded runs.

python -m tests.studies.costs --run    # make the missing runs: a quarter of an hour of CPU time
"""

from steel_verified.sweeps.study import at_once

from ..rows import RESULTS, recorded_rows, write_page
from .methods import method_jobs
from .page import costs_page, costs_plot
from .queries import query_jobs
from .soak import soak_jobs

if __name__ == "__main__":
    jobs = (*method_jobs(), *query_jobs(), *soak_jobs())
    write_page("costs", "What runs cost, and a soak.", lambda: at_once(jobs), costs_page)
    (RESULTS / "costs.svg").write_bytes(costs_plot(recorded_rows("costs")))
