"""Located STEEL on random worlds: each run is right or not accepted."""

from __future__ import annotations

from collections import Counter

import pytest

from .random_runs import bits_run, half_spaces_run


def test_random_worlds_of_up_to_twelve_states_are_right_or_not_accepted() -> None:
    ended = {seed: bits_run(seed, 12, 60_000).ended for seed in range(12)}
    assert all_right_or_not_accepted(ended) >= 11


def test_half_space_worlds_are_right_or_not_accepted() -> None:
    """Worlds with one state are not accepted if N is larger."""
    ended = {seed: half_spaces_run(seed, 3, 100_000).ended for seed in range(100, 108)}
    assert all_right_or_not_accepted(ended) >= 6


@pytest.mark.slow
def test_random_worlds_of_up_to_thirty_states_are_right_or_not_accepted() -> None:
    """1,000 worlds, about three minutes in all."""
    ended = {seed: bits_run(seed, 30, 300_000).ended for seed in range(1000, 2000)}
    assert all_right_or_not_accepted(ended) >= 950


@pytest.mark.slow
@pytest.mark.parametrize(("max_states", "first"), [(4, 2000), (4, 2030), (4, 2060), (6, 2090)])
def test_more_half_space_worlds_are_right_or_not_accepted(max_states: int, first: int) -> None:
    """These are 120 more worlds; each takes seconds, because the oracle solves linear programs."""
    runs = (half_spaces_run(seed, max_states, 300_000) for seed in range(first, first + 30))
    assert all_right_or_not_accepted({run.seed: run.ended for run in runs}) >= 24


def all_right_or_not_accepted(ended: dict[int, str]) -> int:
    """Return how many runs are right; every other run must be not accepted."""
    wrong = {seed: how for seed, how in ended.items() if how not in ("right", "not accepted")}
    assert not wrong
    return Counter(ended.values())["right"]
