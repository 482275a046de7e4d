"""The grid of Figure 1: how many calls of CycleFind it takes (l. 196)."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.kernels.evidence import Evidence, NotEarned
from proofs_checks.kernels.finite import equal, exhausted
from proofs_checks.paper.main_text.planning import Known, way_out
from proofs_checks.sections import OVERVIEW
from steel_verified.learning.ledger import Added
from steel_verified.theory import counts
from steel_verified.theory.recipe import paper
from steel_verified.worlds.catalogue import setting
from steel_verified.worlds.dynamics import orbit
from steel_verified.worlds.grid import Grid
from steel_verified.worlds.ideal import ideal_run

if TYPE_CHECKING:
    from steel_verified.learning.plans import Word

_TWELVE: Final[tuple[Word, ...]] = (
    (0,),
    (3,),
    (0, 2),
    (3, 2),
    (2, 1),
    (0, 1),
    (3, 0, 1),
    (3, 1, 2),
    (2, 2, 3, 1),
    (0, 2, 3, 3),
    (0, 3, 1, 2, 0),
    (0, 1, 0, 3, 1, 0, 2, 1),
)
"""From cell 1: words that Algorithm 1 may choose, the ties being open."""
_NINE: Final[tuple[Word, ...]] = (
    (3,),
    (1,),
    (1, 2),
    (1, 2, 3),
    (3, 2, 0),
    (2, 1, 0),
    (0, 1, 3, 0),
    (3, 2, 0, 0, 1),
    (0, 3, 2, 2),
)
"""The same, from cell 2."""


def _may_be_chosen(known: Known, word: Word) -> bool:
    """Whether a word is made of shortest words out of the known graph, as Algorithm 1 makes it."""
    return _is_built(known, frozenset(state for state, _ in known), word)


def _is_built(known: Known, inside: frozenset[int], word: Word) -> bool:
    if not inside:
        return not word
    for state in inside:
        length = way_out(known, state)
        piece = word[:length]
        if len(piece) == length and _led(known, state, piece) is None:
            left = frozenset(
                to for other in inside if (to := _led(known, other, piece)) is not None
            )
            if _is_built(known, left, word[length:]):
                return True
    return False


def _led(known: Known, state: int, word: Word) -> int | None:
    here: int | None = state
    for action in word:
        here = None if here is None else known.get((here, action))
    return here


def _calls_on_grid(start: int, chosen: tuple[Word, ...]) -> int:
    """How many calls these words take to learn the grid; refuse words that may not be chosen."""
    dynamics, recipe = Grid(start, 0).dynamics(), paper(setting("grid").parameters)
    known: Known = {}
    here, calls = start, 0
    for word in chosen:
        if len(known) == dynamics.states * dynamics.actions:
            raise NotEarned(f"nothing is unknown after {calls} calls")
        if known and not _may_be_chosen(known, word):
            raise NotEarned(f"{word} is no choice of Algorithm 1")
        loop = orbit(dynamics, here, word)
        for time in range(loop.transient, loop.transient + loop.cycle):
            state, action = loop.at(time), word[time % len(word)]
            known[state, action] = dynamics.table[state][action]
        here = loop.at(counts.cycle_find_steps(recipe, len(word), loop.cycle // len(word)))
        calls += 1
    if len(known) < dynamics.states * dynamics.actions:
        raise NotEarned(f"{len(known)} transitions are known after {calls} calls")
    return calls


def _grid_takes(start: int, chosen: tuple[Word, ...], stated: int) -> Evidence:
    return equal(_calls_on_grid(start, chosen), stated)


def _grid_with_our_ties(stated: set[int]) -> Evidence:
    def holds(case: tuple[int, int]) -> bool:
        start, first = case
        world = Grid(start, first).dynamics()
        told = setting("grid").parameters
        learned = ideal_run(world, start, told, first_action=first, with_encoder=False)
        return sum(isinstance(line, Added) for line in learned.ledger.rows) in stated

    return exhausted(product(range(6), range(4)), holds, "every start and first action")


CLAIMS: Final = (
    OVERVIEW.proved(
        "M14",
        "196",
        "with some choice among shortest words, the 2 × 3 grid takes 12 calls of CycleFind",
        partial(_grid_takes, 1, _TWELVE, 12),
        Mutant("the last call left out", partial(_grid_takes, 1, _TWELVE[:-1], 11)),
        assumptions=(
            "start and ties, which the paper leaves open, are chosen; N, D̂ and t̂_mix are true",
        ),
    ),
    OVERVIEW.proved(
        "S.M14",
        "196",
        "another choice takes 9 calls: the number is not one of the grid alone",
        partial(_grid_takes, 2, _NINE, 9),
        Mutant("the last call left out", partial(_grid_takes, 2, _NINE[:-1], 8)),
        assumptions=("as for M14",),
    ),
    OVERVIEW.exhausted(
        "S.M14.ours",
        "196",
        "with lexicographically smallest words, and the nearest state first, it takes 14 or 15",
        partial(_grid_with_our_ties, {14, 15}),
        Mutant("12", partial(_grid_with_our_ties, {12})),
        assumptions=("N, D̂ and t̂_mix are true",),
    ),
)
