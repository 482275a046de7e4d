"""Checks beside `identifying.toml`: comparing positions with states, and where a call ends."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, Final

import numpy as np

from proofs_checks.kernels.finite import exhausted
from proofs_checks.small_cases.loops import LOOPED_WORLDS, looped_worlds
from proofs_checks.small_cases.worlds import parameters
from steel_verified.learning.classes import tables
from steel_verified.theory.counts import cycle_find_steps, full_rollout, initial_rollout
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, position_times
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.small_cases.loops import LoopedWorld
    from steel_verified.theory.recipe import Recipe
    from steel_verified.worlds.dynamics import Orbit

_SHORT: Final = paper(parameters(2, 1, actions=1, class_size=2))
"""c_init = 65 and c = 62 for |â| = 1 and n_cyc = 2."""


def states_are_told_apart(without: int | None = None) -> Evidence:
    """Check that F separates all that shows one state from all that shows another.

    F has a classifier for every state but `without`, and one more, whatever it is. A part of what
    shows a state is no harder to separate.
    """

    def holds(case: tuple[tuple[int, ...], tuple[bool, ...]]) -> bool:
        encoder, extra = case
        oracle = tables([*([e == s for e in encoder] for s in range(3) if s != without), extra])
        shown = [
            oracle.summarise(np.flatnonzero(np.array(encoder) == state)) for state in set(encoder)
        ]
        return all(oracle.separating(*pair) is not None for pair in permutations(shown, 2))

    cases = (
        case
        for size in range(2, 5)
        for case in product(product(range(3), repeat=size), product((False, True), repeat=size))
    )
    return exhausted(cases, holds, "|X| ≤ 4, |S| ≤ 3, every φ*, every further classifier")


def comparisons_are_few(fewer: int = 0) -> Evidence:
    """Check that the tests up to the first match are (L − m)|S| + m·known + m(m − 1)/2 at most."""

    def holds(case: tuple[int, int, tuple[int, ...]]) -> bool:
        states, known, labels = case
        tests, grown = 0, known
        for label in labels:
            tests += min(label + 1, grown)
            grown = max(grown, label + 1)
        new = grown - known
        most = (len(labels) - new) * states + new * known + new * (new - 1) // 2
        return tests <= most - fewer

    size = "|S| ≤ 4, every number of known states, every labelling of up to 5 positions"
    return exhausted(_labellings(), holds, size)


def _labellings() -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """|S|, how many states are known, and labels of positions: new ones are numbered in order."""
    for states, length in product(range(1, 5), range(1, 6)):
        for known, labels in product(range(states + 1), product(range(states), repeat=length)):
            named = [max((known - 1, *labels[:place])) for place in range(length)]
            if all(label <= last + 1 for label, last in zip(labels, named, strict=True)):
                yield states, known, labels


def calls_end_at(step: str) -> Evidence:
    """Check that a call ends at the position of max(c, c_init), or else of c."""

    def holds(case: LoopedWorld) -> bool:
        return all(
            _ends_at(case.recipe(mixing_time), case.loop, case.length, step)
            for mixing_time in (1, 4)
        )

    return exhausted(looped_worlds(), holds, f"{LOOPED_WORLDS}, t̂_mix in {{1, 4}}")


def _ends_at(recipe: Recipe, loop: Orbit, length: int, step: str) -> bool:
    """Whether the state after a call is that of the first sample at the step's position."""
    period = loop.cycle // length
    taken = cycle_find_steps(recipe, length, period)
    said = full_rollout(recipe, length, period) if step == "c" else taken
    times = position_times(recipe, length, period, FixedByParameters())
    return loop.at(taken) == loop.at(times[said % loop.cycle].early.first)


def call_ends_elsewhere() -> bool:
    """Evaluate the counterexample to B20: the call ends in the other of two states."""
    lengths = initial_rollout(_SHORT, 1), full_rollout(_SHORT, 1, 2)
    loop = orbit(Dynamics(((1,), (0,))), 0, (0,))
    return lengths == (65, 62) and not _ends_at(_SHORT, loop, 1, "c")


def last_is_in_no_dataset() -> bool:
    """Evaluate the counterexample to B20.member: no dataset has x_c."""
    last = full_rollout(_SHORT, 1, 2)
    times = position_times(_SHORT, 1, 2, FixedByParameters())
    kept = {time for each in times for time in (*each.early, *each.late)}
    return last not in kept and max(kept) == last - 1
