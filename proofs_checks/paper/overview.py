"""Checks beside `overview.toml`: the grid of Figure 1, and the counterexamples of two errata."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.evidence import NotEarned
from proofs_checks.checks.finite import equal
from proofs_checks.small_cases.worlds import parameters
from steel_verified.learning.graph import shortest_words
from steel_verified.learning.model import Model
from steel_verified.theory import counts
from steel_verified.theory.schedules import period_test
from steel_verified.worlds.catalogue import setting
from steel_verified.worlds.dynamics import orbit
from steel_verified.worlds.grid import Grid

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence
    from steel_verified.evidence.plans import Word
    from steel_verified.theory.schedules import PeriodTest

_START: Final = 1
_CHOICES: Final = "0 3 02 32 21 01 301 312 2231 0233 03120 01031021"
"""Words that Algorithm 1 may choose on the grid, from the start (ties are open)."""


def grid_takes(calls: int, cut: int = 0) -> Evidence:
    """Check that the first `calls` words are possible choices and learn the grid.

    `cut` actions are left out at the end of the last word.
    """
    world, p = Grid(_START, 0).dynamics(), setting("grid").parameters
    model, here = Model(world.actions), _START
    totals = []
    *others, last = _CHOICES.split()[:calls]
    for digits in (*others, last[: len(last) - cut]):
        word = tuple(map(int, digits))
        known = frozenset(step.state for step in model.transitions())
        if known and not _is_built(model, known, word):
            raise NotEarned(f"{word} is not a choice of Algorithm 1")
        loop = orbit(world, here, word)
        begin = -(-loop.transient // len(word)) * len(word)
        model = model.with_cycle(tuple(loop.at(begin + i) for i in range(loop.cycle)), word)
        totals.append(model.is_total and model.states == world.states)
        here = loop.at(counts.cycle_find_steps(p, len(word), loop.cycle // len(word)))
    return equal(totals, [False] * (calls - 1) + [True])


def _is_built(model: Model, inside: frozenset[int], word: Word) -> bool:
    """Whether a word consists of shortest words out of the known graph, as Algorithm 1 makes it."""
    if not inside:
        return not word
    for state in inside:
        piece = word[: _way_out(model, state)]
        if model.walk(state, piece) is None:
            left = {model.walk(other, piece) for other in inside}
            if _is_built(model, frozenset(s for s in left if s is not None), word[len(piece) :]):
                return True
    return False


def _way_out(model: Model, state: int) -> int:
    """The length of a shortest word through an unknown transition."""
    reached: dict[int, Word] = {**shortest_words(model, state), state: ()}
    return 1 + min(len(word) for s, word in reached.items() if None in model.table[s])


def lucky_noise_separates() -> bool:
    """Check that D_1 and D_0 share no time, for one state and n' = 2.

    So a fair coin may be 1 at all times of D_1 and 0 at all times of D_0.
    """
    test = _tested(max_states=2, mixing_time=1, hypothesis=2)
    return not set(test.ones) & set(test.zeros)


def ones_alternate() -> bool:
    """Check that D_1 has words of both residues modulo n_cyc = 2, for n' = 3 and t̂_mix = 3."""
    ones = _tested(max_states=4, mixing_time=3, hypothesis=3).ones
    return {(time - ones.first) % 2 for time in ones} == {0, 1}


def _tested(max_states: int, mixing_time: int, hypothesis: int) -> PeriodTest:
    given = parameters(
        max_states, mixing_time, actions=1, class_size=max_states, delta=Fraction(1, 2)
    )
    return period_test(given, 1, hypothesis)
