"""What STEEL's guarantee rests on is shown for all values and all sizes."""

from proofs_checks import sections
from proofs_checks.kernels.evidence import Strength
from proofs_checks.registry import all_claims

ARGUMENT = {
    section.title
    for section in (
        sections.LISTING_OF_STEEL,
        sections.LISTING_OF_CYCLE_FIND,
        sections.CYCLE_FIND,
        sections.PERIOD,
        sections.COLLECTING,
        sections.IDENTIFYING,
        sections.PHASE_1,
        sections.PHASE_2,
        sections.PHASE_3,
        sections.TOTALS,
        sections.LEMMA_1,
        sections.LEMMA_2,
        sections.LEMMA_2_CLOSING,
    )
}


def test_nothing_is_shown_for_less() -> None:
    weaker = {
        claim.id
        for claim in all_claims()
        if claim.section in ARGUMENT and claim.strength > Strength.ENCLOSED
    }
    assert weaker == set()
