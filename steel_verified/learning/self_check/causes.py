"""Ranks the conditions that are likely to be violated, the most likely one first.

The rows of a run are explained in several ways; in each one, one condition is violated. Rows are
read as probes, which are yes-or-no measurements: see `probes.py`. This runs only after
a run was not accepted, so it cannot raise a false alarm. It may use all rows that were kept from
the run, and rows of random steps after the run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from heapq import nsmallest
from math import log
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from steel_verified.learning.located import Located
from steel_verified.learning.results import Contradicted, GivenUp, parameters_of
from steel_verified.learning.self_check.labellings import (
    NOT_TOLD,
    clash_price,
    covers,
    gain_from_actions,
    gain_from_past,
    labelled,
    labels_of,
    looks,
    nats_of_rows,
    partial_covers,
    rows_of,
)
from steel_verified.learning.self_check.probes import Stretch, opened_run, stretch_of_ledger
from steel_verified.theory.conditions import Cause, Condition, listed
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.evidence.oracle import Declared
    from steel_verified.learning.self_check.labellings import Labelled, Rows
    from steel_verified.learning.self_check.rows import LoopRows

GivesUp = TypeVar("GivesUp", bound="GivenUp")


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
            price = log(each.states) + log(len(room))
            supposed = "if two states look alike to all classifiers"
            yield _hidden(rows, each, state, supposed=supposed, price=price)


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
            price = log(len(rows.sizes)) + log(len(found))
            supposed = "if one observation may show two states"
            yield _hidden(rows, each, NOT_TOLD, supposed=supposed, price=price)


def _hidden(rows: Rows, each: Labelled, hidden: int, *, supposed: str, price: float) -> Explanation:
    """Explain rows if the successor of a hidden state depends on the states before it."""
    labels, states = each.labels, each.states
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
    same = f"{again - clashes:,} of {counted(again, 'time')} the same actions have the same effect"
    nats += clashes * clash_price(many, states) + price
    return Explanation(Condition.REALISABLE, nats, f"{supposed}, {same}")


_CLEAR: Final = 12.0
"""An explanation is clear if its code is this many nats shorter than with all conditions true."""
_AS_WELL: Final = "it would explain what was found as well"
_NOTHING: Final = "the rows show no sign of it"
_OF_MODEL: Final = (Condition.CONNECTED, Condition.MAX_DIAMETER, Condition.CLASS_SIZE)
"""If a run ended because its model violates one of these, that is the cause, unless the rows give
clear evidence for another one."""
_OTHERS: Final = (
    Condition.DETERMINISTIC,
    Condition.REALISABLE,
    Condition.MAX_STATES,
    Condition.MIXING,
    Condition.UNCHANGING,
    Condition.EXOGENOUS,
)
"""From the most to the least likely, if nothing else is known."""


def diagnosed(
    result: GivesUp, watched: Sequence[LoopRows], after: Stretch | None, declared: Declared
) -> GivesUp:
    """Return the result with its likely causes, the most likely one first.

    `after` are rows of steps after the run. A run that reached a step limit gets no cause, unless
    a violated condition explains its rows much better than that all conditions hold.
    """
    stretches = [*_of_run(result, watched, declared), *(() if after is None else (after,))]
    found = _explanations(result, stretches, declared)
    steps = 0 if after is None else len(after.times)
    clear = _is_clear(found)
    if not isinstance(result, Contradicted) and not result.causes and not clear:
        return replace(result, steps_to_explain=steps)
    first = [each for each in result.causes[:1] if each.condition in _OF_MODEL and not clear]
    told = _NOTHING if found else _AS_WELL
    others = (Cause(each.condition, told) for each in (*result.causes, *listed(_OTHERS)))
    causes: dict[Condition, Cause] = {}
    for cause in (*first, *_causes(found), *others):
        causes.setdefault(cause.condition, cause)
    return replace(result, causes=tuple(causes.values()), steps_to_explain=steps)


def _of_run(result: GivenUp, watched: Sequence[LoopRows], declared: Declared) -> Iterator[Stretch]:
    """Yield the rows that were kept from the run itself."""
    if isinstance(result.method, Located):
        if result.ledger.samples:
            yield stretch_of_ledger(result.ledger, declared)
        return
    for each in watched:
        if each.dense is not None:
            within = range(each.dense_from, each.dense_from + each.dense.rows)
            actions = tuple(each.word[(time - 1) % len(each.word)] for time in within)
            yield Stretch(tuple(each.start + time for time in within), actions, each.dense)


def _explanations(
    result: GivenUp, stretches: Sequence[Stretch], declared: Declared
) -> tuple[Explanation, ...]:
    rows = rows_of(opened_run(stretches)) if stretches else None
    if rows is None:
        return ()
    p = parameters_of(result)
    return explanations(
        rows,
        max_states=p.max_states,
        mixing_time=p.mixing_time,
        probes_are_all=declared.name == "finite",
    )


def _is_clear(found: Sequence[Explanation]) -> bool:
    """Return whether the best explanation is much better than that all conditions hold."""
    honest = [each.nats for each in found if each.condition is None]
    return bool(found) and (not honest or found[0].nats < honest[0] - _CLEAR)


def _causes(found: Sequence[Explanation]) -> Iterator[Cause]:
    broken = [(each.condition, each) for each in found if each.condition is not None]
    for condition, each in broken:
        more = each.nats - broken[0][1].nats
        less = f" (the first cause makes the rows {times_as_likely(more)})" if more else ""
        yield Cause(condition, each.told + less)
