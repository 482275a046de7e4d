"""How many small mistakes in the code do the tests see?

    python tests/benchmarks/mutants.py theory            # some hundred mutants, half an hour
    python tests/benchmarks/mutants.py learning --most 50

Each mutant is the code with one mistake: a number off by one, a sign, a comparison, a maximum that
should be a minimum. It is killed if some test fails. Survivors are listed with their place.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]

TESTS: Final = {
    "theory": [
        "tests/theory/test_counts.py",
        "tests/theory/test_schedules.py",
        "tests/theory/test_progressions.py",
        "tests/theory/test_budget.py",
        "tests/theory/test_exact.py",
        "tests/theory/test_parameters.py",
        "tests/checker/test_second_opinion.py",
        "tests/theory/test_bounds.py",
    ],
    "learning": ["tests/learning", "tests/checker/test_acceptance.py", "tests/worlds"],
}

_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.Div: ast.Mult,
}
_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


@dataclass(frozen=True)
class MutantCode:
    """A file with one mistake in it."""

    path: Path
    line: int
    mistake: str
    source: str


def mutants(path: Path) -> Iterator[MutantCode]:
    """Every mutant of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    count = sum(1 for _ in ast.walk(tree))
    for index in range(count):
        for variant in range(2):
            changed = copy.deepcopy(tree)
            node = list(ast.walk(changed))[index]
            if mistake := _mutate(node, variant):
                line = getattr(node, "lineno", 0)
                yield MutantCode(path, line, mistake, ast.unparse(changed))


def _mutate(node: ast.AST, variant: int) -> str | None:
    """Make a mistake in place, and say which; None if there is none to make here."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int(value)):
            node.value = value + (1 if variant == 0 else -1)
            return f"{value} → {node.value}"
        case ast.BinOp(op=op) if variant == 0 and type(op) in _ARITHMETIC:
            node.op = _ARITHMETIC[type(op)]()
            return f"{type(op).__name__} → {type(node.op).__name__}"
        case ast.Compare(ops=[op]) if variant == 0 and type(op) in _COMPARISONS:
            node.ops = [_COMPARISONS[type(op)]()]
            return f"{type(op).__name__} → {type(node.ops[0]).__name__}"
        case ast.Name(id="max" | "min" as name) if variant == 0:
            node.id = "min" if name == "max" else "max"
            return f"{name} → {node.id}"
        case ast.BoolOp(op=op) if variant == 0:
            node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            return "and ↔ or"
    return None


def survives(mutant: MutantCode, tests: list[str], folder: Path) -> bool:
    """Whether all tests pass on the mutant, in a copy of the project."""
    file = folder / mutant.path.relative_to(ROOT)
    original = file.read_text(encoding="utf-8")
    file.write_text(mutant.source, encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
            cwd=folder,
            env={**os.environ, "CI": "1", "PYTHONPATH": str(folder)},
            capture_output=True,
            check=False,
            timeout=100,
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        file.write_text(original, encoding="utf-8")
    return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what share of mutants the tests kill.")
    parser.add_argument("room", choices=sorted(TESTS))
    parser.add_argument("--most", type=int, default=10_000, help="a sample of at most so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    files = sorted((ROOT / "steel_verified" / options.room).glob("*.py"))
    found = [mutant for file in files for mutant in mutants(file)]
    random.Random(0).shuffle(found)
    found = found[: options.most]
    folders: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as place:
        for job in range(options.jobs):
            folder = Path(place) / str(job)
            shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", ".git", ".*cache"))
            folders.put(folder)

        def judge(mutant: MutantCode) -> bool:
            folder = folders.get()
            try:
                return survives(mutant, TESTS[options.room], folder)
            finally:
                folders.put(folder)

        survivors = 0
        with ThreadPoolExecutor(options.jobs) as pool:
            for number, (mutant, alive) in enumerate(
                zip(found, pool.map(judge, found), strict=True), start=1
            ):
                survivors += alive
                if alive:
                    where = mutant.path.relative_to(ROOT)
                    print(f"survived: {where}:{mutant.line}: {mutant.mistake}", flush=True)
                if number % 20 == 0:
                    print(f"{number} of {len(found)}, {survivors} survive", flush=True)
    killed = len(found) - survivors
    print(f"{killed} of {len(found)} mutants killed: {100 * killed / len(found):.1f} %")


if __name__ == "__main__":
    main()
