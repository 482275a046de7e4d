"""Repeats all recorded runs, and compares them with what is stored.

    python -m tests.guards.runs                    # all 800: about a quarter of an hour of CPU time
    python -m tests.guards.runs --only multi-maze  # those whose words contain this
    python -m tests.guards.runs --show "RUN"       # the text of a run of today
    python -m tests.guards.runs --store            # replace what is stored by runs of today

Runs that agreed are kept in build/guards, so a command that was stopped goes on where it was. They
count as long as no source file has changed. Exit codes: 0 all agree, 1 some run differs.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from .adapter import record_of
from .canonical import digests, texts
from .stored import EXPECTED, Line, all_runs, difference, expected, made, store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).parents[3]
KEPT: Final = ROOT / "build" / "guards" / "runs.txt"

Found = TypeVar("Found")


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare all recorded runs with what is stored.")
    parser.add_argument("--only", default="", metavar="WORDS", help="only runs with these words")
    parser.add_argument("--show", metavar="RUN", help="print the text of one run")
    parser.add_argument("--store", action="store_true", help="replace what is stored")
    parser.add_argument("--workers", type=int, default=2, help="processes [2]")
    options = parser.parse_args()
    if options.show is not None:
        return _show(options.show)
    if options.store:
        return _store(options.workers)
    return _compare([run for run in all_runs() if options.only in run], options.workers)


def _compare(runs: list[str], workers: int) -> int:
    agreed, source = set(), _source()
    if KEPT.exists() and (lines := KEPT.read_text().splitlines()) and lines[0] == source:
        agreed = set(lines[1:])
    else:
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(f"{source}\n")
    left = [run for run in runs if run not in agreed]
    print(f"{len(runs)} runs, {len(runs) - len(left)} of them agreed before", file=sys.stderr)
    different = 0
    with KEPT.open("a") as kept:
        for run, text in _each(difference, left, workers):
            if text is None:
                kept.write(f"{run}\n")
                kept.flush()
            else:
                different += 1
                print(f"\n{text}\n", flush=True)
    print(f"{different} of {len(runs)} runs differ from what is stored")
    return 1 if different else 0


def _store(workers: int) -> int:
    lines: list[Line] = []
    shown: dict[str, str] = {}
    for _, (line, of_run) in _each(made, all_runs(), workers):
        lines.append(line)
        shown |= of_run
    before = expected() if EXPECTED.exists() else {}
    print(f"{sum(before.get(line.run) != line.parts for line in lines)} runs are different now")
    store(lines, shown)
    return 0


def _show(run: str) -> int:
    record = record_of(run)
    for name, text in texts(record).items():
        print(f"[{name}]\n{text}")
    for name, digest in digests(record).items():
        print(f"{name:12} {digest}")
    return 0


def _each(
    function: Callable[[str], Found], runs: list[str], workers: int
) -> Iterator[tuple[str, Found]]:
    """Apply a function to runs on several processes, and show how far it is."""
    began = time.monotonic()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(function, run): run for run in runs}
        try:
            for done, future in enumerate(as_completed(waiting), 1):
                seconds = time.monotonic() - began
                print(f"\r{done} of {len(runs)}, {seconds:.0f} s", end="", file=sys.stderr)
                yield waiting[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\nCPU time: {used.ru_utime + used.ru_stime:.0f} s", file=sys.stderr)


def _source() -> str:
    """The digest of everything on which the result of a run depends."""
    folders = (ROOT / "steel_verified", Path(__file__).parent)
    files = sorted(file for folder in folders for file in folder.rglob("*") if file.is_file())
    sha = hashlib.sha256()
    for file in files:
        if file.suffix != ".pyc":
            sha.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return sha.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
