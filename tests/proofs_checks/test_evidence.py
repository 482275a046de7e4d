"""Only the checks make evidence; what an entry or its module says cannot make it stronger."""

import ast
import re
from pathlib import Path

import pytest

from proofs_checks.checks.evidence import NotEarned, Strength, all_of

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
