"""Everything that shows a claim succeeds, every listed mistake is refused; `steel claims`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proofs_checks import running
from proofs_checks.checks.evidence import NotEarned
from proofs_checks.claims import Claim, Mistake, all_claims, evidence_for
from proofs_checks.kinds_of_evidence import holds, show
from proofs_checks.pages import errata_page
from proofs_checks.paper.cycle_find import positions
from steel_verified.cli import main

MISTAKES = [(claim, mistake) for claim in all_claims() for mistake in claim.mistakes]


@pytest.mark.parametrize("claim", all_claims(), ids=lambda claim: str(claim.id))
def test_a_claim_is_shown_as_strongly_as_its_label_says(claim: Claim) -> None:
    assert evidence_for(claim).strength is claim.strength


@pytest.mark.parametrize(
    ("claim", "mistake"),
    MISTAKES,
    ids=[f"{claim.id}: {mistake.says}" for claim, mistake in MISTAKES],
)
def test_every_listed_mistake_of_a_claim_is_refused(claim: Claim, mistake: Mistake) -> None:
    with pytest.raises(NotEarned):
        show(mistake.way, claim.notation)


def test_a_claim_whose_trial_fails_is_refused() -> None:
    claim, failing = next(
        (claim, mistake.way)
        for claim, mistake in MISTAKES
        if claim.tried and mistake.way.startswith("exhausted:")
    )
    with pytest.raises(NotEarned):
        evidence_for(replace(claim, tried=(failing,)))


def test_every_counterexample_refutes_what_is_printed() -> None:
    errata = [claim for claim in all_claims() if claim.erratum is not None]
    assert len(errata) == 27
    for claim in errata:
        assert claim.erratum is not None
        assert holds(claim.erratum.refuted, claim.notation)
        assert claim.erratum.printed != claim.erratum.corrected


def test_an_erratum_whose_counterexample_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = next(claim for claim in all_claims() if claim.id == "B20")
    monkeypatch.setattr(positions, "_ends_at", lambda *_: True)
    with pytest.raises(NotEarned, match="does not refute"):
        evidence_for(replace(claim, shown=(), tried=()))


ROOT = Path(__file__).parents[2]


def steel(words: str) -> Result:
    return CliRunner().invoke(main, words.split())


def test_the_page_of_errata_is_current() -> None:
    """If this fails: `python -m proofs_checks --errata-page > docs/reference/errata.md`."""
    assert (ROOT / "docs" / "reference" / "errata.md").read_text(encoding="utf-8") == errata_page(
        all_claims()
    )
    assert steel("claims --errata-page").output == errata_page(all_claims())


def test_claims_with_ids_print_details_and_counterexamples() -> None:
    result = steel("claims A14 B11 --jobs 2")
    assert result.exit_code == 0, result.output
    for word in (
        "A14  identity, as stated",
        "B11  identity, corrected",
        "Printed",
        "Counterexample",
    ):
        assert word in result.output


def test_claims_in_detail_show_what_is_checked() -> None:
    result = steel("claims A27 C07 E12 --jobs 1")
    for words in (
        "in paper/cycle_find/period_tests.toml",
        "bound: (N - cyc)*F*chance <= (N - 1)*F*most where errors",
        "share: delta/(4*A*N*(N - 1)*F)",
        "errors: N >= cyc, cyc >= 1, F >= 1, most >= chance, chance >= 0",
        "== delta/2 where S > 0",
        "claims.Graphs.C07, in coq/claims/Graphs.v (axioms: none)",
        "~~ stays T known (foldl T s (flatten (nseq k w))) w",
    ):
        assert words in " ".join(result.output.split())
    assert max(map(len, result.output.splitlines())) <= 80


def test_argued_claim_shows_the_part_that_is_not_shown() -> None:
    assert "Not shown of it" in steel("claims M01 --jobs 1").output
    assert "Not shown" not in steel("claims A14 --jobs 1").output


def test_claims_json_has_the_fields_of_each_claim() -> None:
    result = steel("claims --section Introduction --strength identity --json --jobs 1")
    assert result.exit_code == 0, result.output
    entries = json.loads(result.stdout)
    assert entries
    for entry in entries:
        assert {
            "id",
            "lines",
            "says",
            "coq",
            "shown",
            "statements",
            "strength",
            "status",
        } <= entry.keys()
        assert entry["strength"] == "identity"


def test_claim_with_weaker_evidence_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Claim) -> None:
        raise NotEarned("only tried")

    monkeypatch.setattr(running, "evidence_for", refuse)
    result = running.run("A26")
    assert result.earned is None
    assert "only tried" in result.how
