"""Commands on the pages of the documentation site print what is shown there."""

import contextlib
import re
import runpy
import shlex
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

from steel_verified.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "pages").glob("*.md"))
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
SESSIONS = [
    pytest.param(textwrap.dedent(block), id=f"{page.stem}-{number}")
    for page in PAGES
    for number, (_, kind, block) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
    if kind == "console"
]


@pytest.mark.parametrize("session", SESSIONS)
def test_commands_print_what_is_shown(session: str, tmp_path: Path) -> None:
    examples = re.findall(r"^\$ steel (.*)\n((?:[^$].*\n)*)", session, re.MULTILINE)
    assert len(examples) == session.count("$ ")
    with contextlib.chdir(tmp_path):
        for command, shown in examples:
            result = CliRunner().invoke(main, shlex.split(command))
            assert result.exit_code == 0, result.output
            printed = [line.rstrip() for line in result.output.splitlines()]
            for line in shown.splitlines():
                assert line == "…" or line.rstrip() in printed


def test_every_code_block_is_run_or_has_no_code() -> None:
    kinds = {
        kind for page in PAGES for _, kind, _ in BLOCK.findall(page.read_text(encoding="utf-8"))
    }
    assert kinds <= {"console", "text"}


def test_pages_contain_console_sessions() -> None:
    assert len(SESSIONS) >= 4


def test_the_picture_is_made_again_to_the_same_bytes() -> None:
    """If this fails: `python docs/picture.py`."""
    made = runpy.run_path(str(DOCS / "picture.py"))["picture"]()
    assert (DOCS / "picture.svg").read_text(encoding="utf-8") == made
