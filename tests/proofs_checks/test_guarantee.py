"""What STEEL's guarantee rests on is shown for all values and all sizes."""

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


def test_nothing_is_shown_for_less_than_all_values() -> None:
    weaker = {
        claim.id
        for claim in all_claims()
        if claim.section in ARGUMENT and claim.strength > Strength.ENCLOSED
    }
    assert weaker == set()
