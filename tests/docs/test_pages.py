"""Commands and programs of the pages work and print what is shown; links lead somewhere."""

from __future__ import annotations

import ast
import contextlib
import re
import runpy
import shlex
import textwrap
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from steel_verified.cli import main
from steel_verified.reports.comparison import recorded
from steel_verified.reports.method_tables import (
    located_table2,
    located_table3,
)
from steel_verified.reports.tables import as_markdown
from steel_verified.theory.conditions import Condition

from ..public import PUBLIC
from ..worlds.twins import TWINS, Twins

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in (*ROOT.glob("*.md"), ROOT / "proofs_checks" / "README.md", *DOCS.rglob("*.md"))
}
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
BLOCKS = [
    (f"{Path(name).with_suffix('')}-{number}", kind, textwrap.dedent(block))
    for name, page in PAGES.items()
    for number, (_, kind, block) in enumerate(BLOCK.findall(page))
]
SESSIONS = {name: block for name, kind, block in BLOCKS if kind == "console"}
PROGRAMS = {name: block for name, kind, block in BLOCKS if kind == "python"}
GENERATED = {"docs/pictures", "docs/reference/claims.md"}
"""Parts of the site that `docs/build.py` makes."""


@pytest.mark.parametrize("name", SESSIONS)
def test_steel_prints_what_is_shown(name: str, tmp_path: Path) -> None:
    """Commands of one session share a folder: later ones read what earlier ones wrote."""
    session = SESSIONS[name]
    examples = re.findall(r"^\$ steel (.*)\n((?:[^$].*\n)*)", session, re.MULTILINE)
    assert len(examples) == session.count("$ ")
    with contextlib.chdir(tmp_path):
        for command, shown in examples:
            result = CliRunner().invoke(main, shlex.split(command, comments=True))
            said = re.search(r"# exit code (\d+)$", command)
            assert result.exit_code == (int(said[1]) if said else 0), result.output
            printed = [line.rstrip() for line in result.output.splitlines()]
            for line in shown.splitlines():
                assert line == "…" or line.rstrip() in printed


CONTINUED = "docs/reference/files-"
"""The programs of this page continue each other."""


@pytest.mark.parametrize("name", [name for name in PROGRAMS if not name.startswith(CONTINUED)])
def test_programs_of_the_pages_run(name: str) -> None:
    exec(compile(PROGRAMS[name], name, "exec"), {})


def test_the_programs_about_files_run_one_after_the_other() -> None:
    names: dict[str, object] = {}
    for name, program in PROGRAMS.items():
        if name.startswith(CONTINUED):
            exec(compile(program, name, "exec"), names)
    assert "found" in names


@pytest.mark.parametrize("room", ["", *PUBLIC])
def test_every_public_name_has_documentation(room: str) -> None:
    """The page of public names is made of it."""
    module = import_module(f"steel_verified.{room}".rstrip("."))
    for name in module.__all__:
        value: object = getattr(module, name)
        if isinstance(value, type) or callable(value):
            assert (value.__doc__ or "").strip(), f"{room}.{name}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_use_public_names(name: str) -> None:
    """Except for the baselines, of which the page says that they are internal."""
    for node in ast.walk(ast.parse(PROGRAMS[name])):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        _, *room = node.module.split(".")
        if node.module.startswith("steel_verified") and room[:1] != ["baselines"]:
            assert room in [[], *([name] for name in PUBLIC)], node.module
            listed = import_module(node.module).__all__
            assert {alias.name for alias in node.names} <= set(listed)


@pytest.mark.parametrize("name", PAGES)
def test_links_have_titles_and_lead_to_files_and_headings(name: str) -> None:
    assert not name.startswith("docs/") or not re.search(r"\[[\w/.]+\.md\]\(", PAGES[name])
    for target in re.findall(r"\]\(([^)\s]+)\)", PAGES[name]):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        inside = file.relative_to(ROOT).as_posix()
        if any(inside.startswith(made) for made in GENERATED):
            continue
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", PAGES[inside], re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings}
            assert anchor in slugs, target


def test_the_table_of_contents_has_every_page() -> None:
    listed = set(re.findall(r"<(\S+)>$", PAGES["docs/index.md"], re.MULTILINE))
    pages = {page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")}
    assert pages - {"index"} <= listed


def test_the_page_on_located_steel_has_the_recorded_tables() -> None:
    rows = recorded("located")
    for table in (
        located_table2(recorded("table2"), rows),
        located_table3(recorded("table3"), rows),
    ):
        assert as_markdown(table) in PAGES["docs/theory/located.md"]


@pytest.mark.parametrize("name", ["README.md", "docs/use/tutorial.md"])
@pytest.mark.parametrize("page", ["theory/located.md)", "theory/assumptions.md)"])
def test_pages_that_everyone_needs_are_linked(name: str, page: str) -> None:
    assert page in PAGES[name]


def test_every_make_target_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"^make (\w+)", PAGES["README.md"] + PAGES["CONTRIBUTING.md"], re.MULTILINE)
    assert named
    assert all(f"\n{target}:" in makefile for target in named)
    assert "steel learn --method all" in makefile


def test_every_room_is_listed_with_a_file_to_read_first() -> None:
    page = PAGES["CONTRIBUTING.md"].split("## Where things go")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\S+)/`.* \|(?: `(\S+)`.*)? \|$", page, re.MULTILINE)
    package = {folder.parent.name for folder in ROOT.glob("steel_verified/*/__init__.py")}
    assert package <= {room for room, _ in rows}
    for room, first in rows:
        folder = ROOT / "steel_verified" / room if room in package else ROOT / room
        assert (folder / first).exists(), (room, first)


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].splitlines()) <= 80


def test_the_picture_is_made_again_to_the_same_bytes() -> None:
    """If this fails: `python docs/picture.py`."""
    made = runpy.run_path(str(DOCS / "picture.py"))["picture"]()
    assert (DOCS / "picture.svg").read_text(encoding="utf-8") == made


PAGE = (ROOT / "docs" / "theory" / "assumptions.md").read_text(encoding="utf-8")
ROWS_OF_A_CONDITION = [
    "how it shows",
    "looped",
    "located",
    "self-check",
    "cannot be seen",
    "what to do",
]


def section(condition: Condition) -> str:
    """What the page says of a condition."""
    title = condition.statement[0].upper() + condition.statement[1:]
    return PAGE.split(f"### {title}\n")[1].split("\n#")[0]


@pytest.mark.parametrize("condition", Condition)
def test_every_condition_has_a_full_table(condition: Condition) -> None:
    table = re.findall(r"^\| ([a-z -]+) \| (\S.*) \|$", section(condition), re.MULTILINE)
    assert [name for name, _ in table] == ROWS_OF_A_CONDITION


def test_page_lists_all_conditions_in_order() -> None:
    titles = re.findall(r"^### (.*)$", PAGE, re.MULTILINE)
    assert [title.lower() for title in titles] == [c.statement.lower() for c in Condition]


@pytest.mark.parametrize("pair", TWINS, ids=lambda pair: pair.name)
def test_every_twin_is_named_under_a_condition_that_its_world_breaks(pair: Twins) -> None:
    assert any(f"*{pair.name}*" in section(condition) for condition in pair.breaks)


def test_twins_tests_and_files_named_on_the_page_exist() -> None:
    names = {pair.name for pair in TWINS}
    for condition in Condition:
        assert set(re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", section(condition))) <= names
    tests = (ROOT / "tests" / "worlds" / "test_twins.py").read_text(encoding="utf-8")
    for test in re.findall(r"`(test_\w+)`", PAGE):
        assert f"def {test}(" in tests
    for file in re.findall(r"`(tests/\S+\.py)`", PAGE):
        assert (ROOT / file).is_file()
