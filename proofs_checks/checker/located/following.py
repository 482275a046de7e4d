"""The run that should have taken place, step by step, from the recorded rows alone.

Each method is a stage of located STEEL. It takes the entries that are due from the record and
compares them with what it computes. What follows an entry rests on it: the first one that breaks a
rule raises `Broken`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Generic, TypeVar

from proofs_checks.checker.findings import Finding, shown
from proofs_checks.checker.located.classes import Pool, named
from proofs_checks.checker.located.entries import (
    Checked,
    Fixed,
    PeriodsLeft,
    Ran,
    Read,
    SameState,
)
from proofs_checks.checker.located.formulas import passes_needed, share_of
from proofs_checks.checker.located.labels import Labels
from proofs_checks.checker.planning import Model, Work, covering_cycle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofs_checks.checker.located.classes import Class
    from proofs_checks.checker.located.entries import Certificate, Entry, Word

Dataset = TypeVar("Dataset")
Kind = TypeVar("Kind", Ran, Read, PeriodsLeft, SameState, Fixed, Checked)

ENOUGH = 8
"""How often a label is seen before its unknown actions are tried, and before the first round."""
KINDS = {
    "Ran": "ran",
    "Read": "read",
    "PeriodsLeft": "periods",
    "SameState": "same",
    "Fixed": "fixed",
    "Checked": "checked",
}


class Broken(Exception):
    """An entry breaks a rule."""

    def __init__(self, rule: str, place: str, message: str) -> None:
        super().__init__(message)
        self.finding = Finding(rule, place, message)


@dataclass(frozen=True, slots=True)
class Ending:
    """What a run has learned."""

    model: Model
    current: int
    classifiers: tuple[object, ...]


class Following(Generic[Dataset]):
    """What follows from the entries looked at so far."""

    def __init__(self, certificate: Certificate, functions: Class[Dataset]) -> None:
        self.certificate = certificate
        self.functions = functions
        self.p = certificate.parameters
        self.work = Work(certificate.size)
        self.labels = Labels(self.p.actions, self.work)
        self.pools: dict[int, Pool[Dataset]] = {}
        """D(ℓ), for each label that was not merged into another."""
        self.taken = 0
        """Entries taken from the record."""
        self.now = 0
        """Steps taken."""
        self.read = 0
        """Rows read."""
        self.rounds = 0
        self.spent = Fraction(0)
        self.current = 0
        """The label on which we stand."""
        self.lost = 0
        """Steps since a state was recognised."""
        self.walked_again = 1
        """How many passes the next walk through a closed table has."""

    def follow(self) -> Ending:
        """Follow the run to its end, the validation that was passed."""
        self.loop(first=True)
        while True:
            while self._unknown_ahead():
                self.explore()
            if (ending := self.close()) is not None:
                return ending

    # --- exploring --------------------------------------------------------------------------------

    def loop(self, *, first: bool = False, action: int = 0) -> None:
        """An action is looped until the lcm of the possible periods is at most N (rule 5)."""
        bound, rows, until = self.p.max_states, list[Dataset](), 2 * self.p.max_states
        if first:
            entry = self._peek(Ran)
            if len(entry.word) != 1 or entry.word[0] >= self.p.actions:
                raise Broken("plans", f"{self.place}.word", "the first word is any one action")
            (action,) = entry.word
        settled = max(0, bound - 2)
        while True:
            done = len(rows)
            if until > self.certificate.size:
                raise Broken(
                    "rows", self.place, f"the loop needs {until} rows, which are not there"
                )
            self._ran((action,), done, until - done)
            rows += self._datasets(range(done + 1, until + 1))
            period = self._period(rows)
            if period <= bound and len(rows) >= settled + period:
                break
            until = max(2 * len(rows), settled + min(period, bound))
        made = [self.labels.add() for _ in range(period)]
        for position, label in enumerate(made):
            self.pools[label] = self._pooled(rows[settled + position :: period])
            self.labels.rows[label][action] = made[(position + 1) % period]
        for label in made:
            self._merge(label)
        self.current = self.labels.root(made[(len(rows) - 1 - settled) % period])
        self.lost, self.walked_again = 0, 1

    def _period(self, rows: list[Dataset]) -> int:
        """The lcm of the periods that are left, which must be those of the record."""
        bound, entry, place = self.p.max_states, self._peek(PeriodsLeft), self.place
        self.taken += 1
        if entry.count != len(rows):
            raise Broken("periods", f"{place}.count", f"{entry.count}, expected {len(rows)}")
        left = [1]
        for period in range(2, bound + 1):
            seen = rows[bound - period :]
            self.work.add(3 * len(seen) + 3 * period)
            if len(seen) < period or all(
                self._told_from_others([self._joined(seen[r::period]) for r in range(period)])
            ):
                left.append(period)
        if entry.left != tuple(left):
            message = "not the periods that the rows leave possible"
            raise Broken("periods", f"{place}.left", message)
        return lcm(*left)

    def explore(self) -> None:
        """Take one action: the transition is known, or it leads to a new label (rules 2, 3)."""
        action = self.labels.next_action(self.current, lambda label: self.pools[label].rows, ENOUGH)
        assert action is not None
        self.walked_again = 1
        (seen,) = self._step(action)
        row = self.labels.rows[self.current]
        if action in row:
            self.current = self._add(row[action], [seen])
            return
        new = self.labels.add()
        row[action] = new
        self.pools[new] = Pool(1, seen)
        self._merge(new)
        self.current = self.labels.root(new)
        if self.current != new:
            self.lost = 0
        elif self.lost + 1 >= self.p.max_states:
            self.loop(action=action)
        else:
            self.lost += 1

    def _add(self, label: int, seen: list[Dataset]) -> int:
        """Add what was seen to D(ℓ), and merge what can be merged now. Return the label."""
        label = self.labels.root(label)
        old = self.pools[label]
        dataset = self.functions.merged(old.dataset, self._joined(seen))
        self.pools[label] = Pool(old.rows + len(seen), dataset)
        self._merge(label)
        return self.labels.root(label)

    def _merge(self, label: int) -> None:
        """Merge a label with all that are not apart from it: each is an entry (rules 1, 4)."""
        while True:
            label = self.labels.root(label)
            same = next((m for m in sorted(self.pools) if self._not_apart(label, m)), None)
            if same is None:
                return
            entry = self._peek(SameState)
            if (entry.one, entry.other) != (label, same):
                message = f"{entry.one} and {entry.other}, expected {label} and {same}"
                raise Broken("same", self.place, message)
            self.taken += 1
            self.labels.merge(label, same)
            self._regroup()

    def _not_apart(self, one: int, other: int) -> bool:
        if one == other:
            return False
        self.work.add(4)
        a, b = self.pools[one].dataset, self.pools[other].dataset
        return not (self.functions.separable(a, b) and self.functions.separable(b, a))

    def _regroup(self) -> None:
        """Put the datasets of merged labels together."""
        for label in [label for label in self.pools if label not in self.labels.rows]:
            gone, root = self.pools.pop(label), self.labels.root(label)
            kept = self.pools[root]
            dataset = self.functions.merged(kept.dataset, gone.dataset)
            self.pools[root] = Pool(kept.rows + gone.rows, dataset)

    # --- accepting --------------------------------------------------------------------------------

    def _unknown_ahead(self) -> bool:
        return any(map(self.labels.has_unknown, self.labels.reached(self.current)))

    def close(self) -> Ending | None:
        """The table is closed: walk into a component that is kept, look again, or validate."""
        kept = self.labels.kept(self.current)
        if self.current not in kept:
            way = self.labels.way(self.current, set(kept).__contains__)
            assert way is not None
            self._walk(way, passes=1)
            return None
        if len(kept) == 1 < self.p.max_states:
            raise Broken("bounds", self.place, "one state, though max_states allows more")
        model = self._model(kept)
        home = kept.index(self.current)
        most = self.certificate.size
        walk = covering_cycle(model, home, self.p.mixing_time, most, self.work)
        if walk is None:
            raise Broken("walk", self.place, "no walk leads through all states and back")
        found = self._told_from_others([self.pools[label].dataset for label in kept])
        few = min(self.pools[label].rows for label in kept) < ENOUGH << self.rounds
        if len(kept) > self.p.max_states or few or not all(found):
            self._walk(walk, passes=self.walked_again)
            return None
        return self._validate(kept, model, home, walk)

    def _walk(self, walk: Word, passes: int) -> None:
        """Walk through known transitions, until labels are merged or the passes are over."""
        for action in walk * passes:
            before = len(self.labels.rows)
            (seen,) = self._step(action)
            self.current = self._add(self.labels.rows[self.current][action], [seen])
            if len(self.labels.rows) < before:
                self.lost, self.walked_again = 0, 1
                return
        self.lost, self.walked_again = 0, 2 * passes

    def _model(self, kept: list[int]) -> Model:
        model = Model(self.p.actions)
        for _ in kept:
            model.add_state()
        states = {label: state for state, label in enumerate(kept)}
        for label, state in states.items():
            for action, to in sorted(self.labels.rows[label].items()):
                model.add(state, action, states[to])
        return model

    def _validate(self, kept: list[int], model: Model, home: int, walk: Word) -> Ending | None:
        """A round: fixed, walked once in silence, then checked pass by pass up to a failure."""
        entry, place = self._peek(Fixed), self.place
        self.taken += 1
        self.rounds += 1
        visits = self._check_fixed(entry, place, kept, model, home, walk)
        self._ran(walk, 0, len(walk))
        seen: list[list[Dataset]] = [[] for _ in kept]
        for number in range(1, entry.passes + 1):
            done = number * len(walk)
            self._ran(walk, done, len(walk))
            rows = self._rows([done + visit for visit in visits])
            self.work.add(len(kept) * len(kept))
            failed = tuple(
                state
                for state, row in enumerate(rows)
                if named(self.functions, entry.classifiers, row) != state
            )
            for state, row in enumerate(rows):
                seen[state].append(self.functions.dataset(row))
            self._checked(number, failed)
            if failed:
                for label, datasets in zip(kept, seen, strict=True):
                    self._add(label, datasets)
                self.current = self.labels.root(kept[home])
                self.lost, self.walked_again = 0, 1
                return None
        return Ending(model, home, entry.classifiers)

    def _check_fixed(
        self, entry: Fixed, place: str, kept: list[int], model: Model, home: int, walk: Word
    ) -> tuple[int, ...]:
        """What was fixed is what follows from the table and the datasets. Return the visits."""
        here, first_visit = home, dict[int, int]()
        for time, action in enumerate(walk, start=1):
            here = model.rows[here][action]
            first_visit.setdefault(here, time)
        visits = tuple(first_visit[state] for state in range(len(kept)))
        share = share_of(self.p.delta, self.rounds)
        gap, most = len(walk) // self.p.mixing_time, len(self.certificate.record)
        passes = passes_needed(self.p.epsilon, gap, share, most, self.work)
        if entry.at != self.now:
            raise Broken("walk", f"{place}.at", f"{entry.at}, but {self.now} steps were taken")
        if entry.walk != walk:
            raise Broken("walk", f"{place}.walk", "not the walk that follows from the table")
        if entry.visits != visits:
            raise Broken("walk", f"{place}.visits", "not the first visit of each state")
        if entry.passes != passes:
            message = f"{entry.passes}, but {'more' if passes is None else passes} are needed"
            raise Broken("passes", f"{place}.passes", message)
        if entry.charge != share:
            message = f"{shown(entry.charge)}, but this round costs {shown(share)}"
            raise Broken("charges", f"{place}.charge", message)
        self.spent += share
        if len(entry.classifiers) != len(kept):
            raise Broken("encoder", f"{place}.classifiers", f"expected {len(kept)}")
        datasets = [self.pools[label].dataset for label in kept]
        for state, others in enumerate(self._others(datasets)):
            classifier = entry.classifiers[state]
            if not self.functions.is_chosen(classifier, others, datasets[state]):
                message = "not the classifier that the oracle chooses for this state"
                raise Broken("encoder", f"{place}.classifiers[{state}]", message)
        return visits

    def _checked(self, number: int, failed: tuple[int, ...]) -> None:
        entry, place = self._peek(Checked), self.place
        self.taken += 1
        if entry.number != number:
            raise Broken("checks", f"{place}.number", f"{entry.number}, expected {number}")
        if entry.failed != failed:
            message = "not the states on which the encoder names another one"
            raise Broken("checks", f"{place}.failed", message)

    # --- entries ----------------------------------------------------------------------------------

    @property
    def place(self) -> str:
        """The next entry of the record."""
        return f"record[{self.taken}]"

    def _next(self) -> Entry | None:
        record = self.certificate.record
        return record[self.taken] if self.taken < len(record) else None

    def _peek(self, kind: type[Kind]) -> Kind:
        """The next entry, which must be of this kind."""
        entry = self._next()
        if isinstance(entry, kind):
            return entry
        found = "the record ends" if entry is None else f"it is {KINDS[type(entry).__name__]!r}"
        expected = KINDS[kind.__name__]
        raise Broken("order", self.place, f"expected an entry of kind {expected!r}, but {found}")

    def _ran(self, word: Word, done: int, steps: int) -> None:
        entry, place = self._peek(Ran), self.place
        if entry.word != word:
            raise Broken("plans", f"{place}.word", "not the word that is due")
        for name, stated, right in (
            ("start", entry.start, self.now),
            ("done", entry.done, done),
            ("steps", entry.steps, steps),
        ):
            if stated != right:
                raise Broken("plans", f"{place}.{name}", f"{stated}, expected {right}")
        self.taken += 1
        self.now += steps

    def _step(self, action: int) -> list[Dataset]:
        self._ran((action,), 0, 1)
        return self._datasets([1])

    def _rows(self, times: Sequence[int]) -> tuple[bytes, ...]:
        """The rows that were read at these times of the loop."""
        entry, place = self._peek(Read), self.place
        if entry.first != self.read:
            raise Broken("rows", f"{place}.first", f"{entry.first}, expected {self.read}")
        if entry.times != tuple(times):
            raise Broken("rows", f"{place}.times", "not the times that are due")
        self.taken += 1
        self.read += len(times)
        return entry.rows

    def _datasets(self, times: Sequence[int]) -> list[Dataset]:
        return [self.functions.dataset(row) for row in self._rows(times)]

    # --- datasets ---------------------------------------------------------------------------------

    def _joined(self, datasets: list[Dataset]) -> Dataset:
        joined = datasets[0]
        for dataset in datasets[1:]:
            joined = self.functions.merged(joined, dataset)
        return joined

    def _pooled(self, datasets: list[Dataset]) -> Pool[Dataset]:
        return Pool(len(datasets), self._joined(datasets))

    def _others(self, datasets: list[Dataset]) -> Iterator[Dataset]:
        """For each dataset, all others together."""
        merged, nothing = self.functions.merged, self.functions.nothing()
        before = accumulate(datasets, merged, initial=nothing)
        after = list(accumulate(reversed(datasets), merged, initial=nothing))[-2::-1]
        return map(merged, before, after)

    def _told_from_others(self, datasets: list[Dataset]) -> Iterator[bool]:
        """For each dataset, whether some classifier is 1 on it and 0 on all others together."""
        self.work.add(4 * len(datasets))
        return map(self.functions.separable, self._others(datasets), datasets)
