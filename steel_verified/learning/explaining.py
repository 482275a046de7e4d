"""Explains the rows of a run in several ways; in each one, one condition is violated.

Rows are read as probes, which are yes-or-no measurements: see `evidence/kept_rows.py`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nsmallest
from math import log
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.learning.labelling import (
    NOT_TOLD,
    clash_price,
    covers,
    labelled,
    labels_of,
    looks,
    nats_of_rows,
    partial_covers,
)
from steel_verified.learning.noise_gains import gain_from_actions, gain_from_past
from steel_verified.theory.conditions import Condition
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.learning.labelling import Labelled, Rows

_CLOSELY: Final = 6
"""This many of the best labellings are examined in detail."""
_LONGEST: Final = 8
"""What follows a hidden state is predicted from at most this many actions."""
_NOISE: Final = 3.0
"""The price in nats of an explanation by noise, besides the choice of a probe."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One way to explain a run; `condition` is None if no condition is violated."""

    condition: Condition | None
    nats: float
    told: str


def explanations(
    rows: Rows, *, max_states: int, mixing_time: int, probes_are_all: bool
) -> tuple[Explanation, ...]:
    """Return the best explanation for each condition, the best one first.

    `probes_are_all` says that F has no classifiers except the probes. Otherwise states count as
    distinguishable if several probes together distinguish them.
    """
    told = _told_apart(rows, probes_are_all=probes_are_all)
    few = [each for each in told if 1 < each.states <= max_states]
    found = [
        *_honest(rows, few, mixing_time),
        *_of_slips(few),
        *_of_change(rows, few),
        *_of_many(told, max_states),
        *_of_alike(rows, few, max_states),
    ]
    if probes_are_all:
        found += [*_of_missing(rows, max_states), *_of_shared(rows, max_states)]
    best: dict[Condition | None, Explanation] = {}
    for each in sorted(found, key=lambda each: each.nats):
        best.setdefault(each.condition, each)
    return tuple(best.values())


def _told_apart(rows: Rows, *, probes_are_all: bool) -> list[Labelled]:
    """Return the labellings in which classifiers distinguish all states."""
    if not probes_are_all:
        return looks(rows)
    found = covers(rows, rows.whole)
    return [labelled(rows, labels_of(rows, cover), len(cover)) for cover in found]


def _honest(rows: Rows, few: Sequence[Labelled], mixing_time: int) -> Iterator[Explanation]:
    """Explanations in which all conditions hold, except perhaps those about the noise."""
    best = min(few, key=lambda each: each.if_sure, default=None)
    if best is None:
        return
    yield Explanation(None, best.if_sure, "all conditions hold")
    labels = best.labels[rows.kinds]
    for condition, gain in (
        (Condition.EXOGENOUS, gain_from_actions(rows, labels)),
        (Condition.MIXING, gain_from_past(rows, labels, mixing_time)),
    ):
        likely = f": knowing that makes the rows {times_as_likely(gain.nats)}"
        yield Explanation(condition, best.if_sure - gain.nats + _NOISE, gain.told + likely)


def times_as_likely(nats: float) -> str:
    """Return a difference of code lengths in words."""
    power = nats / log(10)
    return f"10^{power:.0f} times more likely" if power >= 1 else "hardly more likely"


def _of_slips(few: Sequence[Labelled]) -> Iterator[Explanation]:
    """The classifiers distinguish the states, and the transitions are random."""
    best = min(few, key=lambda each: each.with_slips, default=None)
    if best is not None:
        told = (
            f"{best.clashes:,} of {counted(best.again, 'transition')} that had been taken before "
            "led elsewhere than usual"
        )
        yield Explanation(Condition.DETERMINISTIC, best.with_slips, told)


def _of_many(told: Sequence[Labelled], max_states: int) -> Iterator[Explanation]:
    """The classifiers distinguish more than N states."""
    many = (each for each in told if each.states > max_states)
    best = min(many, key=lambda each: each.if_sure, default=None)
    if best is not None:
        told_apart = (
            f"{best.states} states are told apart, for N = {max_states}, and "
            f"{best.again - best.clashes:,} of {counted(best.again, 'transition')} that had been "
            "taken before led where they did before"
        )
        yield Explanation(Condition.MAX_STATES, best.if_sure, told_apart)


def _of_change(rows: Rows, few: Sequence[Labelled]) -> Iterator[Explanation]:
    """One transition leads to one state until some time, and to another state from then on."""
    for each in nsmallest(_CLOSELY, few, key=lambda each: each.with_slips):
        yield from _changes(rows, each)


def _changes(rows: Rows, each: Labelled) -> Iterator[Explanation]:
    labels = each.labels[rows.kinds]
    later = np.flatnonzero(rows.follows)
    where = labels[later - 1] * rows.actions + rows.run.actions[later]
    for which in np.unique(where).tolist():
        own = later[where == which]
        to, times = labels[own], rows.run.times[own]
        (turns,) = np.nonzero(np.diff(to))
        if len(turns) != 1:
            continue
        usual = np.bincount(to).max()
        between = int(times[turns[0] + 1] - times[turns[0]])
        price = log(int(np.ptp(rows.run.times)) / between) + log(each.known) + log(each.states)
        spared = (len(to) - int(usual)) * clash_price(each.again, each.states)
        state, action = divmod(which, rows.actions)
        told = (
            f"action {action} in state {state} led to state {to[0]} {_times(turns[0] + 1)} up to "
            f"step {times[turns[0]]:,}, and to state {to[-1]} {_times(len(to) - turns[0] - 1)} "
            f"from step {times[turns[0] + 1]:,} on"
        )
        yield Explanation(Condition.UNCHANGING, each.if_sure - spared + price, told)


def _times(many: int) -> str:
    return "once" if many == 1 else f"{many:,} times"


def _of_missing(rows: Rows, max_states: int) -> Iterator[Explanation]:
    """F has no classifier for one of the states."""
    found = [
        labelled(rows, labels_of(rows, cover), len(cover))
        for cover in partial_covers(rows, max_states)
    ]
    best = min(found, key=lambda each: each.if_sure, default=None)
    if best is not None:
        told = (
            f"classifiers tell {best.states - 1} states from all others, and none tells what they "
            f"leave; taken as one more state, {best.again - best.clashes:,} of "
            f"{counted(best.again, 'transition')} that had been taken before led where they did"
        )
        yield Explanation(Condition.REALISABLE, best.if_sure + log(len(found)), told)


def _of_alike(rows: Rows, few: Sequence[Labelled], max_states: int) -> Iterator[Explanation]:
    """Two states have the same classifier."""
    room = [each for each in few if each.states < max_states]
    for each in nsmallest(_CLOSELY, room, key=lambda each: each.with_slips):
        for state in range(each.states):
            hidden = _hidden(rows, each.labels, each.states, state)
            told = f"if two states look alike to all classifiers, {hidden.told}"
            price = log(each.states) + log(len(room))
            yield Explanation(Condition.REALISABLE, hidden.nats + price, told)


def _of_shared(rows: Rows, max_states: int) -> Iterator[Explanation]:
    """Some observation is shown by two states."""
    for kind in range(len(rows.sizes)):
        shown = covers(rows, rows.whole & ~(1 << kind))
        found = [
            labelled(rows, labels_of(rows, cover), len(cover))
            for cover in shown
            if 1 < len(cover) <= max_states
        ]
        for each in nsmallest(2, found, key=lambda each: each.with_slips):
            hidden = _hidden(rows, each.labels, each.states, NOT_TOLD)
            told = f"if one observation may show two states, {hidden.told}"
            price = log(len(rows.sizes)) + log(len(found))
            yield Explanation(Condition.REALISABLE, hidden.nats + price, told)


@dataclass(frozen=True, slots=True)
class _Hidden:
    nats: float
    told: str


def _hidden(rows: Rows, labels: NDArray[np.int64], states: int, hidden: int) -> _Hidden:
    """Return the code length if the successor of a hidden state depends on the states before it."""
    led: dict[tuple[int, ...], Counter[int]] = {}
    before: tuple[int, ...] = ()
    unknown = 0
    for follows, action, state in zip(
        rows.follows.tolist(), rows.run.actions.tolist(), labels[rows.kinds].tolist(), strict=True
    ):
        before = (*before, action) if follows and before and len(before) <= _LONGEST else ()
        if state != NOT_TOLD and before:
            led.setdefault(before, Counter())[state] += 1
        elif state != NOT_TOLD:
            unknown += 1
        if state != hidden:
            before = (state,)
    many = sum(to.total() for to in led.values())
    clashes = many - sum(max(to.values()) for to in led.values())
    nats = nats_of_rows(rows, labels) + (len(led) + unknown) * log(states)
    again = many - len(led)
    told = f"{again - clashes:,} of {counted(again, 'time')} the same actions have the same effect"
    return _Hidden(nats + clashes * clash_price(many, states), told)
