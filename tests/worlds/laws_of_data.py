"""Deciding whether two finite worlds have the same law of data, exactly and for every length.

The chance of a history (actions and observations in turn) is a sum over forward weights, which
change linearly with each step. The differences of forward weights that can occur span a space of
finite dimension. If the weights of every vector in a basis of it sum to 0, no history of any length
has different chances.

A test of counts against a law whose chance of a false alarm is known, not approximated.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING, TypeAlias

from steel_verified.worlds.tabular import HiddenModel, law

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from steel_verified.worlds.tabular import ExBmdp, Law

History: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of an action and the observation after it."""
Vector: TypeAlias = dict[int, Fraction]


def hidden_model(world: ExBmdp) -> HiddenModel:
    """The model whose hidden state s·|E| + e is latent state s and noise state e."""
    noise = len(world.noise)

    def moves(s: int, e: int, a: int) -> Law:
        to = world.dynamics.table[s][a]
        return law({to * noise + f: p for f, p in enumerate(world.noise.rows[e])})

    pairs = [(s, e) for s in range(world.dynamics.states) for e in range(noise)]
    return HiddenModel(
        start=law({world.start * noise + e: p for e, p in enumerate(world.initial_noise)}),
        moves=tuple(tuple(moves(s, e, a) for a in range(world.dynamics.actions)) for s, e in pairs),
        shows=tuple(law(dict(enumerate(world.emission[s][e]))) for s, e in pairs),
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """A shortest history that two worlds show with different chances."""

    history: History
    chances: tuple[Fraction, Fraction]


def difference(
    one: HiddenModel, other: HiddenModel, *, first_action: int, steps: int | None = None
) -> Difference | None:
    """Return a difference of the laws for runs that begin with an action; None if there is none.

    With `steps`, only histories of at most so many steps are compared.
    """
    both = _side_by_side(one, other)
    start = dict(one.start) | {len(one) + h: -weight for h, weight in other.start}
    basis: dict[int, Vector] = {}
    queue = deque(_after(both, start, (), first_action))
    while queue:
        vector, history = queue.popleft()
        if sum(vector.values()):
            mine = sum((w for h, w in vector.items() if h < len(one)), Fraction(0))
            return Difference(history, (mine, mine - sum(vector.values())))
        if _spanned(basis, vector) or len(history) == steps:
            continue
        for action in range(both.actions):
            queue.extend(_after(both, vector, history, action))
    return None


def chance(model: HiddenModel, history: History) -> Fraction:
    """The chance that a model shows these observations if these actions are taken."""
    vector: Vector = dict(model.start)
    for action, seen in history:
        vector = _shown(model, vector, action).get(seen, {})
    return sum(vector.values(), Fraction(0))


def seen_as(model: HiddenModel, name: Callable[[int], int]) -> HiddenModel:
    """The model in which observations with the same name are not told apart."""

    def renamed(shown: tuple[tuple[int, Fraction], ...]) -> dict[int, Fraction]:
        weights: dict[int, Fraction] = {}
        for seen, weight in shown:
            weights[name(seen)] = weights.get(name(seen), Fraction(0)) + weight
        return weights

    return replace(model, shows=tuple(law(renamed(shown)) for shown in model.shows))


def _side_by_side(one: HiddenModel, other: HiddenModel) -> HiddenModel:
    """Both models in one, with the hidden states of the second after those of the first."""
    moved = tuple(
        tuple(tuple((len(one) + h, weight) for h, weight in each) for each in row)
        for row in other.moves
    )
    return HiddenModel(one.start, one.moves + moved, one.shows + other.shows)


def _after(
    model: HiddenModel, vector: Vector, history: History, action: int
) -> Iterator[tuple[Vector, History]]:
    for seen, after in sorted(_shown(model, vector, action).items()):
        yield after, (*history, (action, seen))


def _shown(model: HiddenModel, vector: Vector, action: int) -> dict[int, Vector]:
    """The forward weights after an action, by the observation that was seen."""
    moved: Vector = {}
    for h, weight in vector.items():
        for to, p in model.moves[h][action]:
            moved[to] = moved.get(to, Fraction(0)) + weight * p
    found: dict[int, Vector] = {}
    for h, weight in moved.items():
        for seen, p in model.shows[h]:
            if weight:
                found.setdefault(seen, {})[h] = weight * p
    return found


def _spanned(basis: dict[int, Vector], vector: Vector) -> bool:
    """Whether a basis in echelon form spans a vector; if it does not, the vector is added."""
    left = dict(vector)
    while left:
        pivot = min(left)
        weight = left[pivot]
        if pivot not in basis:
            basis[pivot] = {h: value / weight for h, value in left.items()}
            return False
        for h, value in basis[pivot].items():
            left[h] = left.get(h, Fraction(0)) - weight * value
            if not left[h]:
                del left[h]
    return True


def too_far(counted: list[int], law: list[float], alarm: float) -> bool:
    """Whether counts are too far from a law, by Chernoff's bound for each outcome.

    If the law is right and the draws independent, this is true with chance at most `alarm`.
    """
    n = sum(counted)
    limit = log(2 * len(law) / alarm)
    for count, p in zip(counted, law, strict=True):
        q = count / n
        parts = ((q, p), (1 - q, 1 - p))
        if any(a > 0 and b <= 0 for a, b in parts):
            return True
        if n * sum(a * log(a / b) for a, b in parts if a > 0) > limit:
            return True
    return False
