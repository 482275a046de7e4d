"""Phase 1 as a whole: how many calls it takes, what it learns, what it keeps (l. 451, 921-925)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.deduction.proofs import beside, proof
from proofs_checks.paper.steel.escaping import CONNECTED
from proofs_checks.proofs import theory
from proofs_checks.sections import PHASE_1
from proofs_checks.small_cases.ideal_runs import (
    IdealRun,
    all_ideal_runs,
    final_datasets,
    on_runs,
)
from steel_verified.evidence.ledger import Ran
from steel_verified.learning.calls import calls
from steel_verified.learning.model import Model
from steel_verified.learning.planning import escaping_word
from steel_verified.theory.counts import cycle_find_steps
from steel_verified.theory.progressions import gap_between
from steel_verified.theory.recipe import paper
from steel_verified.worlds.dynamics import orbit
from steel_verified.worlds.truth import relabelling

if TYPE_CHECKING:
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.calls import Call

_SUCCESS: Final = "every verdict of CycleFind is right"

S, A, spare = (Symbol(name) for name in ("S", "A", "spare"))
lost = Symbol("lost")


def _calls(run: IdealRun) -> list[Call]:
    return list(calls(run.learned.ledger))


def _calls_at_most(run: IdealRun, *, less: int) -> bool:
    return len(_calls(run)) <= run.truth.states * run.truth.actions - less


def _calls_sharply(run: IdealRun, *, less: int) -> bool:
    return _calls_at_most(run, less=run.truth.states - 1 + less)


def _independent_cycles_grow(run: IdealRun, *, by: int) -> bool:
    """edges − states + components of the known graph: the dimension of its cycle space."""
    parts: list[set[int]] = []
    edges = dimension = 0
    for call in _calls(run):
        for t in call.new_transitions:
            joined = {t.state, t.to}.union(*(p for p in parts if t.state in p or t.to in p))
            parts = [p for p in parts if not p & joined] + [joined]
        edges += len(call.new_transitions)
        found = edges - sum(len(p) for p in parts) + len(parts)
        if found < dimension + by:
            return False
        dimension = found
    return True


def _recovered(run: IdealRun, *, turned: int = 0) -> bool:
    """The model is T up to names, and each classifier is that of the state its label names."""
    if run.learned.classifiers is None:
        return False
    ends = (run.learned.classifiers[run.learned.current] + turned) % run.truth.states
    meaning = relabelling(run.learned.model, run.learned.current, run.truth, ends)
    return meaning == run.learned.classifiers


def _words_follow_from_dynamics(run: IdealRun, *, start_off: int = 0) -> bool:
    """Recompute every word from T and s_init by following orbits; compare with what was run."""
    recipe, truth = paper(run.parameters), run.truth
    here = (run.start + start_off) % truth.states
    word: Word = (run.first_action,)
    model, labels = Model(truth.actions), dict[int, int]()
    words: list[Word] = []
    while not model.is_total:
        words.append(word)
        loop = orbit(truth, here, word)
        settled = loop.cycle * (loop.transient + 1)
        visited = [loop.at(settled + position) for position in range(loop.cycle)]
        for state in visited:
            labels.setdefault(state, len(labels))
        model = model.with_cycle(tuple(labels[s] for s in visited), word)
        here = loop.at(cycle_find_steps(recipe, len(word), loop.cycle // len(word)))
        if not model.is_total:
            word = escaping_word(model)
    phase_two_is_last = [e for e in run.learned.ledger.entries if isinstance(e, Ran)][:-1]
    return words == [ran.word for ran in phase_two_is_last if ran.done == 0]


def _apart_within_each(run: IdealRun, *, more: int) -> bool:
    wanted = run.parameters.mixing_time + more
    for pieces_of in final_datasets(run.learned.ledger):
        gaps = [p.gap for p in pieces_of if p.gap is not None]
        gaps += [gap_between(p, q) for i, p in enumerate(pieces_of) for q in pieces_of[:i]]
        if min(gaps) < wanted:
            return False
    return True


def _union_is_not_apart() -> bool:
    """Two states of one cycle are sampled one step after the other."""
    run = next(r for r in all_ideal_runs() if r.truth.table == ((1,), (0,)))
    first, second = final_datasets(run.learned.ledger)
    gap = min(gap_between(p, q) for p in first for q in second)
    return gap == 1 < run.parameters.mixing_time


CLAIMS: Final = (
    PHASE_1.proved(
        "C11",
        "451",
        "for every s, the samples in D(s) are at least t̂_mix steps apart",
        beside(
            partial(on_runs, partial(_apart_within_each, more=0)),
            proof(
                theory("GAPS"), "within_phase_1", "between_phases", "within_plan", "between_plans"
            ),
        ),
        Mutant("one step more", partial(on_runs, partial(_apart_within_each, more=1))),
        proof(
            theory("GAPS"), "within_phase_1", "between_phases", "within_plan", "between_plans"
        ).misstated(
            "passes of t̂_mix − 1 steps",
            "long_enough",
            then="size(k) >= t - 1, size(k) >= 0, passes(k) >= 0, 1 <= offset(k) <= size(k)",
        ),
        assumptions=(_SUCCESS,),
        erratum=Erratum(
            printed="all samples in the union of the D(s) are at least t̂_mix steps apart",
            counterexample=(
                "two states that swap under the only action, t̂_mix = 3: D(0) and D(1) come from "
                "neighbouring positions of one cycle and hold samples 1 step apart"
            ),
            refuted=_union_is_not_apart,
            corrected="within each single D(s), samples are at least t̂_mix steps apart",
            consequence=(
                "survives as is: every later step uses the gaps within one D(s) only (and those "
                "between an early and a late half), and joins states by union bounds"
            ),
        ),
    ),
    PHASE_1.bound(
        "C08",
        "921",
        "at most |A||S| calls: the calls add one transition each, `spare` more in all, and `lost` "
        "of the |A||S| transitions being still unknown",
        A * S - lost - spare,
        A * S,
        {S: 1, A: 1, lost: 0, spare: 0},
        Slip("1 less on the right", right=A * S - 1),
        assumptions=("C07: each call adds at least one transition", _SUCCESS),
    ),
    PHASE_1.proved(
        "C08.runs",
        "921",
        "at most |A||S| calls of CycleFind: each adds at least one of |A||S| transitions",
        beside(
            partial(
                on_runs,
                lambda run: (
                    _calls_at_most(run, less=0) and all(c.new_transitions for c in _calls(run))
                ),
            ),
            proof(theory("NEWS"), "C07"),
            proof(theory("CALLS"), "C08"),
        ),
        Mutant("|A||S| − 1", partial(on_runs, partial(_calls_at_most, less=1))),
        proof(theory("CALLS"), "C08").misstated(
            "a call may learn nothing new",
            "learned",
            then="0 <= new(k) < S * A, have(k + 1, new(k)) == 1",
        ),
        assumptions=(_SUCCESS,),
    ),
    PHASE_1.proved(
        "S.C08",
        "921",
        "at most |S|(|A|−1) + 1 calls: a closed walk through a new transition is no combination of "
        "known cycles, so each call raises the dimension of the known graph's cycle space (edges "
        "− states + components), which ends as |S||A| − |S| + 1",
        beside(
            partial(
                on_runs,
                lambda run: _calls_sharply(run, less=0) and _independent_cycles_grow(run, by=1),
            ),
            proof(theory("CYCLE_SPACE"), "S_C08"),
        ),
        Mutant("one call less", partial(on_runs, partial(_calls_sharply, less=1))),
        proof(theory("CYCLE_SPACE"), "S_C08").misstated(
            "a call less", "S_C08", then="n <= S * (A - 1)"
        ),
        assumptions=(_SUCCESS,),
    ),
    PHASE_1.proved(
        "C09",
        "925",
        "at the end of phase 1, T' is T up to a permutation of the states",
        beside(
            partial(on_runs, _recovered),
            proof(theory("NAMING"), "one_name", "true_transitions"),
            proof(theory("COMPLETE"), "C09"),
        ),
        Mutant("the end state misnamed", partial(on_runs, partial(_recovered, turned=1))),
        proof(theory("COMPLETE"), "C09").without(
            "states that do not reach each other", "connected"
        ),
        assumptions=(
            _SUCCESS,
            CONNECTED,
        ),
    ),
    PHASE_1.proved(
        "C10",
        "923",
        "every â is a function of T, s_init and the parameters: recomputed from these by following "
        "orbits, without a single observation, it is the word that the run took",
        beside(partial(on_runs, _words_follow_from_dynamics), proof(theory("OPEN_LOOP"), "C10")),
        Mutant(
            "another start", partial(on_runs, partial(_words_follow_from_dynamics, start_off=1))
        ),
        proof(theory("OPEN_LOOP"), "C10").misstated(
            "a start that depends on the noise",
            "begins",
            then="model(o, 0) == 0, word(o, 0) == first",
        ),
        assumptions=(
            _SUCCESS + " so far; after a wrong verdict â does depend on Ω, so that failures are "
            "counted along the words of the ideal run",
        ),
    ),
)
