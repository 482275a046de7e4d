"""The calls of CycleFind, read off a ledger."""

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
    """â."""
    start: int
    """The steps of the trajectory before it."""
    steps: int
    """How many steps it took: max(c, c_init)."""
    labels: tuple[int, ...]
    """The state at each position of the cycle."""
    new_states: int
    new_transitions: tuple[Transition, ...]

    @property
    def period(self) -> int:
        """n_cyc."""
        return len(self.labels) // len(self.word)

    @property
    def current(self) -> int:
        """The state in which it ended (l. 440)."""
        return self.labels[self.steps % len(self.labels)]


def calls(ledger: Ledger) -> Iterator[Call]:
    """Every call of CycleFind, in order."""
    model = Model(0)
    runs: list[Ran] = []
    for entry in ledger.entries:
        if isinstance(entry, Opened):
            runs = []  # Another algorithm ran before: its plans belong to no call.
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
    """The times of D(s) for each state, over the whole trajectory, on which it was trained.

    Empty if no encoder was trained.
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
    """The plan that was run after the last call, if there was one."""
    last: Ran | None = None
    for entry in entries:
        if isinstance(entry, Ran):
            last = entry
        elif isinstance(entry, LabelsFound):
            last = None
    return last


def _widened(model: Model, actions: int) -> Model:
    """The same model with more actions, of which nothing is known."""
    more = (None,) * (actions - model.actions)
    return Model(actions, tuple((*row, *more) for row in model.table))
