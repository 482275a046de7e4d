"""Only the checks make evidence; lists of small cases are complete; the README states its sizes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from proofs_checks.checks.evidence import NotEarned, Strength, all_of
from proofs_checks.small_cases.chains import all_mixed
from proofs_checks.small_cases.ideal_runs import all_ideal_runs, all_partly_known
from proofs_checks.small_cases.loops import looped_worlds
from proofs_checks.small_cases.worlds import (
    grid_of_parameters,
    partial_models,
    small_worlds,
    words,
    worlds,
)

HOME = Path(__file__).parents[2] / "proofs_checks"
MAKERS = {"claims.py", *(file.relative_to(HOME).as_posix() for file in HOME.glob("checks/*.py"))}
CALLED = sorted(
    file for folder in ("paper", "sharper", "small_cases") for file in (HOME / folder).rglob("*.py")
)


def makes_evidence(source: str) -> list[str]:
    """The places where a source makes evidence of its own, or names a strength."""
    names = {"Evidence", "Strength", "replace", "__setattr__"}
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name)) if name in names:
                found.append(ast.unparse(node))
            case ast.Attribute(ast.Name("Strength") | ast.Attribute(attr="Strength")):
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("file", CALLED, ids=lambda file: str(file.relative_to(HOME)))
def test_functions_that_entries_call_return_evidence_of_a_check(file: Path) -> None:
    assert makes_evidence(file.read_text("utf-8")) == []


def test_evidence_is_made_in_one_place() -> None:
    for file in HOME.rglob("*.py"):
        name = file.relative_to(HOME).as_posix()
        assert name in MAKERS or not re.search(r"\bEvidence\(", file.read_text("utf-8")), name


@pytest.mark.parametrize(
    "source",
    [
        "Evidence(0, 'believe me')",
        "evidence.Evidence(strength=0, how='')",
        "found = Strength.PROVED",
        "evidence.Strength.PROVED",
        "object.__setattr__(found, 'strength', 0)",
        "dataclasses.replace(found, strength=0)",
    ],
)
def test_evidence_made_by_hand_is_found(source: str) -> None:
    assert makes_evidence(source)


def test_nothing_is_no_evidence() -> None:
    with pytest.raises(NotEarned, match="no parts"):
        all_of()


def test_argued_is_the_weakest_and_proved_the_strongest() -> None:
    assert min(Strength) is Strength.PROVED
    assert max(Strength) is Strength.ARGUED


@pytest.mark.parametrize(("states", "actions", "count"), [(1, 1, 1), (2, 2, 9), (3, 2, 296)])
def test_all_strongly_connected_tables_are_listed(states: int, actions: int, count: int) -> None:
    """1, 9, 296: the known numbers of strongly connected automata with labelled states."""
    assert len(worlds(states, actions)) == count


def test_lists_of_small_worlds_words_and_runs_have_the_counted_lengths() -> None:
    assert len(small_worlds()) == 310
    assert sum(1 for _ in words(2, 3)) == 2 + 4 + 8
    assert sum(1 for _ in looped_worlds()) == 3 * (4 * 3 + 306 * 14)
    assert len(all_ideal_runs()) == sum(world.actions for world in small_worlds())
    assert all(
        None in {to for row in part.model.table for to in row} for part in all_partly_known()
    )
    assert all(not model.is_total for model in partial_models([((1, 0), (0, 1))]))
    assert len(set(grid_of_parameters())) == len(grid_of_parameters())
    assert len(all_mixed()) == 76


README = (HOME / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^|]+)` \| ([\d,]+) \|", README, re.MULTILINE)


def lines(pattern: str) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in HOME.glob(pattern))


@pytest.mark.parametrize(("patterns", "stated"), ROWS)
def test_stated_line_counts_are_within_10_percent(patterns: str, stated: str) -> None:
    found = sum(map(lines, patterns.split("`, `")))
    assert abs(int(stated.replace(",", "")) - found) <= found / 10


def test_every_python_and_coq_file_is_in_a_row() -> None:
    listed = {
        file for patterns, _ in ROWS for one in patterns.split("`, `") for file in HOME.glob(one)
    }
    assert {*HOME.rglob("*.py"), *HOME.rglob("*.v")} <= listed


def test_checker_is_below_6900_lines_and_the_checks_are_below_5000() -> None:
    checker = lines("checker/*.py")
    assert checker < 6_900
    assert lines("**/*.py") - checker < 5_000


def test_worked_example_equals_the_files() -> None:
    pieces = re.findall(r"```(\w+) (\S+)\n(.*?)```", README, re.DOTALL)
    assert len(pieces) >= 2
    for _, file, piece in pieces:
        whole = (HOME / file).read_text(encoding="utf-8")
        for part in re.split(r"^ *…\n", piece, flags=re.MULTILINE):
            assert part in whole, file
