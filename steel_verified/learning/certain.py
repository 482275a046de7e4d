"""Certain STEEL: exact dynamics from a finite class F, for every noise.

No probability enters: an adversary may choose the noise, knowing the actions. Needed is a finite F
that has a classifier for each state, and nothing else: neither N nor t̂_mix, δ or ε. `deciding` says
what the rows decide; this module explores.

The learner takes a shortest known way to a transition that was never taken, until the rows
decide. While the rows leave several covers it follows one of them as a guess, and now and then
takes a random action, so that no guess can keep it in a loop.

If all models that the rows leave are quotients of one, more rows may never decide. If δ is given,
the run then goes on with private coins (`coins`). What these accept is right with probability
1 − δ if actions do not influence the noise: it is never called certain.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence import entries
from steel_verified.evidence.ledger import tossed
from steel_verified.evidence.observed import seen_rows
from steel_verified.evidence.plans import Plan
from steel_verified.learning.coins import begun
from steel_verified.learning.covers import is_cover, nearest_first, parting, word_to
from steel_verified.learning.deciding import (
    UNDECIDED,
    Decided,
    Open,
    Quotients,
    Refuted,
    decide,
    model_of,
    quotients,
    steps_that_refute,
    without_lone_labels,
)
from steel_verified.learning.knowledge import bits, nothing_known, the_one, with_parts
from steel_verified.learning.listed import ListedMethod, accepted
from steel_verified.learning.model import Model
from steel_verified.learning.reading import trajectories_of
from steel_verified.learning.results import Contradicted, NotAccepted, Unfinished
from steel_verified.theory.conditions import listed
from steel_verified.theory.parameters import require_integer
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from steel_verified.classes.columns import Columns, Growing
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Word
    from steel_verified.evidence.sealed import Loop
    from steel_verified.learning.coins import Trial
    from steel_verified.learning.deciding import Decision
    from steel_verified.learning.knowledge import Bits, Knowledge, Table, Trajectory
    from steel_verified.learning.results import Accepted, Result
    from steel_verified.learning.template import Search
    from steel_verified.theory.self_check import SelfCheck

Batch = TypeVar("Batch", bound=Sized)

GUESS: Final = 0.9
"""While several models are left, the chance to follow one as a guess."""


@dataclass(frozen=True, slots=True)
class Exploring:
    """What the learner knows between two plans."""

    knowledge: Knowledge
    here: Bits | None = None
    """The present row; None before the first one."""
    columns: Columns | None = None
    """The columns so far of a class that is listed as rows arrive."""
    search: Search | None = None
    """The labellings of the rows so far, if there are at most N states, each shown by a box."""
    steps: int = 0
    decision: Decision | Quotients = UNDECIDED
    decided_at: int | None = None
    """The number of steps at which the rows decided, or the last coin was passed."""
    spent: Fraction = Fraction(0)
    """What the trials with coins have cost of δ."""
    trial: Trial | None = None
    """The present one."""

    def heard(self, step: tuple[int, int]) -> Exploring:
        """Return what is known after an action and the row after it, as it was recorded."""
        action, after = step
        if self.search is not None:
            return replace(self, search=self.search.with_row(action, after), here=after)
        knowledge, columns, here = self.knowledge, self.columns, self.here
        if columns is not None:
            columns, parts, after = columns.with_row(after, knowledge.left)
            knowledge = knowledge.split(parts)
            here = None if here is None else with_parts(here, parts)
        transition = (after, None, after) if here is None else (here, action, after)
        return replace(
            self, knowledge=knowledge.with_transition(transition), columns=columns, here=after
        )

    def guesses(self) -> list[tuple[Table, int | None]]:
        """Return the tables of some models that are left, each with its present label."""
        if self.search is not None:
            return [(each.table, each.here) for each in self.search.found.labellings]
        left = self.decision.left if isinstance(self.decision, Open | Quotients) else ()
        return guesses_of(self.knowledge, self.here or 0, left)


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
                return model_of(self.known.knowledge, guess)
            case _:
                search, actions = self.known.search, self.known.knowledge.actions
                found = search.found.labellings[:1] if search is not None else ()
                return Model(actions, *(tuple(each.table.values()) for each in found))


@dataclass(frozen=True, slots=True)
class Certain(ListedMethod):
    """The method."""

    name: ClassVar[str] = "certain"

    classifiers: int
    """|F|; the numbers in a row, if F is listed as rows arrive."""
    actions: int
    first_action: int = 0
    seed: int = 0
    guess: float = GUESS
    """The chance to follow a guess instead of a random action."""
    check_steps: int = 200
    delta: Fraction = Fraction(0)
    """δ: coins may accept a wrong model with at most this chance; 0: no coins, certain or open."""
    functions: Growing | None = None
    """F, if it is not listed beforehand; then its columns are, as rows arrive."""
    max_states: int | None = None
    """N, for boxes and conjunctions that are too many to list: what is certain is so given N."""

    def __post_init__(self) -> None:
        ListedMethod.__post_init__(self)
        if self.functions is not None and self.delta:
            raise InvalidArgument("delta", self.delta, "0: coins need a finite class")
        if self.max_states is not None:
            from steel_verified.learning.template import Bounded  # noqa: PLC0415 (few runs need it)

            require_integer("max_states", self.max_states, at_least=2)
            if not isinstance(self.functions, Bounded):
                name = "a finite class" if self.functions is None else "thresholds"
                expected = f"None: {name} can be listed, so that certain needs no bound"
                raise InvalidArgument("max_states", self.max_states, expected)

    def require(self, actions: int, class_size: int | None) -> None:
        """Raise `InvalidArgument` unless the method fits the world and the class."""
        if self.functions is None:
            ListedMethod.require(self, actions, class_size)
        elif actions != self.actions:
            raise InvalidArgument("actions", self.actions, f"{actions}, those of the world")

    def begin(self) -> State:
        """Return the first state: nothing is known."""
        name = "finite" if self.functions is None else self.functions.declared.name
        return State(self, self.opened(name=name), self.nothing())

    def next_plan(self, state: State) -> Plan | Result:
        """Return the next plan, or the result if the run has ended."""
        word = self.next_word(state.known)
        if word is not None:
            return Plan.once(word)
        match state.known.decision:
            case Decided() as decided:
                return self._accepted(state, decided)
            case Quotients(model=model) if state.known.decided_at is not None:
                return self._accepted(state, replace(model, chance=self.delta))
            case Refuted() as refuted:
                return self.contradicted(state.model, state.ledger, refuted)
            case _:
                left = self.unfinished(state)
                return NotAccepted(self, state.model, state.ledger, left.left, models=left.models)

    def absorb(self, state: State, loop: Loop[Batch], functions: Class[Batch]) -> State:
        """Return the state after the rows of the plan that was run.

        A trial with coins, and each coin, are recorded before the next plan.
        """
        rows, ledger = seen_rows(loop, functions)
        known = self.with_rows(state.known, loop.plan.word, rows)
        if (trial := known.trial) is not None:
            if known.spent > state.known.spent:
                fixed = entries.Trial(tuple(bits(trial.cover)), trial.charge)
                ledger = tossed(ledger, fixed)
            if (coin := trial.coin) is not None:
                ledger = tossed(ledger, entries.Coin(coin.labels, coin.words, coin.side))
        return replace(state, ledger=ledger, known=known)

    def unfinished(self, state: State) -> Unfinished:
        """Return what the rows leave open if the run is stopped now; no condition is suspected."""
        decision, knowledge = state.known.decision, state.known.knowledge
        left = decision.left if isinstance(decision, Open | Quotients) else ()
        models = tuple(model_of(knowledge, each) for each in left)
        return Unfinished(_left(state.known, coins=bool(self.delta)), models=models)

    def checked_by(self, wanted: SelfCheck | None) -> Certain:
        """Return the method with its own check of the model, or without if none is wanted."""
        return replace(self, check_steps=0) if wanted is None else self

    def contradicted(self, model: Model, ledger: Ledger, refuted: Refuted) -> Contradicted:
        """Return the result of a run that no model explains, and some steps that show it."""
        (path,) = trajectories_of(ledger.entries)
        is_listed = self.functions is None
        shown_by = steps_that_refute(path, self.nothing().knowledge) if is_listed else ()
        why = listed(refuted.conditions), refuted.because
        return Contradicted(self, model, ledger, *why, shown_by=shown_by)

    def _accepted(self, state: State, decided: Decided) -> Result:
        result = accepted(self, decided, decided.current or 0, state.model, state.ledger)
        known = state.known
        if known.search is not None:
            chosen = known.search.classifiers
        elif known.columns is not None:
            chosen = known.columns.classifiers(number for (number,) in decided.labels)
        else:
            return result
        return replace(result, classifiers=chosen)

    def decided_with(self, learned: Accepted, path: Trajectory) -> Decision | Quotients:
        """Return what the rows of an accepted run decide with more of them.

        If there are at most N states, no other labels of the rows before are searched for again.
        """
        known, word, steps = self.nothing(), (0, *path.actions), learned.ledger.steps
        if known.search is None or learned.classifiers is None:
            return self.with_rows(known, word, path.rows).decision
        search = known.search.with_labels(path, steps, learned.classifiers)
        known = replace(known, search=search, here=path.rows[steps - 1], steps=steps)
        return self.with_rows(known, word[steps:], path.rows[steps:]).decision

    # --- the policy, as a function of rows

    def nothing(self) -> Exploring:
        """Return what is known before the first row."""
        if self.functions is None:
            return Exploring(nothing_known(self.classifiers, self.actions))
        from steel_verified.classes.columns import no_columns  # noqa: PLC0415 (few runs need these)
        from steel_verified.learning.template import Bounded, Search, no_template  # noqa: PLC0415

        nothing = nothing_known(1, self.actions)
        if self.max_states is not None and isinstance(self.functions, Bounded):
            template = no_template(self.functions, self.max_states, self.actions)
            return Exploring(nothing, search=Search(template))
        return Exploring(nothing, columns=no_columns(self.functions))

    def next_word(self, known: Exploring) -> Word | None:
        """Return the next actions; None at the end."""
        if known.here is None:
            return (self.first_action,)
        if known.columns is not None and known.columns.are_many:
            return None
        if known.search is not None and known.search.is_given_up:
            return None
        match known.decision:
            case Refuted():
                return None
            case Decided() as decided:
                return self.checking(known.steps, known.decided_at, decided)
            case Quotients(model=model) if known.trial is not None:
                if known.trial.coin is not None:
                    return known.trial.coin.word
                begun = known.trial.begun if known.decided_at is None else known.decided_at
                return self.checking(known.steps, begun, model)
            case Quotients() | Open():
                random = self.random(known.steps)
                word = unexplored(known.guesses(), self.actions, random, guess=self.guess)
                return word or (random.randrange(self.actions),)

    def with_rows(self, known: Exploring, word: Word, rows: Sequence[Bits]) -> Exploring:
        """Return what is known after a word, with the row that came after each action."""
        steps, before = known.steps + len(word), known.decision
        known = reduce(Exploring.heard, zip(word, rows, strict=True), known)
        if known.search is not None:
            search = known.search.searched()
            known = replace(known, search=search, steps=steps, decision=search.decision)
            match known.decision:
                case Refuted():
                    return known
                case Decided() if known.decided_at is not None:
                    return known
                case decision:
                    at = steps if isinstance(decision, Decided) else None
                    return replace(known, decided_at=at)
        left = before.left if isinstance(before, Open | Quotients) else ()
        if known.columns is not None and known.columns.are_many:
            return replace(known, steps=steps, decision=UNDECIDED)
        if known.columns is not None and isinstance(before, Open) and steps % known.columns.rest:
            still = (each for each in left if is_cover(known.knowledge, each, known.here))
            return replace(known, steps=steps, decision=Open(tuple(still)))
        decision = decide(known.knowledge, known.here, left)
        if known.columns is not None and isinstance(decision, Decided):
            decision = replace(decision, of_columns=True)
        now = replace(known, steps=steps, decision=decision, decided_at=None, trial=None)
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
        found = quotients(now.knowledge, now.here or 0, left)
        if found is None:
            return now
        trial, spent, decided = known.trial, known.spent, known.decided_at
        if trial is None or trial.cover != found.cover:
            trial = begun(self.delta - spent, found.cover, found.model.table, now.steps)
            spent, decided = spent + trial.charge, None
        trial = trial.tossed(found.model.current or 0, now.steps, self.seed)
        if decided is None and trial.is_passed:
            decided = now.steps
        return replace(now, decision=found, decided_at=decided, spent=spent, trial=trial)


def guesses_of(
    known: Knowledge, here: Bits, left: Sequence[Bits]
) -> list[tuple[Table, int | None]]:
    """Return the tables of covers that the rows leave, each with its present label or None."""
    return [(known.table(cover), the_one(here & cover) if here & cover else None) for cover in left]


def unexplored(
    guesses: Sequence[tuple[Table, int | None]],
    actions: int,
    random: Random,
    *,
    guess: float = GUESS,
    number: int = 0,
) -> Word | None:
    """Return a shortest way to an untaken transition, and its action; None if there is no way.

    The guesses are tables of models that the rows leave. If there are several, it is the first
    action only, for one of them, or a random one. Actor k goes to the k-th nearest untaken
    transition, so that actors with the same knowledge share them out.
    """
    if guesses and (len(guesses) == 1 or random.random() < guess):
        for table, here in guesses:
            ways = {} if here is None else nearest_first(table, here)
            untaken = ((at, a) for at in ways for a, to in enumerate(table[at]) if to is None)
            if chosen := [*islice(untaken, number + 1)]:
                label, action = chosen[number % len(chosen)]
                whole = (*word_to(ways, label), action)
                return whole if len(guesses) == 1 else whole[:1]
        if len(guesses) == 1:
            return None
    return (random.randrange(actions),)


def _left(known: Exploring, *, coins: bool) -> str:
    """Return what the rows leave open, and what would decide it."""
    match known.decision:
        case Open() if known.search is not None:
            left = known.search.left
            return f"{left}; {_RICH}" if known.search.is_given_up else left
        case Open((_,)):
            return "one model explains the rows, but some transition was never taken"
        case Open((one, other, *_)) | Quotients((one, other, *_)):
            least, most = sorted((one.bit_count(), other.bit_count()))
            return (
                f"several models explain the rows, for example with {counted(least, 'label')} and "
                f"with {counted(most, 'label')}; {_apart(known, one, other, coins=coins)}"
            )
        case Open() if known.columns is not None and known.columns.are_many:
            return _richer(known.columns)
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


def _richer(columns: Columns) -> str:
    """Return that a class has too many columns, and what learns with it."""
    from steel_verified.classes.columns import MOST_COLUMNS  # noqa: PLC0415 (few runs end so)
    from steel_verified.learning.template import Bounded  # noqa: PLC0415

    template = f"{_TEMPLATE}; " if isinstance(columns.functions, Bounded) else ""
    return f"more than {MOST_COLUMNS:,} columns of F explain the rows; {template}{_RICH}"


_NO_WORD: Final = (
    "no word makes these two predict labels that were not shown together, so more rows may never "
    "decide"
)
_COINS: Final = (
    "with a delta, private coins may, if the noise ignores actions; and located STEEL with bounds"
)
_RICH: Final = "with max_states and mixing_time, located STEEL learns with richer classes"
_TEMPLATE: Final = "with max_states alone, all models with at most so many states are searched for"
_NO_COINS: Final = (
    "coins do not, because it is not so that all models are quotients of one; located STEEL may"
)
_CLOCK: Final = (
    "words of equal length never lead to two labels that only one of these tells apart, so the "
    "number of steps, a clock, may be all that does: no coin can decide this"
)
