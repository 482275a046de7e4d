"""Sure decisions follow from inseparability; a validation is fixed before its samples."""

from __future__ import annotations

import ast
from fractions import Fraction
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Marks, Tables, tables
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import PeriodsLeft
from steel_verified.evidence.ledger import KEY, opened
from steel_verified.evidence.observed import (
    check_pass,
    first_same,
    fix,
    one_against_all,
    pooled,
    pools_of,
    possible_period,
    read,
    run,
    united,
    with_datasets,
)
from steel_verified.evidence.plans import Plan
from steel_verified.evidence.sealed import Observed, Pool, Sample, Validation
from steel_verified.learning.located import Located
from steel_verified.theory.progressions import Progression
from tests.bounds import bounds

from ..contracts.test_imports import ROOT
from .small import ORACLE, looped, turning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.sealed import Loop
    from steel_verified.worlds.simulated import SimulatedWorld


RECIPE = Located(bounds(1, 4, 2, epsilon=Fraction(1, 2)))
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
            both = pools_of({5: pools[other], 7: pools[one]})
            same, _, ledger = first_same(ledger, oracle, 7, both)
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
    same, _, ledger = first_same(ledger, oracle, 2, pools_of(held))
    assert same is not None
    assert (same.one, same.other) == (2, 1)
    alone, _, _ = first_same(ledger, oracle, 0, pools_of({0: held[0]}))
    assert alone is None


LABELS = 5
LABEL = st.integers(0, LABELS - 1)
NOISE = st.sampled_from((0, 0, 1, 2, 3))


@given(
    story=st.lists(
        st.tuples(LABEL, NOISE, st.none() | st.tuples(LABEL, LABEL)),
        max_size=12,
    )
)
def test_questions_that_are_left_out_would_change_nothing(
    story: list[tuple[int, int, tuple[int, int] | None]],
) -> None:
    """A label is compared with all others only if its row says something new, with equal results.

    Labels that follow merged ones are united too, without being compared.
    """
    width = LABELS + 2  # a classifier for each label, and two that show the noise
    oracle = Tables(width, tuple(range(2**width)))
    ledger, pools, root = opened(RECIPE.parameters), pools_of({}), list(range(LABELS))

    def joined(one: int, other: int) -> None:
        nonlocal root, pools
        low, high = sorted((root[one], root[other]))
        roots = {label: low if label == high else label for label in pools.held}
        root = [roots.get(label, label) for label in root]
        pools = united(oracle, pools, roots)

    for label, noise, join in [*((label, 0, None) for label in range(LABELS)), *story]:
        here, row = root[label], 1 << label | noise << LABELS
        pools = with_datasets(oracle, pools, here, (sample(ledger, oracle, 1, row),))
        while True:
            plain, _, ledger = first_same(ledger, oracle, here, pools_of(pools.held))
            same, pools, ledger = first_same(ledger, oracle, here, pools)
            assert same == plain
            if same is None:
                break
            joined(same.one, same.other)
            here = root[here]
        if join is not None and all(root[each] in pools.held for each in join):
            joined(*join)


def test_empty_datasets_and_those_of_another_run_are_refused() -> None:
    oracle = tables([[True, True, False, False], [False, False, True, True]])
    ledger, other = opened(RECIPE.parameters), opened(RECIPE.parameters)
    here, there = pool(ledger, oracle, (0,)), pool(other, oracle, (0,))
    with pytest.raises(InvalidArgument, match="this run"):
        first_same(ledger, oracle, 0, pools_of({0: here, 1: there}))
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


# --- which learner uses which decisions -------------------------------------------------------

SURE = {"first_same", "possible_period", "with_datasets", "united", "one_against_all"}
SURE |= {"fix", "check_pass"}
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


OF_TWO = Located(bounds(2, 2, 2, epsilon=Fraction(1, 2)))
WALK = (0, 0)
VISITS = (2, 1)
"""From state 0, action 0 leads to state 1 and then back."""
RIGHT = (0, 1)
"""The classifiers of the two states."""


def fixed(
    ledger: Ledger, classifiers: tuple[int, ...] = RIGHT, walk: tuple[int, ...] = WALK
) -> tuple[Validation, Ledger]:
    return fix(ledger, walk=walk, visits=VISITS, classifiers=classifiers)


def explored() -> tuple[SimulatedWorld[NDArray[np.int64]], Loop[NDArray[np.int64]], Ledger]:
    """Return a world that is back in its first state, and a loop of the walk that was run there."""
    world = turning()
    loop = run(opened(OF_TWO.parameters), world, Plan(WALK, 4))
    return world, loop, loop.ledger


def passed(
    world: SimulatedWorld[NDArray[np.int64]], ledger: Ledger, number: int
) -> tuple[Loop[NDArray[np.int64]], Ledger]:
    """Run pass `number` of the walk; the first is number 0."""
    loop = run(ledger, world, Plan(WALK, 2, 2 * number))
    return loop, loop.ledger


@pytest.mark.parametrize(
    ("classifiers", "failed"), [((1, 0), (0, 1)), ((0, 0), (1,)), ((1, 1), (1,))]
)
def test_wrong_classifiers_fail_on_their_labels(
    classifiers: tuple[int, ...], failed: tuple[int, ...]
) -> None:
    """φ' names the first label whose classifier is 1, and label 0 if there is none."""
    world, _, ledger = explored()
    validation, ledger = fixed(ledger, classifiers)
    _, ledger = passed(world, ledger, 0)
    loop, ledger = passed(world, ledger, 1)
    found, _, _ = check_pass(ledger, loop, ORACLE, validation)
    assert found == failed


@pytest.mark.parametrize("word", [(1, 1), (0, 0, 0, 0), (0,)])
def test_pass_of_another_walk_is_refused(word: tuple[int, ...]) -> None:
    world, _, ledger = explored()
    validation, ledger = fixed(ledger)
    loop = run(ledger, world, Plan(word, len(word)))
    loop = run(loop.ledger, world, Plan(word, len(word), len(word)))
    with pytest.raises(InvalidArgument, match="the walk that was fixed"):
        check_pass(loop.ledger, loop, ORACLE, validation)


def test_rows_of_a_loop_that_began_before_the_validation_are_refused() -> None:
    world, loop, ledger = explored()
    validation, ledger = fixed(ledger)
    with pytest.raises(InvalidArgument, match="run after that"):
        check_pass(ledger, loop, ORACLE, validation)
    later, ledger = passed(world, ledger, 2)
    with pytest.raises(InvalidArgument, match="run after that"):
        check_pass(ledger, later, ORACLE, validation)


def test_validation_of_another_run_is_refused() -> None:
    """A validation that is fixed in the ledger of a new run, at its step 0, is refused."""
    world = turning()
    _, ledger = passed(world, opened(OF_TWO.parameters), 0)
    loop, ledger = passed(world, ledger, 1)
    foreign, _ = fixed(opened(OF_TWO.parameters))
    with pytest.raises(InvalidArgument, match="this run"):
        check_pass(ledger, loop, ORACLE, foreign)


@pytest.mark.parametrize("steps", [1, 3, 4])
def test_checking_a_partial_or_double_pass_is_refused(steps: int) -> None:
    world, _, ledger = explored()
    validation, ledger = fixed(ledger)
    _, ledger = passed(world, ledger, 0)
    loop = run(ledger, world, Plan(WALK, steps, 2))
    with pytest.raises(InvalidArgument, match="one whole pass"):
        check_pass(loop.ledger, loop, ORACLE, validation)


@pytest.mark.parametrize("visits", [(2,), (2, 1, 1), (0, 1), (3, 1)])
def test_visits_that_do_not_fit_the_classifiers_are_refused(visits: tuple[int, ...]) -> None:
    _, _, ledger = explored()
    with pytest.raises(InvalidArgument, match="visits"):
        fix(ledger, walk=WALK, visits=visits, classifiers=RIGHT)


def test_validation_in_a_looped_run_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="located"):
        fixed(looped().ledger)


def test_two_labels_of_one_state_leave_no_classifier() -> None:
    """If two labels of one state saw the same noise, F has no classifier for either."""
    _, loop, ledger = explored()
    (one, other), _ = read(ledger, loop, ORACLE, ((Progression(1),), (Progression(3),)))
    pools = [pooled(ORACLE, (one,)), pooled(ORACLE, (other,))]
    assert one_against_all(ORACLE, pools) == (None, None)
    assert one_against_all(ORACLE, pools[:1]) == (1,)
