"""Factored STEEL: F classifies the values of factors, and no joint state.

The state is (s¹, …, s^k); each sⁱ moves by a table of its own, in which every value reaches every
value. F has a classifier for each value of each factor.

    Theorem 10. The true classifiers of each factor are an admissible cover, for every noise, and
    its table is that of the factor where an action was taken.

    Proof. To one factor, the others are noise that may depend on the actions. Lemmas 1 and 2 say
    this of a state and such noise. ∎

So, once all covers are listed and every action was taken at each of their labels, each true factor
is in the list, with its exact table. That is certain. Which of the listed covers are factors is
not: `docs/theory/factors.md` says what rows cannot tell. A cover that is a function of the noise
alone is told apart by private coins, if the noise ignores the actions.

The learner takes the action that is new for the most columns that are left; if none is new here, it
goes to the nearest label of a listed cover at which an action is new; if there is none, it asks for
another cover.

    It ends, for every noise. Each way to an untaken action takes one, or ends at a row that the
    cover did not predict: then two of its classifiers conflict that did not conflict before. So
    there are at most |F|·|A| + |F|² ways, of at most |F| steps each.

Coins
    A coin between two actions that lead to different labels of a cover is passed if the next row
    shows the label of the side on which it fell. If the label is a function of the noise, and the
    noise ignores the actions, it has the same law on both sides, given all before: so n coins are
    passed with chance 2^−n at most. Each cover is charged 2^−n when it is fixed, before its coins;
    the charges are less than δ together. A coin is not passed only if the cover is refuted.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence import entries
from steel_verified.evidence.ledger import tossed
from steel_verified.evidence.observed import seen_rows
from steel_verified.evidence.plans import Plan
from steel_verified.learning.coins import Side, chance_of, coins_needed, toss
from steel_verified.learning.covers import covers, impossible_part, nearest_first, word_to
from steel_verified.learning.deciding import Refuted, without_lone_labels
from steel_verified.learning.factors import Factor, Product
from steel_verified.learning.knowledge import Trajectory, bits, nothing_known, the_one
from steel_verified.learning.listed import Checking, ListedMethod, Listing, Tossing
from steel_verified.learning.model import Model
from steel_verified.learning.results import Contradicted, NotAccepted, Unfinished
from steel_verified.theory.conditions import listed
from steel_verified.theory.parameters import ONE_IN_20
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.sealed import Loop
    from steel_verified.learning.knowledge import Bits, Knowledge, Table

Batch = TypeVar("Batch", bound=Sized)

MOST_COVERS: Final = 200
"""By default, more covers than this are not listed."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A cover that the rows leave, with its table so far and its present label."""

    cover: Bits
    table: Table
    here: int

    def moved(self, action: int, row: Bits) -> Listed | None:
        """Return it after a step; None if the row does not show the one label that it predicts."""
        shown = row & self.cover
        if not shown or shown & shown - 1:
            return None
        to, line = the_one(shown), self.table[self.here]
        if line[action] is None:
            line = (*line[:action], to, *line[action + 1 :])
            return Listed(self.cover, {**self.table, self.here: line}, to)
        return replace(self, here=to) if line[action] == to else None

    def is_fork(self, one: int, other: int) -> bool:
        """Whether two actions lead to different labels here."""
        line = self.table[self.here]
        return line[one] != line[other]

    def nearest(self, wanted: frozenset[int]) -> tuple[int, ...] | None:
        """Return a shortest way to a label that is wanted."""
        ways = nearest_first(self.table, self.here)
        return next((word_to(ways, label) for label in ways if label in wanted), None)

    @property
    def open(self) -> frozenset[int]:
        """The labels at which some action was never taken."""
        return frozenset(label for label, line in self.table.items() if None in line)

    @property
    def forks(self) -> frozenset[int]:
        """The labels at which two actions lead to different labels."""
        return frozenset(label for label, line in self.table.items() if len({*line} - {None}) > 1)


@dataclass(frozen=True, slots=True)
class Trial:
    """How many coins a cover has to pass, and how many it has passed."""

    needed: int
    passed: int = 0


@dataclass(frozen=True, slots=True)
class Exploring:
    """What the learner knows between two steps."""

    knowledge: Knowledge
    here: Bits | None = None
    """The present row; None before the first one."""
    steps: int = 0
    listed: tuple[Listed, ...] = ()
    is_all: bool = False
    """Whether no other cover was left when it was last asked for one."""
    trials: Mapping[Bits, Trial] = field(default_factory=lambda: MappingProxyType({}))
    spent: Fraction = Fraction(0)
    """What the trials cost of δ."""
    coin: tuple[int, int, Side] | None = None
    """Two actions, and the side on which the coin between them fell."""
    tested_at: int | None = None
    """The number of steps after which all was listed and all coins were passed."""

    @property
    def stage(self) -> Listing | Tossing | Checking:
        """What is done, and what is counted."""
        if self.tested_at is not None:
            return Checking(self.steps - self.tested_at)
        if not self.is_all:
            lines = [line for each in self.listed for line in each.table.values()]
            taken = sum(to is not None for line in lines for to in line)
            return Listing(taken, len(lines) * self.knowledge.actions)
        listed = [self.trials[each.cover] for each in self.listed if each.cover in self.trials]
        return Tossing(sum(each.passed for each in listed), sum(each.needed for each in listed))

    @property
    def untested(self) -> tuple[Listed, ...]:
        """The covers that have to pass more coins."""
        return tuple(
            each
            for each in self.listed
            if (trial := self.trials.get(each.cover)) and trial.passed < trial.needed
        )


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run."""

    method: Factored
    ledger: Ledger
    known: Exploring

    @property
    def stage(self) -> Listing | Tossing | Checking:
        """What is done, and what is counted."""
        return self.known.stage

    @property
    def model(self) -> Model:
        """Nothing: there is no model of joint states."""
        return Model(self.method.actions)


@dataclass(frozen=True, slots=True)
class Factors:
    """What a run found: every true factor is among these, with its exact table."""

    method: Factored
    product: Product
    ledger: Ledger

    @property
    def spent(self) -> Fraction:
        """The part of δ that the coins cost."""
        return self.ledger.budget.spent


@dataclass(frozen=True, slots=True)
class Factored(ListedMethod):
    """The method."""

    name: ClassVar[str] = "factored"

    classifiers: int
    actions: int
    first_action: int = 0
    seed: int = 0
    delta: Fraction = ONE_IN_20
    """δ: with at most this chance a cover that is noise passes its coins; 0: no coins."""
    check_steps: int = 200
    """How many steps are taken after the coins."""
    most_covers: int = MOST_COVERS
    """If the rows leave more covers, the run goes on at random."""

    def __post_init__(self) -> None:
        ListedMethod.__post_init__(self)
        if self.most_covers < 1:
            raise InvalidArgument("most_covers", self.most_covers, "at least 1")

    def begin(self) -> State:
        """Return the first state: nothing is known."""
        return State(self, self.opened(), self.nothing())

    def next_plan(self, state: State) -> Plan | Factors | Contradicted | NotAccepted:
        """Return the next step, or the result if the run has ended."""
        known = state.known
        if (action := self.next_action(known)) is not None:
            return Plan.once((action,))
        if known.listed:
            return Factors(self, product_of(known), state.ledger)
        because = Refuted(supposes_connected=not known.knowledge.is_contradicted)
        why = listed(because.conditions), because.because
        return Contradicted(self, state.model, state.ledger, *why)

    def absorb(self, state: State, loop: Loop[Batch], functions: Class[Batch]) -> State:
        """Return the state after a step. What is tested, and each coin, is recorded at once."""
        (row,), ledger = seen_rows(loop, functions)
        known = self.with_row(state.known, loop.plan.word[0], row)
        for cover in known.trials.keys() - state.known.trials.keys():
            charge = chance_of(known.trials[cover].needed)
            ledger = tossed(ledger, entries.Trial(tuple(bits(cover)), charge))
        if known.coin is not None:
            one, other, side = known.coin
            ledger = tossed(ledger, entries.Toss((one, other), side))
        return replace(state, ledger=ledger, known=known)

    def unfinished(self, state: State) -> Unfinished:
        """Return what is open if the run is stopped now; no condition is suspected."""
        known = state.known
        if len(known.listed) >= self.most_covers:
            left = f"the rows leave more than {counted(self.most_covers, 'cover')}"
        elif known.is_all:
            left = "all covers are listed, but coins or steps that check them are missing"
        else:
            left = f"{counted(len(known.listed), 'cover')} listed so far, perhaps not all"
        return Unfinished(left)

    # --- what is known, as a function of rows

    def nothing(self) -> Exploring:
        """Return what is known before the first row."""
        return Exploring(nothing_known(self.classifiers, self.actions))

    def with_row(self, known: Exploring, action: int, row: Bits) -> Exploring:
        """Return what is known after a step."""
        steps = known.steps + 1
        if known.here is None:
            start = known.knowledge.of(Trajectory((row,)))
            return self._tried(self._asked(replace(known, knowledge=start, here=row, steps=steps)))
        knowledge = known.knowledge.with_transition((known.here, action, row))
        listed, trials = list[Listed](), dict(known.trials)
        for each in known.listed:
            moved = each.moved(action, row)
            if moved is None:
                continue
            if moved.table is not each.table and impossible_part(knowledge, each.cover, row):
                continue
            listed.append(moved)
            trial = trials.get(each.cover)
            if trial is not None and known.coin is not None and each.is_fork(*known.coin[:2]):
                trials[each.cover] = replace(trial, passed=trial.passed + 1)
        now = replace(
            known,
            knowledge=knowledge,
            here=row,
            steps=steps,
            listed=tuple(listed),
            trials=trials,
            coin=None,
        )
        if not known.is_all or _divided(known, row):
            now = self._asked(replace(now, is_all=False))
        return self._tried(now)

    def _asked(self, known: Exploring) -> Exploring:
        """Return the same with more covers, if no action is known to be untaken."""
        knowledge, here, found = known.knowledge, known.here or 0, known.listed
        if knowledge.pending or knowledge.is_contradicted or any(_untaken(knowledge, here)):
            return known
        supposed = without_lone_labels(knowledge, connected=True)
        is_all = False
        while len(found) <= self.most_covers and not any(each.open for each in found):
            most = min(2 * len(found), self.most_covers) + 1
            more = covers(supposed, here, most=most, before=[each.cover for each in found])
            if len(more) == len(found):
                is_all = True
                break
            new = more[len(found) :]
            found += tuple(Listed(each, supposed.table(each), the_one(here & each)) for each in new)
        return replace(known, listed=found, is_all=is_all)

    def _tried(self, known: Exploring) -> Exploring:
        """Return the same with trials for new covers, and the next coin, once all are listed."""
        if not known.is_all:
            return replace(known, tested_at=None)
        new = [each for each in known.listed if each.forks and each.cover not in known.trials]
        if new and self.delta:
            trial = Trial(coins_needed((self.delta - known.spent) / len(new)))
            trials = {**known.trials, **{each.cover: trial for each in new}}
            spent = known.spent + len(new) * chance_of(trial.needed)
            known = replace(known, trials=trials, spent=spent, tested_at=None)
        if not (untested := known.untested):
            tested_at = known.steps if known.tested_at is None else known.tested_at
            return replace(known, tested_at=tested_at)
        pair = _best_fork(untested, self.actions)
        coin = None if pair is None else (*pair, toss(self.seed, known.steps))
        return replace(known, coin=coin)

    # --- the policy

    def next_action(self, known: Exploring) -> int | None:
        """Return the next action; None at the end."""
        if known.here is None:
            return self.first_action
        if known.knowledge.is_contradicted or (known.is_all and not known.listed):
            return None
        if known.tested_at is not None and known.steps >= known.tested_at + self.check_steps:
            return None
        if known.coin is not None:
            one, other, side = known.coin
            return (one, other)[side]
        random = self.random(known.steps)
        if known.is_all:
            if untested := known.untested:
                ways = [way for each in untested if (way := each.nearest(each.forks))]
                return min(ways, key=len)[0]
            each = random.choice(known.listed)
            way = word_to(nearest_first(each.table, each.here), random.choice([*each.table]))
            return (*way, random.randrange(self.actions))[0]
        counts = _untaken(known.knowledge, known.here)
        if any(counts):
            most = max(counts)
            best = [action for action, count in enumerate(counts) if count == most]
            return random.choice(best)
        ways = [way for each in known.listed if (way := each.nearest(each.open))]
        return min(ways, key=len)[0] if ways else random.randrange(self.actions)


def product_of(known: Exploring) -> Product:
    """Return the listed covers as factors."""
    return Product(tuple(_factor(known, each) for each in known.listed), known.knowledge.actions)


def _factor(known: Exploring, each: Listed) -> Factor:
    name = {f: label for label, f in enumerate(each.table)}
    trial = known.trials.get(each.cover)
    return Factor(
        tuple(tuple(bits(known.knowledge.facts[f].column)) for f in name),
        tuple(tuple(name[f] for f in line if f is not None) for line in each.table.values()),
        name[each.here],
        0 if trial is None else trial.passed,
    )


def _divided(known: Exploring, row: Bits) -> bool:
    """Whether a row divides the classifiers of some label; only then another cover can appear.

    A cover of more rows is one of those before, perhaps with other classifiers of its columns: all
    that were listed were complete, so no label can be added to them.
    """
    columns = (known.knowledge.facts[f].column for each in known.listed for f in each.table)
    return any(row & column not in (0, column) for column in columns)


def _untaken(knowledge: Knowledge, here: Bits) -> list[int]:
    """Return for each action at how many columns of the present row it was never taken."""
    shown = [knowledge.facts[f].after for f in bits(here & knowledge.columns)]
    return [sum(not after[action][0] for after in shown) for action in range(knowledge.actions)]


def _best_fork(untested: Sequence[Listed], actions: int) -> tuple[int, int] | None:
    """Return the two actions that lead to different labels in the most covers; None if in none."""
    lines = [each.table[each.here] for each in untested if each.here in each.forks]
    if not lines:
        return None
    pairs = combinations(range(actions), 2)
    return max(pairs, key=lambda pair: sum(line[pair[0]] != line[pair[1]] for line in lines))
