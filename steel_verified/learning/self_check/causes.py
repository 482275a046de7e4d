"""The conditions that may be violated, and which of them the data speak for.

The rows of a run are explained in several ways; in each one, one condition is violated. Rows are
read as probes, which are yes-or-no measurements: see `probes.py`. This runs only after
a run was not accepted, so it cannot raise a false alarm. It may use all rows that were kept from
the run, and rows of random steps after the run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import nsmallest
from math import inf, log
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from steel_verified.learning.certain import Certain
from steel_verified.learning.located import Located
from steel_verified.learning.reading import trajectories_of
from steel_verified.learning.self_check.labellings import (
    UNLABELLED,
    clash_price,
    coded,
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
from steel_verified.learning.self_check.probes import (
    Stretch,
    opened_run,
    stretch_of_ledger,
    stretches_of_trajectories,
)
from steel_verified.theory.conditions import Cause, Condition
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.evidence.oracle import Declared
    from steel_verified.learning.results import GivenUp
    from steel_verified.learning.self_check.labellings import Labelled, Rows
    from steel_verified.learning.self_check.rows import LoopRows

GivesUp = TypeVar("GivesUp", bound="GivenUp")


_CLOSELY: Final = 6
"""This many of the best labellings are examined in detail."""
_LONGEST: Final = 8
"""What follows a hidden state is predicted from at most this many actions."""
_MEMORY: Final = 2
"""What follows a state is also predicted from up to so many states and actions before it."""
_OFTEN: Final = 1 / 6
"""If more transitions than this lead elsewhere than usual, F may not show all of the state."""
_PLACES: Final = 32
"""In so many places of the run it is tried whether many transitions changed there."""
_NOISE: Final = 3.0
"""The price in nats of an explanation by noise, besides the choice of a probe."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One way to explain a run; `condition` is None if no condition is violated."""

    condition: Condition | None
    nats: float
    text: str


def explanations(
    rows: Rows, *, max_states: int, mixing_time: int, probes_are_all: bool
) -> tuple[Explanation, ...]:
    """Return the best explanation for each condition, the best one first.

    `probes_are_all` says that F has no classifiers except the probes. Otherwise states count as
    distinguishable if several probes together distinguish them.
    """
    labellings = _told_apart(rows, probes_are_all=probes_are_all)
    some = [each for each in labellings if 1 < each.states <= max_states]
    few = [each for each in some if _never_left(rows, each) is None]
    found = [
        *_honest(rows, [*few, _one_state(rows)], mixing_time),
        *_of_fall(rows, some),
        *_of_slips(few),
        *_of_lies(rows, few),
        *_of_memory(rows, few),
        *_of_change(rows, few),
        *_of_many(labellings, max_states),
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
    best = min(few, key=lambda each: each.if_sure)
    yield Explanation(None, best.if_sure, "all conditions hold")
    labels = best.labels[rows.kinds]
    for condition, gain in (
        (Condition.EXOGENOUS, gain_from_actions(rows, labels)),
        (Condition.MIXING, gain_from_past(rows, labels, mixing_time)),
    ):
        likely = f": knowing that makes the rows {times_as_likely(gain.nats)}"
        nats = best.if_sure - gain.nats + _NOISE
        yield Explanation(condition, nats, gain.text + likely)
        if best.states == 1 and condition is Condition.EXOGENOUS:
            text = f"it may be state that F does not show: {gain.text}{likely}"
            yield Explanation(Condition.REALISABLE, nats, text)


def _one_state(rows: Rows) -> Labelled:
    """Return the labelling with one state, in which all that is seen is noise."""
    return labelled(rows, np.zeros(len(rows.sizes), dtype=np.int64), 1)


def _of_fall(rows: Rows, few: Sequence[Labelled]) -> Iterator[Explanation]:
    """Some states were left for ever: all actions were taken in the others, and none leads back."""
    fallen = ((each, left) for each in few if (left := _never_left(rows, each)) is not None)
    best = min(fallen, key=lambda found: found[0].if_sure, default=None)
    if best is not None:
        each, last = best
        text = (
            f"a part of the world was seen up to step {last:,} and never again, and every action "
            "that was taken after that leads to other states"
        )
        yield Explanation(Condition.CONNECTED, each.if_sure, text)


def _never_left(rows: Rows, each: Labelled) -> int | None:
    """Return the last step before a part that cannot be left; None if there is no such part.

    The part has the last state, and was never left. Every action was taken in each of its states.
    """
    usual, reached = each.usual.tolist(), [int(each.labels[rows.kinds[-1]])]
    for state in reached:
        if state == UNLABELLED or UNLABELLED in usual[state]:
            return None
        reached += [to for to in dict.fromkeys(usual[state]) if to not in reached]
    inside, (first, last) = np.isin(each.labels, reached), rows.ends
    outside = last[(each.labels != UNLABELLED) & ~inside]
    if not len(outside) or first[inside].min() < outside.max():
        return None
    labels, left = each.labels[rows.kinds], int(outside.max())
    after = np.flatnonzero(rows.follows)
    after = after[after > left + 1]
    taken = np.unique(labels[after - 1] * rows.actions + rows.run.actions[after])
    is_closed = len(taken[taken >= 0]) == len(reached) * rows.actions
    return int(rows.run.times[left]) if is_closed else None


def times_as_likely(nats: float) -> str:
    """Return a difference of code lengths in words."""
    power = nats / log(10)
    return f"10^{power:.0f} times more likely" if power >= 1 else "hardly more likely"


def _of_slips(few: Sequence[Labelled]) -> Iterator[Explanation]:
    """The classifiers distinguish the states, and the transitions are random.

    What is random often, or only in some places, may as well be state that F does not show.
    """
    slipped = (each for each in few if each.clashes)
    best = min(slipped, key=lambda each: each.with_slips, default=None)
    if best is None:
        return
    text = (
        f"{best.clashes:,} of {counted(best.again, 'transition')} that had been taken before "
        "led elsewhere than usual"
    )
    again = best.led.sum(axis=2) - best.led.any(axis=2)
    elsewhere = best.led.sum(axis=2) - best.led.max(axis=2)
    slips = [
        (int(many), int(of - many)) for many, of in zip(elsewhere.flat, again.flat, strict=True)
    ]
    some = sum(coded(each) + log(best.known) for each in slips if each[0])
    nats = best.nats + best.table + best.clashes * log(best.states) + some
    is_hidden = best.clashes >= _OFTEN * best.again
    if nats < best.with_slips:
        places = int(np.count_nonzero(elsewhere))
        text = f"{text}, and only in {counted(places, 'transition')} of {best.known:,}"
        is_hidden = True
    nats = min(nats, best.with_slips)
    yield Explanation(Condition.DETERMINISTIC, nats, text)
    if is_hidden:
        yield Explanation(Condition.REALISABLE, nats, f"{text}; F may not show all of the state")


def _of_lies(rows: Rows, few: Sequence[Labelled]) -> Iterator[Explanation]:
    """Some rows show a wrong state, and the rows after them go on as if they did not."""
    slipped = (each for each in few if each.clashes)
    for each in nsmallest(_CLOSELY, slipped, key=lambda each: each.with_slips):
        usual, labels = each.usual.tolist(), each.labels[rows.kinds].tolist()
        here, lies, lost, is_lie = UNLABELLED, 0, 0, False
        for follows, action, seen in zip(
            rows.follows.tolist(), rows.run.actions.tolist(), labels, strict=True
        ):
            led = usual[here][action] if follows and here != UNLABELLED else UNLABELLED
            before, is_lie = is_lie, led not in (UNLABELLED, seen) and not is_lie
            lies, lost = lies + is_lie, lost + (before and led not in (UNLABELLED, seen))
            here = led if is_lie else seen
        many = each.known + each.again
        price = coded((lies, many - lies)) + lies * log(each.states)
        nats = each.nats + each.table + price + lost * clash_price(each.again, each.states)
        text = (
            f"{counted(lies, 'row')} of {many:,} {'shows' if lies == 1 else 'show'} another state "
            "than the one to which the action led, and the rows after that go on as if it did not"
        )
        yield Explanation(Condition.REALISABLE, nats, text)


def _of_many(labellings: Sequence[Labelled], max_states: int) -> Iterator[Explanation]:
    """The classifiers distinguish more than N states."""
    many = (each for each in labellings if each.states > max_states)
    best = min(many, key=lambda each: each.if_sure, default=None)
    if best is not None:
        told_apart = (
            f"{best.states} states are told apart, for N = {max_states}, and "
            f"{best.again - best.clashes:,} of {counted(best.again, 'transition')} that had been "
            "taken before led where they did before"
        )
        yield Explanation(Condition.MAX_STATES, best.if_sure, told_apart)


def _of_change(rows: Rows, few: Sequence[Labelled]) -> Iterator[Explanation]:
    """One transition, or several, lead elsewhere from some time on."""
    for each in nsmallest(_CLOSELY, few, key=lambda each: each.with_slips):
        yield from _changes(rows, each)
        yield from _turns(rows, each)


def _turns(rows: Rows, each: Labelled) -> Iterator[Explanation]:
    """Explain rows by two tables, one until some time and one from then on."""
    labels, later = each.labels[rows.kinds], np.flatnonzero(rows.follows)
    later = later[(labels[later] != UNLABELLED) & (labels[later - 1] != UNLABELLED)]
    where = labels[later - 1] * rows.actions + rows.run.actions[later]
    moves, size = where * each.states + labels[later], each.led.size

    def coded_at(place: int) -> tuple[float, int, int]:
        led = [np.bincount(part, minlength=size) for part in (moves[:place], moves[place:])]
        both = np.stack(led).reshape(2, -1, each.states)
        clashes = len(moves) - int(both.max(axis=2).sum())
        price = clashes * clash_price(each.again, each.states)
        return int(both.any(axis=2).sum()) * log(each.states) + price, clashes, place

    apart = max(1, len(moves) // _PLACES)
    if not each.clashes or len(moves) < 2:
        return
    _, _, near = min(map(coded_at, range(apart, len(moves), apart)))
    close = range(max(1, near - apart), min(len(moves), near + apart), max(1, apart // _PLACES))
    nats, clashes, place = min(map(coded_at, close))
    text = (
        f"if several transitions changed at about step {rows.run.times[later[place]]:,}, "
        f"{clashes:,} instead of {each.clashes:,} led elsewhere than usual"
    )
    yield Explanation(Condition.UNCHANGING, each.nats + nats + log(len(moves)), text)


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
        text = (
            f"action {action} in state {state} led to state {to[0]} {_times(turns[0] + 1)} up to "
            f"step {times[turns[0]]:,}, and to state {to[-1]} {_times(len(to) - turns[0] - 1)} "
            f"from step {times[turns[0] + 1]:,} on"
        )
        yield Explanation(Condition.UNCHANGING, each.if_sure - spared + price, text)


def _times(many: int) -> str:
    return "once" if many == 1 else f"{many:,} times"


def _of_missing(rows: Rows, max_states: int) -> Iterator[Explanation]:
    """F has no classifier for one of the states."""
    found = [
        each
        for cover in partial_covers(rows, max_states)
        for each in [labelled(rows, labels_of(rows, cover), len(cover))]
        if _never_left(rows, each) is None
    ]
    best = min(found, key=lambda each: each.if_sure, default=None)
    if best is not None:
        text = (
            f"classifiers tell {best.states - 1} states from all others, and none tells what they "
            f"leave; taken as one more state, {best.again - best.clashes:,} of "
            f"{counted(best.again, 'transition')} that had been taken before led where they did"
        )
        yield Explanation(Condition.REALISABLE, best.if_sure + log(len(found)), text)


def _of_alike(rows: Rows, few: Sequence[Labelled], max_states: int) -> Iterator[Explanation]:
    """Two states have the same classifier."""
    room = [each for each in few if each.states < max_states]
    for each in nsmallest(_CLOSELY, room, key=lambda each: each.with_slips):
        for state in range(each.states):
            price = log(each.states) + log(len(room))
            supposed = "if two states look alike to all classifiers"
            yield _hidden(rows, each, state, supposed=supposed, price=price)


def _of_memory(rows: Rows, few: Sequence[Labelled]) -> Iterator[Explanation]:
    """What follows a state depends on what happened before it, which F does not show."""
    for each in nsmallest(_CLOSELY, few, key=lambda each: each.with_slips):
        labels, actions = each.labels[rows.kinds], rows.run.actions
        now = np.flatnonzero(rows.follows)
        context = labels[now - 1] * rows.actions + actions[now]
        for back in range(2, _MEMORY + 2) if each.clashes and labels.min() != UNLABELLED else ():
            is_there = (now >= back) & rows.follows[now - back + 1]
            now, context = now[is_there], context[is_there]
            if not len(now):
                break
            before = labels[now - back] * rows.actions + actions[now - back + 1]
            context = np.unique(context * (before.max() + 1) + before, return_inverse=True)[1]
            led = np.bincount(context * each.states + labels[now])
            led = np.pad(led, (0, -len(led) % each.states)).reshape(-1, each.states)
            again, clashes = len(now) - len(led), len(now) - int(led.max(axis=1).sum())
            text = (
                f"if what follows a state also depends on the {counted(back - 1, 'step')} before, "
                f"{again - clashes:,} of {counted(again, 'transition')} led where they did before"
            )
            unknown = len(rows.kinds) - len(now)
            nats = nats_of_rows(rows, each.labels) + (len(led) + unknown) * log(each.states)
            nats += clashes * clash_price(again, each.states) + log(_MEMORY * len(few))
            yield Explanation(Condition.REALISABLE, nats, text)


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
            yield _hidden(rows, each, UNLABELLED, supposed=supposed, price=price)


def _hidden(rows: Rows, each: Labelled, hidden: int, *, supposed: str, price: float) -> Explanation:
    """Explain rows if the successor of a hidden state depends on the states before it."""
    labels, actions = each.labels[rows.kinds], rows.run.actions
    places = np.arange(len(labels))
    shown = np.maximum.accumulate(np.where(labels != hidden, places, -1))
    begun = np.maximum.accumulate(np.where(rows.follows, 0, places))
    last = np.concatenate([[-1], shown[:-1]])
    back = places - last
    is_led = rows.follows & (last >= begun) & (back <= _LONGEST)
    is_labelled = labels != UNLABELLED
    (led,) = np.nonzero(is_led & is_labelled)
    unknown, contexts, usual = int(np.count_nonzero(is_labelled & ~is_led)), 0, 0
    for length in np.unique(back[led]).tolist():
        own = led[back[led] == length]
        context = labels[own - length] + 1
        for ahead in range(length - 1, -1, -1):
            taken = context * rows.actions + actions[own - ahead]
            met = np.zeros(taken.max() + 1, dtype=np.bool_)
            met[taken] = True
            context = (np.cumsum(met) - 1)[taken]
        counts = np.bincount(context * each.states + labels[own])
        counts = np.pad(counts, (0, -len(counts) % each.states)).reshape(-1, each.states)
        contexts, usual = contexts + len(counts), usual + int(counts.max(axis=1).sum())
    many = len(led)
    clashes = many - usual
    nats = nats_of_rows(rows, each.labels) + (contexts + unknown) * log(each.states)
    again = many - contexts
    same = f"{again - clashes:,} of {counted(again, 'time')} the same actions have the same effect"
    nats += clashes * clash_price(many, each.states) + price
    return Explanation(Condition.REALISABLE, nats, f"{supposed}, {same}")


_CLEAR: Final = 12.0
"""The data speak for a cause if its code is this many nats shorter than if all conditions hold."""
_TIE: Final = 3.0
"""Causes are not told apart if their codes differ by at most this many nats: a factor of 20."""
_AS_WELL: Final = "it would explain what was found as well"
_NOTHING: Final = "the rows show no sign of it"
_OTHERS: Final = (
    Condition.DETERMINISTIC,
    Condition.UNCHANGING,
    Condition.CONNECTED,
    Condition.EXOGENOUS,
    Condition.MIXING,
    Condition.MAX_STATES,
    Condition.REALISABLE,
)
"""The conditions that are listed after every failure, in the order in which they are stated."""
_OF_CERTAIN: Final = (
    Condition.DETERMINISTIC,
    Condition.UNCHANGING,
    Condition.CONNECTED,
    Condition.REALISABLE,
    Condition.UNBROKEN,
)
"""Those of certain STEEL, which assumes nothing of the noise and has no N."""


def diagnosed(
    result: GivesUp, watched: Sequence[LoopRows], after: Stretch | None, declared: Declared
) -> GivesUp:
    """Return the result with its causes: first those for which the data speak, if there are any.

    `after` are rows of steps after the run. What the run itself has found is supported, unless the
    rows speak for something else. A certain run that is open says itself what would decide it.
    """
    stretches = [*_of_run(result, watched, declared), *(() if after is None else (after,))]
    is_certain = result.method.parameters is None
    possible = _OF_CERTAIN if is_certain else _OTHERS
    found = _explanations(result, stretches, declared)
    if is_certain:  # Whatever the noise does, it violates no condition.
        found = tuple(
            each if each.condition in possible else replace(each, condition=None) for each in found
        )
    clear = tuple(_clear(found))
    if is_certain and not clear and not result.causes:
        return replace(result, steps_to_explain=0 if after is None else len(after.times))
    text = _NOTHING if clear else _AS_WELL
    own = (each for each in result.causes if each.is_supported and not clear)
    others = (Cause(condition, text) for condition in (*_named(result), *possible))
    causes: dict[Condition, Cause] = {}
    for cause in (*own, *clear, *others):
        causes.setdefault(cause.condition, cause)
    steps = 0 if after is None else len(after.times)
    return replace(result, causes=tuple(causes.values()), steps_to_explain=steps)


def _named(result: GivenUp) -> Iterator[Condition]:
    return (cause.condition for cause in result.causes)


def _of_run(result: GivenUp, watched: Sequence[LoopRows], declared: Declared) -> Iterator[Stretch]:
    """Yield the rows that were kept from the run itself."""
    if isinstance(result.method, Certain):
        yield from stretches_of_trajectories(trajectories_of(result.ledger.entries), declared)
        return
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
    p = result.method.parameters
    return explanations(
        rows,
        max_states=declared.width if p is None else p.max_states,
        mixing_time=1 if p is None else p.mixing_time,
        probes_are_all=declared.name == "finite",
    )


def _clear(found: Sequence[Explanation]) -> Iterator[Cause]:
    """Yield the causes that explain the rows best, if that is clearly better than without one."""
    honest = min((each.nats for each in found if each.condition is None), default=inf)
    best = min((each.nats for each in found), default=inf)
    for each in found:
        is_best = each.nats <= best + _TIE and each.nats < honest - _CLEAR
        if is_best and each.condition is not None:
            more = each.nats - best
            less = f" (another cause makes the rows {times_as_likely(more)})" if more else ""
            yield Cause(each.condition, each.text + less, is_supported=True)
