"""Checks beside `covering.toml`: the covering cycles that the planner makes in small worlds."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.ideal_runs import SIZE
from proofs_checks.small_cases.worlds import small_worlds
from steel_verified.learning.graph import covering_cycle, shortest_words, visits
from steel_verified.learning.model import Model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.checks.evidence import Evidence
    from steel_verified.worlds.dynamics import Dynamics

_LONGEST_WAIT: Final = 8
_Tour = tuple["Dynamics", int, int]
"""A world, the state that the tour starts from, t̂_mix."""


def cycles_have_length(less: int = 0) -> Evidence:
    """Check t̂_mix ≤ |ā| ≤ max(|S|D, t̂_mix + D) − less."""

    def holds(case: _Tour) -> bool:
        world, home, wait = case
        longest = max(world.states * world.diameter, wait + world.diameter) - less
        return wait <= len(covering_cycle(_model(world), home, wait)) <= longest

    return _in_every_tour(holds)


def cycles_cover(cut: int = 0) -> Evidence:
    """Check that the cycle, without its last `cut` actions, ends at home and visits all states."""

    def holds(case: _Tour) -> bool:
        world, home, wait = case
        word = covering_cycle(_model(world), home, wait)
        seen = visits(_model(world), home, word[: len(word) - cut])
        return bool(seen) and seen[-1] == home and set(seen) == set(range(world.states))

    return _in_every_tour(holds)


def tours_are_short(longest: str) -> Evidence:
    """Check the length of tours without padding: a wait of 1 step pads only a single state."""
    bounds: dict[str, Callable[[int, int], int]] = {
        "S * D": lambda s, d: s * d,
        "(S - 1) * D": lambda s, d: (s - 1) * d,
        "1 + (S - 1) * D": lambda s, d: 1 + (s - 1) * d,
    }

    def holds(case: _Tour) -> bool:
        world, home, wait = case
        steps = len(covering_cycle(_model(world), home, 1))
        return (
            wait > 1 or world.states == 1 or steps <= bounds[longest](world.states, world.diameter)
        )

    return _in_every_tour(holds)


def loops_are_short(beyond: int) -> Evidence:
    """Check that every state has a self-loop of at most D + beyond steps."""

    def holds(case: _Tour) -> bool:
        world, home, _ = case
        return len(shortest_words(_model(world), home)[home]) <= world.diameter + beyond

    return _in_every_tour(holds)


def _in_every_tour(holds: Callable[[_Tour], bool]) -> Evidence:
    return exhausted(_tours(), holds, f"{SIZE}, every home, every t̂_mix ≤ {_LONGEST_WAIT}")


def _tours() -> Iterator[_Tour]:
    for world in small_worlds():
        yield from product((world,), range(world.states), range(1, _LONGEST_WAIT + 1))


def _model(world: Dynamics) -> Model:
    return Model(world.actions, world.table)
