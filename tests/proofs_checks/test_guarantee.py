"""What STEEL's guarantee rests on is shown for all values and all sizes."""

from proofs_checks import sections
from proofs_checks.claim import Strength
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
    )
}
OF_THE_CODE = {
    "P05", "P11", "P13.times", "P15.count", "P18.counts", "A05.counts", "A19.code", "S.A20.code",
    "A27.code", "B03.times", "B04.times", "E14.grid",
}  # fmt: skip
"""That the code in use computes what the formulas say: there is nothing to say for all sizes."""
OF_CHAINS = {"P24.distance", "A21.chance", "E03.chains"}
"""Trials on small chains of what the claims of Lemmas 1 and 2 show for all."""


def test_only_code_and_trials_are_shown_for_less() -> None:
    weaker = {
        claim.id
        for claim in all_claims()
        if claim.section in ARGUMENT and claim.strength > Strength.ENCLOSED
    }
    assert weaker <= OF_THE_CODE | OF_CHAINS
