"""ASSUMPTIONS.md names every condition and every twin world, and has the recorded counts."""

import re
from pathlib import Path

import pytest

from steel_verified.reports.comparison import recorded
from steel_verified.reports.necessity import falling_table, slow_noise_table
from steel_verified.reports.tables import as_markdown
from steel_verified.theory.conditions import Condition
from tests.worlds.twins import TWINS, Twins

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "theory" / "ASSUMPTIONS.md").read_text(encoding="utf-8")
ROWS = ["how it shows", "looped", "located", "self-check", "cannot be seen", "what to do"]


def section(condition: Condition) -> str:
    """What the page says of a condition."""
    title = condition.statement[0].upper() + condition.statement[1:]
    return PAGE.split(f"### {title}\n")[1].split("\n#")[0]


@pytest.mark.parametrize("condition", Condition)
def test_every_condition_has_a_full_table(condition: Condition) -> None:
    table = re.findall(r"^\| ([a-z -]+) \| (\S.*) \|$", section(condition), re.MULTILINE)
    assert [name for name, _ in table] == ROWS


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


def test_page_has_the_recorded_necessity_tables() -> None:
    rows = recorded("necessity")
    for table in (slow_noise_table(rows), falling_table(rows)):
        assert as_markdown(table) in PAGE
