"""The proofs about chains are accepted, and refused if a hypothesis or line is missing.

Statements about chains are also evaluated in real ones: their hypotheses are true there, and so are
their goals. A mistake in the replay would have to be one that no small chain sees.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.sums import nudged, replay, without, without_line
from proofs_checks.notation import Notation
from proofs_checks.proofs import chains
from proofs_checks.second_opinion.evaluating import Instance
from proofs_checks.small_cases.chains import Mixed, all_mixed
from proofs_checks.ways import show

LONG = (
    "matrix.spread_after",
    "matrix.matrix_inequality",
    "next_sample.one_more_sample",
    "eigenvector.all_pass",
    "closed_form.all_pass_as_printed",
    "pairs.pairs_are_hard_to_fit",
    "blocks.blocks_are_hard_to_fit",
)
SHORT = tuple(name for name in chains.templates() if name not in LONG)


@pytest.mark.parametrize("name", SHORT + LONG)
def test_every_proof_about_sums_is_accepted(name: str) -> None:
    assert show(f"chain: {name}", Notation({}, {}, "")).strength <= Strength.ENCLOSED


@pytest.mark.parametrize("name", SHORT)
def test_every_hypothesis_is_needed(name: str) -> None:
    proof = chains.proof(name)
    for hypothesis in proof.hypotheses:
        with pytest.raises(NotEarned):
            replay(without(proof, hypothesis))


@pytest.mark.parametrize("name", SHORT)
def test_every_line_is_needed_and_shows_no_more(name: str) -> None:
    proof = chains.proof(name)
    for place in range(len(proof.lines)):
        with pytest.raises(NotEarned):
            replay(without_line(proof, place))
        with pytest.raises(NotEarned):
            replay(nudged(proof, place))


@pytest.mark.parametrize("place", [0, 5, 9, 12, 16, 18])
def test_lemma_2_as_printed_without_a_line_is_refused(place: int) -> None:
    with pytest.raises(NotEarned):
        replay(without_line(chains.proof("closed_form.all_pass_as_printed"), place))


# --- in real chains -------------------------------------------------------------------------------


def world(mixed: Mixed, weights: tuple[Fraction, ...], start: int) -> Instance:
    """Return the probabilities that the names in the proofs denote, from their definitions."""
    states = range(len(mixed.chain))

    def lagged(i: int, y: int, x: int) -> Fraction:
        return mixed.powers[mixed.t_mix + i][y][x]

    @cache
    def joint(j: int, x: int) -> Fraction:
        if j == 0:
            return Fraction(x == start)
        lag = (j - 1) % 2
        return sum((joint(j - 1, y) * weights[y] * lagged(lag, y, x) for y in states), Fraction(0))

    @cache
    def mass(j: int) -> Fraction:
        return sum((joint(j, x) for x in states), Fraction(0))

    @cache
    def spread(j: int) -> Fraction:
        return sum((abs(joint(j, x) - mass(j) * mixed.law[x]) for x in states), Fraction(0))

    miss = 1 - sum((mixed.law[x] * weights[x] for x in states), Fraction(0))
    return Instance(
        0,
        {"state": len(mixed.chain)},
        {
            "P": lambda at: mixed.chain.rows[at[0]][at[1]],
            "M": lambda at: lagged(*at),
            "π": lambda at: mixed.law[at[0]],
            "g": lambda at: weights[at[0]],
            "w": lambda at: joint(*at),
            "a": lambda at: mass(*at),
            "b": lambda at: spread(*at),
            "ε": lambda _: miss,
        },
        chosen={"ℓ": lambda at: at[0] % 2},
    )


SMALL_WORLDS = [
    world(mixed, weights, len(mixed.chain) - 1)
    for mixed in all_mixed()[::2]
    for weights in ((Fraction(1), Fraction(1, 2), Fraction(0))[: len(mixed.chain)],)
]


@pytest.mark.parametrize(
    "name",
    [
        "samples.measures_are_chances",
        "next_sample.one_more_sample",
        "samples.before_the_first_sample",
        "samples.each_after_the_first",
        "samples.last_lag_is_free",
    ],
)
def test_hypotheses_and_goals_are_true_of_small_chains(name: str) -> None:
    proof = chains.proof(name)
    for each in SMALL_WORLDS:
        for hypothesis, statement in proof.hypotheses.items():
            assert each.holds(statement), hypothesis
        for goal in proof.goals:
            assert each.holds(goal), goal


def test_false_statements_are_detected() -> None:
    all_but_one = ("two", "a(j + 2) = Σ[x, y] w(j, y)*g(y)*M(ℓ(j), y, x)")
    for wrong in (
        chains.proof("samples.measures_are_chances(9/10)").goals[2],
        chains.proof("samples.before_the_first_sample(1)").goals[1],
        chains.proof("samples.each_after_the_first(0)").goals[0],
        chains.proof("samples.last_lag_is_free", all_but_one).goals[1],
    ):
        assert not all(each.holds(wrong) for each in SMALL_WORLDS), wrong
