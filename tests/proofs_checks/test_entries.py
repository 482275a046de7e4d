"""Entries are read correctly, and malformed entries are refused."""

import re
import tomllib
from pathlib import Path

import pytest

from proofs_checks import claims, paper, sharper
from proofs_checks.checks.evidence import NotEarned, Strength
from proofs_checks.claims import claims_in, evidence_for
from proofs_checks.kinds_of_evidence import Notation, holds, show, strength_of

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
    monkeypatch.setattr(claims, "ROOT", tmp_path)


def test_an_entry_is_the_claim_that_it_says(tmp_path: Path) -> None:
    (claim,) = claims_in(written(tmp_path, ENTRY))
    assert (claim.id, claim.lines, claim.section, claim.says) == ("X", "1-2", "here", "2x + y ≤ 3x")
    assert claim.assuming == ("x ≥ y ≥ 0",)
    assert evidence_for(claim).strength is claim.strength is Strength.IDENTITY
    (mistake,) = claim.mistakes
    with pytest.raises(NotEarned):
        show(mistake.way, claim.notation)


def test_the_weakest_part_decides(tmp_path: Path) -> None:
    both = ENTRY.replace('where signs"]', 'where signs", "interval: log(2) > 1/2"]', 1)
    (claim,) = claims_in(written(tmp_path, both))
    assert evidence_for(claim).strength is claim.strength is Strength.ENCLOSED


def test_a_claim_that_is_not_shown_in_full_is_argued(tmp_path: Path) -> None:
    partly = ENTRY.replace('assuming = ["', 'beyond = "the other half"\nassuming = ["')
    (claim,) = claims_in(written(tmp_path, partly))
    assert evidence_for(claim).strength is claim.strength is Strength.ARGUED


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('lines = "1-2"', "", "lines"),
        ('says = "', 'tells = "', "says"),
        ('lines = "1-2"', 'lines = "1-2"\nstrength = "proved"', "strength"),
        ('shown = ["bound: more <= 3*x where signs"]', "", "shown by nothing"),
        ('shown = ["bound: more', 'shown = ["proved: more', "unknown kind"),
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
        "interval: x < 1 for x in [0, 1], equal at 1, rising to 1/2",
        "exhausted: no_such_function()",
        "exhausted: _private()",
        "exhausted: __import__('os')",
        "exhausted: wanted(print())",
        "coq: claims.Words.A09",
        "proved: loops_are_short(1)",
        "check: loops_are_short(1)",
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
        ("interval: log(2) > 69/100", "interval: log(2) > 7/10"),
        ("number: 1/3 < 1/2 <= 1/2", "number: 1/2 < 1/2"),
        ("interval: exp(-x) > 1 - x for x in [1/10, 1/2]", "interval: exp(-x) > 1 for x in [0, 1]"),
        (
            "interval: exp(x) >= 1 + x/2 for x in [0, 1], equal at 0, rising to 1/10",
            "interval: exp(x) >= 1 + 2*x for x in [0, 1], equal at 0, rising to 1/10",
        ),
    ):
        assert show(right, NOTATION).strength is strength_of(right)
        with pytest.raises(NotEarned):
            show(wrong, NOTATION)


COVERING = Notation({}, {}, "proofs_checks.paper.steel.covering")


def test_a_call_that_names_another_strength_is_refused() -> None:
    assert show("exhausted: loops_are_short(1)", COVERING).strength is Strength.EXHAUSTED
    for stronger in ("identity", "enclosed", "computed"):
        with pytest.raises(NotEarned, match=f"is exhausted, not {stronger}"):
            show(f"{stronger}: loops_are_short(1)", COVERING)


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("proofs_checks.checks.evidence", "all_of()"),
        ("proofs_checks.checks.finite", "equal(1, 1)"),
        ("proofs_checks.paper.steel.covering", "exhausted((1,), 'bool', 'one')"),
        ("tests.proofs_checks.test_entries", "written('a', 'b')"),
    ],
)
def test_an_entry_calls_only_functions_that_its_module_defines(module: str, call: str) -> None:
    with pytest.raises(ValueError, match=r"is not a module of checks|no public function"):
        show(f"computed: {call}", Notation({}, {}, module))


def test_counterexample_that_returns_no_bool_raises() -> None:
    with pytest.raises(ValueError, match="truth value"):
        holds("loops_are_short(1)", Notation({}, {}, "proofs_checks.paper.steel.covering"))


def of_entries(pattern: str) -> dict[Path, str]:
    """The texts of the files of the entries, and of the modules beside them."""
    homes = map(Path, (*paper.__path__, *sharper.__path__))
    return {file: file.read_text("utf-8") for home in homes for file in home.rglob(pattern)}


def test_every_check_of_the_paper_is_used_by_an_entry() -> None:
    """A public function of an entry's module that no entry calls would be dead code."""
    texts, modules = " ".join(of_entries("*.toml").values()), of_entries("*.py")
    for module, source in modules.items():
        elsewhere = " ".join(other for file, other in modules.items() if file != module)
        idle = {
            name
            for name in re.findall(r"^def ([a-z]\w*)", source, re.MULTILINE)
            if not re.search(rf"\b{name}\(", texts) and not re.search(rf"\b{name}\b", elsewhere)
        }
        assert not idle, module


def test_entry_files_have_at_most_100_columns() -> None:
    for file, text in of_entries("*.toml").items():
        assert max(map(len, text.splitlines())) <= 100, file
        assert tomllib.loads(text)
