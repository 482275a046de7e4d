"""Everything that shows a claim succeeds, and every listed mistake is refused."""

from dataclasses import replace

import pytest

from proofs_checks.checks.evidence import NotEarned
from proofs_checks.claims import Claim, Mistake, all_claims, evidence_for
from proofs_checks.kinds_of_evidence import holds, show
from proofs_checks.paper.cycle_find import positions

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
