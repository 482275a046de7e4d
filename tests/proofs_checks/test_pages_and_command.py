"""`steel claims`, and the page of errata that is made from the claims."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proofs_checks import running
from proofs_checks.claim import Claim
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.pages import errata_page
from proofs_checks.registry import all_claims
from steel_verified.cli import main

ROOT = Path(__file__).parents[2]


def steel(words: str) -> Result:
    return CliRunner().invoke(main, words.split())


def test_the_page_of_errata_is_current() -> None:
    """If this fails: `python -m proofs_checks --errata-page > ERRATA.md`."""
    assert (ROOT / "ERRATA.md").read_text(encoding="utf-8") == errata_page(all_claims())
    assert steel("claims --errata-page").output == errata_page(all_claims())


def test_at_least_181_claims_are_proved_or_enclosed_and_few_are_argued() -> None:
    counts = Counter(claim.strength for claim in all_claims())
    assert counts[Strength.PROVED] + counts[Strength.ENCLOSED] >= 185
    assert counts[Strength.ARGUED] <= 5
    assert sum(len(claim.mistakes) for claim in all_claims()) >= 430


def test_every_claim_has_a_mistake_that_is_refused() -> None:
    assert [claim.id for claim in all_claims() if not claim.mistakes] == []


def test_claims_with_ids_print_details_and_counterexamples() -> None:
    result = steel("claims A26 P13.test --jobs 2")
    assert result.exit_code == 0, result.output
    for word in ("A26  proved, earned", "P13.test  proved, corrected", "Printed", "Counterexample"):
        assert word in result.output


def test_claims_in_detail_show_what_is_replayed() -> None:
    result = steel("claims A16 A26 E12 L1.two --jobs 1")
    for words in (
        "in paper/cycle_find/period_tests.toml",
        "STEEL.A26_enough (proofs/steel_steps.proof):",
        "from mixing(), repetitions(k), fits_in(k)",
        "in the longest of 41 cases, these terms are at least 0, and their sum is negative: ",
        "wait is t + h*a - 1 - unused",
        "== delta/2 where S > 0",
        "Rests on A09, A12",
        "misses: by [errs] + 1/2*[worse] + Σ[x] 1/2*[twin ≥ 0]*[law ≥ 0]*[one label]",
        "The test of n' = h: r = q·h, and r|â| = t̂_mix + h|â| − 1 − unused, as it is rounded up.",
    ):
        assert words in " ".join(result.output.split())
    assert max(map(len, result.output.splitlines())) <= 80


def test_a_lemma_under_other_conditions_is_shown_as_it_is_replayed() -> None:
    shown = " ".join(steel("claims B07 --jobs 1").output.split())
    assert (
        "with the conditions that the entry gives: for all z, y, i, q, k, l: if z ≥ (N - n" in shown
    )
    assert "if z ≥ (N - 1)·L, y ≥ (N - 1)·L" not in shown


def test_argued_claim_shows_the_part_that_is_not_replayed() -> None:
    assert "Not replayed of it" in steel("claims M01 --jobs 1").output
    assert "Not replayed" not in steel("claims A26 --jobs 1").output


def test_claims_json_has_the_fields_of_each_claim() -> None:
    result = steel("claims --section Notation --strength proved --json --jobs 1")
    assert result.exit_code == 0, result.output
    entries = json.loads(result.stdout)
    assert entries
    for entry in entries:
        assert {"id", "lines", "says", "shown", "strength", "status"} <= entry.keys()
        assert entry["strength"] == "proved"


def test_claims_of_a_section_are_printed_as_a_table() -> None:
    result = steel("claims --section Proposition --jobs 1")
    assert result.exit_code == 0
    assert "fall short" in result.output


def test_unknown_claim_id_exits_with_2() -> None:
    result = steel("claims Z99")
    assert result.exit_code == 2
    assert "No such claim: Z99" in result.output


def test_claim_with_weaker_evidence_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Claim) -> None:
        raise NotEarned("only tried")

    monkeypatch.setattr(running, "evidence_for", refuse)
    result = running.run("A26")
    assert result.earned is None
    assert "only tried" in result.how
