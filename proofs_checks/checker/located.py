"""The rules for certificates of located runs.

Such a record contains every observation that was used. `Following` recomputes the whole run from
the recorded rows alone, stage by stage, as certificate.md describes the algorithm. It takes the
entries from the record and compares them with what it computes. Later entries depend on earlier
ones, so the first entry that breaks a rule raises `Broken`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Generic, TypeVar

from proofs_checks.checker.classes import (
    Boxes,
    Conjunctions,
    Finite,
    Spans,
    Thresholds,
)
from proofs_checks.checker.formulas import passes_needed, share_of
from proofs_checks.checker.half_spaces import HalfSpaces
from proofs_checks.checker.located_record import (
    Checked,
    Fixed,
    Joins,
    PeriodsLeft,
    SameState,
    Seen,
    Steps,
)
from proofs_checks.checker.planning import Labels, Model, covering_cycle, excluded_joins
from proofs_checks.checker.reading import (
    Broken,
    Finding,
    Ran,
    Record,
    check_totals,
    counted,
    findings_of,
    require,
    shown,
    unknown_method,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from proofs_checks.checker.classes import Class
    from proofs_checks.checker.located_record import Certificate
    from proofs_checks.checker.reading import Word

Dataset = TypeVar("Dataset")

ENOUGH = 8
"""Rows that a label needs before its unknown actions are tried, and before the first round."""

RULES = {
    "digest": "the stated digest is the digest of the file's content",
    "method": "the method is 'located', with its constants",
    "order": "the record has exactly the entries of the algorithm, in their order",
    "plans": "each action, loop and pass is the one that the earlier rows determine",
    "rows": "rows are numbered in order, and one is read at each time of the algorithm",
    "periods": "the remaining periods of a loop are those that its rows do not refute",
    "same": "labels are merged if and only if their rows prove that they are one state",
    "proofs": "for half-spaces, a separator or a common point of the hulls proves each verdict",
    "joins": "labels are called different only if each proper congruence of the table has a block "
    "for which F has no classifier",
    "walk": "each walk, fixed before its passes, follows the table, visits all states and returns",
    "passes": "each round has the number of passes that its share of δ requires",
    "encoder": "each classifier is one the oracle may choose: 1 on its state's rows, 0 on others",
    "checks": "in each pass, the encoder fails on exactly the states that the record states",
    "charges": "round k is charged δ/(k(k+1)), even if it failed",
    "bounds": "the table has at most N states, and at least two if N ≥ 2",
    "table": "the table is the closed strongly connected component that the run found",
    "current": "the current state is the one in which the run ended",
    "budget": "the charges sum to the stated total, which is at most δ",
    "steps": "the steps of the plans sum to the stated total",
}

EXPLANATION = """\
Acceptance means that the whole run was recomputed from the recorded rows: every action, label,
merge, refuted period, walk, classifier and check is what located STEEL does when it sees these
rows, every round of validation is in the record, and the last one passed. If the rows are what the
world showed, in one unbroken trajectory that is the only one that was run, and the assumptions
hold, then such a file is written with probability δ at most in which the table is not the true one
up to the names of the states, or the encoder errs on some state with probability more than ε. A run
for the dynamics only claims nothing about the encoder, and is validated with ε = 1/2. It may also
end without a validation: if there are two states, its labels are then the states for every noise,
by the rule on joins.
Acceptance does not show that the assumptions hold, that the rows were observed, that no other run
was made and thrown away, or who wrote the file: the digest is not a signature."""


def assumptions(c: Certificate) -> tuple[str, ...]:
    """Return the assumptions that remain: no certificate can show them."""
    p = c.parameters
    is_sure = c.record and isinstance(c.record[-1], Joins)
    two = ("there are at least two states",) if is_sure else ()
    return (
        *two,
        "the rows are what the world showed, in one unbroken trajectory",
        "this run is the only one: none was made before it and thrown away",
        "F has a one-versus-rest classifier for each latent state (realizability)",
        c.functions.trusted,
        f"there are at most {counted(p.max_states, 'state')}",
        f"the noise ignores actions and mixes within {counted(p.mixing_time, 'step')}",
        "the latent dynamics are deterministic, and every state reaches every other",
    )


# --- the rules ------------------------------------------------------------------------------------


def check(certificate: Certificate) -> list[Finding]:
    """Return all findings against a certificate; an empty list means that it is accepted.

    Raises `Malformed` if checking takes too many steps for the size of the file.
    """
    return findings_of(certificate.stated, _followed(certificate))


def _followed(c: Certificate) -> Iterator[Finding]:
    """Recompute the run with the class of its certificate; raise `Broken`."""
    if c.stated.method != "located":
        yield unknown_method(c.stated.method, "'located'")
        return
    match c.functions:
        case Finite() as functions:
            yield from _found(c, functions)
        case Conjunctions() as functions:
            yield from _found(c, functions)
        case Thresholds() as functions:
            yield from _found(c, functions)
        case Boxes() as functions:
            yield from _found(c, functions)
        case HalfSpaces() as functions:
            proofs = functions.begun()
            yield from _found(c, proofs)
            yield from proofs.check_end()


def _found(c: Certificate, functions: Class[Dataset]) -> Iterator[Finding]:
    run = Following(c, functions)
    return check_ending(c, run, run.follow())


def check_ending(c: Certificate, run: Following[Dataset], ending: Ending) -> Iterator[Finding]:
    """No entry is left over, and the result and the totals are those of the run."""
    yield from run.record.check_end()
    rows = [[row[action] for action in sorted(row)] for row in ending.model.rows]
    if list(map(list, c.stated.table)) != rows:
        yield Finding("table", "table", "not the table that the run found")
    if c.classifiers != ending.classifiers:
        yield Finding("encoder", "classifiers", "not the classifiers that were validated")
    yield from check_totals(
        c.stated,
        delta=c.parameters.delta,
        spent=run.spent,
        steps=run.steps,
        current=ending.current,
    )


# --- the run --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a run: model, current state, classifiers."""

    model: Model
    current: int
    classifiers: tuple[object, ...] | None


@dataclass(frozen=True, slots=True)
class Pool(Generic[Dataset]):
    """D(ℓ): the rows of one label, counted and summarised."""

    rows: int
    dataset: Dataset
    single: set[bytes] = field(default_factory=set)
    """Rows among these that were read one by one. The next pool of the label has them, too."""


class Following(Generic[Dataset]):
    """The learner's state, recomputed from the entries taken so far."""

    def __init__(self, certificate: Certificate, functions: Class[Dataset]) -> None:
        self.p = certificate.parameters
        self.with_encoder = certificate.classifiers is not None
        self.epsilon = self.p.epsilon if self.with_encoder else Fraction(1, 2)
        """With ε = 1/2 the passes show that no two labels are one state, and nothing else."""
        self.size = certificate.stated.size
        self.functions = functions
        self.wide = functions.row_bytes >> 8
        """The cost of comparing two rows, beyond that of short ones."""
        self.record = Record(certificate.record)
        self.within = 0
        """Number of steps taken of the next entry, if its steps are packed."""
        self.steps = 0
        """Number of steps of the plans taken."""
        self.rows = 0
        """Number of rows taken."""
        self.work = certificate.work
        self.labels = Labels(self.p.actions, self.work)
        self.pools: dict[int, Pool[Dataset]] = {}
        """D(ℓ) for each label that was not merged into another label, the lowest first."""
        self.often = set[int]()
        """Labels with at least `ENOUGH` rows."""
        self.stale = set[int]()
        """Labels whose dataset has changed since it was last compared with all others."""
        self.current = 0
        """The label of the current state."""
        self.lost = 0
        """Number of steps since a known state was recognised."""
        self.rounds = 0
        """Number of validation rounds begun."""
        self.spent = Fraction(0)

    def follow(self) -> Ending:
        """Recompute the run up to the first round of validation that passes; raise `Broken`."""
        self.loop(self.first_action())
        went: Ending | int = 1
        while not isinstance(went, Ending):
            while self.unknown_ahead():
                self.explore()
                went = 1
            went = self._close(went)
        return went

    # --- exploration ------------------------------------------------------------------------------

    def unknown_ahead(self) -> bool:
        """Return whether an unknown transition can be reached from the current label."""
        return self.labels.unknown_ahead(self.current)

    def first_action(self) -> int:
        """Return the action that is repeated first. The learner may choose any."""
        word, place = self.record.peek(Ran).word, self.record.place
        is_action = len(word) == 1 and word[0] < self.p.actions
        message = f"expected a single action, 0 to {self.p.actions - 1}"
        require(is_action, "plans", f"{place}.word", message)
        return word[0]

    def loop(self, action: int) -> None:
        """Repeat an action until the lcm of the possible periods is at most N (rule 5)."""
        bound, rows, until = self.p.max_states, list[Dataset](), 2 * self.p.max_states
        settled = max(0, bound - 2)
        while True:
            done = len(rows)
            message = f"the loop needs {until} rows, more than the file can hold"
            require(until <= self.size, "rows", self.record.place, message)
            self._ran((action,), done, until - done)
            rows += map(self.functions.dataset, self._read(range(done + 1, until + 1)))
            period = self._period(rows)
            if period <= bound and len(rows) >= settled + period:
                break
            until = max(2 * len(rows), settled + min(period, bound))
        made = [self._new_label() for _ in range(period)]
        for position, label in enumerate(made):
            self._hold(label, self._pooled(rows[settled + position :: period]))
            self.stale.add(label)
            self.labels.lead(label, action, made[(position + 1) % period])
        for label in made:
            self._merge(label)
        self.current = self.labels.root(made[(len(rows) - 1 - settled) % period])
        self.lost = 0

    def _period(self, rows: list[Dataset]) -> int:
        """Return the lcm of the periods that remain possible; the record must state the same."""
        bound, (entry, place) = self.p.max_states, self.record.take(PeriodsLeft)
        message = f"{entry.count}, expected {len(rows)}"
        require(entry.count == len(rows), "periods", f"{place}.count", message)
        spans = Spans(self.functions, rows, self.work)
        left = [1]
        for period in range(2, bound + 1):
            start = bound - period
            if len(rows) - start < period or all(
                spans.is_separable(start, first, period) for first in range(start, start + period)
            ):
                left.append(period)
        message = "not the periods that the rows do not refute"
        require(entry.left == tuple(left), "periods", f"{place}.left", message)
        return lcm(*left)

    def explore(self) -> None:
        """Take one action. An unknown transition leads to a new label (rules 2, 3)."""
        action = self.labels.next_action(self.current, self.often)
        assert action is not None
        seen = self.step(action)
        row = self.labels.rows[self.current]
        if action in row:
            self.current = self.add_row(row[action], seen)
            return
        new = self._new_label()
        self.labels.lead(self.current, action, new)
        self.pools[new] = Pool(1, self.functions.dataset(seen), {seen})
        self.stale.add(new)
        self._merge(new)
        self.current = self.labels.root(new)
        if self.current != new:
            self.lost = 0
        elif self.lost + 1 >= self.p.max_states:
            self.loop(action)
        else:
            self.lost += 1

    def _new_label(self) -> int:
        self.work.allow_for(len(self.pools))
        return self.labels.add()

    def add(self, label: int, seen: list[Dataset]) -> int:
        """Add rows to D(ℓ), merge the labels that are now proved equal, and return the label."""
        label = self.labels.root(label)
        old = self.pools[label]
        dataset = self.functions.merged(old.dataset, self._joined(seen))
        self._hold(label, Pool(old.rows + len(seen), dataset, old.single))
        if dataset != old.dataset:
            self.stale.add(label)
        self._merge(label)
        return self.labels.root(label)

    def add_row(self, label: int, row: bytes) -> int:
        """Add one row to D(ℓ), which may have it already; merge labels, and return the label."""
        label = self.labels.root(label)
        pool = self.pools[label]
        if row not in pool.single or self.functions.asks_again:
            pool.single.add(row)
            return self.add(label, [self.functions.dataset(row)])
        self._hold(label, Pool(pool.rows + 1, pool.dataset, pool.single))
        self._merge(label)
        return self.labels.root(label)

    def _hold(self, label: int, pool: Pool[Dataset]) -> None:
        self.pools[label] = pool
        if pool.rows >= ENOUGH:
            self.often.add(label)

    def _merge(self, label: int) -> None:
        """Merge a label with all labels that it equals; each merge is an entry (rules 1, 4).

        All labels but the stale ones are known to be apart from each other.
        """
        while True:
            label = self.labels.root(label)
            same = self._same(label, self.pools if label in self.stale else sorted(self.stale))
            if same is None:
                self.stale.discard(label)
                return
            entry, place = self.record.take(SameState)
            message = f"{entry.one} and {entry.other}, expected {label} and {same}"
            require((entry.one, entry.other) == (label, same), "same", place, message)
            self.labels.merge(label, same)
            self._regroup()

    def _same(self, label: int, others: Collection[int]) -> int | None:
        """Return the first of the other labels that a label equals."""
        self.work.add((4 + self.wide) * len(others))
        datasets = ((other, self.pools[other].dataset) for other in others if other != label)
        return self.functions.joined(self.pools[label].dataset, datasets)

    def _regroup(self) -> None:
        """Join the datasets of merged labels."""
        for label in [label for label in self.pools if label not in self.labels.rows]:
            gone, root = self.pools.pop(label), self.labels.root(label)
            kept = self.pools[root]
            dataset = self.functions.merged(kept.dataset, gone.dataset)
            single = kept.single | gone.single
            self._hold(root, Pool(kept.rows + gone.rows, dataset, single))
            self.often.discard(label)
            self.stale.discard(label)
            self.stale.add(root)

    # --- validation -------------------------------------------------------------------------------

    def _close(self, passes: int) -> Ending | int:
        """No unknown transition is reachable: enter the closed component, revisit it, or validate.

        Revisiting it takes `passes` passes. Returns the number of passes of the next walk, or the
        result of the run.
        """
        self.lost = 0
        kept = self.labels.kept(self.current)
        if self.current not in kept:
            way = self.labels.way(self.current, set(kept).__contains__)
            assert way is not None
            return self._walk(way, passes=1)
        message = f"one state, but max_states = {self.p.max_states}"
        require(not len(kept) == 1 < self.p.max_states, "bounds", self.record.place, message)
        model, home = self._model(kept), kept.index(self.current)
        if self.record.next_is(Joins) and self._labels_are_states(kept, model):
            return Ending(model, home, None)
        walk = covering_cycle(model, home, self.p.mixing_time, self.size, self.work)
        if walk is None:
            message = "no walk (short enough for this file) visits all states and returns"
            raise Broken("walk", self.record.place, message)
        found = list(self.told_from_others([self.pools[label].dataset for label in kept]))
        few = min(self.pools[label].rows for label in kept) < ENOUGH << self.rounds
        if len(kept) > self.p.max_states or few or not all(found):
            return self._walk(walk, passes)
        return self._validate(kept, model, home, walk)

    def _labels_are_states(self, kept: list[int], model: Model) -> bool:
        """Take the entry on joins; return whether it excludes all of them."""
        entry, place = self.record.take(Joins)
        message = f"more labels than max_states = {self.p.max_states}"
        require(len(kept) <= self.p.max_states, "bounds", place, message)
        rows = [[row[action] for action in sorted(row)] for row in model.rows]
        datasets = [self.pools[label].dataset for label in kept]
        found = excluded_joins(rows, lambda block: self._has_classifier(block, datasets), self.work)
        is_found = (entry.excluded, entry.complete) == found
        require(is_found, "joins", place, "not the blocks for which F has no classifier")
        return entry.complete

    def _has_classifier(self, block: tuple[int, ...], datasets: list[Dataset]) -> bool:
        """Return whether some classifier is 1 on the datasets of a block and 0 on the others."""
        self.work.add((4 + self.wide) * len(datasets))
        inside = set(block)
        ones = self._joined([datasets[label] for label in block])
        zeros = self._joined([d for label, d in enumerate(datasets) if label not in inside])
        return self.functions.separable(zeros, ones)

    def _walk(self, walk: Word, passes: int) -> int:
        """Repeat a walk through known transitions until labels are merged or the passes are done.

        Returns the number of passes of the next walk: 1 if labels were merged, else twice as many.
        """
        for action in walk * passes:
            before = len(self.labels.rows)
            seen = self.step(action)
            self.current = self.add_row(self.labels.rows[self.current][action], seen)
            if len(self.labels.rows) < before:
                return 1
        return 2 * passes

    def _model(self, kept: list[int]) -> Model:
        model = Model(self.p.actions)
        for _ in kept:
            model.add_state()
        states = {label: state for state, label in enumerate(kept)}
        for label, state in states.items():
            for action, to in sorted(self.labels.rows[label].items()):
                model.add(state, action, states[to])
        return model

    def _validate(self, kept: list[int], model: Model, home: int, walk: Word) -> Ending | int:
        """One round: fix it, do one pass without rows, then check pass by pass until one fails."""
        entry, place = self.record.take(Fixed)
        self.rounds += 1
        visits = self._check_fixed(entry, place, kept, model, home, walk)
        self._ran(walk, 0, len(walk))
        named = self.functions.encoder(entry.classifiers)
        seen: list[list[Dataset]] = [[] for _ in kept]
        for number in range(1, entry.passes + 1):
            done = number * len(walk)
            self._ran(walk, done, len(walk))
            rows = [*map(self.functions.dataset, self._read([done + visit for visit in visits]))]
            self.work.add(len(rows) * len(kept) * (1 + self.wide))
            failed = tuple(state for state, row in enumerate(rows) if named(row) != state)
            for datasets, row in zip(seen, rows, strict=True):
                datasets.append(row)
            self._checked(number, failed)
            if failed:
                for label, datasets in zip(kept, seen, strict=True):
                    self.add(label, datasets)
                self.current = self.labels.root(kept[home])
                return 1
        return Ending(model, home, entry.classifiers if self.with_encoder else None)

    def _check_fixed(
        self, entry: Fixed, place: str, kept: list[int], model: Model, home: int, walk: Word
    ) -> tuple[int, ...]:
        """Check the fixed round against the table and the datasets. Return the visits."""
        here, first_visit = home, dict[int, int]()
        for time, action in enumerate(walk, start=1):
            here = model.rows[here][action]
            first_visit.setdefault(here, time)
        visits = tuple(first_visit[state] for state in range(len(kept)))
        share = share_of(self.p.delta, self.rounds)
        gap, most = len(walk) // self.p.mixing_time, len(self.record.entries)
        passes = passes_needed(self.epsilon, gap, share, most, self.work)
        message = f"{entry.at}, but {self.steps} steps were taken"
        require(entry.at == self.steps, "walk", f"{place}.at", message)
        message = "not the covering walk computed from the table"
        require(entry.walk == walk, "walk", f"{place}.walk", message)
        message = "not the times of the first visit to each state"
        require(entry.visits == visits, "walk", f"{place}.visits", message)
        message = f"{entry.passes}, but {'more' if passes is None else passes} are needed"
        require(entry.passes == passes, "passes", f"{place}.passes", message)
        message = f"{shown(entry.charge)}, but this round costs {shown(share)}"
        require(entry.charge == share, "charges", f"{place}.charge", message)
        self.spent += share
        message = f"expected {len(kept)} classifiers, one per state"
        require(len(entry.classifiers) == len(kept), "encoder", f"{place}.classifiers", message)
        datasets = [self.pools[label].dataset for label in kept]
        message = "not a classifier that the oracle may choose for this state"
        for state, others in enumerate(self.others(datasets)):
            is_chosen = self.functions.is_chosen(entry.classifiers[state], others, datasets[state])
            require(is_chosen, "encoder", f"{place}.classifiers[{state}]", message)
        return visits

    def _checked(self, number: int, failed: tuple[int, ...]) -> None:
        entry, place = self.record.take(Checked)
        message = f"{entry.number}, expected {number}"
        require(entry.number == number, "checks", f"{place}.number", message)
        message = "not the states for which the encoder names another state"
        require(entry.failed == failed, "checks", f"{place}.failed", message)

    # --- entries and datasets ---------------------------------------------------------------------

    def _ran(self, word: Word, done: int, steps: int) -> None:
        """Take a plan: `steps` steps of repeating `word`, after `done` steps of repeating it."""
        entry, place = self.record.take(Ran)
        message = "not the word that the algorithm runs here"
        require(entry.word == word, "plans", f"{place}.word", message)
        for name, stated, right in (
            ("start", entry.start, self.steps),
            ("done", entry.done, done),
            ("steps", entry.steps, steps),
        ):
            require(stated == right, "plans", f"{place}.{name}", f"{stated}, expected {right}")
        self.steps += steps

    def _read(self, times: Sequence[int]) -> tuple[bytes, ...]:
        """Take the rows that were read at these times of the loop."""
        entry, place = self.record.take(Seen)
        message = f"{entry.first}, expected {self.rows}"
        require(entry.first == self.rows, "rows", f"{place}.first", message)
        # Compare the lengths first: the times of a loop that claims to be long can fill memory.
        are_due = len(entry.times) == len(times) and entry.times == tuple(times)
        message = "not the times at which the algorithm reads rows"
        require(are_due, "rows", f"{place}.times", message)
        self.rows += len(times)
        return entry.rows

    def step(self, action: int) -> bytes:
        """Take one action and return the row read after it."""
        if not self.record.next_is(Steps):
            self._ran((action,), 0, 1)
            (seen,) = self._read([1])
            return seen
        place, entry = f"{self.record.place}[{self.within}]", self.record.peek(Steps)
        stated, row = entry.at(self.within)
        if stated != action:
            raise Broken("plans", place, "not the action that the algorithm takes here")
        self.steps, self.rows, self.within = self.steps + 1, self.rows + 1, self.within + 1
        if self.within == len(entry):
            self.record.take(Steps)
            self.within = 0
        return row

    def _joined(self, datasets: list[Dataset]) -> Dataset:
        joined = datasets[0]
        for dataset in datasets[1:]:
            joined = self.functions.merged(joined, dataset)
        return joined

    def _pooled(self, datasets: list[Dataset]) -> Pool[Dataset]:
        return Pool(len(datasets), self._joined(datasets))

    def others(self, datasets: list[Dataset]) -> Iterator[Dataset]:
        """Yield, for each dataset, the union of all others."""
        merged, nothing = self.functions.merged, self.functions.nothing()
        before = accumulate(datasets, merged, initial=nothing)
        after = list(accumulate(reversed(datasets), merged, initial=nothing))[-2::-1]
        return map(merged, before, after)

    def told_from_others(self, datasets: list[Dataset]) -> Iterator[bool]:
        """Yield, for each dataset, whether some classifier is 1 on it and 0 on all others."""
        self.work.add((4 + self.wide) * len(datasets))
        return map(self.functions.separable, self.others(datasets), datasets)
