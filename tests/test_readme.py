"""Commands and programs of the pages work, and print what is said there."""

import ast
import contextlib
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

import steel_verified
from steel_verified.cli import main
from steel_verified.reports.reproducibility import recorded
from steel_verified.reports.steel_tables import located_table2, located_table3
from steel_verified.reports.tables import as_markdown
from tests.public import PUBLIC

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
GUIDE = (Path(__file__).parents[1] / "GUIDE.md").read_text(encoding="utf-8")
LOCATED = (Path(__file__).parents[1] / "LOCATED.md").read_text(encoding="utf-8")
YOURS = (Path(__file__).parents[1] / "YOUR_ENVIRONMENT.md").read_text(encoding="utf-8")
CONTRIBUTING = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")

SESSIONS = re.findall(r"```console\n(.*?)```", README + GUIDE + LOCATED + YOURS, re.DOTALL)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.split("\n")[0])
def test_steel_prints_what_is_shown(session: str, tmp_path: Path) -> None:
    """Commands of one session share a folder: later ones read what earlier ones wrote."""
    examples = re.findall(r"^\$ steel (.*)\n((?:[^$].*\n)*)", session, re.MULTILINE)
    assert examples
    with contextlib.chdir(tmp_path):
        for command, shown in examples:
            result = CliRunner().invoke(main, shlex.split(command, comments=True))
            said = re.search(r"# exit code (\d+)$", command)
            assert result.exit_code == (int(said[1]) if said else 0), result.output
            printed = [line.rstrip() for line in result.output.splitlines()]
            for line in shown.splitlines():
                assert line == "…" or line in printed


API = (Path(__file__).parents[1] / "API.md").read_text(encoding="utf-8")


def test_the_programs_of_the_api_page_run_one_after_the_other() -> None:
    names: dict[str, object] = {}
    for program in re.findall(r"```python\n(.*?)```", API, re.DOTALL):
        exec(compile(program, "API.md", "exec"), names)
    assert set(steel_verified.__all__) <= names.keys()


PAGES = README + GUIDE + YOURS + API + LOCATED
PROGRAMS = re.findall(r"```python\n(.*?)```", README + GUIDE + YOURS + LOCATED, re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS)
def test_python_programs_of_the_pages_run(program: str) -> None:
    exec(compile(program, "a page", "exec"), {})


@pytest.mark.parametrize("program", re.findall(r"```python\n(.*?)```", PAGES, re.DOTALL))
def test_programs_use_public_names(program: str) -> None:
    """Except for the baselines, of which the page says that they are internal."""
    for node in ast.walk(ast.parse(program)):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        _, *room = node.module.split(".")
        if node.module.startswith("steel_verified") and room[:1] != ["baselines"]:
            assert room in [[], *([name] for name in PUBLIC)], node.module
            listed = import_module(node.module).__all__
            assert {alias.name for alias in node.names} <= set(listed)


def test_the_page_on_located_steel_has_the_recorded_tables() -> None:
    rows = recorded("located")
    for table in (
        located_table2(recorded("table2"), rows),
        located_table3(recorded("table3"), rows),
    ):
        assert as_markdown(table) in LOCATED


@pytest.mark.parametrize("page", [README, GUIDE])
def test_the_page_on_located_steel_is_linked(page: str) -> None:
    assert "(LOCATED.md)" in page


def test_make_runs_both_methods() -> None:
    assert "steel learn --method both" in MAKEFILE


def test_pages_have_at_least_four_console_sessions() -> None:
    assert len(SESSIONS) >= 4


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)", README + CONTRIBUTING, re.MULTILINE))
def test_every_make_target_exists(target: str) -> None:
    assert f"\n{target}:" in MAKEFILE


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 80
