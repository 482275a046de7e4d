"""Phase 2: cycles that cover the known graph (l. 939-945).

The length of ā: a tour of so many legs, and, where that is shorter than t̂_mix, the shortest
self-loop so often that ā is t̂_mix + loop − 1 less some `unused` steps, 0 ≤ unused < loop.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.proofs.touring import LENGTHENING, NEAREST_NEXT, TOURING
from proofs_checks.replays import proof
from proofs_checks.sections import PHASE_2
from proofs_checks.small_cases.ideal_runs import SIZE
from proofs_checks.small_cases.worlds import small_worlds
from steel_verified.learning.model import Model
from steel_verified.learning.planning import covering_cycle, shortest_words, visits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.worlds.dynamics import Dynamics


_LONGEST_WAIT: Final = 8
_TOURS: Final = f"{SIZE}, every home, every t̂_mix ≤ {_LONGEST_WAIT}"
_KNOWN: Final = "T' is T up to names, with diameter D"

S, D, t = (Symbol(name) for name in ("S", "D", "t"))
targets, short, loop, unused, back = (
    Symbol(name) for name in ("targets", "short", "loop", "unused", "back")
)

_padded = t + loop - 1 - unused
_SELF_LOOP: Final[Mapping[Symbol, Expr | int]] = {D: loop - 1, loop: unused + 1, unused: 0, t: 1}

_Tour = tuple["Dynamics", int, int]


def _tours() -> Iterator[_Tour]:
    for world in small_worlds():
        yield from product((world,), range(world.states), range(1, _LONGEST_WAIT + 1))


def _model(world: Dynamics) -> Model:
    return Model(world.actions, world.table)


def _length_within(case: _Tour, *, less: int = 0) -> bool:
    world, home, wait = case
    found = len(covering_cycle(_model(world), home, wait))
    longest = max(world.states * world.diameter, wait + world.diameter)
    return wait <= found <= longest - less


def _covers(case: _Tour, *, cut: int = 0) -> bool:
    """The cycle ends where it began, and has been everywhere."""
    world, home, wait = case
    word = covering_cycle(_model(world), home, wait)
    seen = visits(_model(world), home, word[: len(word) - cut])
    return bool(seen) and seen[-1] == home and set(seen) == set(range(world.states))


def _tour_within(case: _Tour, *, longest: Callable[[Dynamics], int]) -> bool:
    """Without any padding (a wait of 1 step pads only the empty tour of a single state)."""
    world, home, wait = case
    return (
        wait > 1
        or world.states == 1
        or len(covering_cycle(_model(world), home, 1)) <= longest(world)
    )


def _loops_within(case: _Tour, *, beyond_diameter: int) -> bool:
    world, home, _ = case
    return len(shortest_words(_model(world), home)[home]) <= world.diameter + beyond_diameter


def _on_tours(holds: Callable[[_Tour], bool]) -> Evidence:
    return exhausted(_tours(), holds, _TOURS)


CLAIMS: Final = (
    PHASE_2.bound(
        "D01.lower",
        "939",
        "t̂_mix ≤ |ā| where self-loops are inserted",
        t,
        _padded,
        _SELF_LOOP,
        Slip("1 more on the left", left=t + 1),
    ),
    PHASE_2.bound(
        "D01.padded",
        "939",
        "|ā| ≤ t̂_mix + D where self-loops are inserted, also for |S| = 1 and D = 0 (where none "
        "are, ā is the tour, and D03 bounds it)",
        _padded,
        t + D,
        _SELF_LOOP,
        Slip("1 more on the left", left=_padded + 1),
        assumptions=("D04: the self-loop has at most D+1 steps",),
    ),
    PHASE_2.proved(
        "D01.worlds",
        "939",
        "t̂_mix ≤ |ā| ≤ max(|S|D, t̂_mix + D) for the cycle that is planned",
        beside(
            partial(_on_tours, _length_within),
            proof(TOURING, "D03", "D04"),
            proof(LENGTHENING, "D01"),
        ),
        Mutant("1 less on the right", partial(_on_tours, partial(_length_within, less=1))),
        proof(LENGTHENING, "D01").misstated(
            "t̂_mix + D − 1", "D01", then="n + times * l <= S * D or n + times * l <= t + D - 1"
        ),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.proved(
        "D02",
        "941",
        "ā leads from s_curr back to s_curr, through every state",
        beside(
            partial(_on_tours, _covers),
            proof(TOURING, "D02", "D02_visits"),
            proof(LENGTHENING, "still_closed", "still_visits"),
        ),
        Mutant("its last action left out", partial(_on_tours, partial(_covers, cut=1))),
        proof(TOURING, "D02", "D02_visits").without("the way home forgotten", "way_home"),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.bound(
        "D03",
        "945",
        "a greedy tour takes at most |S'|D steps: one leg to each of at most |S'| − 1 targets and "
        "one back, each of at most D steps, `short` fewer in all",
        (targets + 1) * D - short,
        S * D,
        {S: targets + 1, targets: 0, D: 0, short: 0},
        Slip("1 more on the left", left=(targets + 1) * D - short + 1),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.proved(
        "D03.worlds",
        "945",
        "the tour that is planned takes at most |S|D steps",
        beside(
            partial(_on_tours, partial(_tour_within, longest=lambda w: w.states * w.diameter)),
            proof(TOURING, "D03"),
        ),
        Mutant(
            "(|S| − 1)D, the way back forgotten",
            partial(
                _on_tours, partial(_tour_within, longest=lambda w: (w.states - 1) * w.diameter)
            ),
        ),
        proof(TOURING, "D03").misstated(
            "(|S| − 1)D", "D03", then="len(K) + dist(pos(K), pos(0)) <= (S - 1) * D"
        ),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.bound(
        "S.D03",
        "945",
        "a tour of all states of |S| ≥ 2 takes at most 1 + (|S|−1)D steps: some action leaves "
        "s_curr for a target, so the first leg to a nearest one is a single step",
        1 + targets * D - short,
        1 + (S - 1) * D,
        {S: targets + 1, targets: 1, D: 1, short: 0},
        Slip("1 more on the left", left=1 + targets * D - short + 1),
        assumptions=(
            _KNOWN,
            "every other state is a target",
        ),
    ),
    PHASE_2.proved(
        "S.D03.worlds",
        "945",
        "the tour that is planned takes at most 1 + (|S|−1)D steps when |S| ≥ 2",
        beside(
            partial(
                _on_tours, partial(_tour_within, longest=lambda w: 1 + (w.states - 1) * w.diameter)
            ),
            proof(NEAREST_NEXT, "S_D03"),
        ),
        Mutant(
            "(|S| − 1)D",
            partial(
                _on_tours, partial(_tour_within, longest=lambda w: (w.states - 1) * w.diameter)
            ),
        ),
        proof(NEAREST_NEXT, "S_D03").without("any state first", "nearest"),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.bound(
        "D04.loop",
        "945",
        "a shortest self-loop has at most D+1 steps: any first step, and at most D back (none if "
        "the step stays)",
        1 + back,
        D + 1,
        {D: back, back: 0},
        Slip("1 more on the left", left=1 + back + 1),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.proved(
        "D04.worlds",
        "945",
        "every state has a self-loop of at most D+1 steps; not always one of D",
        beside(
            partial(_on_tours, partial(_loops_within, beyond_diameter=1)), proof(TOURING, "D04")
        ),
        Mutant("at most D steps", partial(_on_tours, partial(_loops_within, beyond_diameter=0))),
        proof(TOURING, "D04").misstated("D steps", "D04", then="1 + dist(T(u, b), u) <= D"),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.bound(
        "D04.overshoot",
        "945",
        "whole self-loops overshoot t̂_mix by at most D",
        _padded - t,
        D,
        _SELF_LOOP,
        Slip("1 more on the left", left=_padded - t + 1),
        assumptions=("the self-loop has at most D+1 steps",),
    ),
)
