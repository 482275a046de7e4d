"""Claims as they are written down: what an entry says is what the claim holds."""

import pytest
from sympy import Expr, Symbol

from proofs_checks.claim import Claim, Mutant, evidence_for
from proofs_checks.entries import Entry, Section, Slip
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength
from proofs_checks.kernels.finite import equal

HERE = Section("here")
x, y = Symbol("x"), Symbol("y")
LEAST: dict[Symbol, Expr | int] = {x: y, y: 0}


def shown() -> Evidence:
    return equal("shown", "shown")


@pytest.mark.parametrize(
    ("entry", "strength"),
    [
        (HERE.proved, Strength.PROVED),
        (HERE.enclosed, Strength.ENCLOSED),
        (HERE.exhausted, Strength.EXHAUSTED),
        (HERE.exact, Strength.EXACT),
        (HERE.sampled, Strength.SAMPLED),
    ],
)
def test_an_entry_is_a_claim_of_its_section_and_strength(entry: Entry, strength: Strength) -> None:
    mutant = Mutant("a mistake", shown)
    assert entry("X", "1-2", "so it is", shown, mutant, assumptions=("this",)) == Claim(
        id="X",
        lines="1-2",
        section="here",
        statement="so it is",
        strength=strength,
        check=shown,
        assumptions=("this",),
        mutants=(mutant,),
    )


def test_hypotheses_are_assumed() -> None:
    claim = HERE.hypothesis("X", "1", "let it be so")
    assert evidence_for(claim).strength is claim.strength is Strength.ASSUMED


def test_bounds_hold_as_written_and_slips_are_refused() -> None:
    claim = HERE.bound(
        "X",
        "1",
        "2y ≤ x + y if x ≥ y",
        2 * y,
        x + y,
        LEAST,
        Slip("more on the left", left=2 * y + 1),
        Slip("less on the right", right=x),
        Slip("both", left=x + y, right=2 * y),
        Slip("nothing at all", right=0),
    )
    assert evidence_for(claim).strength is Strength.PROVED
    assert len(claim.mutants) == 4
    for mutant in claim.mutants:
        with pytest.raises(NotEarned):
            mutant.check()


def test_a_slip_that_is_none_is_shown_to_be_none() -> None:
    claim = HERE.bound("X", "1", "y ≤ x", y, x, LEAST, Slip("still true", right=x + 1))
    assert claim.mutants[0].check().strength is Strength.PROVED


def test_equations_hold_as_written_and_slips_are_refused() -> None:
    claim = HERE.equation(
        "X",
        "1",
        "(x + y)² = x² + 2xy + y²",
        (x + y) ** 2,
        x**2 + 2 * x * y + y**2,
        Slip("without 2xy", right=x**2 + y**2),
        Slip("(x − y)²", left=(x - y) ** 2),
    )
    assert evidence_for(claim).strength is Strength.PROVED
    for mutant in claim.mutants:
        with pytest.raises(NotEarned):
            mutant.check()
