"""How fast whole runs are, how much memory they take, and how both grow.

    python tests/benchmarks/whole_runs.py            # all of it, about a minute
    python tests/benchmarks/whole_runs.py --profile  # also where the time goes

Every run has a process of its own, so that its peak memory is its own. Beside each is what the
authors' code took for the same world, measured once on a machine with 2 cores and 24 GB; and the
time of the whole command `steel learn`, from the start of Python to its end.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.cli.console import show
from steel_verified.reports.tables import Column, Kind, Prose, Table
from steel_verified.worlds import flicker, random_access, walkers
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import predict, run

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Job:
    """A world to run, and what the authors' code took: seconds and gigabytes."""

    title: str
    world: str
    sizes: dict[str, float]
    mixing_time: int | None = None
    command: str | None = None
    theirs: tuple[float, float] | None = None


@dataclass(frozen=True)
class Measured:
    """One run."""

    steps: int
    seconds: float
    learner_seconds: float
    megabytes: float
    words: int


PAPER: Final = (
    Job(
        "lock K=20",
        "combination-lock",
        {"states": 20},
        command="combination-lock --states 20",
        theirs=(43, 0.95),
    ),
    Job("lock K=30", "combination-lock", {"states": 30}),
    Job(
        "lock K=40",
        "combination-lock",
        {"states": 40},
        command="combination-lock --states 40",
        theirs=(162, 2.5),
    ),
    Job("multi-maze", "multi-maze", {}, command="multi-maze", theirs=(28 * 60, 8.8)),
)
GROWTH: Final = (
    *(Job(f"lock K={k}", "combination-lock", {"states": k}) for k in (10, 20, 40, 60)),
    *(
        Job(f"lock L={n}", "combination-lock", {"states": 20, "components": n})
        for n in (128, 512, 2048)
    ),
    *(
        Job(f"lock t̂_mix={t}", "combination-lock", {"states": 20}, mixing_time=t)
        for t in (40, 160, 640)
    ),
    *(Job(f"mazes {m}", "multi-maze", {"mazes": m}) for m in (2, 5, 9)),
)


def measure(job: Job) -> Measured:
    """Run a job here and now."""
    chosen = instance(job.world, 0, **job.sizes)
    if job.mixing_time is not None:
        parameters = replace(chosen.parameters, mixing_time=job.mixing_time)
        chosen = replace(chosen, parameters=parameters)
    drawn = 0
    inner = random_access.random_words

    def counting(
        origin: np.uint64 | NDArray[np.uint64], positions: NDArray[np.int64]
    ) -> NDArray[np.uint64]:
        nonlocal drawn
        words = inner(origin, positions)
        drawn += words.size
        return words

    for module in (flicker, walkers):
        vars(module)["random_words"] = counting
    began = perf_counter()
    went = run(chosen, 3)
    seconds = perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert went.findings.all_right
    began = perf_counter()
    predict(chosen)
    learner = perf_counter() - began
    return Measured(went.learned.ledger.steps, seconds, learner, memory, drawn)


def command_seconds(words: str) -> float:
    """The time of the whole command `steel learn WORDS`, start of Python included: best of 3."""
    program = f"from steel_verified.cli import main; main({['learn', *words.split()]!r})"
    taken = []
    for _ in range(3):
        began = perf_counter()
        subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=True)
        taken.append(perf_counter() - began)
    return min(taken)


COLUMNS: Final = (
    Column("run", Kind.CODE),
    Column("steps", Kind.NUMBER),
    Column("s", Kind.NUMBER),
    Column("steps/s", Kind.NUMBER),
    Column("ns/step", Kind.NUMBER),
    Column("learner", Kind.NUMBER),
    Column("MB", Kind.NUMBER),
    Column("words/step", Kind.NUMBER, priority=1),
    Column("beside the authors'", priority=2),
    Column("whole command", priority=2),
)


def table(title: str, jobs: tuple[Job, ...]) -> Table:
    """Run jobs one after the other, each in its own process."""
    rows = []
    for job in jobs:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            m = pool.submit(measure, job).result()
        beside = whole = ""
        if job.command is not None:
            taken = command_seconds(job.command)
            whole = f"{taken:.2f} s"
            if job.theirs is not None:
                whole += f", {job.theirs[0] / taken:.0f}× faster"
        if job.theirs is not None:
            seconds, gigabytes = job.theirs
            beside = (
                f"{seconds / m.seconds:.0f}× faster, 1/{1024 * gigabytes / m.megabytes:.0f} memory"
            )
        rows.append(
            (
                job.title,
                m.steps,
                f"{m.seconds:.2f}",
                f"{m.steps / m.seconds:,.0f}",
                f"{1e9 * m.seconds / m.steps:.0f}",
                f"{100 * m.learner_seconds / m.seconds:.0f} %",
                f"{m.megabytes:.0f}",
                f"{m.words / m.steps:.2f}",
                beside,
                whole,
            )
        )
    return Table(title, COLUMNS, tuple(rows))


def limit() -> str:
    """What drawing alone would cost: the floor under any of these figures."""
    began = perf_counter()
    n = 1 << 20
    for _ in range(8):
        random_access.random_words(random_access.stream_origin(0, 0), np.arange(n))
    word = (perf_counter() - began) / (8 * n)
    return (
        f"A random word takes {1e9 * word:.1f} ns here. Words a step times that is the least that "
        "these worlds could take; making every bit of every kept row would need hundreds of words "
        "a step on the lock (512 components)."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure whole runs.")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    arguments = parser.parse_args()
    show([table("The paper's worlds (environment seed 0)", PAPER)])
    show([Prose(""), table("Growth", GROWTH), Prose(limit())])
    if arguments.profile:
        for job in (PAPER[0], PAPER[3]):
            profile = cProfile.Profile()
            profile.enable()
            measure(job)
            profile.disable()
            show([Prose(f"\n{job.title}")])
            pstats.Stats(profile).sort_stats("tottime").print_stats(12)


if __name__ == "__main__":
    main()
