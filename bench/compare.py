"""Times and memory of whole commands, and how much code they execute and import.

    python bench/compare.py                # the working tree: some two minutes
    python bench/compare.py COMMIT         # a commit
    python bench/compare.py COMMIT COMMIT  # two commits in turn, and ratios
    python bench/compare.py main . --only located --repeats 5   # . is the working tree

Each run has a process of its own. The commits take turns, and each figure is the least of several
runs, so that other work on the machine disturbs both alike; CPU time is disturbed less than wall
time. Code is counted in one more run: the files of the project in which a function was executed,
the modules of the project that were imported, and all modules. This script needs nothing but
Python and git, so it measures any commit that has the commands. Commits run in the environment of
this Python if they lock the same dependencies, else in one of their own (`make setup`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).parents[1]
WORLDS: Final = ("combination-lock --states 20", "combination-lock --states 40", "multi-maze")
START: Final = ("--help", "check --help", "learn --help", "audit", "predict multi-maze")
WHOLE: Final = tuple(
    f"learn {world} --method {method}{self_check}"
    for world in WORLDS
    for method in ("looped", "located")
    for self_check in ("", " --no-self-check")
)
GROWTH: Final = (
    *(f"learn combination-lock --method looped --states {states}" for states in (10, 60)),
    *(f"learn combination-lock --method looped --components {bits}" for bits in (128, 2048)),
    *(f"learn combination-lock --method looped --mixing-time {steps}" for steps in (160, 640)),
    *(f"learn multi-maze --method looped --mazes {mazes}" for mazes in (2, 5)),
)
AUTHORS: Final = {
    f"learn {WORLDS[0]} --method looped": (43, 0.95),
    f"learn {WORLDS[1]} --method looped": (162, 2.5),
    f"learn {WORLDS[2]} --method looped": (28 * 60, 8.8),
}
"""Seconds and GB of the authors' code, measured once on a machine with 2 cores and 24 GB."""
LARGE: Final = ("flint", "matplotlib", "networkx", "numpy", "rich", "scipy", "sympy")

_STEEL: Final = "import sys; from steel_verified.cli import main; main(sys.argv[1:])"
_COUNTED: Final = f"""
import atexit, json, sys, threading
files, function, out, root = set(), 1, sys.argv.pop(1), sys.argv.pop(1)  # 1 is CO_OPTIMIZED

def called(frame, event, _):
    if event == "call" and frame.f_code.co_flags & function:
        files.add(frame.f_code.co_filename)

def count():
    sys.setprofile(None)
    ours = [n for n in sys.modules if n.split(".")[0] in ("steel_verified", "proofs_checks")]
    where = sys.modules["steel_verified"].__file__
    large = [name for name in {LARGE} if name in sys.modules]
    inside = [file for file in files if file.startswith((root + "/steel", root + "/proofs"))]
    with open(out, "w") as file:
        json.dump([where, len(inside), len(ours), len(sys.modules), large], file)

atexit.register(count)
threading.setprofile(called)
sys.setprofile(called)
{_STEEL}
"""


@dataclass(frozen=True, slots=True)
class Tree:
    """A state of the project: its name, its folder, and the Python that runs it."""

    name: str
    folder: Path
    python: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The least of several runs, and the code of one."""

    cpu: float
    wall: float
    megabytes: float
    files: int = 0
    ours: int = 0
    modules: int = 0
    large: tuple[str, ...] = ()

    def least(self, other: Measured) -> Measured:
        return replace(
            self,
            cpu=min(self.cpu, other.cpu),
            wall=min(self.wall, other.wall),
            megabytes=min(self.megabytes, other.megabytes),
        )


class Failed(Exception):
    """A command that a commit does not have, or that went wrong there."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure whole commands of one or two commits.")
    parser.add_argument("commits", nargs="*", default=["."], metavar="COMMIT")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each command [3]")
    parser.add_argument("--only", default="", metavar="WORDS", help="only commands with these")
    parser.add_argument("--growth", action="store_true", help="also larger and smaller worlds")
    options = parser.parse_args()
    if len(options.commits) > 2:
        parser.error("expected one or two commits")
    commands = [*START, *WHOLE, *(GROWTH if options.growth else ())]
    with tempfile.TemporaryDirectory() as folder, _trees(options.commits, Path(folder)) as trees:
        print(_row("command", _titles(trees)), flush=True)
        for command in commands:
            if options.only in command:
                print(_row(f"steel {command}", _cells(command, trees, options.repeats)), flush=True)
    print(_LEGEND[len(trees)])


# --- trees ----------------------------------------------------------------------------------------


@contextmanager
def _trees(commits: Sequence[str], folder: Path) -> Iterator[list[Tree]]:
    """Check out each commit; remove the checkouts at the end."""
    made: list[Path] = []
    trees = []
    try:
        for number, commit in enumerate(commits):
            where = ROOT
            if commit != ".":
                where = folder / f"tree{number}"
                made.append(where)
                _git("worktree", "add", "--quiet", "--detach", str(where), commit)
            trees.append(Tree(commit, where, _python(where)))
        yield trees
    finally:
        for where in made:
            _git("worktree", "remove", "--force", str(where))


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True)


def _python(folder: Path) -> str:
    locks = [(where / "requirements.lock").read_bytes() for where in (ROOT, folder)]
    if locks[0] == locks[1]:
        return sys.executable
    print(f"{folder} locks other dependencies: make setup", file=sys.stderr)
    subprocess.run(["make", "-C", str(folder), "setup"], check=True, stdout=sys.stderr)
    return str(folder / ".venv" / "bin" / "python")


# --- runs -----------------------------------------------------------------------------------------


def _cells(command: str, trees: Sequence[Tree], repeats: int) -> list[str]:
    try:
        found = [_counted(command, tree) for tree in trees]
        for repeat in range(repeats):
            turn = [*range(len(trees))]
            for i in turn if repeat % 2 else reversed(turn):
                found[i] = found[i].least(_timed(command, trees[i]))
    except Failed as failed:
        return [str(failed)]
    return _absolute(command, found[0]) if len(found) == 1 else _ratios(*found)


def _counted(command: str, tree: Tree) -> Measured:
    """Count the code of a command. This run also compiles what is not yet compiled."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counted.json"
        _run(command, tree, [_COUNTED, str(out), str(tree.folder)])
        where, files, ours, modules, large = json.loads(out.read_text())
    if not Path(where).is_relative_to(tree.folder):
        raise Failed(f"{tree.name}: another steel_verified was imported, {where}")
    no = float("inf")
    return Measured(no, no, no, files, ours, modules, tuple(large))


def _timed(command: str, tree: Tree) -> Measured:
    return _run(command, tree, [_STEEL])


def _run(command: str, tree: Tree, program: list[str]) -> Measured:
    words = [tree.python, "-c", *program, *command.split()]
    environment = {**os.environ, "PYTHONPATH": str(tree.folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each run compiles everything
    with tempfile.TemporaryFile() as said, tempfile.TemporaryDirectory() as empty:
        began = perf_counter()
        # A process started here: its resources are asked for when it ends.
        process = subprocess.Popen(words, env=environment, cwd=empty, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        wall = perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            last = said.read().decode(errors="replace").strip().splitlines()[-1:]
            raise Failed(f"{tree.name}: exit code {process.returncode}: {' '.join(last)}")
    return Measured(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


# --- tables ---------------------------------------------------------------------------------------

_FIGURES: Final = ("CPU s", "wall s", "MB", "files", "ours", "modules")
_LEGEND: Final = {
    1: "MB: peak memory. files: of the project, with a function that was executed. ours, modules: "
    "imported, of the project and in all.",
    2: "Each figure is that of the first commit → that of the second (second / first). MB: peak "
    "memory. files:\nof the project, with a function that was executed. ours, modules: imported, "
    "of the project and in all.",
}


def _titles(trees: Sequence[Tree]) -> list[str]:
    if len(trees) == 1:
        return [*_FIGURES, "large packages; beside the authors' code"]
    return [f"{name} B/A" if i < 3 else name for i, name in enumerate(_FIGURES)]


def _absolute(command: str, m: Measured) -> list[str]:
    beside = ""
    if command in AUTHORS:
        seconds, gigabytes = AUTHORS[command]
        faster, less = seconds / m.wall, 1024 * gigabytes / m.megabytes
        beside = f"; {faster:.0f} times faster, 1/{less:.0f} of the memory"
    return [*_figures(m), " ".join(m.large) + beside]


def _figures(m: Measured) -> list[str]:
    counts = (m.files, m.ours, m.modules)
    return [f"{m.cpu:.2f}", f"{m.wall:.2f}", f"{m.megabytes:.0f}", *map(str, counts)]


def _ratios(a: Measured, b: Measured) -> list[str]:
    shown = [f"{one} → {other}" for one, other in zip(_figures(a), _figures(b), strict=True)]
    quotients = (b.cpu / a.cpu, b.wall / a.wall, b.megabytes / a.megabytes)
    return [*(f"{text} ({q:.2f})" for text, q in zip(shown, quotients, strict=False)), *shown[3:]]


def _row(first: str, cells: Sequence[str]) -> str:
    width = 8 if len(cells) == 7 else 20
    return f"{first:74}" + "".join(f"{cell:<{width}} " for cell in cells).rstrip()


if __name__ == "__main__":
    main()
