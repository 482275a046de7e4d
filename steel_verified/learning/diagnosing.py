"""Which conditions the evidence speaks against, the most likely one first.

Here no false alarm is possible, since something was found already. So all rows may be used that
were kept one after the other, at the end of each call of CycleFind. If all conditions but one hold,
a loop repeats itself: a probe that tells states apart is then exactly periodic. What such probes
show together is called a *look*. Looks stand in for states.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.evidence.kept_rows import probed
from steel_verified.learning.wagers import Kind
from steel_verified.theory.conditions import Cause, Condition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.learning.results import Contradicted
    from steel_verified.learning.watching import Watched

_LONGEST_PERIOD: Final = 8
"""Noise of a period up to so many steps is looked for."""
_CLEAR: Final = 12.0
"""A gain of so many nats is clear."""
_VISIBLE: Final = 3.0
_ORDER: Final = (
    Condition.DETERMINISTIC,
    Condition.REALISABLE,
    Condition.MAX_STATES,
    Condition.MIXING,
    Condition.UNCHANGING,
    Condition.EXOGENOUS,
)
"""From the most to the least likely, where nothing more is known."""

_OF_STATES: Final = (Condition.DETERMINISTIC, Condition.MAX_STATES, Condition.REALISABLE)


@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """Consecutive rows of one call: when, after which actions, and what the probes showed."""

    times: NDArray[np.int64]
    actions: NDArray[np.int64]
    word: int
    """The length of the word that was looped."""
    seen: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Looks:
    """What the exactly periodic probes show together, at each row of each stretch."""

    probes: int
    """How many probes are exactly periodic in every loop."""
    looks: tuple[NDArray[np.int64], ...]
    many: int
    told_apart: bool
    """Whether some probe is 1 on each look and 0 on all others."""


def ranked(watched: Sequence[Watched], result: Contradicted) -> tuple[Cause, ...]:
    """The likely causes of a contradiction, the most likely one first."""
    sure = {Condition.MAX_DIAMETER, Condition.CLASS_SIZE, Condition.UNBROKEN}
    if result.causes and result.causes[0].condition in sure:
        return result.causes
    p = result.recipe.parameters
    stretches = _stretches(watched)
    found = list(_spoken_against(stretches, result, p.max_states, p.mixing_time))
    if result.causes and result.causes[0].condition is Condition.CONNECTED:
        found = [each for each in found if each.condition in _OF_STATES] or [result.causes[0]]
    named = [cause.condition for cause in found]
    rest = [*(cause.condition for cause in result.causes), *_ORDER]
    others = [each for each in dict.fromkeys(rest) if each not in named]
    return *found, *(Cause(each, "it would explain what was found as well") for each in others)


def _stretches(watched: Sequence[Watched]) -> tuple[_Stretch, ...]:
    calls = [(each, each.dense) for each in watched if each.dense is not None]
    rows = probed([dense for _, dense in calls])
    found = []
    for (each, _), seen in zip(calls, rows, strict=True):
        within = each.dense_from + np.arange(len(seen))
        actions = np.array(each.word)[(within - 1) % len(each.word)]
        found.append(_Stretch(each.start + within, actions, len(each.word), seen))
    return tuple(found)


def _spoken_against(
    stretches: Sequence[_Stretch], result: Contradicted, max_states: int, mixing_time: int
) -> Iterator[Cause]:
    if not stretches:
        return
    if (period := _period_of_time(stretches)) is not None:
        told = f"a probe repeats every {period} steps, whatever is done"
        yield Cause(Condition.MIXING, told)
        return
    broken = sum(_is_interrupted(each, max_states) for each in stretches)
    if broken and not _states_fit(result):
        told = f"{broken} of {len(stretches)} loops repeat exactly, but for an interruption"
        yield Cause(Condition.DETERMINISTIC, told)
        return
    looks = _looks(stretches, max_states)
    if not looks.probes:
        yield Cause(Condition.DETERMINISTIC, "no probe is exactly periodic in all loops")
        return
    if looks.many > max_states:
        told = f"{looks.many} looks that repeat exactly, for N = {max_states}"
        yield Cause(Condition.MAX_STATES, told)
        return
    if not looks.told_apart:
        told = f"of {looks.many} looks that repeat exactly, one is told from the others by no probe"
        yield Cause(Condition.REALISABLE, told)
        return
    if (clashes := _clashes(stretches, looks)) is not None:
        yield clashes
        return
    yield from _of_noise(stretches, looks, result, mixing_time)


def _states_fit(result: Contradicted) -> bool:
    """Whether a model of several states fits the run, or more than N states were told apart."""
    fits = result.self_check is not None and result.model.states > 1
    return fits or any(each.condition is Condition.MAX_STATES for each in result.causes[:1])


def _of_noise(
    stretches: Sequence[_Stretch], looks: _Looks, result: Contradicted, mixing_time: int
) -> Iterator[Cause]:
    """The states repeat as they should: does the noise depend on the past, or on actions?"""
    won = result.self_check.won if result.self_check is not None else ()
    slow = _gain_from_past(stretches, looks, 2 * mixing_time)
    if won and won[0].kind in (Kind.EARLIER, Kind.ANY, Kind.HALF):
        yield Cause(Condition.MIXING, won[0].sentence)
    elif won and won[0].kind in (Kind.LOOP, Kind.WAY):
        yield Cause(Condition.EXOGENOUS, won[0].sentence)
        return
    elif slow > _CLEAR:
        told = f"probes depend on what they showed {2 * mixing_time} steps before ({slow:.0f} nats)"
        yield Cause(Condition.MIXING, told)
    if (swayed := _gain_from_loops(stretches, looks)) > _CLEAR:
        told = f"what a look shows beside it depends on the loop ({swayed:.0f} nats)"
        yield Cause(Condition.EXOGENOUS, told)
    if not won and result.causes[0].condition is Condition.REALISABLE:
        told = f"probes tell all {looks.many} looks apart at the end of each loop: slips are rare"
        yield Cause(Condition.DETERMINISTIC, told)


def _period_of_time(stretches: Sequence[_Stretch]) -> int | None:
    """The period of a probe that repeats in time, the same in all loops, if there is one.

    In less than three loops it would be the same by chance too often.
    """
    if len(stretches) < 3:
        return None
    times = np.concatenate([each.times for each in stretches])
    seen = np.concatenate([each.seen for each in stretches])
    loops = np.repeat(np.arange(len(stretches)), [len(each.seen) for each in stretches])
    alone = _code(np.zeros_like(times), seen)
    for period in range(2, _LONGEST_PERIOD + 1):
        shared = _code(times % period, seen) - alone
        own = _code(loops * period + times % period, seen) - alone
        shown = np.sum([_gain_from_time(each, period) > _VISIBLE for each in stretches], axis=0)
        everywhere = (shown >= 3) & (shown >= 0.8 * len(stretches))
        if np.any(everywhere & (shared > _CLEAR) & (shared >= 0.9 * own)):
            return period
    return None


def _gain_from_time(stretch: _Stretch, period: int) -> NDArray[np.float64]:
    """What is gained for each probe by knowing the time modulo a period."""
    times = stretch.times
    return _code(times % period, stretch.seen) - _code(np.zeros_like(times), stretch.seen)


def _looks(stretches: Sequence[_Stretch], max_states: int) -> _Looks:
    exact = np.ones(stretches[0].seen.shape[1], dtype=np.bool_)
    for each in stretches:
        exact &= _exactly_periodic(each, max_states)
    every = np.concatenate([each.seen for each in stretches])
    # What is constant in each loop, but not the same in all, may be slow noise.
    exact &= np.any([(each.seen != each.seen[0]).any(axis=0) for each in stretches], axis=0)
    if not exact.any():
        return _Looks(0, (), 0, told_apart=False)
    kinds, which = np.unique(every[:, exact], axis=0, return_inverse=True)
    which = which.reshape(-1)
    ends = np.cumsum([len(each.seen) for each in stretches])[:-1]
    rates = np.stack([every[which == look].mean(axis=0) for look in range(len(kinds))])
    alone = (rates == 1) & ((rates > 0).sum(axis=0) == 1)
    told_apart = bool(alone.any(axis=1).all())
    return _Looks(int(exact.sum()), tuple(np.split(which, ends)), len(kinds), told_apart)


def _exactly_periodic(stretch: _Stretch, max_states: int) -> NDArray[np.bool_]:
    """The probes that repeat after some number of words, at least twice in the stretch."""
    seen = stretch.seen
    found = np.zeros(seen.shape[1], dtype=np.bool_)
    for words in range(1, 4 * max_states + 1):
        period = words * stretch.word
        if 3 * period > len(seen) and words > 1:
            break
        found |= (seen[period:] == seen[:-period]).all(axis=0)
    return found


def _is_interrupted(stretch: _Stretch, max_states: int) -> bool:
    """Whether most probes repeat exactly before and after a short time, but not across it."""
    seen = stretch.seen
    part = len(seen) // 4
    nonconstant = (seen[:part] != seen[0]).any(axis=0) | (seen[-part:] != seen[-1]).any(axis=0)
    exact = nonconstant & _exactly_periodic(stretch, max_states)
    interrupted = np.zeros_like(exact)
    for words in range(1, 4 * max_states + 1):
        period = words * stretch.word
        if 4 * period > len(seen):
            break
        odd = seen[period:] != seen[:-period]
        first, last = odd.argmax(axis=0), len(odd) - odd[::-1].argmax(axis=0)
        interrupted |= odd.any(axis=0) & (last - first <= 2 * period)
    many = int((interrupted & nonconstant & ~exact).sum())
    return many >= 2 and many >= int(exact.sum())


def _clashes(stretches: Sequence[_Stretch], looks: _Looks) -> Cause | None:
    """Looks from which the same action leads to different looks: once and for all, or mixed."""
    seen: dict[tuple[int, int], list[int]] = {}
    for each, look in zip(stretches, looks.looks, strict=True):
        pairs = zip(look[:-1].tolist(), each.actions[1:].tolist(), look[1:].tolist(), strict=True)
        for before, action, after in pairs:
            seen.setdefault((before, action), []).append(after)
    mixed = {where: after for where, after in seen.items() if len(set(after)) > 1}
    if not mixed:
        return None
    (before, action), leads_to = next(iter(mixed.items()))
    where = f"action {action} after look {before} leads to {len(set(leads_to))} looks"
    if len(mixed) == 1 and sum(one != other for one, other in pairwise(leads_to)) == 1:
        return Cause(Condition.UNCHANGING, f"{where}, one before the other")
    return Cause(Condition.REALISABLE, f"{where} in turn, though each loop repeats exactly")


def _gain_from_past(stretches: Sequence[_Stretch], looks: _Looks, lag: int) -> float:
    """What is gained by knowing a probe's earlier value, beside the look and the loop."""
    gains = np.zeros(stretches[0].seen.shape[1])
    for each, look in zip(stretches, looks.looks, strict=True):
        if len(look) > 2 * lag:
            now, before, here = each.seen[lag:], each.seen[:-lag], look[lag:]
            for probe in range(now.shape[1]):
                one = now[:, probe : probe + 1]
                with_past = _code(2 * here + before[:, probe], one)
                gains[probe] += (with_past - _code(here, one))[0]
    return float(gains.max())


def _gain_from_loops(stretches: Sequence[_Stretch], looks: _Looks) -> float:
    """What is gained by knowing the loop, beside the look."""
    look = np.concatenate(looks.looks)
    loops = np.repeat(np.arange(len(stretches)), [len(each) for each in looks.looks])
    seen = np.concatenate([each.seen for each in stretches])
    return float((_code(loops * looks.many + look, seen) - _code(look, seen)).max())


def _code(contexts: NDArray[np.int64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The logarithm of what a forecaster gives each probe, who knows the context of each row."""
    order = np.argsort(contexts, kind="stable")
    starts = np.append([0], np.flatnonzero(np.diff(contexts[order])) + 1)
    ones = np.add.reduceat(seen[order], starts, axis=0, dtype=np.int64)
    sizes = np.diff(np.append(starts, len(order)))
    half = np.concatenate([[0.0], np.cumsum(np.log(np.arange(len(seen) + 1) + 0.5))])
    whole = np.concatenate([[0.0], np.cumsum(np.log(np.arange(len(seen) + 1) + 1.0))])
    gain = (half[ones] + half[sizes[:, None] - ones]).sum(axis=0) - whole[sizes].sum()
    return np.asarray(gain, dtype=np.float64)
