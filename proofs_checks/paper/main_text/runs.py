"""Runs on all small worlds, against the overview of the algorithm (l. 90, 148, 161-188, 243)."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.proofs.calls import CALLS, NEWS
from proofs_checks.proofs.naming import COMPLETE, NAMING
from proofs_checks.proofs.touring import DIAMETER
from proofs_checks.replays import proof
from proofs_checks.sections import NOTATION, OVERVIEW
from proofs_checks.small_cases.worlds import small_worlds, told
from steel_verified.learning.ledger import Added
from steel_verified.theory import bounds
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import paper
from steel_verified.worlds.driver import learn
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle, ideal_run
from steel_verified.worlds.truth import relabelling

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.worlds.dynamics import Dynamics

SMALL_WORLDS: Final = "all strongly connected tables with |S| ≤ 3 and |A| ≤ 2"


@cache
def _runs() -> tuple[tuple[Dynamics, tuple[int, ...], int], ...]:
    """Each world, for each first action: the transitions added in each call, the steps.

    Every naming of the states occurs, so that starting in 0 stands for every start.
    """
    found = []
    for world in small_worlds():
        for first in range(world.actions):
            learned = ideal_run(world, 0, told(world), first_action=first)
            added = tuple(
                len(line.transitions) for line in learned.ledger.rows if isinstance(line, Added)
            )
            found.append((world, added, learned.ledger.steps))
    return tuple(found)


def _within_theorem(slower: int) -> Evidence:
    """`slower` multiplies the steps that were taken."""
    return exhausted(
        _runs(),
        lambda run: (
            slower * run[2]
            <= bounds.total_bound(paper(told(run[0])), Extent(run[0].states, run[0].diameter))
        ),
        f"{SMALL_WORLDS}, every start and first action, t̂_mix = 2",
    )


def _calls(spare: int) -> Evidence:
    return exhausted(
        _runs(),
        lambda run: min(run[1]) >= 1 and len(run[1]) <= run[0].states * run[0].actions - spare,
        f"{SMALL_WORLDS}, every start and first action",
    )


def _current_known(shift: int) -> Evidence:
    """`shift` moves the state in which the learner is said to be."""

    def holds(case: tuple[Dynamics, int]) -> bool:
        world, first = case
        ideal = IdealWorld(world, 0)
        learned = learn(ideal, PerfectOracle(), told(world), first_action=first, with_encoder=False)
        state = (ideal.state + shift) % world.states
        return relabelling(learned.model, learned.current, world, state) is not None

    cases = ((world, first) for world in small_worlds() for first in range(world.actions))
    return exhausted(
        cases, holds, f"{SMALL_WORLDS}, every start and first action, when phase 1 ends"
    )


def _diameters(less: int) -> Evidence:
    return exhausted(small_worlds(), lambda d: d.diameter <= d.states - less, SMALL_WORLDS)


CLAIMS: Final = (
    NOTATION.proved(
        "M04",
        "90, 148",
        "D ≤ |S| − 1 ≤ N − 1 if every state reaches every other",
        beside(partial(_diameters, 1), proof(DIAMETER, "M04")),
        Mutant("D ≤ |S| − 2", partial(_diameters, 2)),
        proof(DIAMETER, "M04").misstated(
            "a shortest way visits a state twice", "distinct", then="x(i) != x(j) or i == j - 1"
        ),
        proof(DIAMETER, "M04").misstated("d ≤ |S| − 2", "M04", then="d <= S - 2"),
    ),
    OVERVIEW.exhausted(
        "M10",
        "161-179",
        "a run without a wrong verdict takes no more steps than the closed form of the theorem",
        partial(_within_theorem, 1),
        Mutant("twice as many steps", partial(_within_theorem, 2)),
        assumptions=("N = |S|, D̂ = D, δ = ε = 1/2",),
    ),
    OVERVIEW.proved(
        "M11",
        "188",
        "each call of CycleFind adds at least one transition, and there are at most |S||A| calls",
        beside(partial(_calls, 0), proof(NEWS, "C07"), proof(CALLS, "C08")),
        Mutant("|S||A| − 1 calls", partial(_calls, 1)),
        proof(CALLS, "C08").without("transitions may be forgotten", "kept"),
    ),
    OVERVIEW.proved(
        "M26",
        "243",
        "when phase 1 ends, the model is the truth up to names, and the latent state is known",
        beside(
            partial(_current_known, 0),
            proof(NAMING, "one_name", "true_transitions", "where_it_is"),
            proof(COMPLETE, "C09"),
        ),
        Mutant("in the state after it", partial(_current_known, 1)),
        proof(NAMING, "one_name", "true_transitions", "where_it_is").misstated(
            "the state after it",
            "where_it_is",
            then="name(label((c + 1) % (n_cyc(0) * L))) == s(c)",
        ),
        assumptions=("no verdict is wrong",),
    ),
)
