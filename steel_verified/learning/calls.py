"""Reads the calls of CycleFind from a ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.evidence.ledger import LabelsFound, Opened, Ran, Read, Trained
from steel_verified.learning.model import Model, Transition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from steel_verified.evidence.ledger import Entry, Ledger
    from steel_verified.evidence.plans import Word
    from steel_verified.theory.progressions import Progression


@dataclass(frozen=True, slots=True)
class Call:
    """One call of CycleFind."""

    word: Word
    """â, the word that was looped."""
    start: int
    """The number of steps of the trajectory before the call."""
    steps: int
    """The number of steps of the call: max(c, c_init)."""
    labels: tuple[int, ...]
    """The state at each position of the cycle."""
    new_states: int
    new_transitions: tuple[Transition, ...]

    @property
    def period(self) -> int:
        """n_cyc, the period of the cycle in words."""
        return len(self.labels) // len(self.word)

    @property
    def current(self) -> int:
        """The state in which the call ended (l. 440)."""
        return self.labels[self.steps % len(self.labels)]


def calls(ledger: Ledger) -> Iterator[Call]:
    """Yield every call of CycleFind, in order."""
    model = Model(0)
    runs: list[Ran] = []
    for entry in ledger.entries:
        if isinstance(entry, Opened):
            runs = []  # Another algorithm ran before; its plans belong to no call.
        elif isinstance(entry, Ran):
            runs.append(entry)
        elif isinstance(entry, LabelsFound):
            word, before = runs[0].word, model
            actions = max(before.actions, max(word) + 1)
            model = _widened(before, actions).with_cycle(entry.labels, word)
            yield Call(
                word=word,
                start=runs[0].start,
                steps=sum(run.steps for run in runs),
                labels=entry.labels,
                new_states=model.states - before.states,
                new_transitions=tuple(sorted(model.transitions() - before.transitions())),
            )
            runs = []


def datasets(ledger: Ledger) -> tuple[tuple[Progression, ...], ...]:
    """Return, for each state, the times of the samples D(s) on which its classifier was trained.

    The times are counted over the whole trajectory. The result is empty if no encoder was trained.
    """
    times: dict[int, tuple[Progression, ...]] = {}
    for entry in ledger.entries:
        if isinstance(entry, Read):
            for number, sample in enumerate(entry.samples, start=entry.first):
                times[number] = tuple(piece.shifted(entry.loop) for piece in sample.times)
        elif isinstance(entry, Trained):
            return tuple(
                tuple(piece for number in numbers for piece in times[number])
                for numbers in entry.datasets
            )
    return ()


def tour(entries: Iterable[Entry]) -> Ran | None:
    """Return the plan that was run after the last call, or None."""
    last: Ran | None = None
    for entry in entries:
        if isinstance(entry, Ran):
            last = entry
        elif isinstance(entry, LabelsFound):
            last = None
    return last


def _widened(model: Model, actions: int) -> Model:
    """Return the model with more actions, whose transitions are unknown."""
    more = (None,) * (actions - model.actions)
    return Model(actions, tuple((*row, *more) for row in model.table))
