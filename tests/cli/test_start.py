"""What a command imports: nothing that it does not need."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import steel_verified
from steel_verified import cli
from steel_verified.cli import SUMMARIES, main

ROOT = Path(__file__).parents[2]
HEAVY = {"flint", "hypothesis", "matplotlib", "networkx", "numpy", "rich", "scipy", "sympy"}
FOR_OTHER_COMMANDS = {
    "asyncio", "gymnasium", "hypothesis", "importlib.metadata", "jinja2", "matplotlib", "networkx",
    "numba", "pysat", "rich", "scipy", "sympy",
    "steel_verified.classes.half_spaces", "steel_verified.classes.intervals",
    "steel_verified.evidence.certificate", "steel_verified.experiments",
    "steel_verified.gymnasium", "steel_verified.using", "steel_verified.worlds.voting",
}  # fmt: skip
"""Modules that a run without files and without a terminal does not need."""
MOST_MODULES = 80
"""Modules of ours that one run imports; it was 92 when runs of each method had their own ones."""

AT_EXIT = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"


def imported_by(program: str) -> set[str]:
    """Every module that a program has imported when it ends, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", AT_EXIT + program], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def steel(*words: str) -> str:
    """The program that the command `steel` with these words is."""
    return f"from steel_verified.cli import main; main({words!r})"


@pytest.mark.parametrize(
    "program",
    ["import steel_verified", steel("--help"), steel("--version"), steel("check", "--help")],
)
def test_light_commands_import_nothing_heavy(program: str) -> None:
    assert not imported_by(program) & HEAVY


@pytest.mark.parametrize(
    "program",
    [
        steel("learn", "combination-lock", "--states", "2", "--components", "4"),
        steel("learn", "combination-lock", "--states", "3", "--method", "located", "--json"),
    ],
)
def test_a_run_imports_only_what_it_needs(program: str) -> None:
    imported = imported_by(program)
    assert not imported & FOR_OTHER_COMMANDS
    assert "numpy" in imported
    assert sum(name.startswith("steel_verified") for name in imported) <= MOST_MODULES


def test_the_audit_imports_no_library_for_figures() -> None:
    assert not imported_by(steel("audit")) & {"matplotlib", "networkx", "rich.progress", "sympy"}


def test_a_public_name_is_imported_when_it_is_used() -> None:
    assert "numpy" in imported_by("from steel_verified import Components")


def test_every_command_is_listed() -> None:
    names = {file.stem for file in Path(cli.__file__).parent.glob("*.py")} - {"__init__"}
    modules = {name: import_module(f"steel_verified.cli.{name}") for name in names}
    assert set(SUMMARIES) == {n for n, module in modules.items() if hasattr(module, f"{n}_command")}


def test_an_unknown_command_is_refused() -> None:
    assert main.get_command(click.Context(main), "nothing") is None


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert steel_verified.__version__ == project["version"]
    said = CliRunner().invoke(main, ["--version"]).output
    assert said == f"steel, version {project['version']}\n"


def test_python_m_steel_verified_runs_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "steel_verified", "check", "--explain"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == CliRunner().invoke(main, ["check", "--explain"]).output


@pytest.mark.parametrize(
    ("typed", "completed"),
    [("dr", "draw"), ("learn --meth", "--method"), ("learn mul", "multi-maze")],
)
def test_the_shell_completes_what_is_typed(
    typed: str, completed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["steel", *typed.split()]
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    monkeypatch.setenv("_STEEL_COMPLETE", "bash_complete")
    told = CliRunner().invoke(main, prog_name="steel").output
    assert told.split() == [f"plain,{completed}"]
