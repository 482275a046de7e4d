"""The derivations about chains are accepted as they are, and refused with anything missing.

Statements about chains are also evaluated in real ones: their hypotheses are true there, and so are
their goals. A mistake in the replay would have to be one that no small chain sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.sums import nudged, replay, without, without_line
from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Number,
    Size,
    Value,
    indices,
)
from proofs_checks.kernels.sums.indices import TIME, Index
from proofs_checks.kernels.sums.statements import Proof, Statement
from proofs_checks.proofs.chains import (
    blocks,
    closed_form,
    closing,
    eigenvector,
    events,
    lemma1,
    matrix,
    measures,
    mixing,
    next_sample,
    observations,
    pairs,
    products,
    samples,
)
from proofs_checks.small_cases.chains import Mixed, all_mixed

Make = Callable[[], Proof]

SHORT: tuple[Make, ...] = (
    mixing.powers_are_chances,
    mixing.distance_never_grows,
    mixing.after_the_mixing_time,
    measures.change_has_no_mass,
    measures.law_does_not_change,
    measures.splits,
    measures.change_is_half,
    measures.passing_is_half_of_the_norm,
    measures.event_attains_half,
    lemma1.passes_nearly_as_often,
    lemma1.nearly_independent,
    lemma1.from_every_state,
    lemma1.before_the_mixing_time,
    matrix.decomposed,
    matrix.mass_after,
    matrix.passed_law_changes_little,
    samples.measures_are_chances,
    samples.before_the_first_sample,
    samples.each_after_the_first,
    samples.last_lag_is_free,
    samples.passing_and_arriving,
    closing.powers_of_the_matrix,
    observations.pairs_mix_as_states_do,
    products.distances_add,
    products.copies_mix,
    events.union_bound,
    events.product_of_conditionals,
    blocks.block_of_samples,
    matrix.spread_splits,
)
LONG: tuple[Make, ...] = (
    matrix.spread_after,
    matrix.matrix_inequality,
    matrix.sharper_combination,
    next_sample.one_more_sample,
    next_sample.one_more_sample_sharper,
    pairs.pairs_are_hard_to_fit,
    blocks.blocks_are_hard_to_fit,
    eigenvector.all_pass,
    eigenvector.all_pass_sharper,
    closed_form.all_pass_as_printed,
)


def named(make: Make) -> str:
    return make.__name__


@pytest.mark.parametrize("make", SHORT + LONG, ids=named)
def test_accepted(make: Make) -> None:
    assert replay(make()).strength <= Strength.ENCLOSED


@pytest.mark.parametrize("make", SHORT, ids=named)
def test_every_hypothesis_is_needed(make: Make) -> None:
    proof = make()
    for hypothesis in proof.hypotheses:
        with pytest.raises(NotEarned):
            replay(without(proof, hypothesis))


@pytest.mark.parametrize("make", SHORT, ids=named)
def test_every_line_is_needed_and_shows_no_more(make: Make) -> None:
    for place in range(len(make().lines)):
        with pytest.raises(NotEarned):
            replay(without_line(make(), place))
        with pytest.raises(NotEarned):
            replay(nudged(make(), place))


@pytest.mark.parametrize("place", [0, 5, 9, 12, 16, 18])
def test_the_second_lemma_needs_its_lines(place: int) -> None:
    with pytest.raises(NotEarned):
        replay(without_line(closed_form.all_pass_as_printed(), place))


# --- in real chains -------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Values for everything that is mentioned, on a small chain, with a table of lags."""

    mixed: Mixed
    functions: Mapping[str, Callable[[tuple[int, ...]], Fraction]]
    most: int = 2
    """Natural numbers up to this one are tried."""

    def holds(self, statement: Statement) -> bool:
        """Whether it holds for all values of its indices."""
        free = sorted(indices(statement.left) | indices(statement.right), key=str)
        plain = [index for index in free if not index.of]
        for values in product(*(self._range(index) for index in plain)):
            env = dict(zip(plain, values, strict=True))
            left, right = self._of(statement.left, env), self._of(statement.right, env)
            if not (left == right if statement.relation == "=" else left <= right):
                return False
        return True

    def _range(self, index: Index) -> range:
        if index.fixed and not index.name:
            return range(1)
        return range(self.most + 1) if index.sort == TIME else range(len(self.mixed.chain))

    def _index(self, index: Index, env: Mapping[Index, int]) -> int:
        if index.of:
            return self._index(index.of[0], env) % 2
        base = replace(index, later=0)
        return env[base] + index.later

    def _of(self, expression: Expression, env: Mapping[Index, int]) -> Fraction:
        result = Fraction(0)
        for term, c in expression.terms:
            for values in product(range(len(self.mixed.chain)), repeat=len(term.bound)):
                inner = {**env, **dict(zip(term.bound, values, strict=True))}
                value = c
                for atom in term.atoms:
                    value *= self._atom(atom, inner)
                result += value
        return result

    def _atom(
        self, atom: Value | Size | Exponential | Number, env: Mapping[Index, int]
    ) -> Fraction:
        match atom:
            case Value(name, at):
                return self.functions[name](tuple(self._index(index, env) for index in at))
            case Size(of):
                return abs(self._of(of, env))
            case Number(index):
                return Fraction(self._index(index, env))
            case Exponential():
                raise AssertionError("no exact value")


def world(mixed: Mixed, weights: tuple[Fraction, ...], start: int) -> World:
    """The chances that the names of the derivations stand for, computed from the definitions."""
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
    return World(
        mixed,
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
        most=1,
    )


SMALL_WORLDS = [
    world(mixed, weights, len(mixed.chain) - 1)
    for mixed in all_mixed()[::2]
    for weights in ((Fraction(1), Fraction(1, 2), Fraction(0))[: len(mixed.chain)],)
]


@pytest.mark.parametrize(
    "make",
    [
        samples.measures_are_chances,
        next_sample.one_more_sample,
        samples.before_the_first_sample,
        samples.each_after_the_first,
        samples.last_lag_is_free,
    ],
    ids=named,
)
def test_hypotheses_and_goals_are_true_of_small_chains(make: Make) -> None:
    proof = make()
    for each in SMALL_WORLDS:
        for name, hypothesis in proof.hypotheses.items():
            assert each.holds(hypothesis), (name, each.mixed)
        for goal in proof.goals:
            assert each.holds(goal), (goal, each.mixed)


def test_false_statements_are_seen_to_be_false() -> None:
    for wrong in (
        samples.measures_are_chances(Fraction(9, 10)).goals[2],
        samples.before_the_first_sample(1).goals[1],
        samples.each_after_the_first(Fraction(0)).goals[0],
        samples.last_lag_is_free(all_pass=False).goals[1],
    ):
        assert not all(each.holds(wrong) for each in SMALL_WORLDS), wrong
