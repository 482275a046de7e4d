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

If all models that the rows leave are quotients of one, more rows may never decide. If δ is given,
the run then goes on with private coins (`coins`). What these accept is right with probability
1 − δ if actions do not influence the noise: it is never called certain.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import or_
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Steps, Terminated
from steel_verified.evidence.entries import Trajectory as Begun
from steel_verified.evidence.ledger import OpenedCertain, opened
from steel_verified.evidence.observed import begin_trial, record_coin, seen_rows
from steel_verified.evidence.plans import Plan
from steel_verified.learning.coins import begun
from steel_verified.learning.covers import covers, finest, nearest_first, parting
from steel_verified.learning.knowledge import Trajectory, bits, nothing_known, the_one
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, Unfinished
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
    from steel_verified.learning.coins import Trial
    from steel_verified.learning.knowledge import Bits, Knowledge, Table, Transition
    from steel_verified.learning.results import Result
    from steel_verified.theory.self_check import SelfCheck

Batch = TypeVar("Batch", bound=Sized)

MOST_CLASSIFIERS: Final = 1 << 16
"""A larger class is not listed."""
_NEVER_LEFT: Final = (
    "the classifiers of F that explain the rows would belong to one state, or to states that are "
    "never left"
)
MOST_STEPS: Final = 100_000
"""By default, a run ends as not accepted after this many steps."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The rows leave one model, and every transition was taken: it is the world's.

    If `chance` is not 0, they leave quotients of it too, and only coins speak against these.
    """

    labels: tuple[tuple[int, ...], ...]
    """For each label all classifiers that fit it. If there is one, it is that of the state."""
    table: tuple[tuple[int, ...], ...]
    current: int | None
    """The present label; None for a log."""
    supposes_two: bool
    """Whether |S| ≥ 2 was used: some classifier is 1 on all rows."""
    chance: Fraction = Fraction(0)
    """The chance that it is wrong is at most this: 0 if it is certain, δ after coins."""


@dataclass(frozen=True, slots=True)
class Open:
    """The rows do not decide yet. `left` are covers; if there is one, it is the only one."""

    left: tuple[Bits, ...]


@dataclass(frozen=True, slots=True)
class Quotients:
    """The rows leave several models: one in which every transition was taken, and quotients of it.

    A run without δ does not ask whether this is so.
    """

    left: tuple[Bits, ...]
    """Some of the covers."""
    cover: Bits
    """The finest one."""
    model: Decided
    """What is true if the finest one is."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """No model explains the rows, so an assumption is false."""

    supposes_connected: bool
    """Whether the rows alone have a cover, and only (Connected) or |S| ≥ 2 excludes it."""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of which one does not hold, the most likely one first."""
        rows = (
            Condition.REALISABLE,
            Condition.DETERMINISTIC,
            Condition.UNCHANGING,
            Condition.UNBROKEN,
        )
        return (Condition.CONNECTED, *rows) if self.supposes_connected else rows

    @property
    def because(self) -> str:
        """What was found."""
        return _NEVER_LEFT if self.supposes_connected else "no classifiers of F explain the rows"


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
    return _model(known, supposed, left[0], here)


def _model(known: Knowledge, supposed: Knowledge, cover: Bits, here: Bits | None) -> Decided:
    """Return the labels and the table of a cover in which every transition was taken."""
    name = {f: label for label, f in enumerate(bits(cover))}
    table = supposed.table(cover).values()
    return Decided(
        labels=tuple(tuple(bits(supposed.facts[f].column)) for f in name),
        table=tuple(tuple(name[f] for f in row if f is not None) for row in table),
        current=None if here is None else name[the_one(here & cover)],
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


def steps_that_refute(path: Trajectory, nothing: Knowledge) -> tuple[int, ...]:
    """Return steps of a run whose rows no cover explains, each with the row and action before it.

    A classifier that would be the only label, judged by all rows, is removed beforehand. None of
    the steps can be left out. There are none if only (Connected) excludes the covers.
    """
    known = nothing.of(path)
    lone = known.left & ~without_lone_labels(known, connected=True).left
    begun = nothing.without(lone) if lone else nothing
    number = {each: step for step, each in reversed(list(enumerate(path.transitions(), start=1)))}
    if covers(_told(begun, number), None, most=1):
        return ()
    return tuple(sorted(number[each] for each in rows_that_refute(list(number), begun)))


def _guessed(knowledge: Knowledge, cover: Bits) -> Model:
    """Return the table of a cover, with its labels numbered."""
    table = knowledge.table(cover)
    name = {f: label for label, f in enumerate(table)}
    rows = (tuple(None if f is None else name[f] for f in row) for row in table.values())
    return Model(knowledge.actions, tuple(rows))


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
    decision: Decision | Quotients = Open(())
    decided_at: int | None = None
    """The number of steps at which the rows decided, or the last coin was passed."""
    spent: Fraction = Fraction(0)
    """What the trials with coins have cost of δ."""
    trial: Trial | None = None
    """The present one."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run: its ledger, and what is known."""

    method: Certain
    ledger: Ledger
    known: Exploring

    @property
    def stage(self) -> Decision | Quotients:
        """What the rows decide so far: the run explores, or checks what they decided."""
        return self.known.decision

    @property
    def model(self) -> Model:
        """The model so far: that of the present guess."""
        match self.known.decision:
            case Decided(table=decided) | Quotients(model=Decided(table=decided)):
                return Model(self.known.knowledge.actions, decided)
            case Open((guess, *_)):
                return _guessed(self.known.knowledge, guess)
            case _:
                return Model(self.known.knowledge.actions)


@dataclass(frozen=True, slots=True)
class Certain:
    """The method. Its random actions and coins depend on the seed and the number of steps only."""

    name: ClassVar[str] = "certain"
    needs: ClassVar[str] = "a finite F"
    most_steps: ClassVar[int] = MOST_STEPS
    parameters: ClassVar[None] = None
    """It has no N, D̂, t̂_mix or ε."""

    classifiers: int
    """|F|: the class is listed."""
    actions: int
    first_action: int = 0
    seed: int = 0
    guess: float = 0.9
    """The chance to follow a guess instead of a random action."""
    check_steps: int = 200
    """How many steps are taken after the rows decided."""
    delta: Fraction = Fraction(0)
    """δ: coins may accept a wrong model with at most this chance; 0: no coins, certain or open."""

    def __post_init__(self) -> None:
        if not 1 <= self.classifiers <= MOST_CLASSIFIERS:
            raise InvalidArgument("classifiers", self.classifiers, f"1 to {MOST_CLASSIFIERS:,}")
        if self.actions < 1:
            raise InvalidArgument("actions", self.actions, "at least 1")
        require_first_action(self.first_action, self.actions)
        if self.check_steps < 0:
            raise InvalidArgument("check_steps", self.check_steps, "at least 0")
        if not 0 <= self.delta < 1:
            raise InvalidArgument("delta", self.delta, "at least 0 and less than 1")

    def require(self, actions: int, class_size: int | None) -> None:
        """Raise `InvalidArgument` unless the method fits the world and the class."""
        if actions != self.actions:
            raise InvalidArgument("actions", self.actions, f"{actions}, those of the world")
        if class_size != self.classifiers:
            expected = f"{class_size}, the size of the class"
            raise InvalidArgument("classifiers", self.classifiers, expected)

    def begin(self) -> State:
        """Return the first state: nothing is known."""
        ledger = opened(OpenedCertain(self.classifiers, self.actions, delta=self.delta))
        return State(self, ledger, self.nothing())

    def next_plan(self, state: State) -> Plan | Result:
        """Return the next plan, or the result if the run has ended."""
        word = self.next_word(state.known)
        if word is not None:
            every = Progression(1, (Level(len(word), 1),))
            return Plan(word, len(word), keeps=(every,))
        match state.known.decision:
            case Decided() as decided:
                return _accepted(state, decided)
            case Quotients(model=model) if state.known.decided_at is not None:
                return _accepted(state, replace(model, chance=self.delta))
            case Refuted() as refuted:
                (path,) = trajectories_of(state.ledger.entries)
                shown_by = steps_that_refute(path, self.nothing().knowledge)
                why = listed(refuted.conditions), refuted.because
                return Contradicted(self, state.model, state.ledger, *why, shown_by=shown_by)
            case _:
                left = self.unfinished(state)
                return NotAccepted(self, state.model, state.ledger, left.left, models=left.models)

    def absorb(self, state: State, loop: Loop[Batch], functions: Class[Batch]) -> State:
        """Return the state after the rows of the plan that was run.

        A trial with coins, and each coin, are recorded before the next plan.
        """
        rows, ledger = seen_rows(loop, functions)
        known = self.told(state.known, loop.plan.word, rows)
        if (trial := known.trial) is not None:
            if known.spent > state.known.spent:
                ledger = begin_trial(ledger, bits(trial.cover), trial.needed)
            if (coin := trial.coin) is not None:
                ledger = record_coin(ledger, coin.labels, coin.words, coin.side)
        return replace(state, ledger=ledger, known=known)

    def unfinished(self, state: State) -> Unfinished:
        """Return what the rows leave open if the run is stopped now; no condition is suspected."""
        decision, knowledge = state.known.decision, state.known.knowledge
        left = decision.left if isinstance(decision, Open | Quotients) else ()
        models = tuple(_guessed(knowledge, each) for each in left)
        return Unfinished(_left(state.known, coins=bool(self.delta)), models=models)

    def checked_by(self, wanted: SelfCheck | None) -> Certain:
        """Return the method with the steps of a self-check in addition to its own, or with none."""
        steps = 0 if wanted is None else self.check_steps + wanted.steps
        return replace(self, check_steps=steps)

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
                return self._checking(known, decided, known.decided_at)
            case Quotients(model=model) if known.trial is not None:
                if known.trial.coin is not None:
                    return known.trial.coin.word
                begun = known.trial.begun if known.decided_at is None else known.decided_at
                return self._checking(known, model, begun)
            case Quotients(left=left) | Open(left):
                return self._unexplored(known, known.here, left)

    def told(self, known: Exploring, word: Word, rows: Sequence[Bits]) -> Exploring:
        """Return what is known after a word, with the row that came after each action."""
        if known.here is None:
            path = Trajectory(tuple(rows), word[1:])
        else:
            path = Trajectory((known.here, *rows), word)
        knowledge, steps = known.knowledge.of(path), known.steps + len(word)
        before = known.decision.left if isinstance(known.decision, Open | Quotients) else ()
        decision = decide(knowledge, rows[-1], before)
        now = Exploring(knowledge, rows[-1], steps, decision, spent=known.spent)
        match decision:
            case Decided():
                first = not isinstance(known.decision, Decided)
                return replace(now, decided_at=steps if first else known.decided_at)
            case Open(left) if self.delta and len(left) > 1:
                return self._tried(known, now, left)
            case Refuted():
                return replace(now, decided_at=known.decided_at)
            case _:
                return now

    def _tried(self, known: Exploring, now: Exploring, left: tuple[Bits, ...]) -> Exploring:
        """Return what is known, with the next coin if all covers are quotients of one.

        The trial goes on if this is the cover that was fixed; otherwise the next one begins.
        """
        here = now.here or 0
        supposed = without_lone_labels(now.knowledge, connected=True)
        cover = finest(supposed, here, left)
        if cover is None:
            return now
        model = _model(now.knowledge, supposed, cover, here)
        trial, spent, decided = known.trial, known.spent, known.decided_at
        if trial is None or trial.cover != cover:
            trial = begun(self.delta - spent, cover, model.table, now.steps)
            spent, decided = spent + trial.charge, None
        trial = trial.tossed(model.current or 0, now.steps, self.seed)
        if decided is None and trial.is_passed:
            decided = now.steps
        found = Quotients(left, cover, model)
        return replace(now, decision=found, decided_at=decided, spent=spent, trial=trial)

    def _unexplored(self, known: Exploring, here: Bits, left: tuple[Bits, ...]) -> Word:
        """Return a shortest way to an untaken transition, or its first action if it is a guess."""
        random = self._random(known)
        if left and (len(left) == 1 or random.random() < self.guess):
            for guess in left:
                table = known.knowledge.table(guess)
                for label, word in nearest_first(table, the_one(here & guess)).items():
                    if None in table[label]:
                        whole = (*word, table[label].index(None))
                        return whole if len(left) == 1 else whole[:1]
        return (random.randrange(self.actions),)

    def _checking(self, known: Exploring, model: Decided, since: int | None) -> Word | None:
        """Return the next of the steps that check a model; None after `check_steps` of them."""
        checked = known.steps - (since or 0)
        return self._retaken(known, model)[: max(0, self.check_steps - checked)] or None

    def _retaken(self, known: Exploring, decided: Decided) -> Word:
        """Return a shortest way to a random transition, and the transition."""
        random = self._random(known)
        table: Table = dict(enumerate(decided.table))
        label = random.randrange(len(table))
        ways = nearest_first(table, decided.current or 0)
        return (*ways[label], random.randrange(self.actions))

    def _random(self, known: Exploring) -> Random:
        return Random(f"{self.seed}/{known.steps}")


def _accepted(state: State, decided: Decided) -> Accepted:
    chosen = tuple(fits[0] for fits in decided.labels)
    current = decided.current or 0
    return Accepted(state.method, state.model, current, chosen, state.ledger, decided=decided)


def trajectories_of(entries: Iterable[object]) -> tuple[Trajectory, ...]:
    """Return the rows of a certain run or of a log, and the actions between them."""
    found: list[Trajectory] = []
    for entry in entries:
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


def _left(known: Exploring, *, coins: bool) -> str:
    """Return what the rows leave open, and what would decide it."""
    match known.decision:
        case Open((_,)):
            return "one model explains the rows, but some transition was never taken"
        case Open((one, other, *_)) | Quotients((one, other, *_)):
            least, most = sorted((one.bit_count(), other.bit_count()))
            return (
                f"several models explain the rows, for example with {counted(least, 'label')} and "
                f"with {counted(most, 'label')}; {_apart(known, one, other, coins=coins)}"
            )
        case Open():
            return "too many classifiers explain the rows"
        case _:
            return "the rows decide, but the steps after that were not all taken"


def _apart(known: Exploring, one: Bits, other: Bits, *, coins: bool) -> str:
    """Return what would tell two covers apart."""
    supposed = without_lone_labels(known.knowledge, connected=True)
    part = parting(supposed, known.here or 0, one, other)
    if part is not None:
        taken = " ".join(map(str, part.word))
        if part.is_untaken:
            return f"the actions {taken} lead to a transition that one of these has never taken"
        return f"after the actions {taken} these predict labels that no row has shown together"
    if (trial := known.trial) is None:
        return f"{_NO_WORD}: {_NO_COINS if coins else _COINS}"
    if trial.coin is None and not trial.is_passed:
        return _CLOCK
    passed = ", ".join(f"{number:,}" for number in trial.passed.values())
    return f"of the {trial.needed} coins that each atom needs, {passed} were passed"


_NO_WORD: Final = (
    "no word makes these two predict labels that were not shown together, so more rows may never "
    "decide"
)
_COINS: Final = (
    "with a delta, private coins may, if the noise ignores actions; and located STEEL with bounds"
)
_NO_COINS: Final = (
    "coins do not, because it is not so that all models are quotients of one; located STEEL may"
)
_CLOCK: Final = (
    "words of equal length never lead to two labels that only one of these tells apart, so the "
    "number of steps, a clock, may be all that does: no coin can decide this"
)
