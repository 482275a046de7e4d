"""Hypotheses and goals of the proofs about bets hold in chains that are far from independent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from proofs_checks.proofs import chains
from proofs_checks.second_opinion.evaluating import Instance
from proofs_checks.small_cases.chains import Mixed, with_powers

BOTH = (0, 1)
CHAINS = {
    "sticky": with_powers(((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))),
    "restless": with_powers(((Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4)))),
    "uneven": with_powers(((Fraction(3, 8), Fraction(5, 8)), (Fraction(1, 8), Fraction(7, 8)))),
}


def world(mixed: Mixed, gaps: int, sum_of_chances: Fraction = Fraction(1)) -> Instance:
    """Bets that a sample shows what the sample before showed, or not, in a chain with t_mix = 1.

    Samples are of two labels by turns. The first state of the noise shows 0. In the second one, a
    sample of the first label shows 1 with chance 3/4, and one of the second label with chance 1/4.
    The past is the last symbol.
    """
    assert mixed.t_mix == 1
    ones = ((Fraction(0), Fraction(3, 4)), (Fraction(0), Fraction(1, 4)))

    @cache
    def after(steps: int, y: int, x: int) -> Fraction:
        if steps == 0:
            return Fraction(y == x)
        rows = mixed.chain.rows
        return sum((rows[y][z] * after(steps - 1, z, x) for z in BOTH), Fraction(0))

    def shows(label: int, x: int, s: int) -> Fraction:
        return ones[label][x] if s else 1 - ones[label][x]

    def law(label: int, s: int) -> Fraction:
        return sum((mixed.law[x] * shows(label, x, s) for x in BOTH), Fraction(0))

    far = Fraction(1, 2 ** (gaps + 2))

    def most(label: int, s: int) -> Fraction:
        return min(Fraction(1), law(label, s) + far)

    def expects(h: int, s: int) -> Fraction:
        return sum_of_chances * Fraction(3 if h == s else 1, 4)

    @cache
    def value(j: int, h: int, y: int) -> Fraction:
        if j == 0:
            return Fraction(1)
        label = (j - 1) % 2
        gap = gaps + 1 + label
        return sum(
            (
                after(gap, y, x)
                * shows(label, x, s)
                * expects(h, s)
                / most(label, s)
                * value(j - 1, s, x)
                for x in BOTH
                for s in BOTH
            ),
            Fraction(0),
        )

    return Instance(
        0,
        {"state": 2, "symbol": 2, "past": 2, "label": 2},
        {
            "P": lambda at: after(1, *at),
            "π": lambda at: mixed.law[at[0]],
            "T": lambda at: after(1 + at[0], at[1], at[2]),
            "M": lambda at: after(1 + at[0], at[1], at[2]),
            "E": lambda at: after(1 + at[0], at[1], at[2]),
            "H": lambda at: after(gaps + 1 + at[0], at[1], at[2]),
            "half": lambda at: Fraction(1, 2 ** (at[0] + 1)),
            "η": lambda _: far,
            "g": lambda at: shows(*at),
            "p": lambda at: law(*at),
            "u": lambda at: most(*at),
            "v": lambda at: 1 / most(*at),
            "t": lambda at: Fraction(law(*at) + far > 1),
            "F": lambda at: expects(*at),
            "G": lambda at: shows(at[0] % 2, at[2], at[3]) * (at[4] == at[3]) * (at[5] == at[2]),
            "V": lambda at: value(*at),
            **dict.fromkeys(("part", "parts", "end"), lambda _: Fraction(1)),
        },
        fixed={"τ": 0, "times": gaps, "many": 2},
        chosen=dict.fromkeys(("ℓ", "at"), lambda at: at[0] % 2),
        most=2,
    )


@pytest.mark.parametrize("gaps", [0, 1])
@pytest.mark.parametrize("mixed", CHAINS.values(), ids=CHAINS)
@pytest.mark.parametrize(
    "name",
    [
        "checking.halves_between_checks",
        "checking.far_apart",
        "bets.next_symbol",
        "bets.no_gain",
    ],
)
def test_hypotheses_and_goals_hold(name: str, mixed: Mixed, gaps: int) -> None:
    proof, here = chains.proof(name), world(mixed, gaps)
    for hypothesis, statement in proof.hypotheses.items():
        assert here.holds(statement), hypothesis
    for goal in proof.goals:
        assert here.holds(goal), goal


def test_false_statements_are_detected() -> None:
    """Chances are above p by 3/4 of η at most, as the second state shows 1 with chance 3/4."""
    here = world(CHAINS["sticky"], 0)
    assert here.holds(chains.proof("bets.next_symbol(3/4)").goals[0])
    assert not here.holds(chains.proof("bets.next_symbol(7/10)").goals[0])
    faster = {"half": lambda at: Fraction(1, 2) * Fraction(2, 5) ** at[0]}
    *_, halved = chains.proof("checking.halves_between_checks").goals
    assert not replace(here, drawn={**here.drawn, **faster}, known={}).holds(halved)
    (no_gain,) = chains.proof("bets.no_gain").goals
    assert not world(CHAINS["sticky"], 0, Fraction(2)).holds(no_gain)
