"""Entries are read correctly, and malformed entries are refused."""

import re
import tomllib
from pathlib import Path

import pytest

from proofs_checks import entries, paper, sharper
from proofs_checks.claim import evidence_for
from proofs_checks.entries import claims_in
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.notation import Notation
from proofs_checks.ways import holds, show

ENTRY = """
section = "here"
[let]
twice = "2*x"
more = "twice + y"
[where]
signs = "x >= y, y >= 0"
[X]
lines = "1-2"
says = "2x + y ≤ 3x"
strength = "proved"
shown = ["bound: more <= 3*x where signs"]
assuming = ["x ≥ y ≥ 0"]
[X.mistakes]
"2x" = "bound: more <= twice where signs"
"""
NOTATION = Notation({"twice": "2*x"}, {"signs": "x >= y, y >= 0"}, "tests.proofs_checks.checks")


def written(folder: Path, text: str) -> Path:
    file = folder / "here.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "ROOT", tmp_path)


def test_an_entry_is_the_claim_that_it_says(tmp_path: Path) -> None:
    (claim,) = claims_in(written(tmp_path, ENTRY))
    assert (claim.id, claim.lines, claim.section, claim.says) == ("X", "1-2", "here", "2x + y ≤ 3x")
    assert claim.assuming == ("x ≥ y ≥ 0",)
    assert evidence_for(claim).strength is claim.strength is Strength.PROVED
    (mistake,) = claim.mistakes
    with pytest.raises(NotEarned):
        show(mistake.way, claim.notation)


def test_an_entry_without_a_strength_is_to_be_proved(tmp_path: Path) -> None:
    silent = ENTRY.replace('strength = "proved"\n', "")
    (claim,) = claims_in(written(tmp_path, silent))
    assert claim.strength is Strength.PROVED
    enclosed = silent.replace("bound: more <= 3*x where signs", "number: log(2) > 1/2")
    (claim,) = claims_in(written(tmp_path, enclosed))
    with pytest.raises(NotEarned, match="declared proved, but only enclosed"):
        evidence_for(claim)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('lines = "1-2"', "", "lines"),
        ('says = "', 'tells = "', "tells"),
        ('"proved"', '"probable"', "PROBABLE"),
        ('shown = ["bound: more <= 3*x where signs"]', "", "needs a way"),
        ("[X.mistakes]", "[X.errors]", "errors"),
        ('"2x" = "bound: more <= twice where signs"', "", "a mistake"),
        ('lines = "1-2"', "lines = 1", "expected text"),
        ('section = "here"', "", "section"),
    ],
)
def test_malformed_entry_raises(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in ENTRY
    with pytest.raises(ValueError, match=rf"here\.toml: .*{complaint}"):
        claims_in(written(tmp_path, ENTRY.replace(old, new)))


@pytest.mark.parametrize(
    "way",
    [
        "magic: 1 < 2",
        "bound: x < y where signs",
        "bound: x <= y where x > 0",
        "bound: x <= y where x >= 0, x >= 1",
        "bound: x <= (y where signs",
        "bound: f(x) <= y where signs",
        "bound: x <= 0.5 where signs",
        "bound: True <= x where signs",
        "algebra: x <= y",
        "algebra: x == x where x >= 0",
        "number: 1 in 2",
        "interval: x > 0",
        "interval: x < 1 for x in [0, 1], equal at 1, rising to 1/2",
        "proof: TOURING",
        "proof: NO_THEORY.D03",
        "proof: TOURING.D03 without no_hypothesis",
        "proof: TOURING.D03 where D03 says len(K",
        "chain: lemma1",
        "chain: lemma1.nothing()",
        "chain: lemma1.nearly_independent without this",
        "check: no_such_function()",
        "check: _private()",
        "check: __import__('os')",
        "check: wanted(print())",
    ],
)
def test_unknown_way_raises_value_error_not_refusal(way: str) -> None:
    """A mistake with a syntax error must not count as refused."""
    with pytest.raises((ValueError, LookupError, SyntaxError)):
        show(way, Notation({}, NOTATION.where, "proofs_checks.paper.steel.covering"))


def test_ways_hold_and_fail_as_they_should() -> None:
    for right, wrong in (
        ("bound: twice <= 2*x + y where signs", "bound: twice + 1 <= 2*x + y where signs"),
        ("algebra: twice - x == x", "algebra: twice - y == x"),
        ("algebra: sqrt(x**2) == x where x > 0", "algebra: sqrt(x**2) == x"),
        ("number: log(2) > 69/100", "number: log(2) > 7/10"),
        ("number: 1/3 < 1/2 <= 1/2", "number: 1/2 < 1/2"),
        ("interval: exp(-x) > 1 - x for x in [1/10, 1/2]", "interval: exp(-x) > 1 for x in [0, 1]"),
        (
            "interval: exp(x) >= 1 + x/2 for x in [0, 1], equal at 0, rising to 1/10",
            "interval: exp(x) >= 1 + 2*x for x in [0, 1], equal at 0, rising to 1/10",
        ),
        ("proof: TOURING.D03", "proof: TOURING.D03 without connected"),
        ("chain: lemma1.nearly_independent", "chain: lemma1.nearly_independent with line 0 nudged"),
        (
            "chain: lemma1.nearly_independent(1/4)",
            "chain: lemma1.nearly_independent without line 0",
        ),
    ):
        assert show(right, NOTATION).strength <= Strength.ENCLOSED
        with pytest.raises(NotEarned):
            show(wrong, NOTATION)


def test_counterexample_that_returns_no_bool_raises() -> None:
    with pytest.raises(ValueError, match="truth value"):
        holds("loops_are_short(1)", Notation({}, {}, "proofs_checks.paper.steel.covering"))


def test_every_check_of_the_paper_is_used_by_an_entry() -> None:
    """A public function of an entry's module that no entry calls would be dead code."""
    for folder in (*paper.__path__, *sharper.__path__):
        for module in Path(folder).rglob("*.py"):
            defined = set(re.findall(r"^def ([a-z]\w*)", module.read_text("utf-8"), re.MULTILINE))
            texts = " ".join(
                file.read_text("utf-8")
                for home in (*paper.__path__, *sharper.__path__)
                for file in Path(home).rglob("*.toml")
            )
            elsewhere = " ".join(
                file.read_text("utf-8")
                for home in (*paper.__path__, *sharper.__path__)
                for file in Path(home).rglob("*.py")
                if file != module
            )
            idle = {name for name in defined if not re.search(rf"\b{name}\(", texts)}
            assert not {name for name in idle if not re.search(rf"\b{name}\b", elsewhere)}, module


def test_entry_files_have_at_most_100_columns() -> None:
    for folder in (*paper.__path__, *sharper.__path__):
        for file in Path(folder).rglob("*.toml"):
            long = [
                n
                for n, line in enumerate(file.read_text("utf-8").splitlines(), 1)
                if len(line) > 100
            ]
            assert not long, file
            assert tomllib.loads(file.read_text("utf-8"))
