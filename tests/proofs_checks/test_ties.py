"""The checks named in ties exist, have the stated sizes, and import the code they check."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from proofs_checks.registry import all_claims
from proofs_checks.tree import TREES
from proofs_checks.ways import show

if TYPE_CHECKING:
    from proofs_checks.claim import Tie

ROOT = Path(__file__).parents[2]
CLAIMS = {claim.id: claim for claim in all_claims()}
TIES = [tie for claim in all_claims() for tie in claim.tied]


@cache
def imported(file: Path) -> frozenset[str]:
    """The modules and names that a file imports, in full."""
    found: set[str] = set()
    package = file.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            found |= {module, *(f"{module}.{each.name}" for each in node.names)}
    return frozenset(found)


def file_of(module: str) -> Path | None:
    file = ROOT / Path(*module.split(".")).with_suffix(".py")
    return file if file.is_file() else None


def reached(module: str) -> set[str]:
    """The modules of the package that a module imports, and those that these import."""
    waiting, found = [module], set[str]()
    while waiting:
        here = waiting.pop()
        if here not in found and here.startswith("steel_verified") and (file := file_of(here)):
            found.add(here)
            waiting += imported(file)
    return found


def complaints(tie: Tie) -> list[str]:
    """Return the statements of a tie that are wrong."""
    found = []
    code = f"steel_verified/{tie.code}".removesuffix(".py").replace("/", ".")
    if file_of(code) is None:
        found.append(f"there is no {tie.code}")
    for call in tie.calls:
        module, _, name = call.rpartition(".")
        home = call if file_of(call) else module
        if home == module and not hasattr(import_module(module), name):
            found.append(f"{call} does not exist")
        if code not in reached(home):
            found.append(f"{call} does not lead to {tie.code}")
    found += [f"{each}: {why}" for each in tie.trials for why in of_trial(each, tie)]
    for test in tie.tests:
        file = ROOT / test
        if not file.is_file() or "\ndef test_" not in file.read_text(encoding="utf-8"):
            found.append(f"there is no test in {test}")
        elif not calls_one(file, tie):
            found.append(f"{test} imports nothing of {tie.calls}")
    if not (tie.calls and (tie.trials or tie.tests) and tie.size and tie.uncovered):
        found.append("what is called, a trial, its size and what it leaves open are needed")
    return found


def of_trial(trial: str, tie: Tie) -> list[str]:
    name, _, cases = trial.partition(": ")
    if name not in CLAIMS:
        return ["there is no such claim"]
    claim = CLAIMS[name]
    file = file_of(claim.notation.module)
    assert file is not None
    if not calls_one(file, tie):
        return [f"{claim.notation.module} imports nothing of {tie.calls}"]
    sizes = [show(way, claim.notation).how for way in claim.tried or claim.shown]
    return [] if any(f"all {cases} cases" in size for size in sizes) else [f"tries {sizes}"]


def calls_one(file: Path, tie: Tie) -> bool:
    """Whether it imports what is called, or a file beside it that it imports does."""
    beside = [file_of(each) for each in imported(file) if not each.startswith("steel_verified")]
    return any({*tie.calls} & imported(each) for each in (file, *filter(None, beside)))


@pytest.mark.parametrize("tie", TIES, ids=lambda tie: str(tie.part))
def test_ties_name_existing_checks_sizes_and_code(tie: Tie) -> None:
    assert complaints(tie) == []


def test_every_part_that_the_theories_describe_is_tied() -> None:
    tied = {tie.part for name in TREES.values() for tie in CLAIMS[name].tied}
    assert tied == {
        *("schedules", "counts", "planning", "naming"),
        *("recognition", "merging", "recursion", "runs"),
    }


(PLANNING,) = (replace(tie, trials=()) for tie in TIES if tie.part == "planning")


@pytest.mark.parametrize(
    ("tie", "complaint"),
    [
        (replace(PLANNING, code="theory/nothing.py"), "there is no theory/nothing.py"),
        (replace(PLANNING, code="reports/tables.py"), "does not lead to reports/tables.py"),
        (replace(PLANNING, calls=("steel_verified.learning.words.nothing",)), "does not exist"),
        (replace(PLANNING, trials=("Z99: 7,328",)), "no such claim"),
        (replace(PLANNING, trials=("B01: 900",)), "imports nothing of"),
        (replace(PLANNING, trials=("D01: 7,329",)), "tries"),
        (replace(PLANNING, tests=("tests/learning/test_nothing.py",)), "no test in"),
        (replace(PLANNING, tests=("tests/theory/test_validation.py",)), "imports nothing of"),
        (replace(PLANNING, uncovered=""), "are needed"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_wrong_tie_is_detected(tie: Tie, complaint: str) -> None:
    assert complaints(PLANNING) == []
    assert any(complaint in each for each in complaints(tie)), complaints(tie)
