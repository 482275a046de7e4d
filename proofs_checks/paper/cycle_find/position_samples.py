"""The samples of a position: one state each, and t̂_mix apart (l. 699-722).

A remainder enters as i − n_0 + turns·L where that is what the paper computes with.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.paper.cycle_find.position_times import (
    BOTH_HALVES,
    early_time,
    last_early,
    late_start_time,
    late_time,
)
from proofs_checks.proofs.looped_words import LOOPED_WORDS
from proofs_checks.replays import proof
from proofs_checks.sections import COLLECTING
from proofs_checks.small_cases.maps import maps, tail_and_cycle
from proofs_checks.small_cases.worlds import parameters, small_worlds, words
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, position_times
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.learning.plans import Word

t = Symbol("t")
"""t̂_mix."""
rounds, stride, start = (Symbol(name) for name in ("rounds", "stride", "start"))
"""⌈t̂_mix/L⌉, L·rounds, n_0."""
L, k, later, i, turns, rest, other_rest, beyond = (
    Symbol(name) for name in ("L", "k", "later", "i", "turns", "rest", "other_rest", "beyond")
)

LOOPED_WORLDS: Final = "|S| ≤ 3, |A| ≤ 2, words of up to 3 actions, every start, |S| ≤ N ≤ |S| + 2"


def looped_worlds() -> Iterator[tuple[Dynamics, Word, int]]:
    """Every small world, word and N."""
    # Every naming of the states is listed, so state 0 stands for every start.
    for world in small_worlds():
        for word in words(world.actions, 3):
            for bound in range(world.states, world.states + 3):
                yield world, word, bound


def _repeats(case: tuple[Dynamics, Word, int], *, sooner: int = 0) -> bool:
    """Whether the loop repeats with n_cyc|â| from (N − n_cyc)|â| on: two cycles are compared."""
    world, word, bound = case
    loop = orbit(world, 0, word)
    length = loop.cycle
    first = max(0, (bound - sooner) * len(word) - length)
    return all(loop.at(time) == loop.at(time + length) for time in range(first, first + length))


def _settles(map_: tuple[int, ...], *, sooner: int = 0) -> bool:
    transient, cycles = tail_and_cycle(map_)
    return transient <= len(map_) - cycles - sooner


def _one_state_each(
    case: tuple[Dynamics, Word, int], *, mixing_time: int = 3, moved: int = 0
) -> bool:
    world, word, bound = case
    loop = orbit(world, 0, word)
    recipe = paper(parameters(bound, mixing_time, actions=world.actions))
    times = position_times(recipe, len(word), loop.cycle // len(word), FixedByParameters())
    return all(
        len(loop.within(each.early) | loop.within(each.late.shifted(moved))) == 1 for each in times
    )


def _two_ends_are_not_all() -> bool:
    """L = 3: the braces as printed name positions 0 and 2, or 0 and 3, and no other."""
    times = position_times(paper(parameters(3, 1)), 3, 1, FixedByParameters())
    positions = {each.position for each in times}
    return positions == {0, 1, 2} != {0, 2} and 3 not in positions


CLAIMS: Final = (
    COLLECTING.proved(
        "B05",
        "699-701",
        "s_i = s_j for i ≡ j (mod n_cyc|â|) and i, j ≥ (N − n_cyc)|â|, hence for i, j ≥ n_0",
        beside(
            lambda: exhausted(looped_worlds(), _repeats, LOOPED_WORLDS), proof(LOOPED_WORDS, "B05")
        ),
        Mutant(
            "from (N − n_cyc − 1)|â| on",
            lambda: exhausted(looped_worlds(), partial(_repeats, sooner=1), LOOPED_WORLDS),
        ),
        proof(LOOPED_WORDS, "B05").misstated(
            "a step before (N − n_cyc)|â|",
            "B05_ordered",
            given="(N - n_cyc(0)) * L - 1 <= j <= i, i % (n_cyc(0) * L) == j % (n_cyc(0) * L)",
        ),
        assumptions=("|S| ≤ N", "n_cyc is the true period, in words"),
    ),
    COLLECTING.proved(
        "B05.words",
        "699-701",
        "a map of |S| states to themselves is in its cycle after |S| − n_cyc rounds",
        beside(
            lambda: exhausted(maps(6), _settles, "every map of up to 6 states, every start"),
            proof(LOOPED_WORDS, "S_M06"),
        ),
        Mutant(
            "a round sooner",
            lambda: exhausted(maps(6), partial(_settles, sooner=1), "up to 6 states"),
        ),
        proof(LOOPED_WORDS, "S_M06").misstated(
            "a step sooner", "S_M06", given="i >= (S - n_cyc(0)) * L - 1"
        ),
    ),
    COLLECTING.equation(
        "B06",
        "705",
        "an index of D^A_i or D^B_i is i plus a multiple of L, where (i − n_0) % L is written as "
        "i − n_0 + turns·L (and likewise with n_0')",
        k * (L * rounds) + start + (i - start + turns * L),
        i + (k * rounds + turns) * L,
        Slip("the remainder of i alone", left=k * (L * rounds) + start + (i + turns * L)),
    ),
    COLLECTING.bound(
        "B07.within",
        "707",
        "two samples of the same half of a position are at least t̂_mix apart",
        t,
        early_time(later, rest) - early_time(k, rest),
        {later: k + 1, k: 0, stride: t, t: 1, rest: 0, start: 0},
        Slip("t̂_mix + 1 apart", left=t + 1),
    ),
    COLLECTING.bound(
        "B07.between",
        "707, 712",
        "the early and the late samples of one position are at least t̂_mix + 1 apart, so all of "
        "D'_i is at least t̂_mix apart",
        t + 1,
        late_time(later, other_rest) - early_time(k, rest),
        BOTH_HALVES,
        Slip(
            "n_0' without its t̂_mix",
            left=t,
            right=late_time(later, other_rest) - t - early_time(k, rest),
        ),
    ),
    COLLECTING.proved(
        "B07.state",
        "707, 712",
        "all samples of D'_i show one latent state",
        beside(
            lambda: exhausted(looped_worlds(), _one_state_each, LOOPED_WORLDS + ", t̂_mix = 3"),
            proof(LOOPED_WORDS, "B07_state"),
        ),
        Mutant(
            "the late half a step later",
            lambda: exhausted(looped_worlds(), partial(_one_state_each, moved=1), LOOPED_WORLDS),
        ),
        proof(LOOPED_WORDS, "B07_state").misstated(
            "a half from (N − 2)|â| on",
            "B07_state",
            given="z >= (N - 1) * L, y >= (N - 2) * L, q >= 0, k >= 0, l >= 0",
        ),
        assumptions=("|S| ≤ N", "n_cyc is the true period, in words"),
    ),
    COLLECTING.bound(
        "B11",
        "716-717",
        "the n_samp. indices of a half are strictly increasing, so there are n_samp. of them, for "
        "each i ∈ {0, …, n_cyc|â| − 1}",
        1,
        early_time(k + 1, rest) - early_time(k, rest),
        {stride: t, t: 1, k: 0, start: 0, rest: 0},
        Slip("stride reduced by t̂_mix", right=early_time(k + 1, rest) - early_time(k, rest) - t),
        assumptions=("datasets are multisets: equal observations count as often as they occur",),
        erratum=Erratum(
            printed="for each i ∈ {0, n_cyc|â| − 1}",
            counterexample="n_cyc|â| = 3: position 1 is meant, too, but is not in {0, 2}",
            refuted=_two_ends_are_not_all,
            corrected="for each i ∈ {0, …, n_cyc|â| − 1}",
            consequence="A misprint; the theorem survives as it is.",
        ),
    ),
    COLLECTING.bound(
        "B12",
        "722",
        "a round of samples takes each position i ∈ {0, …, n_cyc|â| − 1} within L steps; it ends "
        "before the next round begins, stride ≥ L steps after it began",
        early_time(k, rest) + 1,
        early_time(k + 1, other_rest),
        # The stride is a positive multiple of L.
        {
            stride: L,
            L: rest + 1 + beyond,
            rest: 0,
            beyond: 0,
            other_rest: 0,
            k: 0,
            start: 0,
        },
        Slip("2 steps before", left=early_time(k, rest) + 2),
        erratum=Erratum(
            printed="an observation of each cycle position i ∈ {0, n_cyc|â|} is collected",
            counterexample="n_cyc|â| = 3: positions are 0, 1, 2; 3 is none, and 1 and 2 are meant",
            refuted=_two_ends_are_not_all,
            corrected="i ∈ {0, …, n_cyc|â| − 1}",
            consequence="A misprint in a caption; the theorem survives as it is.",
        ),
    ),
    COLLECTING.equation(
        "B12.wait",
        "722",
        "between the last round of early samples and the first late one lie t̂_mix steps: "
        "n_0' is t̂_mix + 1 after the last early time",
        late_start_time - last_early,
        t + 1,
        Slip("t̂_mix after", left=late_start_time - last_early - 1),
    ),
)
