"""How long commands take to start, and which large packages they import.

    python tests/benchmarks/start.py

Each time is the best of several processes, the start of Python included.
"""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter
from typing import Final

from steel_verified.cli.console import show
from steel_verified.reports.tables import Column, Kind, Table

REPEATS: Final = 5
LARGE: Final = ("flint", "matplotlib", "networkx", "numpy", "rich", "scipy", "sympy")
COMMANDS: Final = (
    "--help",
    "check --help",
    "learn --help",
    "audit",
    "learn combination-lock --states 20",
    "predict multi-maze",
)
AT_EXIT: Final = (
    "import atexit, sys\n"
    f"atexit.register(lambda: print(*(n for n in {LARGE} if n in sys.modules), file=sys.stderr))\n"
)


def seconds(program: str) -> float:
    """The least time that a process takes for a Python program."""
    return min(_run(program)[0] for _ in range(REPEATS))


def steel(words: str) -> str:
    """The program that `steel` with these words is."""
    return f"from steel_verified.cli import main; main({words.split()!r})"


def _run(program: str) -> tuple[float, str]:
    began = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return perf_counter() - began, done.stderr.strip()


def main() -> None:
    programs = {"python": "pass", "import steel_verified": "import steel_verified"}
    programs |= {f"steel {words}": steel(words) for words in COMMANDS}
    rows = tuple(
        (title, f"{seconds(program):.2f}", _run(AT_EXIT + program)[1])
        for title, program in programs.items()
    )
    columns = (
        Column("program", Kind.CODE),
        Column("s", Kind.NUMBER),
        Column("large packages imported"),
    )
    show([Table(f"Start-up: best of {REPEATS}", columns, rows)])


if __name__ == "__main__":
    main()
