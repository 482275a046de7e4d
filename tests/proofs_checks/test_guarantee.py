"""The claims behind STEEL's guarantee are proved for all values and all sizes."""

from proofs_checks.kernels.evidence import Strength
from proofs_checks.registry import all_claims

ARGUMENT = {
    "Listing of STEEL",
    "Listing of CycleFind",
    "CycleFind",
    "CycleFind: finding the period",
    "Collecting positions",
    "Identifying states",
    "STEEL phase 1",
    "STEEL phase 2",
    "STEEL phase 3",
    "totals",
    "Lemma 1",
    "Lemma 2",
    "Lemma 2, closing",
}


def test_every_section_of_the_argument_has_claims() -> None:
    assert {claim.section for claim in all_claims()} >= ARGUMENT


def test_claims_below_proved_are_argued_or_one_computation() -> None:
    """Both theorems are shown without these; `test_tree` has what they rest on."""
    weaker = {
        claim.id: claim.strength
        for claim in all_claims()
        if claim.section in ARGUMENT and claim.strength > Strength.ENCLOSED
    }
    assert set(weaker.values()) == {Strength.ARGUED, Strength.COMPUTED}
    assert {name for name, strength in weaker.items() if strength is Strength.COMPUTED} == {
        *("C01", "C02", "F05", "S.C02")
    }
