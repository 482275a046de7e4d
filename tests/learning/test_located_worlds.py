"""Located STEEL on random worlds: each run is right or not accepted."""

from __future__ import annotations

from collections import Counter

import pytest

from .random_runs import bits_run, half_spaces_run


def test_random_worlds_of_up_to_twelve_states() -> None:
    ended = {seed: bits_run(seed, 12, 60_000).ended for seed in range(12)}
    assert all_right_or_not_accepted(ended) >= 11


def test_random_worlds_of_half_spaces_in_two_to_twenty_dimensions() -> None:
    """Worlds with one state are not accepted where more are allowed."""
    ended = {seed: half_spaces_run(seed, 3, 100_000).ended for seed in range(100, 108)}
    assert all_right_or_not_accepted(ended) >= 6


@pytest.mark.slow
def test_random_worlds_of_up_to_thirty_states() -> None:
    """1,000 worlds, about three minutes in all."""
    ended = {seed: bits_run(seed, 30, 300_000).ended for seed in range(1000, 2000)}
    assert all_right_or_not_accepted(ended) >= 950


@pytest.mark.slow
@pytest.mark.parametrize(("max_states", "first"), [(4, 2000), (4, 2030), (4, 2060), (6, 2090)])
def test_random_worlds_of_half_spaces(max_states: int, first: int) -> None:
    """Another 120 worlds: each takes seconds, as the oracle solves linear programs."""
    runs = (half_spaces_run(seed, max_states, 300_000) for seed in range(first, first + 30))
    assert all_right_or_not_accepted({run.seed: run.ended for run in runs}) >= 24


def all_right_or_not_accepted(ended: dict[int, str]) -> int:
    """How many runs are right; no run is anything but right or not accepted."""
    wrong = {seed: how for seed, how in ended.items() if how not in ("right", "not accepted")}
    assert not wrong
    return Counter(ended.values())["right"]
