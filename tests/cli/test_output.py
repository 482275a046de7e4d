"""What commands print on terminals and into a pipe, and what they import."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

import steel_verified
from steel_verified import cli
from steel_verified.cli import SUMMARIES, console, main
from steel_verified.cli.console import require_reader
from steel_verified.reports.tables import as_text, text_width

from .running import on_a_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from steel_verified.reports.tables import Part


COMMANDS = (
    "predict combination-lock",
    "learn grid",
    "learn grid --method looped",
    "learn grid --method all",
    "audit",
    "audit --preset multi-maze",
    "reproduce table1 --recorded",
    "reproduce table2 --recorded",
    "reproduce table3 --recorded --ac-state",
    "reproduce table4 --recorded",
    "claims G33 M18 --jobs 1",
)


def printed(words: str, width: int | None, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(console, "screen", lambda: (width, False))
    result = CliRunner().invoke(main, words.split())
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("words", COMMANDS)
def test_narrow_screen_shows_every_word_of_the_piped_output(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out: list[Part] = []

    def keep(parts: Iterable[Part], width: int | None, *, colored: bool) -> str:
        laid_out.extend(parts)
        return as_text(laid_out, width, colored=colored)

    monkeypatch.setattr(console, "as_text", keep)
    printed(words, None, monkeypatch)
    piped = words_of(as_text(laid_out))
    assert piped
    for width in (40, 60, 80, 200):
        shown = as_text(laid_out, width)
        assert max(map(text_width, shown.split("\n"))) <= width
        assert piped <= words_of(shown)


def words_of(text: str) -> set[str]:
    """All words but rules; a heading has a colon after it where its column is below the row."""
    return {word.rstrip(":") for word in text.split() if set(word) != {"─"}}


def test_note_about_cut_words_appears_only_if_words_are_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "--json shows them completely" in printed("predict combination-lock", 80, monkeypatch)
    assert "…" not in printed("predict single-prime --p 3 --q 5", 80, monkeypatch)


@pytest.mark.parametrize("words", [["--help"], ["reproduce", "--help"]])
@pytest.mark.parametrize("width", [60, 80])
def test_help_describes_each_command_in_a_whole_sentence(words: list[str], width: int) -> None:
    shown = CliRunner().invoke(main, words, terminal_width=width).output
    assert "..." not in shown.partition("Commands:")[2]
    assert max(map(len, shown.split("\n"))) <= width


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_terminal_output_uses_its_width_and_obeys_no_color() -> None:
    colored = on_a_terminal("audit", COLUMNS="80", TERM="xterm").replace("\r", "")
    assert "\x1b[36m" in colored
    plain = on_a_terminal("audit", COLUMNS="80", NO_COLOR="1").replace("\r", "")
    assert plain == re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert max(map(text_width, plain.split("\n"))) <= 80


def test_a_closed_pipe_is_noticed_before_anything_is_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read_end, write_end = os.pipe()
    with os.fdopen(write_end, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        require_reader()
        os.close(read_end)
        with pytest.raises(BrokenPipeError):
            require_reader()


THINGS = (
    "action|bit|call|certificate|charge|claim|classifier|finding|label|observation|other|row|run|"
    "sample|seed|state|step|test|transition|word"
)
WRONG = re.compile(rf"(?<![\d.,/] )(?<![\d.,/])\b1 ({THINGS})s\b")


LONE = "combination-lock --states 1 --components 1"
SMALLEST = (
    (f"learn {LONE} --max-diameter 0 --max-states 1 --certificate one.json", 0),
    ("check one.json", 0),
    ("learn double-prime --p 2 --q 3 --method looped --certificate two.json", 0),
    ("check two.json", 0),
    ("predict --table table.json", 0),
    ("predict --table table.json --method located", 0),
)


def test_commands_print_one_thing_in_the_singular(tmp_path: Path) -> None:
    assert WRONG.search("after 1 steps.")
    assert not WRONG.search("after 21 steps.")
    (tmp_path / "table.json").write_text("[[0]]", encoding="utf-8")
    with contextlib.chdir(tmp_path):
        for words, code in SMALLEST:
            result = CliRunner().invoke(main, words.split())
            assert result.exit_code == code, result.output
            assert not WRONG.search(result.output), (words, result.output)


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command, as the words to type."""
    yield words
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name)


def test_every_command_says_its_exit_codes() -> None:
    typed = list(commands(main))
    assert len(typed) > len(SUMMARIES) + 5
    for words in typed:
        shown = CliRunner().invoke(main, [*words, "--help"]).output
        assert "exit codes:" in shown.lower(), words


ROOT = Path(__file__).parents[2]
HEAVY = {"flint", "hypothesis", "matplotlib", "networkx", "numpy", "rich", "scipy", "sympy"}
FOR_OTHER_COMMANDS = {
    "asyncio", "gymnasium", "hypothesis", "importlib.metadata", "jinja2", "matplotlib", "networkx",
    "numba", "pysat", "rich", "scipy", "sympy",
    "steel_verified.classes.half_spaces", "steel_verified.classes.intervals",
    "steel_verified.evidence.certificate", "steel_verified.experiments",
    "steel_verified.gymnasium", "steel_verified.using",
}  # fmt: skip
"""Modules that a run without files and without a terminal does not need."""
MOST_MODULES = 85
"""Modules of ours that one run imports; four methods are among them."""

AT_EXIT = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"


def imported_by(program: str) -> set[str]:
    """Every module that a program has imported when it ends, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", AT_EXIT + program], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def program_of(*words: str) -> str:
    """The program that the command `steel` with these words is."""
    return f"from steel_verified.cli import main; main({words!r})"


@pytest.mark.parametrize(
    "program",
    [
        "import steel_verified",
        program_of("--help"),
        program_of("--version"),
        program_of("check", "--help"),
    ],
)
def test_light_commands_import_nothing_heavy(program: str) -> None:
    assert not imported_by(program) & HEAVY


@pytest.mark.parametrize(
    "program",
    [
        program_of("learn", "combination-lock", "--states", "2", "--components", "4"),
        program_of("learn", "combination-lock", "--states", "3", "--method", "located", "--json"),
    ],
)
def test_a_run_imports_only_what_it_needs(program: str) -> None:
    imported = imported_by(program)
    assert not imported & FOR_OTHER_COMMANDS
    assert "numpy" in imported
    assert sum(name.startswith("steel_verified") for name in imported) <= MOST_MODULES


def test_the_audit_imports_no_library_for_figures() -> None:
    assert not imported_by(program_of("audit")) & {
        "matplotlib",
        "networkx",
        "rich.progress",
        "sympy",
    }


def test_every_command_is_listed() -> None:
    names = {file.stem for file in Path(cli.__file__).parent.glob("*.py")} - {"__init__"}
    modules = {name: import_module(f"steel_verified.cli.{name}") for name in names}
    assert set(SUMMARIES) == {n for n, module in modules.items() if hasattr(module, f"{n}_command")}


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
    text = CliRunner().invoke(main, prog_name="steel").output
    assert text.split() == [f"plain,{completed}"]
