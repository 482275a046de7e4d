"""One thing is counted in the singular, and every command says its exit codes."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from steel_verified.cli import SUMMARIES, main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

THINGS = (
    "action|bit|call|certificate|charge|claim|classifier|finding|label|observation|other|row|run|"
    "sample|seed|state|step|test|transition|word"
)
WRONG = re.compile(rf"(?<![\d.,/] )(?<![\d.,/])\b1 ({THINGS})s\b")


@pytest.mark.parametrize("wrong", ["1 states", "after 1 steps.", "(1 transitions)"])
def test_plural_pattern_finds_wrong_plurals(wrong: str) -> None:
    assert WRONG.search(wrong)
    assert not WRONG.search(wrong.replace("1", "21"))
    assert not WRONG.search(wrong.replace("1", "2"))


SMALLEST = (
    ("learn combination-lock --states 1 --components 1 --max-states 1 --certificate one.json", 0),
    ("check one.json", 0),
    ("learn double-prime --p 2 --q 3 --mixing-time 1 --certificate two.json", 0),
    ("check two.json", 0),
    ("predict --table table.json", 0),
    ("predict --table table.json --method located", 0),
)


def test_commands_print_one_thing_in_the_singular(tmp_path: Path) -> None:
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
        told = CliRunner().invoke(main, [*words, "--help"]).output
        assert "exit codes:" in told.lower(), words
