"""Checks beside `steel.toml`: what the listing leaves open is tried in every order."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

import numpy as np

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.finite import exhausted
from proofs_checks.small_cases.worlds import partial_models, recipes, small_worlds, tables
from steel_verified.learning import classes
from steel_verified.learning.model import Model
from steel_verified.learning.omega import Observed, reveal
from steel_verified.learning.oracle import encode, train
from steel_verified.learning.planning import covering_cycle, escaping_word, visits
from steel_verified.theory.counts import encoder_samples
from steel_verified.theory.exact import ball, ceiling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.learning.plans import Word
    from steel_verified.theory.recipe import Recipe
    from steel_verified.worlds.dynamics import Dynamics

_PARTS: Final = "every part of every world with |S| ≤ 3, |A| ≤ 2, in which a transition is unknown"
_ENOUGH: Final = 3

# --- phase 1: words that leave the known graph ----------------------------------------------------


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

    return exhausted(_explored(), holds, f"{_PARTS}, every order of the states")


def every_state_leads_out(worlds: str = "connected") -> Evidence:
    """Check that every known state reaches an unknown transition; in `any` worlds, it may not."""

    def holds(model: Model) -> bool:
        return all(_nearest_unknown(model, state) is not None for state in range(model.states))

    if worlds == "connected":
        return exhausted(_explored(), holds, _PARTS)
    any_worlds = (table for actions in (1, 2) for table in tables(2, actions))
    return exhausted(partial_models(any_worlds), holds, "|S| = 2")


@cache
def _explored() -> frozenset[Model]:
    return partial_models(world.table for world in small_worlds())


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


# --- phases 2 and 3: samples, tours, training -----------------------------------------------------


def encoder_samples_are_those_printed(factor: int = 16) -> Evidence:
    """Check d = ⌈3|S'|·ln(factor·|S'|²|F|/δ)/ε⌉ against the count in use."""

    def holds(case: tuple[Recipe, int]) -> bool:
        recipe, states = case
        p = recipe.parameters
        inside = factor * states**2 * p.class_size / p.delta
        printed = ceiling(lambda: ball(3 * states / p.epsilon) * ball(inside).log())
        return encoder_samples(recipe, states) == printed

    size = "N ≤ 4, |S'| ≤ 4, ε = 1/10, |F| in {1,7,100}, δ in {1/20,1/3}"
    return exhausted(product(recipes(), range(1, 5)), holds, size)


def plans_are_few(s_curr: str = "in C") -> Evidence:
    """Check that |S| plans fill every dataset, whatever else the tours visit."""

    def holds(sizes: tuple[int, ...]) -> bool:
        plans = _most_plans(sizes, s_curr)
        return plans is not None and plans <= len(sizes)

    cases = (
        sizes for states in (1, 2, 3) for sizes in product(range(1, _ENOUGH + 1), repeat=states)
    )
    return exhausted(cases, holds, f"|S| ≤ 3, d = {_ENOUGH}, every |D(s)| ≤ d, every tour")


def a_plan_never_ends() -> bool:
    """Evaluate the counterexample to P06: C is empty, so all its states lack samples for ever."""
    return all(
        _most_plans(sizes, "left out") is None and _most_plans(sizes, "in C") is not None
        for sizes in ((1,), (1, _ENOUGH))
    )


def _most_plans(held: tuple[int, ...], s_curr: str) -> int | None:
    """The most plans that phase 2 makes from s_curr = 0 on, or None if one of them never ends.

    A plan visits C, s_curr and any other states, until some state of C has d samples.
    """
    if min(held) >= _ENOUGH:
        return 0
    lacking = {state for state, size in enumerate(held) if size < _ENOUGH}
    wanted = lacking - {0} if s_curr == "left out" else lacking
    if not wanted:
        return None
    passes = _ENOUGH - max(held[state] for state in wanted)
    others = set(range(len(held))) - wanted - {0}
    after = []
    for size in range(len(others) + 1):
        for further in combinations(others, size):
            visited = {0, *wanted, *further}
            filled = tuple(held[s] + passes * (s in visited) for s in range(len(held)))
            after.append(_most_plans(filled, s_curr))
    finite = [plans for plans in after if plans is not None]
    return 1 + max(finite) if len(finite) == len(after) else None


def states_are_kept_once_a_pass(start: str = "is no visit") -> Evidence:
    """Check which samples the rule of first visits keeps in three passes through a tour."""

    def holds(case: tuple[Dynamics, int]) -> bool:
        world, mixing_time = case
        model = Model(world.actions, world.table)
        word = covering_cycle(model, 0, mixing_time)
        kept: dict[int, list[int]] = {}
        for number in range(3):
            visited = {0} if start == "counts" else set[int]()
            for offset, state in enumerate(visits(model, 0, word), 1):
                if state not in visited:
                    visited.add(state)
                    kept.setdefault(state, []).append(number * len(word) + offset)
        return kept.keys() == set(range(world.states)) and all(
            len(times) == 3 and times[1] - times[0] == times[2] - times[1] == len(word)
            for times in kept.values()
        )

    cases = product(small_worlds(), (1, 3, 5))
    return exhausted(
        cases, holds, "|S| ≤ 3, |A| ≤ 2, every start, t̂_mix in {1, 3, 5}, three passes"
    )


def encoders_are_learned(zeros: str = "others") -> Evidence:
    """Check that training recovers φ*; if D_0 holds `all` samples, nothing separates them."""

    def holds(encoder: tuple[int, ...]) -> bool:
        states, everything = range(max(encoder) + 1), np.arange(len(encoder))
        oracle = classes.tables([[e == s for e in encoder] for s in states])
        parts = [oracle.summarise(np.flatnonzero(np.array(encoder) == s)) for s in states]
        if zeros == "all":
            whole = oracle.summarise(everything)
            return all(oracle.separating(whole, part) is not None for part in parts)
        trained = reveal(train(oracle, [Observed(part) for part in parts]))
        return bool(np.array_equal(encode(oracle, trained, everything), np.array(encoder)))

    cases = (
        encoder
        for states in (1, 2, 3)
        for size in range(states, 5)
        for encoder in product(range(states), repeat=size)
        if len(set(encoder)) == states
    )
    return exhausted(cases, holds, "|X| ≤ 4, |S| ≤ 3, every φ* onto S")
