"""Phase 2: cycles that cover the known graph, and the samples that passes through them give.

The length of ā: a tour of so many legs, and, where that is shorter than t̂_mix, the shortest
self-loop so often that ā is t̂_mix + loop − 1 less some `unused` steps, 0 ≤ unused < loop.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Evidence, Mutant
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import exhausted
from proofs_checks.methods.ideal_runs import SIZE, IdealRun, all_ideal_runs, on_runs
from proofs_checks.methods.small_worlds import small_worlds
from proofs_checks.sections import PHASE_2
from steel_verified.learning.ledger import Kept, Ran
from steel_verified.learning.model import Model
from steel_verified.learning.planning import covering_cycle, shortest_words, visits
from steel_verified.theory.bounds import sampling_bound
from steel_verified.theory.counts import encoder_samples, position_samples
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

    from steel_verified.learning.plans import Plan
    from steel_verified.worlds.dynamics import Dynamics

_LONGEST_WAIT: Final = 8
_TOURS: Final = f"{SIZE}, every home, every t̂_mix ≤ {_LONGEST_WAIT}"
_KNOWN: Final = "T' is T up to names, with diameter D"

S, D, t, d = (Symbol(name) for name in ("S", "D", "t", "d"))
targets, short, loop, unused, back = (
    Symbol(name) for name in ("targets", "short", "loop", "unused", "back")
)
length, first, before, at, k = (Symbol(name) for name in ("length", "first", "before", "at", "k"))
held, plans, finished, unfinished = (
    Symbol(name) for name in ("held", "plans", "finished", "unfinished")
)
passes, most, n = (Symbol(name) for name in ("passes", "most", "n"))

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


def _phase_two(run: IdealRun) -> Plan:
    return [row.plan for row in run.learned.ledger.rows if isinstance(row, Ran)][-1]


def _one_silent_pass(run: IdealRun, *, silent: int) -> bool:
    """All D(s) enter with 2·n_samp. samples, are sampled in step, and reach d in the same pass."""
    recipe, plan = paper(run.parameters), _phase_two(run)
    wanted = encoder_samples(recipe, run.truth.states)
    kept = [row for row in run.learned.ledger.rows if isinstance(row, Kept)]
    enough = all(len(row.times) == wanted for row in kept[-run.truth.states :])
    expected = wanted - 2 * position_samples(recipe) + silent
    return enough and plan.steps == expected * len(plan.word)


def _steps_within(run: IdealRun, *, part: int) -> bool:
    extent = Extent(run.truth.states, run.truth.diameter)
    return _phase_two(run).steps <= sampling_bound(paper(run.parameters), extent) // part


def _short_word_before_phase_two() -> bool:
    """Some â of phase 1 is shorter than t̂_mix."""
    return any(
        len(row.plan.word) < run.parameters.mixing_time
        for run in all_ideal_runs()
        for row in run.learned.ledger.rows[:1]
        if isinstance(row, Ran)
    )


_sample = first + k * length
"""When s is sampled in the k-th pass: its first visit is at the same place in every pass."""

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
    PHASE_2.exhausted(
        "D01.worlds",
        "939",
        "t̂_mix ≤ |ā| ≤ max(|S|D, t̂_mix + D) for the cycle that is planned",
        partial(_on_tours, _length_within),
        Mutant("1 less on the right", partial(_on_tours, partial(_length_within, less=1))),
        assumptions=(_KNOWN,),
    ),
    PHASE_2.exhausted(
        "D02",
        "941",
        "ā leads from s_curr back to s_curr, through every state",
        partial(_on_tours, _covers),
        Mutant("its last action left out", partial(_on_tours, partial(_covers, cut=1))),
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
    PHASE_2.exhausted(
        "D03.worlds",
        "945",
        "the tour that is planned takes at most |S|D steps",
        partial(_on_tours, partial(_tour_within, longest=lambda w: w.states * w.diameter)),
        Mutant(
            "(|S| − 1)D, the way back forgotten",
            partial(
                _on_tours, partial(_tour_within, longest=lambda w: (w.states - 1) * w.diameter)
            ),
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
    PHASE_2.exhausted(
        "S.D03.worlds",
        "945",
        "the tour that is planned takes at most 1 + (|S|−1)D steps when |S| ≥ 2",
        partial(
            _on_tours, partial(_tour_within, longest=lambda w: 1 + (w.states - 1) * w.diameter)
        ),
        Mutant(
            "(|S| − 1)D",
            partial(
                _on_tours, partial(_tour_within, longest=lambda w: (w.states - 1) * w.diameter)
            ),
        ),
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
    PHASE_2.exhausted(
        "D04.worlds",
        "945",
        "every state has a self-loop of at most D+1 steps; not always one of D",
        partial(_on_tours, partial(_loops_within, beyond_diameter=1)),
        Mutant("at most D steps", partial(_on_tours, partial(_loops_within, beyond_diameter=0))),
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
    PHASE_2.bound(
        "D05",
        "946",
        "after the silent pass, new samples are at least t̂_mix steps (one more, in fact) after "
        "earlier ones: these are `before` ≥ 0 steps ahead of it, the new are at = 1, … after it",
        t + 1,
        before + length + at,
        {before: 0, at: 1, length: t, t: 1},
        Slip("1 more on the left", left=t + 1 + 1),
        assumptions=("D01: |ā| ≥ t̂_mix",),
    ),
    PHASE_2.equation(
        "D06",
        "947",
        "samples of s in successive passes are exactly |ā| ≥ t̂_mix steps apart",
        _sample.subs({k: k + 1}) - _sample,
        length,
        Slip("|ā| + 1", right=length + 1),
        assumptions=("D02: ā is a cycle, so every pass visits the same states in order",),
        erratum=Erratum(
            printed="the samples are far enough apart because |â| ≥ t̂_mix (â for ā)",
            counterexample="the first word of phase 1 is a single action, and t̂_mix = 3",
            refuted=_short_word_before_phase_two,
            corrected="the samples are far enough apart because |ā| ≥ t̂_mix",
            consequence="survives as is: a slip of notation, ā is meant",
        ),
    ),
    PHASE_2.bound(
        "D06.gap",
        "947",
        "samples of s in different passes are at least t̂_mix apart",
        t,
        k * length,
        {k: 1, length: t, t: 1},
        Slip("1 more on the left", left=t + 1),
        assumptions=("D01: |ā| ≥ t̂_mix",),
    ),
    PHASE_2.bound(
        "D08",
        "947",
        "d − 1 passes with samples are enough: D(s) holds `held` ≥ 1 samples, and gains one a pass",
        d,
        held + (d - 1),
        {held: 1, d: 1},
        Slip("1 more on the left", left=d + 1),
        assumptions=("every state that lacks samples is visited in every pass",),
    ),
    PHASE_2.bound(
        "S.D08",
        "947",
        "d − 2·n_samp. passes are enough, as CycleFind leaves 2·n_samp. samples in every D(s)",
        d,
        2 * n + passes,
        {passes: d - 2 * n, d: 2 * n, n: 1},
        Slip("1 more on the left", left=d + 1),
        assumptions=("every state is visited in every pass",),
    ),
    PHASE_2.bound(
        "D09",
        "948",
        "at most |S| passes are silent, the first one included: the p-th plan is made when p − 1 "
        "states or more have been finished since the first, and one is unfinished",
        plans,
        S,
        {S: unfinished + finished, finished: plans - 1, unfinished: 1, plans: 1},
        Slip("1 more on the left", left=plans + 1),
        assumptions=("a new plan is made only when a state has reached d samples",),
    ),
    PHASE_2.exhausted(
        "S.D09",
        "948",
        "one silent pass is enough: all D(s) enter phase 2 with 2·n_samp. samples and gain one a "
        "pass, so that they reach d together and nothing is planned again",
        partial(on_runs, partial(_one_silent_pass, silent=1)),
        Mutant("no silent pass", partial(on_runs, partial(_one_silent_pass, silent=0))),
        assumptions=("every verdict of CycleFind is right",),
    ),
    PHASE_2.bound(
        "D10",
        "953",
        "phase 2 takes at most (d − 1 + |S|)·max(D + t̂_mix, |S|D) steps",
        (d - 1 + S - short) * length,
        (d - 1 + S) * most,
        # At most so many passes (D08, D09), each at most `most` = max(…) steps long (D01).
        {most: length, length: 1, d: 1, S: 1, short: 0},
        Slip("1 more on the left", left=(d - 1 + S - short) * length + 1),
        assumptions=(
            "D01",
            "D08",
            "D09",
        ),
    ),
    PHASE_2.exhausted(
        "D10.worlds",
        "953",
        "the steps of phase 2 are within (d − 1 + |S|)·max(D + t̂_mix, |S|D)",
        partial(on_runs, partial(_steps_within, part=1)),
        Mutant("half of that", partial(on_runs, partial(_steps_within, part=2))),
        assumptions=("every verdict of CycleFind is right",),
    ),
)
