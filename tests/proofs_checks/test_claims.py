"""Every claim earns the strength it declares; claims with a mistake in them do not."""

import pytest

from proofs_checks.claim import Claim, Mutant, evidence_for
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.finite import sampled
from proofs_checks.registry import all_claims
from proofs_checks.replays import Replay

MUTANTS = [(claim, mutant) for claim in all_claims() for mutant in claim.mutants]


@pytest.mark.parametrize("claim", all_claims(), ids=lambda claim: str(claim.id))
def test_earned(claim: Claim) -> None:
    assert evidence_for(claim).strength <= claim.strength


@pytest.mark.parametrize(
    ("claim", "mutant"), MUTANTS, ids=[f"{claim.id}: {mutant.mistake}" for claim, mutant in MUTANTS]
)
def test_mutants_are_refused(claim: Claim, mutant: Mutant) -> None:
    with pytest.raises(NotEarned) as refused:
        mutant.check()
    if isinstance(mutant.check, Replay):
        assert "does not follow" in str(refused.value)
    assert claim.strength is not Strength.ASSUMED


def test_a_claim_that_earns_less_than_it_declares_is_refused() -> None:
    weak = Claim(
        id="X",
        lines="1",
        section="none",
        statement="nothing",
        strength=Strength.PROVED,
        check=lambda: sampled([1], lambda n: n > 0, "a few"),
    )
    with pytest.raises(NotEarned, match="declared proved, but only sampled"):
        evidence_for(weak)


def test_errata_are_complete() -> None:
    for claim in all_claims():
        if claim.erratum is not None:
            assert claim.erratum.refuted()
            assert claim.erratum.printed != claim.erratum.corrected
