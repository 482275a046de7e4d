"""Recomputes a whole run of located STEEL, step by step, from the recorded rows alone.

Each method is a stage of located STEEL. It takes the next entries from the record and compares them
with what it computes. Later entries depend on earlier ones, so the first entry that breaks a rule
raises `Broken`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from proofs_checks.checker.findings import shown
from proofs_checks.checker.located.classes import named
from proofs_checks.checker.located.entries import Checked, Fixed
from proofs_checks.checker.located.exploring import ENOUGH, Exploring
from proofs_checks.checker.located.formulas import passes_needed, share_of
from proofs_checks.checker.located.record import Broken
from proofs_checks.checker.planning import Model, covering_cycle

if TYPE_CHECKING:
    from proofs_checks.checker.entries import Word
    from proofs_checks.checker.located.classes import Class
    from proofs_checks.checker.located.entries import Certificate

Dataset = TypeVar("Dataset")


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a run: model, current state, classifiers."""

    model: Model
    current: int
    classifiers: tuple[object, ...]


class Following(Exploring[Dataset]):
    """Exploration and validation, recomputed from the entries taken so far."""

    def __init__(self, certificate: Certificate, functions: Class[Dataset]) -> None:
        super().__init__(certificate, functions)
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
        if len(kept) == 1 < self.p.max_states:
            raise Broken(
                "bounds", self.record.place, f"one state, but max_states = {self.p.max_states}"
            )
        model, home = self._model(kept), kept.index(self.current)
        walk = covering_cycle(model, home, self.p.mixing_time, self.size, self.work)
        if walk is None:
            raise Broken(
                "walk",
                self.record.place,
                "no walk (short enough for this file) visits all states and returns",
            )
        found = list(self.told_from_others([self.pools[label].dataset for label in kept]))
        few = min(self.pools[label].rows for label in kept) < ENOUGH << self.rounds
        if len(kept) > self.p.max_states or few or not all(found):
            return self._walk(walk, passes)
        return self._validate(kept, model, home, walk)

    def _walk(self, walk: Word, passes: int) -> int:
        """Repeat a walk through known transitions until labels are merged or the passes are done.

        Returns the number of passes of the next walk: 1 if labels were merged, else twice as many.
        """
        for action in walk * passes:
            before = len(self.labels.rows)
            seen = self.step(action)
            self.current = self.add(self.labels.rows[self.current][action], [seen])
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
        self.record.ran(walk, 0, len(walk))
        seen: list[list[Dataset]] = [[] for _ in kept]
        for number in range(1, entry.passes + 1):
            done = number * len(walk)
            self.record.ran(walk, done, len(walk))
            rows = self.record.read([done + visit for visit in visits])
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
                    self.add(label, datasets)
                self.current = self.labels.root(kept[home])
                return 1
        return Ending(model, home, entry.classifiers)

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
        passes = passes_needed(self.p.epsilon, gap, share, most, self.work)
        if entry.at != self.record.steps:
            message = f"{entry.at}, but {self.record.steps} steps were taken"
            raise Broken("walk", f"{place}.at", message)
        if entry.walk != walk:
            raise Broken("walk", f"{place}.walk", "not the covering walk computed from the table")
        if entry.visits != visits:
            raise Broken(
                "walk", f"{place}.visits", "not the times of the first visit to each state"
            )
        if entry.passes != passes:
            message = f"{entry.passes}, but {'more' if passes is None else passes} are needed"
            raise Broken("passes", f"{place}.passes", message)
        if entry.charge != share:
            message = f"{shown(entry.charge)}, but this round costs {shown(share)}"
            raise Broken("charges", f"{place}.charge", message)
        self.spent += share
        if len(entry.classifiers) != len(kept):
            raise Broken(
                "encoder",
                f"{place}.classifiers",
                f"expected {len(kept)} classifiers, one per state",
            )
        datasets = [self.pools[label].dataset for label in kept]
        for state, others in enumerate(self.others(datasets)):
            classifier = entry.classifiers[state]
            if not self.functions.is_chosen(classifier, others, datasets[state]):
                message = "not a classifier that the oracle may choose for this state"
                raise Broken("encoder", f"{place}.classifiers[{state}]", message)
        return visits

    def _checked(self, number: int, failed: tuple[int, ...]) -> None:
        entry, place = self.record.take(Checked)
        if entry.number != number:
            raise Broken("checks", f"{place}.number", f"{entry.number}, expected {number}")
        if entry.failed != failed:
            message = "not the states for which the encoder names another state"
            raise Broken("checks", f"{place}.failed", message)
