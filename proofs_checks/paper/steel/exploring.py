"""Checks beside `exploring.toml`: two examples, all partly known small worlds, all ideal runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import equal, exhausted
from proofs_checks.small_cases.ideal_runs import (
    SIZE,
    IdealRun,
    PartlyKnown,
    all_ideal_runs,
    all_partly_known,
    on_runs,
)
from steel_verified.learning.graph import escaping_word
from steel_verified.learning.looped import datasets
from steel_verified.learning.model import Model
from steel_verified.theory.progressions import gap_between
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.checks.evidence import Evidence
    from steel_verified.evidence.plans import Word

_Transitions = frozenset[tuple[int, int]]

# --- the two examples of words that loop without learning anything --------------------------------

_LEFT, _RIGHT = 0, 1
_TWO_STATES: Final = Dynamics(((0, 1), (1, 0)))
_SIX_STATES: Final = Dynamics(((0, 1), (2, 0), (2, 3), (0, 4), (3, 5), (5, 0)))
"""The figure's states 1, …, 6 are 0, …, 5 here; each row is what L and R do."""
_SIX_STATES_PARTLY: Final = Model(2, ((0, 1), (2, 0), (2, 3), (0, None)))


def looping_left(starts: tuple[int, int]) -> Evidence:
    """Compute what looping [L] finds in the 2-state example: one self-loop from each start."""
    found = [_terminal(_TWO_STATES, start - 1, (_LEFT,)) for start in starts]
    return equal(found, [{(0, _LEFT)}, {(1, _LEFT)}])


def looping_right_twice(visits: tuple[int, ...]) -> Evidence:
    """Compute the cycle of looping [R, R] from 3 in the 6-state example; all of it is known."""
    found = _terminal(_SIX_STATES, 2, (_RIGHT, _RIGHT))
    return equal((found, found - _known()), ({(s - 1, _RIGHT) for s in visits}, frozenset()))


def every_start_learns(*, naive: bool = False) -> Evidence:
    """Compute from which states looping the escaping word (or [R, R]) ends in something unknown."""
    word = (_RIGHT, _RIGHT) if naive else escaping_word(_SIX_STATES_PARTLY)
    learning = {s for s in range(6) if _terminal(_SIX_STATES, s, word) - _known()}
    return equal(learning, set(range(6)))


def _known() -> _Transitions:
    return frozenset((t.state, t.action) for t in _SIX_STATES_PARTLY.transitions())


def _terminal(world: Dynamics, start: int, word: Word) -> _Transitions:
    """The transitions of the cycle in which looping a word ends."""
    loop = orbit(world, start, word)
    times = range(loop.transient, loop.transient + loop.cycle)
    return frozenset((loop.at(time), word[time % len(word)]) for time in times)


# --- partly known worlds --------------------------------------------------------------------------


def words_are_short(less: int) -> Evidence:
    """Check |â| ≤ (D+1)|S'| − D − less."""

    def short(part: PartlyKnown) -> bool:
        diameter, known = part.truth.diameter, part.model.states
        return len(escaping_word(part.model)) <= known * (diameter + 1) - diameter - less

    return _on_graphs(short)


def loops_are_new(*, from_all: bool = True) -> Evidence:
    """Check that from every true state the loop of â ends in a cycle with an unknown transition.

    Unless `from_all`, a word is taken that escapes from one known state.
    """

    def new(part: PartlyKnown) -> bool:
        word = escaping_word(part.model) if from_all else _escape_from_one(part.model)
        known = {(part.names[t.state], t.action) for t in part.model.transitions()}
        return all(_terminal(part.truth, start, word) - known for start in range(part.truth.states))

    return _on_graphs(new)


def _escape_from_one(model: Model) -> Word:
    here = next(s for s, row in enumerate(model.table) if None in row)
    return (model.table[here].index(None),)


def _on_graphs(holds: Callable[[PartlyKnown], bool]) -> Evidence:
    parts = (part for part in all_partly_known() if part.model.states)
    return exhausted(parts, holds, f"{SIZE}, every set of known transitions")


# --- whole runs -----------------------------------------------------------------------------------


def samples_are_apart(more: int = 0) -> Evidence:
    """Check that the samples within each D(s) are at least t̂_mix + more steps apart."""

    def apart(run: IdealRun) -> bool:
        for pieces in datasets(run.learned.ledger):
            gaps = [p.gap for p in pieces if p.gap is not None]
            gaps += [gap_between(p, q) for i, p in enumerate(pieces) for q in pieces[:i]]
            if min(gaps) < run.parameters.mixing_time + more:
                return False
        return True

    return on_runs(apart)


def union_is_not_apart() -> bool:
    """Two states of one cycle are sampled one step after the other."""
    run = next(r for r in all_ideal_runs() if r.truth.table == ((1,), (0,)))
    one, other = datasets(run.learned.ledger)
    gap = min(gap_between(p, q) for p in one for q in other)
    return gap == 1 < run.parameters.mixing_time
