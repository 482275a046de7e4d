"""A theorem counts only if Coq proved it, without axioms, from the `.v` files that are there."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from proofs_checks import recheck, theorems
from proofs_checks.checks.evidence import NotEarned, Strength
from proofs_checks.claims import all_claims, evidence_for
from proofs_checks.recheck import assumptions_in
from proofs_checks.theorems import (
    COQ,
    RECHECKED,
    STATEMENTS,
    Recheck,
    Recorded,
    Theorem,
    digest,
    recheck_status,
    record_recheck,
    recorded,
    theorem,
    written,
)
from steel_verified.cli import main

NAMES = sorted({name for claim in all_claims() for name in claim.coq})
PROVED = [claim for claim in all_claims() if claim.label == "proved"]


@pytest.fixture
def development(tmp_path: Path) -> Path:
    """A development with one file, and the statement of its one theorem."""
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "Small.v").write_text("Lemma X : 1 = 1. Proof. reflexivity. Qed.\n")
    found = {"claims.Small.X": Theorem("claims.Small.X", "1 = 1", ())}
    (tmp_path / STATEMENTS).write_text(written(Recorded(digest(tmp_path), "8.16.1", found)))
    return tmp_path


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    recorded.cache_clear()
    digest.cache_clear()


def changed(folder: Path, **fields: object) -> None:
    """Change the one theorem that is recorded."""
    file = folder / STATEMENTS
    data = json.loads(file.read_text())
    data["theorems"]["claims.Small.X"].update(fields)
    file.write_text(json.dumps(data))


def test_a_recorded_theorem_is_read_back(development: Path) -> None:
    assert theorem("claims.Small.X", development) == Theorem("claims.Small.X", "1 = 1", ())
    assert theorem("claims.Small.X", development).file == "coq/claims/Small.v"


def test_a_theorem_that_is_not_recorded_does_not_count(development: Path) -> None:
    with pytest.raises(NotEarned, match=r"no theorem claims\.Small\.Y"):
        theorem("claims.Small.Y", development)
    (development / STATEMENTS).unlink()
    recorded.cache_clear()
    with pytest.raises(NotEarned, match=r"other \.v files"):
        theorem("claims.Small.X", development)


def test_a_theorem_with_axioms_does_not_count(development: Path) -> None:
    changed(development, assumptions=["classic"])
    with pytest.raises(NotEarned, match="rests on classic"):
        theorem("claims.Small.X", development)


@pytest.mark.parametrize("change", ["edit", "add", "rename"])
def test_statements_of_other_files_do_not_count(development: Path, change: str) -> None:
    file = development / "claims" / "Small.v"
    if change == "edit":
        file.write_text("Lemma X : 1 = 1. Admitted.\n")
    elif change == "add":
        (development / "More.v").write_text("Axiom no : False.\n")
    else:
        file.rename(development / "claims" / "Other.v")
    digest.cache_clear()
    with pytest.raises(NotEarned, match=r"other \.v files"):
        theorem("claims.Small.X", development)


@pytest.mark.parametrize("attack", ["missing", "axioms", "stale"])
def test_a_claim_whose_theorem_does_not_count_falls_short(
    development: Path, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    claim = replace(all_claims()[0], coq=("claims.Small.X",), shown=(), tried=(), beyond="")
    monkeypatch.setattr(theorems, "COQ", development)
    assert evidence_for(replace(claim, erratum=None)).strength is Strength.PROVED
    assert claim.label == "proved"
    if attack == "missing":
        claim = replace(claim, coq=("claims.Small.Y",))
    elif attack == "axioms":
        changed(development, assumptions=["classic"])
    else:
        (development / "claims" / "Small.v").write_text("Lemma X : 1 = 1. Admitted.\n")
    recorded.cache_clear()
    digest.cache_clear()
    assert claim.label == "not shown"
    with pytest.raises(NotEarned):
        evidence_for(claim)


def test_no_claim_is_proved_without_a_theorem() -> None:
    for claim in all_claims():
        assert (claim.label == "proved") == bool(claim.coq and not claim.shown and not claim.beyond)


def test_every_recorded_theorem_is_named_by_a_claim_and_declared_in_its_file() -> None:
    assert sorted(recorded(COQ).theorems) == NAMES
    for name in NAMES:
        found = theorem(name)
        source = (COQ.parent / found.file).read_text("utf-8")
        assert any(
            f"{word} {name.rpartition('.')[2]}" in source
            for word in ("Lemma", "Theorem", "Corollary", "Fact", "Example")
        ), name


def test_no_file_has_axioms_or_admits_anything() -> None:
    for file in COQ.rglob("*.v"):
        words = file.read_text("utf-8").split()
        for forbidden in ("Admitted.", "admit.", "Axiom", "Axioms", "Parameter", "Conjecture"):
            assert forbidden not in words, file


NOTATIONS = {
    'Notation "c .[ t ]" := (bit c t).',
    "Notation F := (finite 3%num).",
    "Local Notation run := Program.run.",
}
"""Those that hold beyond their section: only these can occur in a statement that Coq prints."""


def lasting_notations(source: str) -> set[str]:
    """The lines that begin a notation or a coercion outside all sections."""
    found, sections = set[str](), list[str]()
    for line in source.splitlines():
        match line.split():
            case ["Section", name, *_]:
                sections.append(name)
            case ["End", name, *_] if sections and name == sections[-1]:
                sections.pop()
            case words if not sections and {"Notation", "Infix", "Coercion"} & {*words[:3]}:
                found.add(line)
    return {line for line in found if not line.startswith("Tactic ")}


def test_no_notation_makes_a_statement_look_like_another_one() -> None:
    """With `Notation "0 = 1" := (0 = 0)`, Coq prints 0 = 1 as proved without axioms."""
    files = [file.read_text("utf-8") for file in COQ.rglob("*.v")]
    assert set[str]().union(*map(lasting_notations, files)) == NOTATIONS
    section = "Section A.\nNotation M := (size w).\nEnd A.\n"
    assert lasting_notations(section) == set()
    assert lasting_notations(section + 'Notation "0 = 1" := (0 = 0).')


@pytest.mark.parametrize(
    ("answer", "axioms"),
    [
        ("Closed under the global context", ()),
        ("Axioms:\nclassic : forall P : Prop, P \\/ ~ P", ("classic",)),
        ("Axioms:\nfoo : nat\nbar\n  : foo = 1", ("foo", "bar")),
        ("anything else", ("anything else",)),
    ],
)
def test_axioms_that_coq_prints_are_read(answer: str, axioms: tuple[str, ...]) -> None:
    assert assumptions_in(answer) == axioms


def test_the_status_says_whether_and_when_proofs_were_rechecked(development: Path) -> None:
    assert "not rechecked on this machine: `make proofs`" in recheck_status(development)
    record_recheck(Recheck("2026-01-02", digest(development), "8.16.1", 1, 60), development)
    assert "on 2026-01-02 with Coq 8.16.1: 1 theorem" in recheck_status(development)
    (development / "claims" / "Small.v").write_text("Lemma X : 1 = 1. Admitted.\n")
    digest.cache_clear()
    assert "have changed since" in recheck_status(development)


def test_missing_packages_are_named_and_nothing_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    result = CliRunner().invoke(main, ["proofs"])
    assert result.exit_code == 1
    assert "apt-get install coq libcoq-mathcomp libcoq-mathcomp-zify" in result.output
    assert "opam install coq coq-mathcomp-algebra" in result.output


@pytest.mark.coq
def test_coq_prints_what_is_recorded() -> None:
    """Run by `make proofs`, after the development is compiled and all theorems were compared."""
    headlines = ["Theorems.theorem_1", "Theorems.located_is_sound", "Theorems.certain_is_sound"]
    found = recheck.asked(headlines, COQ)
    assert found.sources == recorded(COQ).sources
    assert found.theorems == {name: theorem(name) for name in headlines}
    assert all(not each.assumptions for each in found.theorems.values())
    assert (COQ / RECHECKED).exists()


@pytest.mark.coq
def test_a_theorem_with_an_axiom_is_found_by_coq(tmp_path: Path) -> None:
    (tmp_path / "Bad.v").write_text("Axiom no : False.\nLemma X : 0 = 1.\nProof. case no. Qed.\n")
    recheck.compiled(tmp_path / "Bad.v", tmp_path)
    found = recheck.asked(["Bad.X"], tmp_path)
    assert found.theorems["Bad.X"].assumptions == ("no",)
    with pytest.raises(recheck.Failed, match="does not answer"):
        recheck.asked(["Bad.Y"], tmp_path)
