"""The certificate checker and the Coq proofs share nothing with the code that they judge."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2] / "proofs_checks"
CHECKER = sorted((HOME / "checker").rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def foreign(source: str) -> list[str]:
    """The imports that are neither of the standard library nor of the checker."""
    return [
        name
        for name in imported(source)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not f"{name}.".startswith("proofs_checks.checker.")
    ]


@pytest.mark.parametrize("file", CHECKER, ids=lambda file: str(file.relative_to(HOME)))
def test_the_checker_imports_only_itself_and_the_standard_library(file: Path) -> None:
    assert foreign(file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "from steel_verified.theory import counts",
        "def f():\n    import steel_verified",
        "from proofs_checks.checks import finite",
        "import numpy",
        "from . import document",
    ],
)
def test_a_foreign_import_is_found(source: str) -> None:
    assert foreign(source)


def test_the_proofs_are_coq_and_ocaml_only() -> None:
    """No proof is made by a program of ours: what Coq checks was written as it is."""
    for file in (HOME / "coq").rglob("*"):
        assert file.suffix != ".py", file
        if file.suffix in {".v", ".ml"}:
            assert "steel_verified" not in file.read_text("utf-8"), file


@pytest.mark.parametrize("name", ["theorems.py", "recheck.py"])
def test_what_reads_and_asks_coq_imports_nothing_of_steel_verified(name: str) -> None:
    names = list(imported((HOME / name).read_text("utf-8")))
    assert not any(each.startswith("steel_verified") for each in names)
    ours = [each for each in names if each.startswith("proofs_checks")]
    assert set(ours) <= {"proofs_checks.checks.evidence", "proofs_checks.theorems"}
