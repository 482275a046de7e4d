"""Code names the claims that justify it, and every name is that of a claim."""

import re
from pathlib import Path

import pytest

from proofs_checks.claims import all_claims

PACKAGE = Path(__file__).parents[2] / "steel_verified"
KNOWN = {part for claim in all_claims() for part in (claim.id, claim.id.split(".")[0])}

# Formulas and index statements that the algorithm rests on: each is named by the code that has it.
NAMED_BY_CODE = {
    "A04", "A05", "A11", "A20", "A24", "A26", "A27", "B01", "B02", "B03", "B04", "B07", "B09",
    "B17", "B18", "B22", "C03", "C08", "D01", "D08", "D10", "E08", "E09", "E10", "E12", "E13",
    "E14", "G01", "P05", "P06", "P08", "P11", "P13", "P16", "P23",
}  # fmt: skip


def named(text: str) -> set[str]:
    """The claims that a source names: "Claim A24", "Claims P11, A27", "Claims A14–A20"."""
    found: set[str] = set()
    for names in re.findall(r"[Cc]laims? ((?:[A-Z]\d\d(?:[–,]\s*)?)+)", text):
        singles = re.findall(r"[A-Z]\d\d", names)
        found |= set(singles)
        for first, last in re.findall(r"([A-Z]\d\d)–([A-Z]\d\d)", names):
            found |= {f"{first[0]}{n:02}" for n in range(int(first[1:]), int(last[1:]) + 1)}
    return found


MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_claim_that_code_names_exists(module: Path) -> None:
    # A range may run over numbers that are not in use; its ends are.
    singles = set(re.findall(r"\b[A-Z]\d\d\b", " ".join(named(module.read_text(encoding="utf-8")))))
    ends = singles & set(re.findall(r"\b[A-Z]\d\d\b", module.read_text(encoding="utf-8")))
    assert ends <= KNOWN
    assert our_own(module) <= KNOWN


def our_own(module: Path) -> set[str]:
    """The claims of ours that a source names: "Claims S.T09, S.T10"."""
    return set(re.findall(r"\bS\.[A-Z]\d\d\b", module.read_text(encoding="utf-8")))


def test_every_claim_about_the_self_check_is_named_by_code() -> None:
    named_by_code = set().union(*map(our_own, MODULES))
    assert named_by_code >= {f"S.T{n:02}" for n in range(6, 14)}


def test_every_claim_about_the_algorithm_is_named_by_code() -> None:
    everywhere: set[str] = set()
    for module in MODULES:
        everywhere |= named(module.read_text(encoding="utf-8"))
    assert everywhere >= NAMED_BY_CODE
    assert KNOWN >= NAMED_BY_CODE
