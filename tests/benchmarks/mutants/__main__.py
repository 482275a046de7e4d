"""How many small mistakes in the code do the tests see?

    python -m tests.benchmarks.mutants theory
    python -m tests.benchmarks.mutants theory learning --report tests/benchmarks/MUTANTS.md

Each mutant is the code with one mistake: a number off by one, a sign, a comparison, a maximum that
should be a minimum. It is killed if some test fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Final

from tests.benchmarks.mutants import coverage
from tests.benchmarks.mutants.places import Mutant, mutants_of
from tests.benchmarks.mutants.sessions import ROOT, import_libraries
from tests.benchmarks.mutants.trials import Queue, Verdict, judged

FOLDER: Final = ROOT / "build" / "mutants"
ROOMS: Final = ("theory", "learning")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what share of mutants the tests kill.")
    parser.add_argument("rooms", nargs="+", choices=ROOMS)
    parser.add_argument("--most", type=int, help="a sample of at most so many from each room")
    parser.add_argument("--only", default="", help="only mutants whose name has this in it")
    options = parser.parse_args()
    import_libraries()
    files = [file for room in ROOMS for file in sorted((ROOT / "steel_verified" / room).glob("*.py"))]
    covered = coverage.kept(files, FOLDER, tell)
    tell(f"{len(covered.tests)} tests, unfit: {covered.unfit}")
    killers = FOLDER / "killers.json"
    before = {}
    if killers.exists():
        before = {tuple(k): v for k, v in json.loads(killers.read_text())}
    queue = Queue(covered, coverage.passed_at_import(files), before, Counter())
    found: list[Mutant] = []
    for room in options.rooms:
        inside = [
            mutant
            for file in sorted((ROOT / "steel_verified" / room).glob("*.py"))
            for mutant in mutants_of(file, ROOT)
            if not mutant.left_out and options.only in " ".join(mutant.name)
        ]
        if options.most is not None and options.most < len(inside):
            chosen = set(random.Random(0).sample(range(len(inside)), options.most))
            inside = [mutant for i, mutant in enumerate(inside) if i in chosen]
        found += inside
    lines = {m.name: m.line for m in found}
    start = perf_counter()
    log = FOLDER / "verdicts.jsonl"
    log.write_text("")

    def told(verdict: Verdict) -> None:
        took = perf_counter() - start
        with log.open("a") as f:
            f.write(json.dumps([verdict.mutant, verdict.killer, verdict.endless, verdict.tests, took]) + "\n")
        if verdict.survived:
            tell(f"survived {verdict.tests} tests: {verdict.mutant[0]}:{lines[verdict.mutant]} {verdict.mutant[1]}: {verdict.mutant[2]}")

    judged(found, queue, told)
    verdicts = [json.loads(line) for line in log.read_text().splitlines()]
    before |= {tuple(v[0]): v[1] for v in verdicts}
    killers.write_text(json.dumps([[list(k), v] for k, v in before.items()]))
    dead = sum(bool(v[1]) for v in verdicts)
    tell(f"{dead} of {len(verdicts)} (of {len(found)}) killed; {perf_counter() - start:.0f} s")


_OUT: Final = os.fdopen(os.dup(1), "w")


def tell(text: str) -> None:
    print(text, file=_OUT, flush=True)


if __name__ == "__main__":
    main()
