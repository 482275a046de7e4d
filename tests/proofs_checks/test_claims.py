"""Every claim reaches its declared strength; every claim with a mistake is refused."""

from dataclasses import replace

import pytest

from proofs_checks.claim import Claim, Mistake, evidence_for
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.registry import all_claims
from proofs_checks.ways import holds, show

MISTAKES = [(claim, mistake) for claim in all_claims() for mistake in claim.mistakes]
NAMES = [f"{claim.id}: {mistake.says}" for claim, mistake in MISTAKES]


@pytest.mark.parametrize("claim", all_claims(), ids=lambda claim: str(claim.id))
def test_a_claim_earns_its_strength(claim: Claim) -> None:
    assert evidence_for(claim).strength <= claim.strength


@pytest.mark.parametrize(
    ("claim", "mistake"),
    MISTAKES,
    ids=[f"{claim.id}: {mistake.says}" for claim, mistake in MISTAKES],
)
def test_every_listed_mistake_of_a_claim_is_refused(claim: Claim, mistake: Mistake) -> None:
    with pytest.raises(NotEarned) as refused:
        show(mistake.way, claim.notation)
    if mistake.way.startswith("proof:"):
        assert "does not follow" in str(refused.value)


def test_claim_with_weaker_evidence_than_declared_is_refused() -> None:
    claim = next(claim for claim in all_claims() if claim.strength is Strength.EXHAUSTED)
    with pytest.raises(NotEarned, match="declared proved, but only exhausted"):
        evidence_for(replace(claim, strength=Strength.PROVED))


def test_a_claim_whose_trial_fails_is_refused() -> None:
    claim, failing = next(
        (claim, mistake.way)
        for claim in all_claims()
        for mistake in claim.mistakes
        if claim.tried and mistake.way.startswith("check:")
    )
    with pytest.raises(NotEarned):
        evidence_for(replace(claim, tried=(failing,)))


def test_every_counterexample_refutes_what_is_printed() -> None:
    for claim in all_claims():
        if claim.erratum is not None:
            assert holds(claim.erratum.refuted, claim.notation)
            assert claim.erratum.printed != claim.erratum.corrected
