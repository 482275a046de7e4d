"""Replays a whole located run in its final model, and compares the model with all rows.

Exploration decides label by label, from the rows seen so far. Here the run is checked as a whole,
from its ledger alone: the actions that were taken, and every row that was read. If the model is
right and all conditions hold, one of its states is the state in which the run began. From there the
actions lead to the state in which the run ended, and they assign to each row the state that it
shows. So for each state F has a classifier that is 1 on the rows of this state and 0 on all other
rows. This is certain for every noise: if the model is right, there is no false alarm.

Exploration drops the labels of a part of the world that was left for ever. Here the rows of that
part are assigned states, too. If only rows at the beginning do not fit, or if there are such labels
and all rows after some step fit, then the model describes the part in which the run ended, and
`Disagreement.left` says so.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from steel_verified.evidence.asking import each_against_others, with_others
from steel_verified.evidence.ledger import Ran, Read
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted
    from steel_verified.theory.conditions import Cause

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


_WHY_A_ROW_DOES_NOT_FIT: Final = (
    Condition.REALISABLE,
    Condition.DETERMINISTIC,
    Condition.UNCHANGING,
    Condition.CONNECTED,
)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How the whole run contradicts its model, and the possible causes."""

    because: str
    causes: tuple[Cause, ...]
    left: int | None = None
    """If the run only left a part of the world for ever: the last step in that part."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The states that the model assigns to the rows of a run, in order of time."""

    numbers: tuple[int, ...]
    """The number of each row in the ledger, which orders the rows of a pass by label."""
    steps: tuple[int, ...]
    """The step of the trajectory after which each row was seen."""
    labels: tuple[tuple[int, ...], ...]
    """The states of all rows, for each state in which the run may have begun."""

    @property
    def settled(self) -> int:
        """The number of the first row from which on all assignments agree."""
        last = len(self.steps)
        while last and len({labels[last - 1] for labels in self.labels}) == 1:
            last -= 1
        return last


def disagreement(
    result: Accepted[Classifier],
    seen: Sequence[Summary],
    oracle: Oracle[Batch, Summary, Classifier],
    *,
    dropped: bool = False,
) -> Disagreement | None:
    """Compare the model of an accepted located run with all rows; return None if they agree.

    `seen` has what the class read from each row of the ledger, in order. `dropped` says that the
    run made labels to which it knows no path back.
    """
    placed = place(result.model, result.current, result.ledger)
    if not placed.labels:
        because = (
            f"no state of the model leads to state {result.current}, where the run ended, by the "
            f"{counted(result.ledger.steps, 'action')} of the run"
        )
        return Disagreement(because, listed((Condition.DETERMINISTIC, Condition.UNCHANGING)))
    in_order = [seen[number] for number in placed.numbers]
    replay = _Replay(oracle, result.classifiers or (), placed, in_order)
    # The encoder was trained on most rows: if it is right on all rows, no search is needed.
    if replay.is_encoded() or replay.agrees_from(0):
        return None
    # The first rows of the first loop have no label: the loop may not be in its cycle yet.
    return _explained(replay, len(seen) if dropped else result.recipe.parameters.max_states)


def place(model: Model, current: int, ledger: Ledger) -> Placed:
    """Assign states to the rows of a located run, for each first state that leads to `current`."""
    here = _first_states(model, current, ledger)
    before, paths, done = here, dict[int, list[int]](), 0
    steps: list[int] = []
    rows: list[tuple[int, ...]] = []
    for entry in ledger.entries:
        if isinstance(entry, Ran):
            paths = {state: _path(model, state, entry) for state in set(here)}
            before, here = here, tuple(paths[state][-1] for state in here)
            done = entry.done
        elif isinstance(entry, Read):
            for time in (t for sample in entry.samples for piece in sample.times for t in piece):
                steps.append(entry.loop + time)
                rows.append(tuple(paths[state][time - done] for state in before))
    order = sorted(range(len(rows)), key=steps.__getitem__)
    labels = zip(*(rows[number] for number in order), strict=True) if rows else (() for _ in here)
    in_order = tuple(steps[number] for number in order)
    return Placed(tuple(order), in_order, tuple(dict.fromkeys(labels)))


def _first_states(model: Model, current: int, ledger: Ledger) -> tuple[int, ...]:
    """Return the states of the model from which the actions of the run lead to `current`."""
    ends = tuple(range(model.states))
    ways: dict[tuple[Word, int, int], tuple[int, ...]] = {}
    for plan in ledger.entries:
        if isinstance(plan, Ran):
            shape = plan.word, plan.done % len(plan.word), plan.steps
            if shape not in ways:
                ways[shape] = tuple(_path(model, state, plan)[-1] for state in range(model.states))
            ends = tuple(ways[shape][state] for state in ends)
    return tuple(state for state, end in enumerate(ends) if end == current)


def _path(model: Model, state: int, plan: Ran) -> list[int]:
    """Return the states of a plan that begins in `state`, including this state."""
    path = [state]
    for step in range(plan.done, plan.done + plan.steps):
        to = model.table[path[-1]][plan.word[step % len(plan.word)]]
        assert to is not None, "the model is finished"
        path.append(to)
    return path


@dataclass(frozen=True, slots=True)
class _Replay(Generic[Batch, Summary, Classifier]):
    """All rows of a run, with the states that its model assigns to them."""

    oracle: Oracle[Batch, Summary, Classifier]
    classifiers: Sequence[Classifier]
    """One classifier for each state."""
    placed: Placed
    seen: Sequence[Summary]

    def is_encoded(self) -> bool:
        """Return whether the classifiers of the run are right on all rows."""
        return any(
            all(
                self.oracle.separates(classifier, others, own)
                for classifier, (others, own) in zip(
                    self.classifiers, with_others(self.oracle, pools), strict=True
                )
            )
            for pools in self._pools(0)
        )

    def agrees_from(self, first: int) -> bool:
        """Return whether F has such classifiers for the rows from number `first` on."""
        return any(None not in self._found(pools) for pools in self._pools(first))

    def not_told(self) -> int:
        """Return a state that no classifier separates from the others."""
        return list(self._found(next(self._pools(0)))).index(None)

    def _found(self, pools: Sequence[Summary]) -> Iterator[Classifier | None]:
        return each_against_others(self.oracle, pools, aside=True)

    def _pools(self, first: int) -> Iterator[list[Summary]]:
        """Yield the rows of each state from number `first` on, once for each first state."""
        nothing = [self.oracle.nothing()] * len(self.classifiers)
        settled = max(first, self.placed.settled)
        agreed = self._pooled(nothing, self.placed.labels[0], settled, len(self.seen))
        for labels in self.placed.labels:
            yield self._pooled(agreed, labels, first, settled)

    def _pooled(
        self, pools: Sequence[Summary], labels: Sequence[int], first: int, last: int
    ) -> list[Summary]:
        """Return the pools with the rows from `first` to `last` − 1 added."""
        held = list(pools)
        for number in range(first, last):
            label = labels[number]
            held[label] = self.oracle.merge(held[label], self.seen[number])
        return held


def _explained(replay: _Replay[Batch, Summary, Classifier], unlabelled: int) -> Disagreement:
    """Return the last row that does not fit, by binary search: fewer rows always fit more easily.

    Rows with numbers below `unlabelled` may be from a part that was left for ever.
    """
    fails, agrees = 0, len(replay.seen)
    while agrees - fails > 1:
        middle = (fails + agrees) // 2
        if replay.agrees_from(middle):
            agrees = middle
        else:
            fails = middle
    step = replay.placed.steps[fails]
    because = (
        f"what was seen after step {step:,} fits no state of the model, though all that was seen "
        f"later fits: it leaves no classifier for state {replay.not_told()}"
    )
    causes = listed(_WHY_A_ROW_DOES_NOT_FIT)
    return Disagreement(because, causes, step if fails < unlabelled else None)
