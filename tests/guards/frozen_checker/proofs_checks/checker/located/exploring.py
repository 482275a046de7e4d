"""Recomputes the exploration of located STEEL from the rows (rules 1 to 5 of CERTIFICATE.md)."""

from __future__ import annotations

from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Generic, TypeVar

from proofs_checks.checker.entries import Ran
from proofs_checks.checker.located.classes import Pool
from proofs_checks.checker.located.entries import PeriodsLeft, SameState
from proofs_checks.checker.located.labels import Labels
from proofs_checks.checker.located.record import Broken, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofs_checks.checker.located.classes import Class
    from proofs_checks.checker.located.entries import Certificate

Dataset = TypeVar("Dataset")

ENOUGH = 8
"""Rows that a label needs before its unknown actions are tried, and before the first round."""


class Exploring(Generic[Dataset]):
    """The learner's state, recomputed from the entries taken so far."""

    def __init__(self, certificate: Certificate, functions: Class[Dataset]) -> None:
        self.p = certificate.parameters
        self.size = certificate.size
        self.functions = functions
        self.record = Record(certificate.record)
        self.work = certificate.work
        self.labels = Labels(self.p.actions, self.work)
        self.pools: dict[int, Pool[Dataset]] = {}
        """D(ℓ) for each label that was not merged into another label."""
        self.current = 0
        """The label of the current state."""
        self.lost = 0
        """Number of steps since a known state was recognised."""

    def unknown_ahead(self) -> bool:
        """Return whether an unknown transition can be reached from the current label."""
        return any(map(self.labels.has_unknown, self.labels.reached(self.current)))

    def first_action(self) -> int:
        """Return the action that is repeated first. The learner may choose any."""
        word, place = self.record.peek(Ran).word, self.record.place
        if len(word) != 1 or word[0] >= self.p.actions:
            raise Broken(
                "plans", f"{place}.word", f"expected a single action, 0 to {self.p.actions - 1}"
            )
        return word[0]

    def loop(self, action: int) -> None:
        """Repeat an action until the lcm of the possible periods is at most N (rule 5)."""
        bound, rows, until = self.p.max_states, list[Dataset](), 2 * self.p.max_states
        settled = max(0, bound - 2)
        while True:
            done = len(rows)
            if until > self.size:
                raise Broken(
                    "rows",
                    self.record.place,
                    f"the loop needs {until} rows, more than the file can hold",
                )
            self.record.ran((action,), done, until - done)
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
        self.lost = 0

    def _period(self, rows: list[Dataset]) -> int:
        """Return the lcm of the periods that remain possible; the record must state the same."""
        bound, (entry, place) = self.p.max_states, self.record.take(PeriodsLeft)
        if entry.count != len(rows):
            raise Broken("periods", f"{place}.count", f"{entry.count}, expected {len(rows)}")
        left = [1]
        for period in range(2, bound + 1):
            seen = rows[bound - period :]
            self.work.add(3 * len(seen) + 3 * period)
            if len(seen) < period or all(
                self.told_from_others([self._joined(seen[r::period]) for r in range(period)])
            ):
                left.append(period)
        if entry.left != tuple(left):
            message = "not the periods that the rows do not refute"
            raise Broken("periods", f"{place}.left", message)
        return lcm(*left)

    def explore(self) -> None:
        """Take one action. An unknown transition leads to a new label (rules 2, 3)."""
        action = self.labels.next_action(self.current, lambda label: self.pools[label].rows, ENOUGH)
        assert action is not None
        seen = self.step(action)
        row = self.labels.rows[self.current]
        if action in row:
            self.current = self.add(row[action], [seen])
            return
        new = self.labels.add()
        row[action] = new
        self.pools[new] = Pool(1, seen)
        self._merge(new)
        self.current = self.labels.root(new)
        if self.current != new:
            self.lost = 0
        elif self.lost + 1 >= self.p.max_states:
            self.loop(action)
        else:
            self.lost += 1

    def add(self, label: int, seen: list[Dataset]) -> int:
        """Add rows to D(ℓ), merge the labels that are now proved equal, and return the label."""
        label = self.labels.root(label)
        old = self.pools[label]
        dataset = self.functions.merged(old.dataset, self._joined(seen))
        self.pools[label] = Pool(old.rows + len(seen), dataset)
        self._merge(label)
        return self.labels.root(label)

    def _merge(self, label: int) -> None:
        """Merge a label with all labels that it equals; each merge is an entry (rules 1, 4)."""
        while True:
            label = self.labels.root(label)
            same = next((m for m in sorted(self.pools) if self._not_apart(label, m)), None)
            if same is None:
                return
            entry, place = self.record.take(SameState)
            if (entry.one, entry.other) != (label, same):
                message = f"{entry.one} and {entry.other}, expected {label} and {same}"
                raise Broken("same", place, message)
            self.labels.merge(label, same)
            self._regroup()

    def _not_apart(self, one: int, other: int) -> bool:
        if one == other:
            return False
        self.work.add(4)
        a, b = self.pools[one].dataset, self.pools[other].dataset
        return not (self.functions.separable(a, b) and self.functions.separable(b, a))

    def _regroup(self) -> None:
        """Join the datasets of merged labels."""
        for label in [label for label in self.pools if label not in self.labels.rows]:
            gone, root = self.pools.pop(label), self.labels.root(label)
            kept = self.pools[root]
            dataset = self.functions.merged(kept.dataset, gone.dataset)
            self.pools[root] = Pool(kept.rows + gone.rows, dataset)

    # --- datasets ---------------------------------------------------------------------------------

    def step(self, action: int) -> Dataset:
        """Take one action and return the row read after it."""
        self.record.ran((action,), 0, 1)
        (seen,) = self._datasets([1])
        return seen

    def _datasets(self, times: Sequence[int]) -> list[Dataset]:
        return [self.functions.dataset(row) for row in self.record.read(times)]

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
        self.work.add(4 * len(datasets))
        return map(self.functions.separable, self.others(datasets), datasets)
