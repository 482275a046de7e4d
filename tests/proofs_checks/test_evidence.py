"""Only a kernel can create evidence; nobody can change or copy it."""

import ast
import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, all_of
from proofs_checks.kernels.finite import equal, exact

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "proofs_checks" / "kernels"
PACKAGE = "proofs_checks.kernels"
WEAK = exact([1], bool, "one")


def strengthened() -> None:
    WEAK.strength = Strength.PROVED  # type: ignore[misc]  # this is the attack


def restored() -> None:
    object.__new__(Evidence).__setstate__([Strength.PROVED, "0 = 1"])


@pytest.mark.parametrize(
    "forge",
    [
        lambda: Evidence(Strength.PROVED, "0 = 1"),  # type: ignore[arg-type]  # the attack
        lambda: replace(WEAK, strength=Strength.PROVED),
        lambda: copy.copy(WEAK),
        lambda: copy.deepcopy(WEAK),
        lambda: pickle.dumps(WEAK),
        lambda: type("Forged", (Evidence,), {}),
        lambda: setattr(WEAK, "how", "0 = 1"),
        strengthened,
        restored,
    ],
)
def test_evidence_cannot_be_forged(forge: Callable[[], object]) -> None:
    with pytest.raises((TypeError, AttributeError)):
        forge()
    assert WEAK.strength is Strength.EXACT


class LooksLikeEvidence:
    strength = Strength.PROVED
    how = "0 = 1"


def test_lookalike_of_evidence_is_rejected() -> None:
    forged = LooksLikeEvidence()
    with pytest.raises(NotEarned, match="expected evidence"):
        all_of(equal(1, 1), forged)  # type: ignore[arg-type]  # the attack


def breaches(source: str) -> list[str]:
    """Return the places where a module outside the kernels uses a kernel's private function."""
    found = list[str]()
    if "issue" not in source and PACKAGE not in source:
        return found
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module, names) if (module or "").startswith(PACKAGE):
                found += [n.name for n in names if n.name == "issue" or n.name.startswith("_")]
            case ast.Attribute(attr="issue") | ast.Constant("issue"):
                found.append(ast.unparse(node))
    return found


def test_only_kernels_issue_evidence() -> None:
    modules = [
        path
        for folder in ("proofs_checks", "steel_verified", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if KERNELS not in path.parents and path != Path(__file__)
    ]
    assert len(modules) > 100
    for module in modules:
        assert not breaches(module.read_text(encoding="utf-8")), module


@pytest.mark.parametrize(
    "source",
    [
        "from proofs_checks.kernels.evidence import NotEarned, issue",
        "from proofs_checks.kernels.evidence import issue as made",
        "from proofs_checks.kernels import evidence\nevidence.issue(0, '')",
        "import proofs_checks.kernels.evidence as e\ngetattr(e, 'issue')",
        "from proofs_checks.kernels.deduction.replaying import _refute",
    ],
)
def test_access_to_kernel_internals_is_detected(source: str) -> None:
    assert breaches(source)
