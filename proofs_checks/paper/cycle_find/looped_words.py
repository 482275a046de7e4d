"""The check beside `looped_words.toml`: what a looped word does to the states of small worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.loops import LOOPED_WORLDS, looped_worlds

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence
    from proofs_checks.small_cases.loops import LoopedWorld


def cycles_follow_the_word(ahead: int = 0) -> Evidence:
    """Check T(s_i, â_{(i + ahead) % |â|}) = s_{(i+1) % L} for all L = n_cyc|â| positions."""

    def holds(case: LoopedWorld) -> bool:
        loop, table = case.loop, case.world.table
        first = -(-loop.transient // loop.cycle) * loop.cycle
        states = [loop.at(first + i) for i in range(loop.cycle)]
        return loop.cycle <= case.world.states * case.length and all(
            table[state][case.word[(i + ahead) % case.length]] == states[(i + 1) % loop.cycle]
            for i, state in enumerate(states)
        )

    return exhausted(looped_worlds(), holds, LOOPED_WORLDS)
