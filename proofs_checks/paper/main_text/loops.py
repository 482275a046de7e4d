"""Looped words: their cycle, and which times show the same state (l. 92, 188, 221-227)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.paper.main_text.runs import SMALL_WORLDS
from proofs_checks.proofs.looped_words import LOOPED_WORDS
from proofs_checks.replays import proof
from proofs_checks.sections import OVERVIEW
from proofs_checks.small_cases.maps import maps, tail_and_cycle
from proofs_checks.small_cases.worlds import small_worlds, words
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.learning.plans import Word


def _loops(entered_by: int) -> Evidence:
    return exhausted(
        ((step, start) for step in maps(5) for start in range(len(step))),
        lambda case: sum(tail_and_cycle(*case)) <= len(case[0]) - entered_by,
        "all maps of at most 5 states, which is what words do, and all starts",
    )


def _looped() -> Iterator[tuple[Dynamics, Word, int]]:
    for world in small_worlds():
        for word in words(world.actions, 3):
            for start in range(world.states):
                yield world, word, start


def _residues_tell_states(settled: int) -> Evidence:
    """Same state ⇔ same residue, from `settled` words and any further 0 ≤ o < |â| steps on."""

    def holds(case: tuple[Dynamics, Word, int]) -> bool:
        world, word, start = case
        loop = orbit(world, start, word)
        cycle = loop.cycle // len(word)
        for extra in range(len(word)):
            offset = (world.states - 1 + settled) * len(word) + extra
            seen = [loop.at(offset + len(word) * k) for k in range(2 * cycle)]
            if len(set(seen)) != cycle or seen[:cycle] != seen[cycle:]:
                return False
        return True

    return exhausted(
        _looped(), holds, f"{SMALL_WORLDS}, words up to 3 actions, every start and offset"
    )


CLAIMS: Final = (
    OVERVIEW.proved(
        "M06",
        "92, 188",
        "a looped word enters a cycle of n_cyc ≤ |S| words after at most |S| words",
        beside(partial(_loops, 0), proof(LOOPED_WORDS, "M06")),
        Mutant("one word earlier than the sharp bound", partial(_loops, 1)),
        proof(LOOPED_WORDS, "M06").misstated("n_cyc ≤ |S| − 1", "M06", then="n_cyc(0) <= S - 1"),
    ),
    OVERVIEW.proved(
        "S.M06",
        "188",
        "the transient is at most (|S| − n_cyc)|â| ≤ (|S| − 1)|â|: transient and cycle together "
        "have at most |S| words",
        beside(partial(_loops, 0), proof(LOOPED_WORDS, "S_M06")),
        Mutant("|S| − 1 words together", partial(_loops, 1)),
        proof(LOOPED_WORDS, "S_M06").misstated(
            "a word sooner", "S_M06", given="i >= (S - n_cyc(0) - 1) * L"
        ),
    ),
    OVERVIEW.proved(
        "M19",
        "221",
        "of the states of the cycle, every |â|-th is different",
        beside(partial(_residues_tell_states, 0), proof(LOOPED_WORDS, "M19")),
        Mutant("already one word before it is surely entered", partial(_residues_tell_states, -1)),
        proof(LOOPED_WORDS, "M19").misstated(
            "n_cyc + 1 states", "M19", given="o >= (N - 1) * L, 0 <= i < j <= n_cyc(0)"
        ),
    ),
    OVERVIEW.proved(
        "M20",
        "223-227",
        "n ≡ m (mod n_cyc) ⇔ the same latent state at |â|n + offs. and |â|m + offs., for any "
        "offs. ≥ (N − 1)|â|, whole words or not",
        beside(partial(_residues_tell_states, 0), proof(LOOPED_WORDS, "A12")),
        Mutant("offs. = (N − 2)|â|", partial(_residues_tell_states, -1)),
        proof(LOOPED_WORDS, "A12").misstated(
            "any offset", "A12_ordered", given="o >= 0, 0 <= i < j"
        ),
        assumptions=("n, m ≥ 0",),
    ),
)
