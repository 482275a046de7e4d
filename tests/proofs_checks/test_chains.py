"""The derivations about chains are accepted as they are, and refused with anything missing.

Statements about chains are also evaluated in real ones: their hypotheses are true there, and so are
their goals. A mistake in the replay would have to be one that no small chain sees.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import pytest

from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.sums import nudged, replay, without, without_line
from proofs_checks.proofs import chains
from proofs_checks.second_opinion.evaluating import Instance
from proofs_checks.second_opinion.lines import equations
from proofs_checks.second_opinion.scenes import number, vector
from proofs_checks.small_cases.chains import Mixed, all_mixed
from proofs_checks.ways import Notation, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.sums import Proof
    from proofs_checks.second_opinion.evaluating import Values

LONG = (
    "matrix.spread_after",
    "matrix.matrix_inequality",
    "matrix.sharper_combination",
    "next_sample.one_more_sample",
    "next_sample.one_more_sample_sharper",
    "eigenvector.all_pass",
    "eigenvector.all_pass_sharper",
    "closed_form.all_pass_as_printed",
    "pairs.pairs_are_hard_to_fit",
    "blocks.blocks_are_hard_to_fit",
    "frequencies.weighted_tail",
)
SHORT = tuple(name for name in chains.templates() if name not in LONG)


@pytest.mark.parametrize("name", SHORT + LONG)
def test_accepted(name: str) -> None:
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
def test_the_second_lemma_needs_its_lines(place: int) -> None:
    with pytest.raises(NotEarned):
        replay(without_line(chains.proof("closed_form.all_pass_as_printed"), place))


# --- in real chains -------------------------------------------------------------------------------


def worlds(proof: Proof) -> Iterator[Instance]:
    """Every second small chain, with chances that are computed as the hypotheses say."""
    for mixed in all_mixed()[::2]:
        size = len(mixed.chain)
        weights = (Fraction(1), Fraction(1, 2), Fraction(0))[:size]
        miss = 1 - sum((p * g for p, g in zip(mixed.law, weights, strict=True)), Fraction(0))
        values: Values = {
            "M": partial(lagged, mixed),
            "π": vector(mixed.law),
            "g": vector(weights),
            "w": vector(mixed.unit(size - 1)),
            "ε": number(miss),
        }
        yield Instance(0, {"state": size}, values, equations=equations(proof))


def lagged(mixed: Mixed, at: tuple[int, ...]) -> Fraction:
    i, y, x = at
    return mixed.powers[mixed.t_mix + i][y][x]


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
    for each in worlds(proof):
        for hypothesis, statement in proof.hypotheses.items():
            assert each.holds(statement), (hypothesis, each)
        for goal in proof.goals:
            assert each.holds(goal), (goal, each)


def test_false_statements_are_seen_to_be_false() -> None:
    all_but_one = ("two", "a(j + 2) = Σ[x, y] w(j, y)*g(y)*M(ℓ(j), y, x)")
    for proof, goal in (
        (chains.proof("samples.measures_are_chances(9/10)"), 2),
        (chains.proof("samples.before_the_first_sample(1)"), 1),
        (chains.proof("samples.each_after_the_first(0)"), 0),
        (chains.proof("samples.last_lag_is_free", all_but_one), 1),
    ):
        assert not all(each.holds(proof.goals[goal]) for each in worlds(proof)), goal
