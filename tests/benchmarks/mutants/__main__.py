"""How many small mistakes do the tests see, in the code and in the claims?

    python -m tests.benchmarks.mutants theory
    python -m tests.benchmarks.mutants theory learning:250 claims:250 --report
    python -m tests.benchmarks.mutants theory --only counts.py

Each mutant is the code with one mistake: a number off by one, a sign, a comparison, a maximum that
should be a minimum. It is killed if some test fails, or if some claim is no longer earned. A mutant
of the code that survives needs a reason in `reasons.toml`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING, Final

from tests.benchmarks.mutants import coverage
from tests.benchmarks.mutants.places import Mutant, mutants_of
from tests.benchmarks.mutants.reasons import complaints, reasons
from tests.benchmarks.mutants.report import Room, page
from tests.benchmarks.mutants.sessions import ROOT, import_libraries
from tests.benchmarks.mutants.statements import Statements, judged_statements, of_statements
from tests.benchmarks.mutants.trials import Queue, Verdict, is_law, judged

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = ROOT / "build" / "mutants"
REPORT: Final = ROOT / "tests" / "benchmarks" / "MUTANTS.md"
CODE: Final = {room: ROOT / "steel_verified" / room for room in ("theory", "learning")}
_OUT: Final = os.fdopen(os.dup(1), "w")


def main() -> None:
    """Judge the mutants of some rooms; write the report, if wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.mutants")
    text = "theory, learning or claims; with :NUMBER, a sample of at most so many mutants"
    parser.add_argument("rooms", nargs="+", type=room_and_most, help=text)
    parser.add_argument("--only", default="", help="only mutants with this in their name")
    parser.add_argument("--report", action="store_true", help=f"write {REPORT.relative_to(ROOT)}")
    options = parser.parse_args()
    began = perf_counter()
    import_libraries()
    most: dict[str, int | None] = dict(options.rooms)
    made = {
        room: [m for m in all_mutants(room) if options.only in " ".join(m.name)] for room in most
    }
    chosen = {
        room: sample([mutant for mutant in mutants if not mutant.left_out], most[room])
        for room, mutants in made.items()
    }
    rooms: list[Room] = []
    laws: frozenset[str] = frozenset()
    if in_code := [room for room in most if room in CODE]:
        laws, verdicts = judged_code([mutant for room in in_code for mutant in chosen[room]])
        rooms = [room_of(room, made[room], chosen[room], verdicts) for room in in_code]
    statements: Statements | None = None
    if "claims" in most:
        statements = judged_statements(made["claims"], chosen["claims"], FOLDER, tell)
    known = reasons()
    if options.report:
        command = "python -m tests.benchmarks.mutants " + " ".join(sys.argv[1:])
        text = page(rooms, statements, laws, known, command, perf_counter() - began)
        REPORT.write_text(text, encoding="utf-8")
    for room in rooms:
        tell(f"{room.name}: {len(room.killed)} of {len(room.verdicts)} killed")
    survivors = [verdict.mutant for room in rooms for verdict in room.survivors]
    killed = [verdict.mutant for room in rooms for verdict in room.killed]
    if wrong := complaints(survivors, killed, known):
        raise SystemExit("\n".join(wrong))


def room_and_most(text: str) -> tuple[str, int | None]:
    """The room that an argument names, and how many of its mutants at most."""
    room, _, most = text.partition(":")
    if room not in (*CODE, "claims") or not (most.isdecimal() or text == room):
        raise argparse.ArgumentTypeError(f"{text}: expected theory, learning:250 or the like")
    return room, int(most) if most else None


def all_mutants(room: str) -> list[Mutant]:
    """Every mutant of a room, or of the claims, file by file."""
    mutants = [mutant for file in files_of(room) for mutant in mutants_of(file, ROOT)]
    return mutants if room in CODE else of_statements(mutants)


def files_of(room: str) -> list[Path]:
    if room == "claims":
        return sorted((ROOT / "proofs_checks" / "claims").rglob("*.py"))
    return sorted(CODE[room].rglob("*.py"))


def sample(mutants: list[Mutant], most: int | None) -> list[Mutant]:
    """At most so many of them, the same ones every time, in their order."""
    if most is None or most >= len(mutants):
        return mutants
    chosen = sorted(random.Random(0).sample(range(len(mutants)), most))
    return [mutants[i] for i in chosen]


def judged_code(
    mutants: list[Mutant],
) -> tuple[frozenset[str], dict[tuple[str, str, str], Verdict]]:
    """The names of the tests that are laws, and the verdict on each mutant."""
    sources = [file for room in CODE for file in files_of(room)]
    known = coverage.kept(sources, FOLDER, tell)
    tell(f"{len(known.tests)} tests pass in a process of their own, not: {[*known.unfit]}")
    store = FOLDER / "killers.jsonl"
    before: dict[tuple[str, str, str], str] = {}
    if store.exists():
        rows = map(json.loads, store.read_text(encoding="utf-8").splitlines())
        before = {(path, function, mistake): killer for path, function, mistake, killer in rows}
    number = {mutant.name: i for i, mutant in enumerate(mutants, start=1)}

    def told(verdict: Verdict) -> None:
        with store.open("a", encoding="utf-8") as out:
            out.write(json.dumps([*verdict.mutant, verdict.killer]) + "\n")
        if verdict.survived:
            tell(f"survives {verdict.tests} tests: {', '.join(filter(None, verdict.mutant))}")
        if number[verdict.mutant] % 50 == 0:
            tell(f"mutant {number[verdict.mutant]} of {len(mutants)}")

    queue = Queue(known, coverage.passed_at_import(sources), before, Counter())
    verdicts = {verdict.mutant: verdict for verdict in judged(mutants, queue, told)}
    return frozenset(test.name for test in known.tests if is_law(test)), verdicts


def room_of(
    name: str,
    made: list[Mutant],
    chosen: list[Mutant],
    verdicts: dict[tuple[str, str, str], Verdict],
) -> Room:
    left_out = Counter(mutant.left_out for mutant in made)
    return Room(name, left_out.pop("", 0), left_out, [verdicts[mutant.name] for mutant in chosen])


def tell(text: str) -> None:
    print(text, file=_OUT, flush=True)


if __name__ == "__main__":
    main()
