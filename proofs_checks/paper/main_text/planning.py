"""Words that leave the known graph, and cycles that cover it (l. 190, 243)."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.together import all_of, beside
from proofs_checks.paper.main_text.runs import SMALL_WORLDS
from proofs_checks.proofs.exploring import ESCAPING, WAYS_OUT
from proofs_checks.proofs.touring import LENGTHENING, TOURING
from proofs_checks.replays import proof
from proofs_checks.sections import OVERVIEW
from proofs_checks.small_cases.worlds import small_worlds, told
from steel_verified.learning.model import Model
from steel_verified.learning.planning import covering_cycle, escaping_word
from steel_verified.theory import bounds
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.worlds.dynamics import Dynamics


S, D, t, n = (Symbol(name) for name in ("S", "D", "t", "n"))
"""|S|, diameter, t̂_mix, a number of samples."""
rest, unused = (Symbol(name) for name in ("rest", "unused"))


def _partial_models() -> Iterator[tuple[int, Model]]:
    """Every part of a small world that is closed and not all of it, with the world's D."""
    for world in small_worlds():
        for size in range(1, world.states + 1):
            for inside in combinations(range(world.states), size):
                label = {state: number for number, state in enumerate(inside)}
                choices = [
                    (None, label[to]) if to in label else (None,)
                    for state in inside
                    for to in world.table[state]
                ]
                for flat in product(*choices):
                    if None in flat:
                        cut = range(0, len(flat), world.actions)
                        table = tuple(flat[k : k + world.actions] for k in cut)
                        yield world.diameter, Model(world.actions, table)


def _escapes(extra: int) -> Evidence:
    def holds(case: tuple[int, Model]) -> bool:
        diameter, model = case
        word = escaping_word(model)
        leaves = all(model.walk(state, word) is None for state in range(model.states))
        return leaves and len(word) <= model.states * (diameter + extra)

    return exhausted(_partial_models(), holds, f"every known part of {SMALL_WORLDS}")


def _pieces(extra: int) -> Evidence:
    def holds(case: tuple[int, Model]) -> bool:
        diameter, model = case
        known = {(step.state, step.action): step.to for step in model.transitions()}
        return all(
            way_out(known, state, model.actions) <= diameter + extra
            for state in range(model.states)
        )

    return exhausted(_partial_models(), holds, f"every known part of {SMALL_WORLDS}")


_PIECES: Final[Mapping[Symbol, Expr | int]] = {S: n, D: unused, unused: 0, n: 1}
"""n ≤ |S'| pieces, `unused` actions shorter than the longest."""


def _tour(spare: int) -> Evidence:
    short, loop = t - 1 - unused, D + 1 - rest
    return all_of(
        at_most((S - 1) * D + D + spare, S * D, {S: 2, D: 1}),
        at_most(short + loop + spare, t + D, {t: 1, D: 0, unused: 0, rest: 0}),
    )


def _covers(spare: int) -> Evidence:
    def holds(case: tuple[Dynamics, int, int]) -> bool:
        world, home, wait = case
        cycle = covering_cycle(Model(world.actions, world.table), home, wait)
        longest = bounds.longest_covering_cycle(
            paper(told(world, wait)), Extent(world.states, world.diameter)
        )
        return wait <= len(cycle) <= longest - spare

    cases = (
        (world, home, wait)
        for world in small_worlds()
        for home in range(world.states)
        for wait in range(1, 6)
    )
    return exhausted(cases, holds, f"{SMALL_WORLDS}, every home, t̂_mix ≤ 5")


Known = dict[tuple[int, int], int]


def way_out(known: Known, state: int, actions: int = 4) -> int:
    """The length of a shortest word through an unknown transition."""
    reached, length = {state}, 1
    while all((s, action) in known for s in reached for action in range(actions)):
        reached = {known[s, action] for s in reached for action in range(actions)}
        length += 1
    return length


CLAIMS: Final = (
    OVERVIEW.proved(
        "M13",
        "190",
        "â leaves the known graph from every known state, and |â| ≤ |S'|(D + 1)",
        beside(
            partial(_escapes, 1),
            proof(WAYS_OUT, "C05"),
            proof(ESCAPING, "C03_length", "C03_escape"),
        ),
        Mutant("|S'|·D", partial(_escapes, 0)),
        proof(ESCAPING, "C03_length", "C03_escape").misstated(
            "pieces of D + 2 actions", "pieces", then="cut(k) + 1 <= cut(k + 1) <= cut(k) + D + 2"
        ),
    ),
    OVERVIEW.proved(
        "M13.piece",
        "190",
        "from every known state, a shortest word through an unknown transition has at most D + 1 "
        "actions",
        beside(partial(_pieces, 1), proof(WAYS_OUT, "C04", "C05")),
        Mutant("D actions", partial(_pieces, 0)),
        proof(WAYS_OUT, "C04", "C05").misstated("D actions", "C05", then="out(u) <= D - 1"),
    ),
    OVERVIEW.bound(
        "M13.length",
        "190",
        "at most |S'| pieces, as each removes a state, of at most D + 1 actions each, have at most "
        "|S'|(D + 1) actions",
        n * (D + 1 - unused),
        S * (D + 1),
        _PIECES,
        Slip("|S'|·D", right=S * D),
    ),
    OVERVIEW.proved(
        "M25",
        "243",
        "a cycle through every state has between t̂_mix and max(|S|D, t̂_mix + D) steps",
        beside(partial(_covers, 0), proof(TOURING, "D03", "D04"), proof(LENGTHENING, "D01")),
        Mutant("one step less", partial(_covers, 1)),
        proof(LENGTHENING, "D01").misstated(
            "a self-loop of D + 2 steps", "self_loop", then="1 <= l <= D + 2"
        ),
    ),
    OVERVIEW.proved(
        "M25.length",
        "243",
        "|S| − 1 ways and the way back, of at most D steps each, are |S|D; self-loops of at most "
        "D + 1 steps, while there are fewer than t̂_mix, end at t̂_mix + D at most",
        partial(_tour, 0),
        Mutant("one step less", partial(_tour, 1)),
    ),
)
