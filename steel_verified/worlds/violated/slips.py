"""Small random worlds that satisfy all conditions, except that steps slip at a given rate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from steel_verified.worlds.violated.breaking import violated_world
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from steel_verified.worlds.violated.building import ViolatedWorld
    from steel_verified.worlds.violated.process import Step


def slipping_world(rate: Fraction, seed: int) -> ViolatedWorld:
    """The honest world of a seed, in which each step slips with probability `rate`."""
    world = violated_world(Violation.HONEST, seed)
    states = len(world.table)

    def law(to: int) -> Distribution:
        return tuple(1 - rate if s == to else rate / (states - 1) for s in range(states))

    moves = tuple(tuple(law(to) for to in row) for row in world.table)
    return replace(world, process=replace(world.process, moves=moves), size=rate)


def slipped_steps(table: Table, start: int, path: Sequence[Step]) -> int:
    """How many steps of a path differ from the table."""
    before = (start, *(step.state for step in path))
    return sum(table[s][step.action] != step.state for s, step in zip(before, path, strict=False))
