"""Sure decisions follow from inseparability alone: all small classes and datasets are tried."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

import pytest

from steel_verified.classes.finite import Marks, Tables, tables
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import PeriodsLeft
from steel_verified.evidence.ledger import KEY, opened
from steel_verified.evidence.observed import (
    Observed,
    Pool,
    Sample,
    first_same,
    pooled,
    possible_period,
)
from steel_verified.learning.located import Located
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.progressions import Progression

from ..contracts.test_imports import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from steel_verified.evidence.ledger import Ledger

RECIPE = Located(
    LocatedParameters(
        actions=1, max_states=4, mixing_time=2, delta=Fraction(1, 20), epsilon=Fraction(1, 2)
    )
)
ALPHABET = 2
"""State s with noise e shows the observation s·2 + e."""


def sample(ledger: Ledger, oracle: Tables, time: int, observation: int) -> Sample:
    """Return a sample of one row, for tests only: a run makes samples by running plans."""
    column = oracle.columns[observation]
    times = (Progression(time),)
    return Sample(time - 1, times, ledger, oracle, Observed(Marks(column, column)), key=KEY)


def pool(ledger: Ledger, oracle: Tables, observations: Iterable[int]) -> Pool:
    return pooled(oracle, [sample(ledger, oracle, 1 + x, x) for x in observations])


# --- rules 1 and 4 --------------------------------------------------------------------------------


def small_classes() -> Iterator[Tables]:
    """Return classes for two states and two noise states: the encoder and up to two others."""
    functions = list(product([False, True], repeat=2 * ALPHABET))
    encoder = [(True, True, False, False), (False, False, True, True)]
    others = [function for function in functions if function not in encoder]
    few = chain.from_iterable(combinations(others, size) for size in range(3))
    return (tables([*some, *encoder]) for some in few)


def separable(oracle: Tables, zeros: tuple[int, ...], ones: tuple[int, ...]) -> bool:
    """Return whether some function of the class is 0 on `zeros` and 1 on `ones`, by listing."""
    return any(
        not any(oracle.columns[x] >> f & 1 for x in zeros)
        and all(oracle.columns[x] >> f & 1 for x in ones)
        for f in range(oracle.class_size)
    )


def test_first_same_recognises_exactly_the_inseparable_labels() -> None:
    """A label is recognised exactly if one direction is not separable, and then correctly."""
    pure = [(0,), (1,), (0, 1), (2,), (3,), (2, 3)]
    recognised = 0
    for oracle in small_classes():
        ledger = opened(RECIPE.parameters)
        pools = {shown: pool(ledger, oracle, shown) for shown in pure}
        for one, other in product(pure, repeat=2):
            before = len(ledger.entries)
            same, ledger = first_same(ledger, oracle, 7, {5: pools[other], 7: pools[one]})
            apart = separable(oracle, one, other) and separable(oracle, other, one)
            assert (same is None) == apart
            if same is not None:
                recognised += 1
                assert one[0] // ALPHABET == other[0] // ALPHABET
                assert (same.one, same.other) == (7, 5)
                assert ledger.entries[before:] == (same,)
            else:
                assert len(ledger.entries) == before
    assert recognised > 0


def test_first_same_skips_the_label_itself_and_takes_the_first() -> None:
    oracle = tables([[True, True, False, False], [False, False, True, True]])
    ledger = opened(RECIPE.parameters)
    held = {n: pool(ledger, oracle, shown) for n, shown in enumerate([(0,), (2,), (3,), (2, 3)])}
    same, ledger = first_same(ledger, oracle, 2, held)
    assert same is not None
    assert (same.one, same.other) == (2, 1)
    alone, _ = first_same(ledger, oracle, 0, {0: held[0]})
    assert alone is None


def test_sure_decisions_are_not_charged() -> None:
    oracle = tables([[True, True, False, False], [False, False, True, True]])
    ledger = opened(RECIPE.parameters)
    rows = [sample(ledger, oracle, time, 2 * (time % 2)) for time in range(1, 9)]
    period, ledger = possible_period(ledger, oracle, rows, 4)
    same, ledger = first_same(
        ledger, oracle, 0, {0: pooled(oracle, rows[::2]), 1: pooled(oracle, rows[2::2])}
    )
    assert period.period == 2
    assert same is not None
    assert ledger.budget.spent == 0
    assert ledger.decisions == 0


def test_empty_datasets_and_those_of_another_run_are_refused() -> None:
    oracle = tables([[True, True, False, False], [False, False, True, True]])
    ledger, other = opened(RECIPE.parameters), opened(RECIPE.parameters)
    here, there = pool(ledger, oracle, (0,)), pool(other, oracle, (0,))
    with pytest.raises(InvalidArgument, match="this run"):
        first_same(ledger, oracle, 0, {0: here, 1: there})
    with pytest.raises(InvalidArgument, match="one run"):
        pooled(oracle, (here, there))
    with pytest.raises(InvalidArgument, match="at least one"):
        pooled(oracle, ())
    rows = [sample(other, oracle, time, 0) for time in range(1, 9)]
    with pytest.raises(InvalidArgument, match="this run"):
        possible_period(ledger, oracle, rows, 4)


# --- rule 5 ---------------------------------------------------------------------------------------


def loop_classes(states: int) -> list[Tables]:
    """Return the encoder alone, with noise, mixtures or single observations, or all functions."""
    size = states * ALPHABET
    own = [[x // ALPHABET == s for x in range(size)] for s in range(states)]
    noise = [[x % ALPHABET == e for x in range(size)] for e in range(ALPHABET)]
    mixed = [[(x // ALPHABET == 0) == (x % ALPHABET == e) for x in range(size)] for e in range(2)]
    partial = [[x == s * ALPHABET for x in range(size)] for s in range(states)]
    some = [[], noise, [*noise, *mixed], partial]
    if states <= 3:
        some.append([list(function) for function in product([False, True], repeat=size)])
    return [tables([*others, *own]) for others in some]


def after_words(k: int, transient: int, period: int) -> int:
    """Return the state after k words, for a loop that enters its cycle after `transient` words."""
    return k if k < transient else transient + (k - transient) % period


@pytest.mark.parametrize(("states", "length"), [(1, 4), (2, 8), (3, 4), (3, 8), (4, 8)])
def test_possible_period_is_a_multiple_of_the_true_period(states: int, length: int) -> None:
    """For every transient, period and noise, the result is a multiple of the period."""
    for number, oracle in enumerate(loop_classes(states)):
        for period in range(1, states + 1):
            for transient, noise in product(
                range(states - period + 1), product(range(ALPHABET), repeat=length)
            ):
                ledger = opened(RECIPE.parameters)
                rows = [
                    sample(ledger, oracle, k, ALPHABET * after_words(k, transient, period) + e)
                    for k, e in enumerate(noise, start=1)
                ]
                found, ledger = possible_period(ledger, oracle, rows, states)
                *_, entry = ledger.entries
                assert isinstance(entry, PeriodsLeft)
                assert found is entry
                assert found.period % period == 0
                assert period == 1 or period in entry.left
                assert entry.count == length
                if number == 0 and length >= 2 * states:
                    assert found.period == period, "nothing but the states can be told apart"


def test_a_pool_cannot_be_made_without_the_key() -> None:
    ledger = opened(RECIPE.parameters)
    made = Pool(3, ledger, Observed(Marks(0, 0)), key=KEY)
    for key in (None, object(), made):
        with pytest.raises(TypeError):
            Pool(3, ledger, Observed(Marks(0, 0)), key=key)
    with pytest.raises((TypeError, ValueError)):
        replace(made, rows=4)  # type: ignore[call-arg]  # wrong on purpose


# --- which learner uses which decisions -------------------------------------------------------

SURE = {"first_same", "possible_period", "pooled", "one_against_all", "fix", "check_pass"}
CHARGED = {"find_period", "find_labels", "train"}


def decisions_imported(learner: str) -> set[str]:
    """Return the names that a learner's module imports from the one door."""
    path = ROOT / "steel_verified" / "learning" / f"{learner}.py"
    return {
        alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "steel_verified.evidence.observed"
        for alias in node.names
    }


def test_each_learner_decides_in_its_own_way() -> None:
    assert decisions_imported("looped") & (SURE | CHARGED) == CHARGED
    assert decisions_imported("located") & (SURE | CHARGED) == SURE
