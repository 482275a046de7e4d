"""The listing of STEEL, phase 1: words that leave the known graph (l. 314-324).

Which state is taken first is left open by the listing, so every order of the states is tried.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.proofs.exploring import ESCAPING, WAYS_OUT
from proofs_checks.replays import proof
from proofs_checks.sections import LISTING_OF_STEEL
from proofs_checks.small_cases.worlds import partial_models, small_worlds, tables
from steel_verified.learning.planning import escaping_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.learning.model import Model
    from steel_verified.learning.plans import Word
    from steel_verified.worlds.dynamics import Table


@cache
def _explored() -> frozenset[Model]:
    return partial_models(world.table for world in small_worlds())


def _disconnected() -> Iterator[Table]:
    for actions in (1, 2):
        yield from tables(2, actions)


def _nearest_unknown(model: Model, state: int) -> Word | None:
    """A shortest word from a state through an unknown transition."""
    reached: dict[int, Word] = {state: ()}
    queue = [state]
    for here in queue:
        for action, to in enumerate(model.table[here]):
            word = (*reached[here], action)
            if to is None:
                return word
            if to not in reached:
                reached[to] = word
                queue.append(to)
    return None


def _leaves(model: Model) -> bool:
    return all(_nearest_unknown(model, state) is not None for state in range(model.states))


def _escapes(model: Model, inside: frozenset[int]) -> Iterator[tuple[int, Word]]:
    """The rounds and the word of the loop over B, for every order in which states are chosen."""
    if not inside:
        yield 0, ()
    for state in inside:
        piece = _nearest_unknown(model, state)
        if piece is None:
            raise NotEarned(f"{state} is caught in {model}")
        ends = {model.walk(other, piece) for other in inside - {state}}
        for rounds, rest in _escapes(model, frozenset(s for s in ends if s is not None)):
            yield rounds + 1, piece + rest


def _all_escape(model: Model, *, fewer: int = 0, dropped: int = 0) -> bool:
    everything = range(model.states)
    ours = escaping_word(model)
    return all(model.walk(s, ours) is None for s in everything) and all(
        rounds <= model.states - fewer
        and all(model.walk(s, word[: len(word) - dropped]) is None for s in everything)
        for rounds, word in _escapes(model, frozenset(everything))
    )


_PARTS: Final = "every part of every world with |S| ≤ 3, |A| ≤ 2, in which a transition is unknown"

m = Symbol("m")
"""|S'|."""
j = Symbol("j")
rest = Symbol("rest")

_CONNECTED: Final = ("every state reaches every other, and T' is a part of T",)

CLAIMS: Final = (
    LISTING_OF_STEEL.proved(
        "P03",
        "314-324",
        "in whatever order states are taken from B, the loop ends after at most |S'| rounds, and "
        "from every s ∈ S' the word â takes an unknown transition",
        beside(
            lambda: exhausted(_explored(), _all_escape, _PARTS + ", every order of the states"),
            proof(WAYS_OUT, "C04", "C05"),
            proof(ESCAPING, "P03", "C03_escape"),
        ),
        Mutant(
            "a round less", lambda: exhausted(_explored(), partial(_all_escape, fewer=1), _PARTS)
        ),
        Mutant(
            "without the last action",
            lambda: exhausted(_explored(), partial(_all_escape, dropped=1), _PARTS),
        ),
        proof(ESCAPING, "P03", "C03_escape").misstated("|S'| − 1 rounds", "P03", then="K <= M - 1"),
        assumptions=_CONNECTED,
    ),
    LISTING_OF_STEEL.bound(
        "P03.rounds",
        "314-324",
        "a round takes one state out of B and maps the others to at most as many: round j begins "
        "with at least 1 and at most |S'| − (j − 1) states, so j ≤ |S'|",
        # The last round began with `rest` ≥ 1 states, after j − 1 rounds: rest ≤ |S'| − (j − 1).
        j,
        m,
        {m: rest + (j - 1), rest: 1, j: 1},
        Slip("a round less", left=j + 1),
    ),
    LISTING_OF_STEEL.proved(
        "P04",
        "319",
        "while some transition is unknown, every s ∈ S' reaches an unknown one within T'",
        beside(lambda: exhausted(_explored(), _leaves, _PARTS), proof(WAYS_OUT, "C04", "C05")),
        Mutant(
            "worlds in which a state can be a trap",
            lambda: exhausted(partial_models(_disconnected()), _leaves, "|S| = 2"),
        ),
        proof(WAYS_OUT, "C04", "C05").without("states that do not reach each other", "connected"),
        assumptions=_CONNECTED,
    ),
)
