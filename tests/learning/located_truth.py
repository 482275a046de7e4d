"""A world whose noise is chosen step by step, and the truth about the learner's datasets.

Every observation carries the true state, which the classifiers cannot see. So each dataset of the
learner says which states it contains, however its labels were merged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from steel_verified.classes.finite import Marks, Tables, tables
from steel_verified.evidence.observed import run
from steel_verified.evidence.oracle import OfClass, Summary, of_kind
from steel_verified.evidence.plans import Plan
from steel_verified.learning.located import (
    Exploring,
    Located,
    Looping,
    Revisiting,
    State,
    Validating,
)
from steel_verified.learning.results import Accepted
from tests.bounds import bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Classifier
    from steel_verified.evidence.sealed import Observed, Pool
    from steel_verified.learning.model import Model
    from steel_verified.theory.progressions import Progression
    from steel_verified.worlds.dynamics import Dynamics


@dataclass(frozen=True)
class Shown:
    """Observations, and the true state behind each."""

    observations: tuple[int, ...]
    states: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.observations)


@dataclass(frozen=True)
class Seen(Summary):
    """The summary of a dataset, and the states that it contains."""

    marks: Marks
    states: frozenset[int]


@dataclass(frozen=True)
class Seeing(OfClass[Shown, "NDArray[np.int64]"]):
    """A class that carries the true states along and never uses them."""

    functions: Tables

    def _features(self, batch: Shown) -> NDArray[np.int64]:
        return np.array(batch.observations, dtype=np.int64)

    def summarise(self, batch: Shown) -> Seen:
        marks = of_kind(Marks, self.functions.summarise(self._features(batch)))[0]
        return Seen(marks, frozenset(batch.states))

    def nothing(self) -> Seen:
        return Seen(self.functions.nothing(), frozenset())

    def merge(self, one: Summary, other: Summary) -> Seen:
        a, b = of_kind(Seen, one, other)
        return Seen(self.functions.merge(a.marks, b.marks), a.states | b.states)

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        low, high = of_kind(Seen, zeros, ones)
        return self.functions.separates(classifier, low.marks, high.marks)

    def separating(self, zeros: Summary, ones: Summary) -> int | None:
        low, high = of_kind(Seen, zeros, ones)
        return self.functions.separating(low.marks, high.marks)


Learner: TypeAlias = State
Noise: TypeAlias = Callable[[int, int, int], int]
"""The chosen noise, as a function of the time, the action taken and the state it led to."""


@dataclass(frozen=True)
class ShownRows:
    """The rows that a plan announced, by their time in the loop."""

    kept: dict[int, tuple[int, int]]

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[Shown, ...]:
        found = []
        for pieces in datasets:
            rows = [self.kept[time] for piece in pieces for time in piece]
            found.append(Shown(tuple(x for x, _ in rows), tuple(s for _, s in rows)))
        return tuple(found)


class ChosenWorld:
    """Known dynamics with `alphabet` noise states: state s with noise e shows s·alphabet + e."""

    def __init__(
        self, dynamics: Dynamics, state: int, alphabet: int, noise: Noise, *, steps: int = 0
    ) -> None:
        self.dynamics, self.state, self.steps = dynamics, state, steps
        self.alphabet, self.noise = alphabet, noise

    @property
    def actions(self) -> int:
        return self.dynamics.actions

    def run(self, plan: Plan) -> ShownRows:
        kept = {}
        announced = {time for piece in plan.keeps for time in piece}
        for time in range(plan.done + 1, plan.done + plan.steps + 1):
            action = plan.word[(time - 1) % len(plan.word)]
            self.state = self.dynamics.table[self.state][action]
            self.steps += 1
            e = self.noise(self.steps, action, self.state)
            if time in announced:
                kept[time] = (self.state * self.alphabet + e, self.state)
        return ShownRows(kept)


def realising(states: int, alphabet: int, others: Sequence[Sequence[bool]] = ()) -> Seeing:
    """Return the class with a classifier for each state, after any other classifiers."""
    size = states * alphabet
    own = [[x // alphabet == s for x in range(size)] for s in range(states)]
    return Seeing(tables([*others, *own]))


class Stalling:
    """Noise that follows the learner: every label has its own letter, so all labels are apart.

    `watch` must receive the learner before each of its plans is run.
    """

    def __init__(self, letters: int) -> None:
        self.letters = letters
        self._used = iter(range(letters))
        self._of_loop: dict[int, tuple[int, int]] = {}
        self._learner: Learner | None = None

    def class_for(self, states: int) -> Seeing:
        """Return the encoder, and a classifier for each letter."""
        size = range(states * self.letters)
        named = [[x % self.letters == letter for x in size] for letter in range(self.letters)]
        return realising(states, self.letters, named)

    def watch(self, learner: Learner) -> None:
        self._learner = learner

    def __call__(self, time: int, action: int, _state: int) -> int:
        learner = self._learner
        if learner is None or isinstance(learner.stage, Looping):
            # Each loop begins with another number of labels, and has its own two letters.
            labels = 0 if learner is None else len(learner.labels.parent)
            if labels not in self._of_loop:
                self._of_loop[labels] = (next(self._used), next(self._used))
            return self._of_loop[labels][time % 2]
        assert isinstance(learner.stage, Exploring)
        to = learner.labels.rows[learner.stage.current][action]
        if to is None:
            return next(self._used)
        every = inside(learner.pools.held[to].summary).marks.every
        return (every & ((1 << self.letters) - 1)).bit_length() - 1


def recipe_for(
    truth: Dynamics, *, spare: int = 0, mixing_time: int = 1, epsilon: Fraction = Fraction(1, 2)
) -> Located:
    """Return correct bounds, except that N is larger by `spare`."""
    most = truth.states + spare
    return Located(bounds(truth.actions, most, mixing_time, delta=Fraction(9, 10), epsilon=epsilon))


def advanced(state: Learner, world: ChosenWorld, oracle: Seeing, limit: int = 10**9) -> Learner:
    """Run the next plan; return the same state if the run has ended or reaches the limit."""
    plan = state.method.next_plan(state)
    if not isinstance(plan, Plan) or world.steps + plan.steps > limit:
        return state
    return state.method.absorb(state, run(state.ledger, world, plan), oracle)


def inside(observed: Observed[Summary]) -> Seen:
    """Return a sealed value, for tests only."""
    value = object.__getattribute__(observed, "_Observed__value")
    assert isinstance(value, Seen)
    return value


def shown_by(pool: Pool) -> int:
    """Return the one state that a dataset contains."""
    assert pool.rows > 0
    states = inside(pool.summary).states
    assert len(states) == 1, f"a dataset shows the states {sorted(states)}"
    return min(states)


def check_truth(state: Learner, truth: Dynamics, here: int) -> None:
    """Require a map from labels to states: pure datasets, true transitions, right position.

    The map is given by the datasets; `here` is the true state of the world.
    """
    labels = state.labels
    assert state.pools.held.keys() == labels.rows.keys()
    meaning = {label: shown_by(pool) for label, pool in state.pools.held.items()}
    for label, shown in meaning.items():
        for action, to in enumerate(labels.rows[label]):
            assert to is None or meaning[to] == truth.table[shown][action], "a false transition"
    match state.stage:
        case Exploring(current) | Revisiting(current):
            assert meaning[labels.root(current)] == here, "we are elsewhere"
        case Validating(_, model, kept, home):
            assert meaning[labels.root(kept[home])] == here, "we are elsewhere"
            check_model(model, home, truth, here)
        case Accepted(model=model, current=current):
            check_model(model, current, truth, here)
        case Looping(_, rows):
            assert all(len(inside(row.summary).states) == 1 for row in rows)
        case _:
            pass


def check_model(model: Model, current: int, truth: Dynamics, here: int) -> None:
    """Require that every state of the model behaves as a true state; two may be the same."""
    meaning, waiting = {current: here}, [current]
    while waiting:
        label = waiting.pop()
        for action, true in enumerate(truth.table[meaning[label]]):
            to = model.step(label, action)
            assert to is not None
            if to not in meaning:
                meaning[to] = true
                waiting.append(to)
            assert meaning[to] == true, "the model is not the truth, even with duplicates"
    assert set(meaning) == set(range(model.states))
    assert set(meaning.values()) == set(range(truth.states))
