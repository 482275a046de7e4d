"""STEEL where steps may slip: each goes elsewhere than usual with a chance of at most p < 1/2.

No mixing time, and nothing else about the noise: an adversary may choose it, knowing the actions.
Needed are p, a finite F that has a classifier for each state, and δ; what is accepted is right with
probability 1 − δ (T5, docs/theory/slips.md). `tallies` has the rules that refute classifiers by
counting; `theory/slips` has the two numbers that δ pays for: how many steps may have slipped, and
how far the usual next state must be ahead of all others.

The learner takes a shortest known way to a transition that is not decided yet. While some rows have
several candidates it follows a guess, and now and then takes a random action.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.observed import seen_rows
from steel_verified.evidence.plans import Plan
from steel_verified.learning.covers import nearest_first, word_to
from steel_verified.learning.deciding import Decided
from steel_verified.learning.listed import ListedMethod, accepted
from steel_verified.learning.model import Model
from steel_verified.learning.results import Contradicted, NotAccepted, Unfinished
from steel_verified.learning.tallies import nothing_counted
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.parameters import ONE_IN_20
from steel_verified.theory.slips import Slips
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Word
    from steel_verified.evidence.sealed import Loop
    from steel_verified.learning.knowledge import Bits
    from steel_verified.learning.results import Result
    from steel_verified.learning.tallies import Tallies
    from steel_verified.theory.self_check import SelfCheck

Batch = TypeVar("Batch", bound=Sized)

MOST_TALLIES: Final = 1 << 24
"""|F|²·|A| numbers are kept at first, of 4 bytes each: so 2,896 classifiers with two actions."""
_CAUSES: Final = (
    Condition.DETERMINISTIC,
    Condition.REALISABLE,
    Condition.UNCHANGING,
    Condition.CONNECTED,
    Condition.UNBROKEN,
)
"""The conditions of which one does not hold if the rows contradict them, the likely ones first."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """The rows do not decide yet."""

    because: str


@dataclass(frozen=True, slots=True)
class Impossible:
    """With probability 1 − δ, an assumption is false."""

    because: str


Decision: TypeAlias = Decided | Undecided | Impossible


@dataclass(frozen=True, slots=True)
class Exploring:
    """What the learner knows between two plans."""

    tallies: Tallies
    here: Bits | None = None
    """The present row; None before the first one."""
    steps: int = 0
    """How many steps led from one row to the next."""
    decision: Decision = Undecided("no row was seen")
    decided_at: int | None = None
    """The number of these steps at which the rows decided."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run: its ledger, and what is known."""

    method: Slipping
    ledger: Ledger
    known: Exploring

    @property
    def stage(self) -> Decision:
        """What the rows decide so far: the run explores, or checks what they decided."""
        return self.known.decision

    @property
    def model(self) -> Model:
        """The model so far: labels once each row shows one, and transitions that are decided."""
        if isinstance(self.known.decision, Decided):
            return Model(self.method.actions, self.known.decision.table)
        if not self.known.tallies.is_resolved:
            return Model(self.method.actions)
        return Model(self.method.actions, _table(self.known.tallies))


@dataclass(frozen=True, slots=True)
class Slipping(ListedMethod):
    """The method."""

    name: ClassVar[str] = "slipping"
    needs: ClassVar[str] = "a finite F; p, δ"

    rate: Fraction
    """p: each step slips with at most this chance, whatever happened before."""
    classifiers: int
    actions: int
    delta: Fraction = ONE_IN_20
    first_action: int = 0
    seed: int = 0
    guess: float = 0.9
    """The chance to follow a guess instead of a random action."""
    check_steps: int = 200

    def __post_init__(self) -> None:
        Slips(self.rate, self.delta)
        if self.classifiers < 1 or self.classifiers**2 * self.actions > MOST_TALLIES:
            expected = (
                f"at least 1, and |F|²·|A| of at most {MOST_TALLIES:,}: so many counts are kept"
            )
            raise InvalidArgument("classifiers", self.classifiers, expected)
        ListedMethod.__post_init__(self)

    @property
    def slips(self) -> Slips:
        """The numbers that p and δ allow."""
        return Slips(self.rate, self.delta)

    def begin(self) -> State:
        """Return the first state: nothing is known."""
        return State(self, self.opened(slips=self.rate), self.nothing())

    def next_plan(self, state: State) -> Plan | Result:
        """Return the next plan, or the result if the run has ended."""
        word = self.next_word(state.known)
        if word is not None:
            return Plan.once(word)
        ended = (self, state.model)
        match state.known.decision:
            case Decided() as decided:
                return accepted(self, decided, decided.current or 0, state.model, state.ledger)
            case Impossible(because):
                return Contradicted(*ended, state.ledger, listed(_CAUSES), because)
            case Undecided(because):
                return NotAccepted(*ended, state.ledger, because)

    def absorb(self, state: State, loop: Loop[Batch], functions: Class[Batch]) -> State:
        """Return the state after the rows of the plan that was run."""
        rows, ledger = seen_rows(loop, functions)
        known = self.with_rows(state.known, loop.plan.word, rows)
        return replace(state, ledger=ledger, known=known)

    def unfinished(self, state: State) -> Unfinished:
        """Return what the rows leave open if the run is stopped now; no condition is suspected."""
        decision = state.known.decision
        if isinstance(decision, Decided):
            return Unfinished("the rows decide, but the steps after that were not all taken")
        return Unfinished(decision.because)

    def checked_by(self, wanted: SelfCheck | None) -> Slipping:
        """Return the method with the steps of a self-check in addition to its own, or with none."""
        steps = 0 if wanted is None else self.check_steps + (wanted.steps or 0)
        return replace(self, check_steps=steps)

    # --- the policy, as a function of rows

    def nothing(self) -> Exploring:
        """Return what is known before the first row."""
        return Exploring(nothing_counted(self.classifiers, self.actions))

    def next_word(self, known: Exploring) -> Word | None:
        """Return the next actions; None at the end."""
        if known.here is None:
            return (self.first_action,)
        match known.decision:
            case Impossible():
                return None
            case Decided() as decided:
                return self.checking(known.steps, known.decided_at, decided)
            case Undecided():
                return (self._action(known, known.here),)

    def with_rows(self, known: Exploring, word: Word, rows: Sequence[Bits]) -> Exploring:
        """Return what is known after a word, with the row that came after each action."""
        lead = self.slips.lead(self.classifiers * self.actions)
        tallies, here, steps = known.tallies, known.here, known.steps
        for action, row in zip(word, rows, strict=True):
            taken = None if here is None else action
            steps += taken is not None
            most = self.slips.most(steps)
            tallies, here = tallies.with_row(here or 0, taken, row, most, lead), row
        decision = decide(tallies, here or 0, self.slips, steps)
        first = known.decided_at is None and isinstance(decision, Decided)
        at = steps if first else known.decided_at
        return Exploring(tallies, here, steps, decision, at)

    def _action(self, known: Exploring, here: Bits) -> int:
        """Return the first action of a shortest way to an open transition, or a random one."""
        random, tallies = self.random(known.steps), known.tallies
        if tallies.is_resolved or random.random() < self.guess:
            table = tallies.leaders(np.arange(len(tallies.left)))
            start = tallies.guess(here)
            ways = nearest_first(table, start)
            for place in ways:
                if None in table[place]:
                    return (*word_to(ways, place), table[place].index(None))[0]
        return random.randrange(self.actions)


def decide(tallies: Tallies, here: Bits, slips: Slips, steps: int) -> Decision:
    """Return what the rows decide after so many steps (T5)."""
    most = slips.most(steps)
    if tallies.is_contradicted:
        allowed = counted(most, "step")
        return Impossible(f"no classifiers of F explain the rows, even if {allowed} slipped")
    if not tallies.is_resolved:
        return Undecided("some rows have several candidates: more rows may refute some of them")
    places = tallies.labels()
    counts = tallies.after[places][:, :, places]
    ahead = tallies.led[places][:, :, places]
    slipped = int((counts.sum(axis=2) - counts.max(axis=2)).sum())
    if slipped > most or (ahead.sum(axis=2) > 1).any():
        text = f"{counted(slipped, 'step')} of {steps:,} slipped, and not usually to one state"
        return Impossible(f"{text}: too many for a chance of {slips.rate}")
    table = _table(tallies)
    current = tallies.places(here)[places].argmax()
    reached = {label: nearest_first(dict(enumerate(table)), label) for label in range(len(table))}
    if any(None in table[label] for label in reached[int(current)]):
        return Undecided("some transition was not seen often enough")
    if len(table) == 1:
        return Impossible("all usual steps stay in one state, and there are at least two states")
    if any(len(ways) < len(table) for ways in reached.values()):
        return Impossible("usual steps do not lead from each state that was seen to every other")
    return Decided(
        labels=tuple(tuple(tallies.left[tallies.together[place]].tolist()) for place in places),
        table=tuple(tuple(to for to in line if to is not None) for line in table),
        current=int(current),
        supposes_two=bool(tallies.every),
        chance=slips.delta,
        counts=tuple(tuple(map(tuple, line)) for line in counts.tolist()),
    )


def _table(tallies: Tallies) -> tuple[tuple[int | None, ...], ...]:
    """Return the transitions that are decided, if each row has one column."""
    leaders = tallies.leaders(tallies.labels())
    name: dict[int | None, int | None] = {None: None}
    name |= {place: label for label, place in enumerate(leaders)}
    return tuple(tuple(name[to] for to in line) for line in leaders.values())
