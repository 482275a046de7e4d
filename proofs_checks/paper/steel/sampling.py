"""Phase 2: the samples that passes through a covering cycle give (l. 946-953)."""

from __future__ import annotations

from functools import partial
from typing import Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.deduction.proofs import beside, proof
from proofs_checks.proofs import theory
from proofs_checks.sections import PHASE_2
from proofs_checks.small_cases.ideal_runs import (
    IdealRun,
    all_ideal_runs,
    final_datasets,
    on_runs,
)
from steel_verified.evidence.ledger import Ran
from steel_verified.theory.bounds import sampling_bound
from steel_verified.theory.counts import encoder_samples, position_samples
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import paper

S, t, d = (Symbol(name) for name in ("S", "t", "d"))
short = Symbol("short")
length, first, before, at, k = (Symbol(name) for name in ("length", "first", "before", "at", "k"))
held, plans, finished, unfinished = (
    Symbol(name) for name in ("held", "plans", "finished", "unfinished")
)
passes, most, n = (Symbol(name) for name in ("passes", "most", "n"))


def _phase_two(run: IdealRun) -> Ran:
    return [entry for entry in run.learned.ledger.entries if isinstance(entry, Ran)][-1]


def _one_silent_pass(run: IdealRun, *, silent: int) -> bool:
    """All D(s) enter with 2·n_samp. samples, are sampled in step, and reach d in the same pass."""
    recipe, plan = paper(run.parameters), _phase_two(run)
    wanted = encoder_samples(recipe, run.truth.states)
    datasets = final_datasets(run.learned.ledger)
    enough = all(sum(map(len, pieces)) == wanted for pieces in datasets)
    expected = wanted - 2 * position_samples(recipe) + silent
    return enough and plan.steps == expected * len(plan.word)


def _steps_within(run: IdealRun, *, part: int) -> bool:
    extent = Extent(run.truth.states, run.truth.diameter)
    return _phase_two(run).steps <= sampling_bound(paper(run.parameters), extent) // part


def _short_word_before_phase_two() -> bool:
    """Some â of phase 1 is shorter than t̂_mix."""
    return any(
        len(entry.word) < run.parameters.mixing_time
        for run in all_ideal_runs()
        for entry in run.learned.ledger.entries[1:2]
        if isinstance(entry, Ran)
    )


_sample = first + k * length
"""When s is sampled in the k-th pass: its first visit is at the same place in every pass."""

CLAIMS: Final = (
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
    PHASE_2.proved(
        "S.D09",
        "948",
        "one silent pass is enough: all D(s) enter phase 2 with 2·n_samp. samples and gain one a "
        "pass, so that they reach d together and nothing is planned again",
        beside(
            partial(on_runs, partial(_one_silent_pass, silent=1)),
            proof(theory("TOGETHER"), "S_D09"),
        ),
        Mutant("no silent pass", partial(on_runs, partial(_one_silent_pass, silent=0))),
        proof(theory("TOGETHER"), "S_D09").without(
            "different numbers of samples at first", "alike"
        ),
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
    PHASE_2.proved(
        "D10.worlds",
        "953",
        "the steps of phase 2 are within (d − 1 + |S|)·max(D + t̂_mix, |S|D)",
        beside(
            partial(on_runs, partial(_steps_within, part=1)),
            proof(theory("TOURING"), "D03"),
            proof(theory("LENGTHENING"), "D01"),
            proof(theory("COLLECTING"), "D10"),
        ),
        Mutant("half of that", partial(on_runs, partial(_steps_within, part=2))),
        proof(theory("COLLECTING"), "D10").misstated(
            "d − 2 passes", "D10", then="steps(n) + waits(plans) <= (d - 2 + S) * most"
        ),
        assumptions=("every verdict of CycleFind is right",),
    ),
)
