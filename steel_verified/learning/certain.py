"""Certain STEEL: exact dynamics from a finite class F, for every noise.

    Theorem 6. Suppose that all covers that agree with Lemma 2 divide the rows in the same way, and
    that in one of them every action was taken at every label. Then the labels are the states of the
    world and the table of the cover is T, up to names.
    Theorem 11. The same holds for the visited states of a log, without connectedness.

No probability enters: an adversary may choose the noise, knowing the actions. Needed is a finite F
that has a classifier for each state, and nothing else: neither N nor t̂_mix, δ or ε. Which answers
are possible is decided by `knowledge` (rule R) and `covers` (SAT); this module explores.

The learner takes a shortest known way to a transition that was never taken, until the theorem
applies. While the rows leave several covers it follows one of them as a guess, and now and then
takes a random action, so that no guess can keep it in a loop. After that it takes more steps, in
which every row has to show the one label that the model predicts: no rows can show that an
assumption holds, but these steps often show that one does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from steel_verified.learning.covers import covers, nearest_first
from steel_verified.learning.knowledge import Trajectory, bits, nothing_known, the_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from steel_verified.learning.knowledge import Bits, Knowledge, Table, Transition

Word: TypeAlias = tuple[int, ...]

MOST_CLASSIFIERS: Final = 1 << 16
"""A larger class is not listed."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The rows leave one model, and every transition was taken: it is the world's."""

    labels: tuple[tuple[int, ...], ...]
    """For each label all classifiers that fit it. If there is one, it is that of the state."""
    table: tuple[tuple[int, ...], ...]
    current: int | None
    """The present label; None for a log."""
    supposes_two: bool
    """Whether |S| ≥ 2 was used: some classifier is 1 on all rows."""


@dataclass(frozen=True, slots=True)
class Open:
    """The rows do not decide yet. `left` are covers; if there is one, it is the only one."""

    left: tuple[Bits, ...]


@dataclass(frozen=True, slots=True)
class Refuted:
    """No model explains the rows, so an assumption is false."""

    supposes_connected: bool
    """Whether the rows alone have a cover, and only (Connected) or |S| ≥ 2 excludes it."""


Decision: TypeAlias = Decided | Open | Refuted


def decide(known: Knowledge, here: Bits | None, before: Iterable[Bits] = ()) -> Decision:
    """Apply Theorem 6 at the present row of a connected world, or Theorem 11 to a log (None).

    `before` are covers of earlier rows of the run, which may save a search.
    """
    if known.pending:
        return Open(())
    supposed = without_lone_labels(known, connected=here is not None)
    left = covers(supposed, here, before=before)
    if not left:
        return Refuted(supposes_connected=bool(covers(known, None, most=1)))
    if len(left) > 1 or not all(supposed.facts[f].is_taken for f in bits(left[0])):
        return Open(left)
    name = {f: label for label, f in enumerate(bits(left[0]))}
    table = supposed.table(left[0]).values()
    return Decided(
        labels=tuple(tuple(bits(supposed.facts[f].column)) for f in name),
        table=tuple(tuple(name[f] for f in row if f is not None) for row in table),
        current=None if here is None else name[the_one(here & left[0])],
        supposes_two=bool(known.every),
    )


def without_lone_labels(known: Knowledge, *, connected: bool) -> Knowledge:
    """Remove what would be the only label: there are two states, or two among the rows of a log.

    In a connected world this is a classifier that every action leads back to (Lemma 2); if it is 1
    on all rows, |S| ≥ 2 is used. In a log it is one that is 1 on all rows (Theorem 11); a later row
    can change this, so the value that is returned is never merged.
    """
    if connected:
        stays = (
            fact.column
            for fact in known.facts.values()
            if all(some and every & fact.column for some, every in fact.after)
        )
        lone = reduce(or_, stays, 0)
    else:
        lone = known.every & known.left
    return known.without(lone) if lone else known


def judge(
    trajectories: Iterable[Trajectory], classifiers: int, actions: int, *, connected: bool = False
) -> Decision:
    """Return what recorded rows decide, whatever policy, starts and resets made them.

    It reads all rows before it decides. `connected`: this is one trajectory of a connected world.
    """
    known, here = nothing_known(classifiers, actions), None
    for trajectory in trajectories:
        if here is not None and connected:
            raise ValueError("a connected world has one trajectory")
        known, here = known.of(trajectory), trajectory.rows[-1]
    return decide(known, here if connected else None)


def rows_that_refute(transitions: Sequence[Transition], nothing: Knowledge) -> list[Transition]:
    """Return some of these transitions that no cover explains, none of which can be left out.

    The transitions together must have no cover. Halves are searched in turn, so that few of them
    are tested (QuickXplain).
    """

    def least(known: Knowledge, parts: Sequence[Transition], *, grown: bool) -> list[Transition]:
        if grown and not covers(known, None, most=1):
            return []
        if len(parts) == 1:
            return list(parts)
        first, second = parts[: len(parts) // 2], parts[len(parts) // 2 :]
        needed = least(_told(known, first), second, grown=True)
        return [*least(_told(known, needed), first, grown=bool(needed)), *needed]

    return least(nothing, transitions, grown=False)


def _told(known: Knowledge, transitions: Iterable[Transition]) -> Knowledge:
    for transition in transitions:
        known = known.told(transition)
    return known


@dataclass(frozen=True, slots=True)
class Exploring:
    """What the learner knows between two plans."""

    knowledge: Knowledge
    here: Bits | None = None
    """The present row; None before the first one."""
    steps: int = 0
    decision: Decision = Open(())
    decided_at: int | None = None
    """The number of steps at which the rows decided."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The policy. Its random actions depend on the seed and the number of steps only."""

    seed: int = 0
    first_action: int = 0
    guess: float = 0.9
    """The chance to follow a guess instead of a random action."""
    check_steps: int = 200
    """How many steps are taken after the rows decided."""

    def begin(self, classifiers: int, actions: int) -> Exploring:
        return Exploring(nothing_known(classifiers, actions))

    def next_word(self, state: Exploring) -> Word | None:
        """Return the next actions; None at the end."""
        if state.here is None:
            return (self.first_action,)
        match state.decision:
            case Refuted():
                return None
            case Decided() as decided:
                checked = state.steps - (state.decided_at or 0)
                return self._retaken(state, decided)[: self.check_steps - checked] or None
            case Open(left):
                return self._unexplored(state, state.here, left)

    def absorb(self, state: Exploring, word: Word, rows: Sequence[Bits]) -> Exploring:
        """Return the state after a word, with the row that came after each action."""
        if state.here is None:
            path = Trajectory(tuple(rows), word[1:])
        else:
            path = Trajectory((state.here, *rows), word)
        knowledge, steps = state.knowledge.of(path), state.steps + len(word)
        before = state.decision.left if isinstance(state.decision, Open) else ()
        decision = decide(knowledge, rows[-1], before)
        decided = state.decided_at
        if decided is None and isinstance(decision, Decided):
            decided = steps
        return Exploring(knowledge, rows[-1], steps, decision, decided)

    def _unexplored(self, state: Exploring, here: Bits, left: tuple[Bits, ...]) -> Word:
        """Return a shortest way to an untaken transition, or its first action if it is a guess."""
        random = self._random(state)
        if left and (len(left) == 1 or random.random() < self.guess):
            table = state.knowledge.table(left[0])
            for label, word in nearest_first(table, the_one(here & left[0])).items():
                if None in table[label]:
                    whole = (*word, table[label].index(None))
                    return whole if len(left) == 1 else whole[:1]
        return (random.randrange(state.knowledge.actions),)

    def _retaken(self, state: Exploring, decided: Decided) -> Word:
        """Return a shortest way to a random transition, and the transition."""
        random = self._random(state)
        table: Table = dict(enumerate(decided.table))
        label = random.randrange(len(table))
        ways = nearest_first(table, decided.current or 0)
        return (*ways[label], random.randrange(state.knowledge.actions))

    def _random(self, state: Exploring) -> Random:
        return Random(f"{self.seed}/{state.steps}")
