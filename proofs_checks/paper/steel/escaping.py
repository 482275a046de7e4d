"""Phase 1: words that leave the known graph, and how long they are (l. 901-921).

What is said of graphs is tried on every world up to a size with every set of known transitions;
what is counted from it is proved for all sizes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.paper.steel.examples import terminal_transitions
from proofs_checks.proofs.calls import NEWS
from proofs_checks.proofs.exploring import ESCAPING, NEAREST_FIRST, SHRINKING, WAYS_OUT
from proofs_checks.replays import proof
from proofs_checks.sections import PHASE_1
from proofs_checks.small_cases.ideal_runs import SIZE, PartlyKnown, all_partly_known
from steel_verified.learning.planning import escaping_word, shortest_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.learning.model import Model
    from steel_verified.learning.plans import Word

_GRAPHS: Final = f"{SIZE}, every set of known transitions"
CONNECTED: Final = "every state of T reaches every other"

S, D, B, pieces, spare = (Symbol(name) for name in ("S", "D", "B", "pieces", "spare"))
merged, lost, before = (Symbol(name) for name in ("merged", "lost", "before"))


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
        terminal_transitions(part.truth, start, word) - known for start in range(part.truth.states)
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


CLAIMS: Final = (
    PHASE_1.proved(
        "C04",
        "909",
        "while T' is not total, every known state reaches an undefined transition inside T'",
        beside(
            partial(_on_graphs, partial(_unknown_within, beyond_diameter=10**6)),
            proof(WAYS_OUT, "C04", "C05"),
        ),
        Mutant(
            "within D steps",
            partial(_on_graphs, lambda part: _unknown_within(part, beyond_diameter=0)),
        ),
        proof(WAYS_OUT, "C04", "C05").misstated(
            "one known transition more", "before", given="0 <= u < M, 0 <= i <= out(u)"
        ),
        assumptions=(CONNECTED,),
    ),
    PHASE_1.proved(
        "C05.graphs",
        "909-914",
        "a shortest word from a known state through an undefined transition has length ≤ D+1",
        beside(
            partial(_on_graphs, partial(_unknown_within, beyond_diameter=1)),
            proof(WAYS_OUT, "C04", "C05"),
        ),
        Mutant("length ≤ D", partial(_on_graphs, partial(_unknown_within, beyond_diameter=0))),
        proof(WAYS_OUT, "C04", "C05").misstated(
            "ways of D + 1 steps",
            "connected",
            then="0 <= dist(u, v) <= D + 1, at(dist(u, v), u, v) == v",
        ),
        assumptions=(CONNECTED,),
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
        assumptions=(CONNECTED,),
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
    PHASE_1.proved(
        "C06.graphs",
        "921",
        "for every B and every choice of s in B, the next B has at most |B| − 1 states",
        beside(partial(_on_graphs, partial(_shrinks, by=1)), proof(SHRINKING, "C06")),
        Mutant("at most |B| − 2", partial(_on_graphs, partial(_shrinks, by=2))),
        proof(SHRINKING, "C06").without("the word need not lead s out", "escapes"),
        assumptions=(CONNECTED,),
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
    PHASE_1.proved(
        "C03.graphs",
        "901, 921",
        "|â| ≤ (D+1)|S'| for the word that is planned, and it escapes from every known state",
        beside(
            partial(_on_graphs, lambda part: _word_at_most(part, less=0) and _escapes(part)),
            proof(WAYS_OUT, "C05"),
            proof(ESCAPING, "C03_length", "C03_escape"),
        ),
        Mutant("one action left out", partial(_on_graphs, partial(_escapes, cut=1))),
        proof(ESCAPING, "C03_length", "C03_escape").misstated(
            "|S'|·D", "C03_length", then="cut(K) <= M * D"
        ),
        assumptions=(CONNECTED,),
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
    PHASE_1.proved(
        "S.C03.graphs",
        "921",
        "|â| ≤ (D+1)|S'| − D for the word that is planned, nearest state first",
        beside(partial(_on_graphs, partial(_word_sharply, less=0)), proof(NEAREST_FIRST, "S_C03")),
        Mutant("(D+1)|S'| − D − 1", partial(_on_graphs, partial(_word_sharply, less=1))),
        proof(NEAREST_FIRST, "S_C03").without("any state first", "nearest"),
        assumptions=(CONNECTED,),
    ),
    PHASE_1.proved(
        "C07",
        "921",
        "from every true state, known or not, the cycle of looping â has a transition not in T'",
        beside(
            partial(_on_graphs, partial(_loop_is_new, word_of=escaping_word)), proof(NEWS, "C07")
        ),
        Mutant(
            "a word that escapes from one known state",
            partial(_on_graphs, partial(_loop_is_new, word_of=_first_piece)),
        ),
        proof(NEWS, "C07").without("a word that stays in T' somewhere", "escapes"),
        assumptions=(CONNECTED,),
    ),
)
