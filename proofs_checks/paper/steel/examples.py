"""Phase 1: the two examples of words that loop without learning anything (l. 808-901)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import equal
from proofs_checks.sections import PHASE_1
from steel_verified.learning.model import Model
from steel_verified.learning.words import escaping_word
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.learning.plans import Word


LEFT, RIGHT = 0, 1
TWO_STATES: Final = Dynamics(((0, 1), (1, 0)))
SIX_STATES: Final = Dynamics(((0, 1), (2, 0), (2, 3), (0, 4), (3, 5), (5, 0)))
"""The figure's states 1, …, 6 are 0, …, 5 here; each row is what L and R do."""
SIX_STATES_PARTLY: Final = Model(2, ((0, 1), (2, 0), (2, 3), (0, None)))


def terminal_transitions(world: Dynamics, start: int, word: Word) -> frozenset[tuple[int, int]]:
    """The transitions of the cycle in which looping a word ends."""
    loop = orbit(world, start, word)
    times = range(loop.transient, loop.transient + loop.cycle)
    return frozenset((loop.at(time), word[time % len(word)]) for time in times)


def _starts_that_learn(word: Word) -> set[int]:
    """The states of the 6-state example from which a loop ends up in something unknown."""
    known = {(t.state, t.action) for t in SIX_STATES_PARTLY.transitions()}
    return {s for s in range(6) if terminal_transitions(SIX_STATES, s, word) - known}


def _both_loops(start_of_second: int) -> Evidence:
    found = [terminal_transitions(TWO_STATES, s, (LEFT,)) for s in (0, start_of_second)]
    return equal(found, [{(0, LEFT)}, {(1, LEFT)}])


CLAIMS: Final = (
    PHASE_1.proved(
        "C01",
        "808-819",
        "in the 2-state example, looping [L] from state s finds T(s, L) = s and no more",
        partial(_both_loops, 1),
        Mutant("both loops from one start", partial(_both_loops, 0)),
    ),
    PHASE_1.proved(
        "C02",
        "842-899",
        "in the 6-state example, looping [R, R] from 3 ends in the cycle through 1 and 2, all "
        "of whose transitions are known",
        lambda: equal(
            (
                terminal_transitions(SIX_STATES, 2, (RIGHT, RIGHT)),
                SIX_STATES_PARTLY.walk(2, (RIGHT, RIGHT)),
                SIX_STATES_PARTLY.walk(0, (RIGHT, RIGHT)),
            ),
            (frozenset({(0, RIGHT), (1, RIGHT)}), None, 0),
        ),
        Mutant(
            "the cycle contains the unknown transition (4, R)",
            lambda: equal(
                terminal_transitions(SIX_STATES, 2, (RIGHT, RIGHT)) & {(3, RIGHT)},
                frozenset({(3, RIGHT)}),
            ),
        ),
    ),
    PHASE_1.proved(
        "S.C02",
        "842-901",
        "in the 6-state example, looping the escaping word of the partial graph ends, from "
        "every start, in a cycle with a transition that the partial graph lacks",
        lambda: equal(_starts_that_learn(escaping_word(SIX_STATES_PARTLY)), set(range(6))),
        Mutant(
            "the naive word [R, R]",
            lambda: equal(_starts_that_learn((RIGHT, RIGHT)), set(range(6))),
        ),
    ),
)
