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

from collections.abc import Sized
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Steps, Terminated
from steel_verified.evidence.entries import Trajectory as Begun
from steel_verified.evidence.ledger import OpenedCertain, opened
from steel_verified.evidence.observed import seen_rows
from steel_verified.evidence.plans import Plan
from steel_verified.learning.covers import covers, nearest_first
from steel_verified.learning.knowledge import Trajectory, bits, nothing_known, the_one
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, limit_reached
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.parameters import require_first_action
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Loop
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.knowledge import Bits, Knowledge, Table, Transition
    from steel_verified.learning.results import Result
    from steel_verified.theory.conditions import Cause

Batch = TypeVar("Batch", bound=Sized)

MOST_CLASSIFIERS: Final = 1 << 16
"""A larger class is not listed."""
MOST_STEPS: Final = 100_000
"""By default, a run ends as not accepted after this many steps."""


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
class State:
    """The state of a run: its ledger, and what is known."""

    method: Certain
    ledger: Ledger
    known: Exploring

    @property
    def model(self) -> Model:
        """The model so far: that of the present guess."""
        match self.known.decision:
            case Decided() as decided:
                return Model(self.known.knowledge.actions, decided.table)
            case Open((guess, *_)):
                table = self.known.knowledge.table(guess)
                name = {f: label for label, f in enumerate(table)}
                rows = (
                    tuple(None if f is None else name[f] for f in row) for row in table.values()
                )
                return Model(self.known.knowledge.actions, tuple(rows))
            case _:
                return Model(self.known.knowledge.actions)


@dataclass(frozen=True, slots=True)
class Certain:
    """The method. Its random actions depend on the seed and the number of steps only."""

    name: ClassVar[str] = "certain"
    parameters: ClassVar[None] = None
    """It has no N, D̂, t̂_mix, δ or ε."""

    classifiers: int
    """|F|: the class is listed."""
    actions: int
    first_action: int = 0
    seed: int = 0
    guess: float = 0.9
    """The chance to follow a guess instead of a random action."""
    check_steps: int = 200
    """How many steps are taken after the rows decided."""
    max_steps: int = MOST_STEPS
    """The run ends as not accepted before it would take more, and says what the rows leave."""

    def __post_init__(self) -> None:
        if not 1 <= self.classifiers <= MOST_CLASSIFIERS:
            raise InvalidArgument("classifiers", self.classifiers, f"1 to {MOST_CLASSIFIERS:,}")
        if self.actions < 1:
            raise InvalidArgument("actions", self.actions, "at least 1")
        require_first_action(self.first_action, self.actions)
        if self.check_steps < 0:
            raise InvalidArgument("check_steps", self.check_steps, "at least 0")

    def require(self, actions: int, class_size: int | None) -> None:
        """Raise `InvalidArgument` unless the method fits the world and the class."""
        if actions != self.actions:
            raise InvalidArgument("actions", self.actions, f"{actions}, those of the world")
        if class_size != self.classifiers:
            expected = f"{class_size}, the size of the class"
            raise InvalidArgument("classifiers", self.classifiers, expected)

    def begin(self) -> State:
        """Return the first state: nothing is known."""
        ledger = opened(OpenedCertain(self.classifiers, self.actions))
        return State(self, ledger, self.nothing())

    def next_plan(self, state: State) -> Plan | Result:
        """Return the next plan, or the result if the run has ended."""
        word = self.next_word(state.known)
        if word is not None and state.known.steps + len(word) <= self.max_steps:
            every = Progression(1, (Level(len(word), 1),))
            return Plan(word, len(word), keeps=(every,))
        match state.known.decision:
            case Decided(current=int(current)) as decided if word is None:
                chosen = tuple(fits[0] for fits in decided.labels)
                return Accepted(self, state.model, current, chosen, state.ledger, decided=decided)
            case Refuted() as refuted:
                return Contradicted(self, state.model, state.ledger, *_why(refuted))
            case decision:
                because = f"{limit_reached(self.max_steps)}; {_left(decision)}"
                return NotAccepted(self, state.model, state.ledger, because)

    def absorb(self, state: State, loop: Loop[Batch], functions: Class[Batch]) -> State:
        """Return the state after the rows of the plan that was run."""
        rows, ledger = seen_rows(loop, functions)
        known = self.told(state.known, loop.plan.word, rows)
        return replace(state, ledger=ledger, known=known)

    def suspects(self, _: State) -> tuple[Cause, ...]:
        """Return what may not hold if the run is stopped: nothing speaks against a condition."""
        return ()

    # --- the policy, as a function of rows

    def nothing(self) -> Exploring:
        """Return what is known before the first row."""
        return Exploring(nothing_known(self.classifiers, self.actions))

    def next_word(self, known: Exploring) -> Word | None:
        """Return the next actions; None at the end."""
        if known.here is None:
            return (self.first_action,)
        match known.decision:
            case Refuted():
                return None
            case Decided() as decided:
                checked = known.steps - (known.decided_at or 0)
                return self._retaken(known, decided)[: self.check_steps - checked] or None
            case Open(left):
                return self._unexplored(known, known.here, left)

    def told(self, known: Exploring, word: Word, rows: Sequence[Bits]) -> Exploring:
        """Return what is known after a word, with the row that came after each action."""
        if known.here is None:
            path = Trajectory(tuple(rows), word[1:])
        else:
            path = Trajectory((known.here, *rows), word)
        knowledge, steps = known.knowledge.of(path), known.steps + len(word)
        before = known.decision.left if isinstance(known.decision, Open) else ()
        decision = decide(knowledge, rows[-1], before)
        decided = known.decided_at
        if decided is None and isinstance(decision, Decided):
            decided = steps
        return Exploring(knowledge, rows[-1], steps, decision, decided)

    def _unexplored(self, known: Exploring, here: Bits, left: tuple[Bits, ...]) -> Word:
        """Return a shortest way to an untaken transition, or its first action if it is a guess."""
        random = self._random(known)
        if left and (len(left) == 1 or random.random() < self.guess):
            table = known.knowledge.table(left[0])
            for label, word in nearest_first(table, the_one(here & left[0])).items():
                if None in table[label]:
                    whole = (*word, table[label].index(None))
                    return whole if len(left) == 1 else whole[:1]
        return (random.randrange(self.actions),)

    def _retaken(self, known: Exploring, decided: Decided) -> Word:
        """Return a shortest way to a random transition, and the transition."""
        random = self._random(known)
        table: Table = dict(enumerate(decided.table))
        label = random.randrange(len(table))
        ways = nearest_first(table, decided.current or 0)
        return (*ways[label], random.randrange(self.actions))

    def _random(self, known: Exploring) -> Random:
        return Random(f"{self.seed}/{known.steps}")


def trajectories_of(ledger: Ledger) -> tuple[Trajectory, ...]:
    """Return the rows of a certain run or of a log, and the actions between them."""
    found: list[Trajectory] = []
    for entry in ledger.entries:
        match entry:
            case Begun(row):
                found.append(Trajectory((int.from_bytes(row, "little"),)))
            case Steps(taken, after):
                rows = (int.from_bytes(row, "little") for row in after)
                found[-1] = Trajectory((*found[-1].rows, *rows), (*found[-1].actions, *taken))
            case Terminated():
                found[-1] = replace(found[-1], terminated=True)
            case _:
                pass
    return tuple(found)


def _why(refuted: Refuted) -> tuple[tuple[Cause, ...], str]:
    """Return the conditions that may not hold, and what was found."""
    rows = (Condition.REALISABLE, Condition.DETERMINISTIC, Condition.UNCHANGING, Condition.UNBROKEN)
    if not refuted.supposes_connected:
        return listed(rows), "no classifiers of F explain the rows"
    because = (
        "the classifiers of F that explain the rows would belong to one state, or to states that "
        "are never left"
    )
    return listed((Condition.CONNECTED, *rows)), because


def _left(decision: Decision) -> str:
    """Return what the rows leave open."""
    match decision:
        case Open((_,)):
            return "one model explains the rows, but some transition was never taken"
        case Open((one, other, *_)):
            least, most = sorted((one.bit_count(), other.bit_count()))
            return (
                f"several models explain the rows, for example with {counted(least, 'label')} and "
                f"with {counted(most, 'label')}"
            )
        case Open():
            return "too many classifiers explain the rows"
        case _:
            return "the rows decide, but the steps after that were not all taken"
