"""The listing of CycleFind: the samples and the condition of a test (l. 380-388, 419)."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.paper.listings.counts import GRID
from proofs_checks.proofs.deciding import TESTS
from proofs_checks.replays import proof
from proofs_checks.sections import LISTING_OF_CYCLE_FIND
from proofs_checks.small_cases.worlds import words_and_periods
from steel_verified.learning import classes
from steel_verified.theory.counts import initial_rollout, period_test_repetitions
from steel_verified.theory.schedules import FixedByParameters, period_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.theory.recipe import Recipe


def _hypotheses() -> Iterator[tuple[Recipe, int, int]]:
    for recipe, word_length, cycles in words_and_periods():
        if cycles >= 2:
            yield recipe, word_length, cycles


def _period_test_agrees(case: tuple[Recipe, int, int], *, first_row: int = 1) -> bool:
    recipe, a_, cycles = case
    p = recipe.parameters
    settling = max((p.max_states - 1) * a_, p.mixing_time)
    r_ = cycles * -(-p.mixing_time // (cycles * a_))
    available = initial_rollout(recipe, a_) + r_ * a_ - settling
    k_ = available // (2 * r_ * a_ + cycles * a_)
    zeros = {
        (r_ + (2 * r_ + cycles) * i + j) * a_ + settling
        for i in range(k_)
        for j in range(first_row, cycles)
    }
    ones = {(2 * r_ + cycles) * i * a_ + settling for i in range(k_)}
    used = period_test(recipe, a_, cycles, FixedByParameters())
    return (
        period_test_repetitions(recipe, a_, cycles) == k_
        and set(used.zeros) == zeros
        and set(used.ones) == ones
        and 1 <= min(zeros | ones) <= max(zeros | ones) <= initial_rollout(recipe, a_)
    )


_Values = tuple[tuple[bool, ...], tuple[bool, ...]]
"""Of a classifier, on D_0 and on D_1."""


def _values() -> Iterator[_Values]:
    for zeros, ones in product(range(1, 4), repeat=2):
        yield from product(
            product((False, True), repeat=zeros), product((False, True), repeat=ones)
        )


def _separates(values: _Values) -> bool:
    zeros, ones = values
    return not any(zeros) and all(ones)


def _separates_as_printed(values: _Values) -> bool:
    zeros, _ = values
    return not any(zeros) and all(zeros)


def _oracle_agrees(values: _Values, condition: Callable[[_Values], bool]) -> bool:
    """With this classifier alone: whether the condition is what the oracle answers."""
    zeros, ones = values
    oracle = classes.tables([[*zeros, *ones]])
    low = oracle.summarise(np.arange(len(zeros)))
    high = oracle.summarise(np.arange(len(zeros), len(zeros) + len(ones)))
    return (oracle.separating(low, high) is not None) == condition(values)


def _never_separates() -> bool:
    return not any(_separates_as_printed(values) for values in _values()) and any(
        _separates(values) for values in _values()
    )


def _condition(condition: Callable[[_Values], bool]) -> Evidence:
    return exhausted(
        _values(),
        partial(_oracle_agrees, condition=condition),
        "1 to 3 samples in each of D_0 and D_1, every classifier",
    )


a = Symbol("a")
"""|â| or |ā|."""
r, k, cycles_, settling_, c_init = (
    Symbol(name) for name in ("r", "k", "cycles", "settling", "c_init")
)

_last_zero = (r + (2 * r + cycles_) * (k - 1) + (cycles_ - 1)) * a + settling_
_ROLLOUT: Final[Mapping[Symbol, Expr | int]] = {
    # What rounding down in the definition of k means.
    c_init: k * (2 * r + cycles_) * a - r * a + settling_,
    k: 1,
    cycles_: 2,
    r: 2,
    a: 1,
    settling_: 1,
}

CLAIMS: Final = (
    LISTING_OF_CYCLE_FIND.bound(
        "P13",
        "380-384",
        "every index used by the test of n'_cyc is at most c_init − |â|, hence within x_CF",
        _last_zero,
        c_init - a,
        _ROLLOUT,
        Slip("a word less", right=c_init - 2 * a),
    ),
    LISTING_OF_CYCLE_FIND.bound(
        "S.P13",
        "380",
        "k may be ⌊(c_init + (r + 1)|â| − max((N − 1)|â|, t̂_mix))/((2r + n'_cyc)|â|)⌋: "
        "all indices are still within x_CF",
        _last_zero,
        c_init,
        {**_ROLLOUT, c_init: k * (2 * r + cycles_) * a - (r + 1) * a + settling_},
        Slip("c_init − 1 steps", right=c_init - 1),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P13.times",
        "380-384",
        "q, r, k, D_0 and D_1 as printed are those in use, within 1, …, c_init",
        lambda: exhausted(_hypotheses(), _period_test_agrees, GRID + ", |â| ≤ 3, every n'_cyc"),
        Mutant(
            "j from 0",
            lambda: exhausted(_hypotheses(), partial(_period_test_agrees, first_row=0), GRID),
        ),
        assumptions=("N ≥ 2",),
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P13.test",
        "388, 419",
        "a classifier separates if it is 0 on all of D_0 and 1 on all of D_1",
        beside(lambda: _condition(_separates), proof(TESTS, "passed", "failed")),
        Mutant("D_0 twice", lambda: _condition(_separates_as_printed)),
        proof(TESTS, "passed", "failed").misstated(
            "an error is not counted", "errs", then="err(h, i) == 0 or f(h, i) != side(i)"
        ),
        assumptions=("D_0 and D_1 are not empty",),
        erratum=Erratum(
            printed="∀ x ∈ D_0: f(x) = 0 and ∀ x ∈ D_0: f(x) = 1, in both tests",
            counterexample="any D_0 that is not empty: no f satisfies both, so that every period "
            "would be 1, and every position would be taken for the first known state",
            refuted=_never_separates,
            corrected="∀ x ∈ D_0: f(x) = 0 and ∀ x ∈ D_1: f(x) = 1, as in the text of the proofs",
            consequence="A misprint; the theorem survives as it is.",
        ),
    ),
)
