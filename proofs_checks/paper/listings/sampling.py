"""The listing of STEEL, phases 2 and 3: touring, sampling, training (l. 331-359)."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.deduction.proofs import beside, proof
from proofs_checks.kernels.finite import exhausted
from proofs_checks.proofs import theory
from proofs_checks.sections import LISTING_OF_STEEL
from proofs_checks.small_cases.worlds import parameters, small_worlds
from steel_verified.evidence.asking import train
from steel_verified.evidence.ledger import opened
from steel_verified.evidence.plans import Plan
from steel_verified.evidence.recording import read, run
from steel_verified.learning import classes
from steel_verified.learning.model import Model
from steel_verified.learning.planning import covering_cycle, shortest_words, visits
from steel_verified.learning.results import encode
from steel_verified.theory.budget import encoder_charge
from steel_verified.theory.progressions import Progression
from steel_verified.theory.recipe import paper
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import SimulatedWorld

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.plans import Word


def _complete(world: Dynamics) -> Model:
    return Model(world.actions, world.table)


def _tour(model: Model, home: int, wanted: frozenset[int], at_least: int) -> Word:
    """ā: greedily to the nearest state that is wanted, home, and then round a shortest loop."""
    word: Word = ()
    here, missing = home, wanted - {home}
    while missing:
        paths = shortest_words(model, here)
        here, path = min(
            ((s, paths[s]) for s in missing), key=lambda choice: (len(choice[1]), choice[0])
        )
        missing -= set(visits(model, home, word + path))
        word += path
    if here != home:
        word += shortest_words(model, here)[home]
    met = (home, *visits(model, home, word))
    where = min(range(len(met)), key=lambda at: len(shortest_words(model, met[at])[met[at]]))
    loop = shortest_words(model, met[where])[met[where]]
    while len(word) < at_least:
        word = word[:where] + loop + word[where:]
    return word


_Tour = tuple[Dynamics, frozenset[int], int]


def _tours() -> Iterator[_Tour]:
    for world in small_worlds():
        for chosen in product((False, True), repeat=world.states):
            wanted = frozenset(state for state in range(world.states) if chosen[state])
            for mixing_time in (1, 3, 5):
                yield world, wanted, mixing_time


def _is_a_tour(case: _Tour, *, shorter: int = 0) -> bool:
    world, wanted, mixing_time = case
    model = _complete(world)
    longest = max(world.states * world.diameter, mixing_time + world.diameter) - shorter

    def fits(word: Word, through: frozenset[int]) -> bool:
        met = visits(model, 0, word)
        return met[-1] == 0 and through <= set(met) and mixing_time <= len(word) <= longest

    return fits(_tour(model, 0, wanted, mixing_time), wanted | {0}) and fits(
        covering_cycle(model, 0, mixing_time), frozenset(range(world.states))
    )


def _sampled_once_a_pass(case: _Tour, *, start_counts: bool = False) -> bool:
    """Three passes through ā, with the rule of first visits: which state is kept when."""
    world, wanted, mixing_time = case
    model = _complete(world)
    word = _tour(model, 0, wanted, mixing_time)
    kept: dict[int, list[int]] = {}
    here, time = 0, 0
    for _ in range(3):
        visited = {here} if start_counts else set[int]()
        for action in word:
            (here,) = visits(model, here, (action,))
            time += 1
            if here not in visited:
                visited.add(here)
                kept.setdefault(here, []).append(time)
    return wanted | {0} <= kept.keys() and all(
        len(times) == 3 and times[1] - times[0] == times[2] - times[1] == len(word)
        for times in kept.values()
    )


_ENOUGH: Final = 3
_PATIENCE: Final = 50


def _needs() -> Iterator[tuple[Dynamics, tuple[int, ...]]]:
    for world in small_worlds():
        for sizes in product(range(1, _ENOUGH + 1), repeat=world.states):
            yield world, sizes


def _gets_enough(case: tuple[Dynamics, tuple[int, ...]], *, as_printed: bool = False) -> bool:
    """Phase 2 with d = 3 and t̂_mix = 2: whether it ends within |S| plans, all with d samples."""
    world, sizes = case
    model, held, plans = _complete(world), list(sizes), 0
    while min(held) < _ENOUGH:
        short = {s for s, size in enumerate(held) if size < _ENOUGH and not (as_printed and s == 0)}
        plans += 1
        first_visits = set(visits(model, 0, _tour(model, 0, frozenset(short), 2)))
        passes = 0
        while all(held[s] < _ENOUGH for s in short):
            for s in first_visits:
                held[s] += 1
            passes += 1
            if passes == _PATIENCE:
                return False
    return plans <= world.states


def _one_state_never_ends() -> bool:
    """C is empty, so every s ∈ C has |D(s)| < d, however many samples there are."""
    alone, swap = Dynamics(((0,),)), Dynamics(((1,), (0,)))
    return all(
        not _gets_enough(case, as_printed=True) and _gets_enough(case)
        for case in ((alone, (1,)), (swap, (1, _ENOUGH)))
    )


def _encoders() -> Iterator[tuple[int, ...]]:
    for states in (1, 2, 3):
        for size in range(states, 5):
            for encoder in product(range(states), repeat=size):
                if len(set(encoder)) == states:
                    yield encoder


def _encodes(encoder: tuple[int, ...], *, own_in_zeros: bool = False) -> bool:
    states = max(encoder) + 1
    oracle = classes.tables([[e == s for e in encoder] for s in range(states)])
    everything = np.arange(len(encoder))
    parts = [np.flatnonzero(np.array(encoder) == s) for s in range(states)]
    if own_in_zeros:
        whole = oracle.summarise(everything)
        return all(oracle.separating(whole, oracle.summarise(part)) is not None for part in parts)
    trained = _trained(oracle, [part.tolist() for part in parts])
    return bool(np.array_equal(encode(oracle, trained, everything), np.array(encoder)))


def _trained(oracle: classes.Tables, parts: list[list[int]]) -> tuple[int, ...]:
    """Train on datasets of given observations: the world shows observation t − 1 at time t."""
    recipe = paper(parameters(len(parts), 1, actions=1, class_size=oracle.class_size))
    world = SimulatedWorld(Dynamics(((0,),)), 0, lambda asked: [times - 1 for times, _ in asked])
    loop = run(opened(recipe), world, Plan((0,), 1 + max(max(part) for part in parts)))
    datasets = tuple(tuple(Progression(x + 1) for x in part) for part in parts)
    samples, ledger = read(loop.ledger, loop, oracle, datasets)
    charge = encoder_charge(recipe, len(parts))
    return train(ledger, oracle, [(sample,) for sample in samples], charge)[0]


D, a, t = (Symbol(name) for name in ("D", "a", "t"))
"""D, |â| or |ā|, t̂_mix."""
start = Symbol("start")
before, offset, passes_, late, unused = (
    Symbol(name) for name in ("before", "offset", "passes", "late", "unused")
)

CLAIMS: Final = (
    LISTING_OF_STEEL.proved(
        "P06",
        "331, 339",
        "with C := {s : |D(s)| < d}, s_curr included, phase 2 ends after at most |S'| plans, and "
        "then |D(s)| ≥ d for every s",
        beside(
            lambda: exhausted(
                _needs(),
                _gets_enough,
                "|S| ≤ 3, |A| ≤ 2, d = 3, every |D(s)| in {1, 2, 3}, every start",
            ),
            proof(theory("COLLECTING"), "P06", "passes"),
        ),
        Mutant(
            "C without s_curr",
            lambda: exhausted(_needs(), partial(_gets_enough, as_printed=True), "|S| ≤ 3"),
        ),
        proof(theory("COLLECTING"), "P06", "passes").misstated(
            "a pass may miss a state that lacks samples",
            "one_more",
            then="have(r + 1, u) >= have(r, u)",
        ),
        assumptions=("a visit is an arrival: being in s_curr before the first action is none",),
        erratum=Erratum(
            printed="C leaves s_curr out, and a plan is followed while ∀ s ∈ C: |D(s)| < d",
            counterexample="|S'| = 1; or two states that one action swaps, where only s_curr is "
            "short of samples: C is empty, the condition holds of all its members for ever, and "
            "the inner loop never ends",
            refuted=_one_state_never_ends,
            corrected="C := {s ∈ S' : |D(s)| < d}; ā ends in s_curr, so it visits that as well",
            consequence="The theorem survives with this line corrected: ā and its length are the "
            "same, s_curr is sampled when ā returns to it. It matters whenever |S| = 1, and when "
            "datasets of different sizes enter phase 2 (that is, after optional merges).",
        ),
    ),
    LISTING_OF_STEEL.proved(
        "P07",
        "333-335",
        "the planned ā leads from s_curr through all of C and back to s_curr, with "
        "t̂_mix ≤ |ā| ≤ max(|S|D, t̂_mix + D)",
        beside(
            lambda: exhausted(
                _tours(), _is_a_tour, "|S| ≤ 3, |A| ≤ 2, every C, every start, t̂_mix in {1, 3, 5}"
            ),
            proof(theory("TOURING"), "D02", "D02_visits", "D03", "D04"),
            proof(theory("LENGTHENING"), "D01", "still_closed", "still_visits"),
        ),
        Mutant(
            "a step shorter", lambda: exhausted(_tours(), partial(_is_a_tour, shorter=1), "|S| ≤ 3")
        ),
        proof(theory("LENGTHENING"), "D01", "still_closed", "still_visits").misstated(
            "t̂_mix + D − 1",
            "D01",
            then="n + times * l >= t, n + times * l <= S * D or n + times * l <= t + D - 1",
        ),
        assumptions=("T' = T, every state reaches every other",),
    ),
    LISTING_OF_STEEL.bound(
        "P07.length",
        "333-335",
        "a loop of at most D + 1 steps that is put in while |ā| < t̂_mix ends with |ā| ≤ t̂_mix + D",
        # Before the last time, |ā| = t̂_mix − 1 − before; the loop has D + 1 − unused steps.
        (t - 1 - before) + (D + 1 - unused),
        t + D,
        {before: 0, unused: 0, t: 1, D: 0},
        Slip("a loop of D + 2 steps", left=(t - 1 - before) + (D + 2 - unused)),
    ),
    LISTING_OF_STEEL.bound(
        "P08",
        "337",
        "a pass through ā without samples puts new samples at least |ā| + 1 > t̂_mix steps after "
        "all earlier ones",
        t + 1,
        # Earlier samples: at the step `start` − before at the latest; new ones: after a whole pass.
        (start + a + 1 + offset) - (start - before),
        {a: t, t: 1, before: 0, offset: 0, start: before},
        Slip("no silent pass", right=(start + 1 + offset) - (start - before)),
    ),
    LISTING_OF_STEEL.proved(
        "P09",
        "345",
        "the first-visit rule keeps every state that ā visits, s_curr included, once in every "
        "pass, at the same offset: exactly |ā| steps apart",
        beside(
            lambda: exhausted(
                _tours(),
                _sampled_once_a_pass,
                "|S| ≤ 3, |A| ≤ 2, every C, every start, three passes",
            ),
            proof(theory("PASSES"), "P09"),
        ),
        Mutant(
            "the start of a pass counts as a visit",
            lambda: exhausted(
                _tours(), partial(_sampled_once_a_pass, start_counts=True), "|S| ≤ 3"
            ),
        ),
        proof(theory("PASSES"), "P09").without("a walk that does not close", "closed"),
        assumptions=("a visit is an arrival: being in s_curr before the first action is none",),
    ),
    LISTING_OF_STEEL.bound(
        "P09.apart",
        "345",
        "samples of one state in different passes are at least t̂_mix apart",
        t,
        (late * a + offset) - (passes_ * a + offset),
        {late: passes_ + 1, passes_: 0, a: t, t: 1, offset: 0},
        Slip("t̂_mix + 1 apart", left=t + 1),
    ),
    LISTING_OF_STEEL.proved(
        "P10",
        "355-359",
        "if F = {1[φ*(x) = s]}, training on D(s) against all other D(s') gives f_s = 1[φ*(x) = s] "
        "for all s, and argmax_s f_s(x) = φ*(x)",
        beside(
            lambda: exhausted(_encoders(), _encodes, "|X| ≤ 4, |S| ≤ 3, every φ* onto S"),
            proof(theory("CLASSIFIERS"), "P10"),
        ),
        Mutant(
            "D(s) left in D_0",
            lambda: exhausted(_encoders(), partial(_encodes, own_in_zeros=True), "|X| ≤ 4"),
        ),
        proof(theory("CLASSIFIERS"), "P10").without("classifiers with training errors", "no_error"),
        assumptions=("every observation of a state occurs in its dataset",),
    ),
)
