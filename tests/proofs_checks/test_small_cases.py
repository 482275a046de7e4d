"""The lists of small cases are complete, and combining checks weakens nothing."""

import pytest

from proofs_checks.checks.evidence import NotEarned, Strength, all_of
from proofs_checks.checks.finite import equal, exhausted
from proofs_checks.small_cases.chains import all_mixed
from proofs_checks.small_cases.ideal_runs import all_ideal_runs, all_partly_known
from proofs_checks.small_cases.loops import looped_worlds
from proofs_checks.small_cases.worlds import (
    grid_of_parameters,
    partial_models,
    small_worlds,
    words,
    worlds,
)


def test_together_is_as_strong_as_the_weakest() -> None:
    computed = equal(7, 7)
    assert all_of(exhausted([1], bool, "one"), computed).strength is Strength.COMPUTED
    assert all_of(computed, computed).strength is Strength.COMPUTED
    with pytest.raises(NotEarned, match="no parts"):
        all_of()


@pytest.mark.parametrize(("states", "actions", "count"), [(1, 1, 1), (2, 2, 9), (3, 2, 296)])
def test_all_strongly_connected_tables_are_listed(states: int, actions: int, count: int) -> None:
    """1, 9, 296: the known numbers of strongly connected automata with labelled states."""
    assert len(worlds(states, actions)) == count


def test_lists_of_small_worlds_words_and_runs_have_the_counted_lengths() -> None:
    assert len(small_worlds()) == 310
    assert sum(1 for _ in words(2, 3)) == 2 + 4 + 8
    assert sum(1 for _ in looped_worlds()) == 3 * (4 * 3 + 306 * 14)
    assert len(all_ideal_runs()) == sum(world.actions for world in small_worlds())
    assert all(
        None in {to for row in part.model.table for to in row} for part in all_partly_known()
    )
    assert all(not model.is_total for model in partial_models([((1, 0), (0, 1))]))
    assert len(set(grid_of_parameters())) == len(grid_of_parameters())
    assert len(all_mixed()) == 76
