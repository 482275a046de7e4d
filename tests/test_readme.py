"""The commands of the README and the guide work, and print what is said there."""

import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from steel_verified.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
GUIDE = (Path(__file__).parents[1] / "GUIDE.md").read_text(encoding="utf-8")
MAKEFILE = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")

EXAMPLES = [
    (command, shown)
    for block in re.findall(r"```console\n(.*?)```", README + GUIDE, re.DOTALL)
    for command, shown in re.findall(r"^\$ steel (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE)
]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder of their own for the files that examples write, and later ones read."""
    with contextlib.chdir(tmp_path_factory.mktemp("readme")):
        yield


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_steel_prints_what_is_shown(command: str, shown: str) -> None:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0, result.output
    printed = [line.rstrip() for line in result.output.splitlines()]
    for line in shown.splitlines():
        assert line == "…" or line in printed


@pytest.mark.parametrize("program", re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL))
def test_programs_run(program: str) -> None:
    exec(compile(program, "GUIDE.md", "exec"), {})


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)", README, re.MULTILINE))
def test_every_make_target_exists(target: str) -> None:
    assert f"\n{target}:" in MAKEFILE
