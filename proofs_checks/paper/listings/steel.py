"""Checks beside `steel.toml`: what the listing leaves open is tried in every order."""

from __future__ import annotations

from functools import reduce
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from proofs_checks.checks.evidence import NotEarned
from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.worlds import partial_models, small_worlds
from steel_verified.classes import finite
from steel_verified.learning.graph import escaping_word
from steel_verified.learning.results import encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.model import Model


def words_escape(fewer: int = 0, dropped: int = 0) -> Evidence:
    """Check that words escape from every state, after at most |S'| − fewer rounds.

    The word in use is checked, and the listing's for every order of the states, without its last
    `dropped` actions.
    """

    def holds(model: Model) -> bool:
        states, ours = range(model.states), escaping_word(model)
        return all(model.walk(s, ours) is None for s in states) and all(
            rounds <= model.states - fewer
            and all(model.walk(s, word[: len(word) - dropped]) is None for s in states)
            for rounds, word in _escapes(model, frozenset(states))
        )

    parts = partial_models(world.table for world in small_worlds())
    return exhausted(parts, holds, "every part of every world with |S| ≤ 3, |A| ≤ 2, every order")


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


def a_plan_never_ends() -> bool:
    """Evaluate the counterexample to P06: if only s_curr = 0 lacks samples, C is empty.

    A pass adds a sample to every state. As printed, a plan is still followed after 50 passes.
    """
    enough, long = 3, 50

    def passes(held: tuple[int, ...], without: frozenset[int]) -> int:
        wanted = {s for s, size in enumerate(held) if size < enough} - without
        return next((n for n in range(long) if any(held[s] + n >= enough for s in wanted)), long)

    return all(
        passes(held, frozenset({0})) == long and passes(held, frozenset()) == enough - 1
        for held in ((1,), (1, enough))
    )


def encoders_are_learned(zeros: str = "others") -> Evidence:
    """Check that training recovers φ*; if D_0 holds `all` samples, nothing separates them."""

    def holds(encoder: tuple[int, ...]) -> bool:
        states, everything = range(max(encoder) + 1), np.arange(len(encoder))
        oracle = finite.tables([[e == s for e in encoder] for s in states])
        parts = [oracle.summarise(np.flatnonzero(np.array(encoder) == s)) for s in states]
        if zeros == "all":
            whole = oracle.summarise(everything)
            return all(oracle.separating(whole, part) is not None for part in parts)
        others = [
            reduce(oracle.merge, parts[:s] + parts[s + 1 :], oracle.nothing()) for s in states
        ]
        trained = [oracle.separating(others[s], parts[s]) for s in states]
        found = [classifier for classifier in trained if classifier is not None]
        return found == trained and bool(
            np.array_equal(encode(oracle, found, everything), np.array(encoder))
        )

    cases = (
        encoder
        for states in (1, 2, 3)
        for size in range(states, 5)
        for encoder in product(range(states), repeat=size)
        if len(set(encoder)) == states
    )
    return exhausted(cases, holds, "|X| ≤ 4, |S| ≤ 3, every φ* onto S")
