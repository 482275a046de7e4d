"""What CycleFind leaves behind: merged datasets, and the state it ends in (l. 734, 792)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.paper.cycle_find.position_samples import LOOPED_WORLDS, looped_worlds
from proofs_checks.paper.cycle_find.position_times import early_time, full_length, last_late
from proofs_checks.proofs.looped_words import LOOPED_WORDS
from proofs_checks.replays import proof
from proofs_checks.sections import IDENTIFYING
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory.counts import cycle_find_steps, full_rollout, initial_rollout
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, position_times
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from steel_verified.learning.plans import Word
    from steel_verified.theory.recipe import Recipe

t = Symbol("t")
"""t̂_mix."""
stride, start = (Symbol(name) for name in ("stride", "start"))
"""L·rounds, n_0."""
k, rest = (Symbol(name) for name in ("k", "rest"))
unused = Symbol("unused")


def _ends_where_said(case: tuple[Dynamics, Word, int], *, at_full_length: bool) -> bool:
    """Whether the loop ends at position max(c, c_init) (or, as the proof has it, c) modulo L."""
    world, word, bound = case
    return all(
        _ends_at(world, word, paper(parameters(bound, mixing_time, actions=world.actions)))[
            int(at_full_length)
        ]
        for mixing_time in (1, 4)
    )


def _ends_at(world: Dynamics, word: Word, recipe: Recipe) -> tuple[bool, bool]:
    loop = orbit(world, 0, word)
    cycles = loop.cycle // len(word)
    taken = cycle_find_steps(recipe, len(word), cycles)
    times = position_times(recipe, len(word), cycles, FixedByParameters())
    ends = loop.at(taken)
    listing = loop.at(times[taken % loop.cycle].early.first)
    proof = loop.at(times[full_rollout(recipe, len(word), cycles) % loop.cycle].early.first)
    return ends == listing, ends == proof


_SWAP: Final = Dynamics(((1,), (0,)))
_SHORT: Final = paper(parameters(2, 1, actions=1, class_size=2))
"""c_init = 65 and c = 62 for |â| = 1 and n_cyc = 2."""


def _proof_ends_elsewhere() -> bool:
    lengths = initial_rollout(_SHORT, 1), full_rollout(_SHORT, 1, 2)
    return lengths == (65, 62) and _ends_at(_SWAP, (0,), _SHORT) == (True, False)


def _last_is_in_no_dataset() -> bool:
    last = full_rollout(_SHORT, 1, 2)
    times = position_times(_SHORT, 1, 2, FixedByParameters())
    kept = {time for each in times for time in (*each.early, *each.late)}
    return last not in kept and max(kept) == last - 1


CLAIMS: Final = (
    IDENTIFYING.equation(
        "B20.member",
        "792",
        "the last sample of all is x_{c−1}; x_c is in no D'_i, but its position is c % L like that "
        "of any sample of D'_{c % L}",
        last_late,
        full_length - 1,
        Slip("x_c itself", left=last_late + 1),
        erratum=Erratum(
            printed="x_c belongs to D'_{c % (n_cyc|â|)}",
            counterexample="N = 2, n_cyc = 2, |â| = 1, t̂_mix = 1, |F| = 2, δ = 1/20, D̂ = |A| = 1: "
            "c = 62, and the last time of any D'_i is 61",
            refuted=_last_is_in_no_dataset,
            corrected="x_c shows the state of D'_{c % (n_cyc|â|)}, because c ≥ n_0",
            consequence="The theorem survives as it is: only the latent state of x_c is used.",
        ),
    ),
    IDENTIFYING.proved(
        "B20",
        "792",
        "after a call the state is s^cyc at max(c, c_init) % (n_cyc|â|)",
        beside(
            lambda: exhausted(
                looped_worlds(),
                partial(_ends_where_said, at_full_length=False),
                LOOPED_WORLDS + ", t̂_mix in {1, 4}",
            ),
            proof(LOOPED_WORDS, "B20"),
        ),
        Mutant(
            "c for max(c, c_init)",
            lambda: exhausted(looped_worlds(), partial(_ends_where_said, at_full_length=True), ""),
        ),
        proof(LOOPED_WORDS, "B20").misstated(
            "a step before (N − 1)|â|", "B20", given="z >= (N - 1) * L, c >= (N - 1) * L - 1"
        ),
        assumptions=("|S| ≤ N", "n_cyc is the true period, in words"),
        erratum=Erratum(
            printed="after a call the state is that of x_c, s^cyc at c % (n_cyc|â|)",
            counterexample="two states that one action swaps; N = 2, t̂_mix = 1, |F| = 2, δ = 1/20, "
            "|â| = 1: c = 62 and c_init = 65, so the call ends in the other state",
            refuted=_proof_ends_elsewhere,
            corrected="max(c, c_init) for c, as in the listing (l. 440)",
            consequence="The theorem survives as it is: the algorithm is right, its proof is "
            "about the case c ≥ c_init.",
        ),
    ),
    IDENTIFYING.bound(
        "B21",
        "734",
        "merging one D'_i of a call into D(s) from before leaves every new sample t̂_mix away from "
        "every old one; with B07, all of D(s) is t̂_mix apart",
        t,
        unused + early_time(k, rest),
        {start: t, unused: 0, k: 0, rest: 0, stride: t, t: 2},
        Slip(
            "merging two positions of one call: the next one is a step away",
            right=early_time(k, rest + 1) - early_time(k, rest),
        ),
    ),
)
