"""Phase 1: words that leave the known graph, how long they are, and how often they are needed.

What is said of graphs is tried on every world up to a size with every set of known transitions;
what is counted from it is proved for all sizes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Erratum, Evidence, Mutant
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import equal, exhausted
from proofs_checks.methods.ideal_runs import (
    SIZE,
    IdealRun,
    PartlyKnown,
    all_ideal_runs,
    all_partly_known,
    on_runs,
)
from proofs_checks.sections import PHASE_1
from steel_verified.learning.ledger import Added, Kept, Ran
from steel_verified.learning.model import Model
from steel_verified.learning.planning import escaping_word, shortest_words
from steel_verified.theory.counts import cycle_find_steps
from steel_verified.theory.progressions import gap_between
from steel_verified.theory.recipe import paper
from steel_verified.worlds.dynamics import Dynamics, orbit
from steel_verified.worlds.truth import relabelling

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.plans import Word

_GRAPHS: Final = f"{SIZE}, every set of known transitions"
_CONNECTED: Final = "every state of T reaches every other"
_SUCCESS: Final = "every verdict of CycleFind is right"

LEFT, RIGHT = 0, 1
TWO_STATES: Final = Dynamics(((0, 1), (1, 0)))
SIX_STATES: Final = Dynamics(((0, 1), (2, 0), (2, 3), (0, 4), (3, 5), (5, 0)))
"""The figure's states 1, …, 6 are 0, …, 5 here; each row is what L and R do."""
SIX_STATES_PARTLY: Final = Model(2, ((0, 1), (2, 0), (2, 3), (0, None)))

S, A, D, B, pieces, spare = (Symbol(name) for name in ("S", "A", "D", "B", "pieces", "spare"))
merged, lost, before = (Symbol(name) for name in ("merged", "lost", "before"))


def _terminal_transitions(world: Dynamics, start: int, word: Word) -> frozenset[tuple[int, int]]:
    loop = orbit(world, start, word)
    times = range(loop.transient, loop.transient + loop.cycle)
    return frozenset((loop.at(time), word[time % len(word)]) for time in times)


def _starts_that_learn(word: Word) -> set[int]:
    """The states of the 6-state example from which a loop ends up in something unknown."""
    known = {(t.state, t.action) for t in SIX_STATES_PARTLY.transitions()}
    return {s for s in range(6) if _terminal_transitions(SIX_STATES, s, word) - known}


# Partly known graphs


def _nearest_unknown(part: PartlyKnown, label: int) -> int:
    """The length of a shortest word through an unknown transition, found level by level."""
    reached, steps = {label}, 1
    while not any(None in part.model.table[s] for s in reached):
        onward = {to for s in reached for to in part.model.table[s] if to is not None}
        if onward <= reached:
            return 10**9
        reached, steps = reached | onward, steps + 1
    return steps


def _unknown_within(part: PartlyKnown, *, beyond_diameter: int) -> bool:
    longest = part.truth.diameter + beyond_diameter
    return all(_nearest_unknown(part, label) <= longest for label in range(part.model.states))


def _escapes(part: PartlyKnown, *, cut: int = 0) -> bool:
    word = escaping_word(part.model)
    word = word[: len(word) - cut]
    return all(part.model.walk(label, word) is None for label in range(part.model.states))


def _word_at_most(part: PartlyKnown, *, less: int) -> bool:
    longest = part.model.states * (part.truth.diameter + 1)
    return len(escaping_word(part.model)) <= longest - less


def _word_sharply(part: PartlyKnown, *, less: int) -> bool:
    return _word_at_most(part, less=part.truth.diameter + less)


def _loop_is_new(part: PartlyKnown, word_of: Callable[[Model], Word]) -> bool:
    """From every true state, the loop ends up in a cycle with an unknown transition."""
    word = word_of(part.model)
    known = {(part.names[t.state], t.action) for t in part.model.transitions()}
    return all(
        _terminal_transitions(part.truth, start, word) - known for start in range(part.truth.states)
    )


def _first_piece(model: Model) -> Word:
    """Not enough: a word through an unknown transition from one of the states only."""
    here = next((s for s, row in enumerate(model.table) if None in row), 0)
    return (model.table[here].index(None),) if model.states else (0,)


def _shrinks(part: PartlyKnown, *, by: int) -> bool:
    """Every B, every choice of s in B: the image of B without s has at least `by` states fewer."""
    states = range(part.model.states)
    for subset in range(1, 1 << len(states)):
        inside = {s for s in states if subset >> s & 1}
        for chosen in inside:
            word = _shortest_escape(part.model, chosen)
            image = {part.model.walk(s, word) for s in inside - {chosen}} - {None}
            if len(image) > len(inside) - by or part.model.walk(chosen, word) is not None:
                return False
    return True


def _shortest_escape(model: Model, state: int) -> Word:
    ways: dict[int, Word] = {**shortest_words(model, state), state: ()}
    to = min((s for s in ways if None in model.table[s]), key=lambda s: len(ways[s]))
    return (*ways[to], model.table[to].index(None))


def _on_graphs(holds: Callable[[PartlyKnown], bool]) -> Evidence:
    return exhausted((p for p in all_partly_known() if p.model.states), holds, _GRAPHS)


# Ideal runs


def _calls(run: IdealRun) -> list[Added]:
    return [row for row in run.learned.ledger.rows if isinstance(row, Added)]


def _calls_at_most(run: IdealRun, *, less: int) -> bool:
    return len(_calls(run)) <= run.truth.states * run.truth.actions - less


def _calls_sharply(run: IdealRun, *, less: int) -> bool:
    return _calls_at_most(run, less=run.truth.states - 1 + less)


def _independent_cycles_grow(run: IdealRun, *, by: int) -> bool:
    """edges − states + components of the known graph: the dimension of its cycle space."""
    parts: list[set[int]] = []
    edges = dimension = 0
    for call in _calls(run):
        for t in call.transitions:
            joined = {t.state, t.to}.union(*(p for p in parts if t.state in p or t.to in p))
            parts = [p for p in parts if not p & joined] + [joined]
        edges += len(call.transitions)
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
    phase_two_is_last = [r.plan for r in run.learned.ledger.rows if isinstance(r, Ran)][:-1]
    return words == [plan.word for plan in phase_two_is_last if plan.done == 0]


def _apart_within_each(run: IdealRun, *, more: int) -> bool:
    wanted = run.parameters.mixing_time + more
    for row in run.learned.ledger.rows:
        if not isinstance(row, Kept):
            continue
        pieces_of = row.times.pieces
        gaps = [p.gap for p in pieces_of if p.gap is not None]
        gaps += [gap_between(p, q) for i, p in enumerate(pieces_of) for q in pieces_of[:i]]
        if min(gaps) < wanted:
            return False
    return True


def _union_is_not_apart() -> bool:
    """Two states of one cycle are sampled one step after the other."""
    run = next(r for r in all_ideal_runs() if r.truth.table == ((1,), (0,)))
    kept = [row.times for row in run.learned.ledger.rows if isinstance(row, Kept)][:2]
    gap = min(gap_between(p, q) for p in kept[0].pieces for q in kept[1].pieces)
    return gap == 1 < run.parameters.mixing_time


def _both_loops(start_of_second: int) -> Evidence:
    found = [_terminal_transitions(TWO_STATES, s, (LEFT,)) for s in (0, start_of_second)]
    return equal(found, [{(0, LEFT)}, {(1, LEFT)}])


CLAIMS: Final = (
    PHASE_1.exhausted(
        "C11",
        "451",
        "for every s, the samples in D(s) are at least t̂_mix steps apart",
        partial(on_runs, partial(_apart_within_each, more=0)),
        Mutant("one step more", partial(on_runs, partial(_apart_within_each, more=1))),
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
    PHASE_1.proved(
        "C01",
        "808-819",
        "in the 2-state example, looping [L] from state s finds T(s, L) = s and no more",
        partial(_both_loops, 1),
        Mutant("both loops from one start", partial(_both_loops, 0)),
    ),
    PHASE_1.proved(
        "C02",
        "842-899",
        "in the 6-state example, looping [R, R] from 3 ends in the cycle through 1 and 2, all "
        "of whose transitions are known",
        lambda: equal(
            (
                _terminal_transitions(SIX_STATES, 2, (RIGHT, RIGHT)),
                SIX_STATES_PARTLY.walk(2, (RIGHT, RIGHT)),
                SIX_STATES_PARTLY.walk(0, (RIGHT, RIGHT)),
            ),
            (frozenset({(0, RIGHT), (1, RIGHT)}), None, 0),
        ),
        Mutant(
            "the cycle contains the unknown transition (4, R)",
            lambda: equal(
                _terminal_transitions(SIX_STATES, 2, (RIGHT, RIGHT)) & {(3, RIGHT)},
                frozenset({(3, RIGHT)}),
            ),
        ),
    ),
    PHASE_1.proved(
        "S.C02",
        "842-901",
        "in the 6-state example, looping the escaping word of the partial graph ends, from "
        "every start, in a cycle with a transition that the partial graph lacks",
        lambda: equal(_starts_that_learn(escaping_word(SIX_STATES_PARTLY)), set(range(6))),
        Mutant(
            "the naive word [R, R]",
            lambda: equal(_starts_that_learn((RIGHT, RIGHT)), set(range(6))),
        ),
    ),
    PHASE_1.exhausted(
        "C04",
        "909",
        "while T' is not total, every known state reaches an undefined transition inside T'",
        partial(_on_graphs, partial(_unknown_within, beyond_diameter=10**6)),
        Mutant(
            "within D steps",
            partial(_on_graphs, lambda part: _unknown_within(part, beyond_diameter=0)),
        ),
        assumptions=(_CONNECTED,),
    ),
    PHASE_1.exhausted(
        "C05.graphs",
        "909-914",
        "a shortest word from a known state through an undefined transition has length ≤ D+1",
        partial(_on_graphs, partial(_unknown_within, beyond_diameter=1)),
        Mutant("length ≤ D", partial(_on_graphs, partial(_unknown_within, beyond_diameter=0))),
        assumptions=(_CONNECTED,),
    ),
    PHASE_1.bound(
        "C05",
        "909-914",
        "cutting a shortest path of ≤ D steps at its first missing transition, with `before` known "
        "steps ahead of it, gives |â'| = before + 1 ≤ D + 1; so does a path with none missing",
        before + 1,
        D + 1,
        {D: before, before: 0},
        Slip("1 less on the right", right=D + 1 - 1),
        assumptions=(_CONNECTED,),
    ),
    PHASE_1.bound(
        "C06",
        "921",
        "|B| falls by at least 1: of B without s, some states are merged and some leave T'",
        (B - 1 - merged - lost) + 1,
        B,
        {merged: 0, lost: 0, B: 1},
        Slip("1 less on the right", right=B - 1),
        assumptions=("s takes an unknown transition, so it leaves no state in the new B",),
    ),
    PHASE_1.exhausted(
        "C06.graphs",
        "921",
        "for every B and every choice of s in B, the next B has at most |B| − 1 states",
        partial(_on_graphs, partial(_shrinks, by=1)),
        Mutant("at most |B| − 2", partial(_on_graphs, partial(_shrinks, by=2))),
        assumptions=(_CONNECTED,),
    ),
    PHASE_1.bound(
        "C03",
        "901, 921",
        "|â| ≤ (D+1)|S'|: at most |S'| pieces of at most D+1 actions, `spare` fewer in all",
        pieces * (D + 1) - spare,
        S * (D + 1),
        {S: pieces, pieces: 1, D: 0, spare: 0},
        Slip("1 less on the right", right=S * (D + 1) - 1),
        assumptions=("C05: each piece has ≤ D+1 actions", "C06: there are ≤ |S'| pieces"),
    ),
    PHASE_1.exhausted(
        "C03.graphs",
        "901, 921",
        "|â| ≤ (D+1)|S'| for the word that is planned, and it escapes from every known state",
        partial(_on_graphs, lambda part: _word_at_most(part, less=0) and _escapes(part)),
        Mutant("one action left out", partial(_on_graphs, partial(_escapes, cut=1))),
        assumptions=(_CONNECTED,),
    ),
    PHASE_1.bound(
        "S.C03",
        "921",
        "|â| ≤ (D+1)|S'| − D if the state of B nearest to an unknown transition goes first: some "
        "known state has one itself, so the first piece is a single action",
        1 + (pieces - 1) * (D + 1) - spare,
        S * (D + 1) - D,
        {S: pieces, pieces: 1, D: 0, spare: 0},
        Slip("1 less on the right", right=S * (D + 1) - D - 1),
        assumptions=("C05", "C06", "the nearest state of B is chosen"),
    ),
    PHASE_1.exhausted(
        "S.C03.graphs",
        "921",
        "|â| ≤ (D+1)|S'| − D for the word that is planned, nearest state first",
        partial(_on_graphs, partial(_word_sharply, less=0)),
        Mutant("(D+1)|S'| − D − 1", partial(_on_graphs, partial(_word_sharply, less=1))),
        assumptions=(_CONNECTED,),
    ),
    PHASE_1.exhausted(
        "C07",
        "921",
        "from every true state, known or not, the cycle of looping â has a transition not in T'",
        partial(_on_graphs, partial(_loop_is_new, word_of=escaping_word)),
        Mutant(
            "a word that escapes from one known state",
            partial(_on_graphs, partial(_loop_is_new, word_of=_first_piece)),
        ),
        assumptions=(_CONNECTED,),
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
    PHASE_1.exhausted(
        "C08.runs",
        "921",
        "at most |A||S| calls of CycleFind: each adds at least one of |A||S| transitions",
        partial(
            on_runs,
            lambda run: _calls_at_most(run, less=0) and all(c.transitions for c in _calls(run)),
        ),
        Mutant("|A||S| − 1", partial(on_runs, partial(_calls_at_most, less=1))),
        assumptions=(_SUCCESS,),
    ),
    PHASE_1.exhausted(
        "S.C08",
        "921",
        "at most |S|(|A|−1) + 1 calls: a closed walk through a new transition is no combination of "
        "known cycles, so each call raises the dimension of the known graph's cycle space (edges "
        "− states + components), which ends as |S||A| − |S| + 1",
        partial(
            on_runs,
            lambda run: _calls_sharply(run, less=0) and _independent_cycles_grow(run, by=1),
        ),
        Mutant("one call less", partial(on_runs, partial(_calls_sharply, less=1))),
        assumptions=(_SUCCESS,),
    ),
    PHASE_1.exhausted(
        "C09",
        "925",
        "at the end of phase 1, T' is T up to a permutation of the states",
        partial(on_runs, _recovered),
        Mutant("the end state misnamed", partial(on_runs, partial(_recovered, turned=1))),
        assumptions=(
            _SUCCESS,
            _CONNECTED,
        ),
    ),
    PHASE_1.exhausted(
        "C10",
        "923",
        "every â is a function of T, s_init and the parameters: recomputed from these by following "
        "orbits, without a single observation, it is the word that the run took",
        partial(on_runs, _words_follow_from_dynamics),
        Mutant(
            "another start", partial(on_runs, partial(_words_follow_from_dynamics, start_off=1))
        ),
        assumptions=(
            _SUCCESS + " so far; after a wrong verdict â does depend on Ω, so that failures are "
            "counted along the words of the ideal run",
        ),
    ),
)
