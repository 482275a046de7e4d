"""How much better the probes are predicted if more is known than the state.

A probe is a yes-or-no measurement of a row (`evidence/kept_rows.py`). If all conditions hold, an
observation depends neither on the last action nor on the observations some mixing times before,
given the state, and it has no period. Gains are in nats.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from steel_verified.learning.labelling import Rows

_LONGEST_PERIOD: Final = 8
"""Periods of noise up to this many steps are tried."""
_MIXING_TIMES: Final = 6
"""How far back a probe is compared. After this many mixing times at most 1/64 of any difference is
left, which gains less than one nat in 2,000 rows."""
_TIMES: Final = 8
"""The number of parts of the run in which the frequencies of a probe are compared."""


@dataclass(frozen=True, slots=True)
class Gain:
    """How much better a probe is predicted, and from which information."""

    nats: float
    told: str


def gain_from_actions(rows: Rows, labels: NDArray[np.int64]) -> Gain:
    """Return the gain from the last action, or the last two, in addition to the state."""
    seen, many = _changing(rows), rows.actions
    last = rows.run.actions
    plain = _code(labels, seen)
    one = _best(_code(labels * many + last, seen) - plain)
    then = rows.follows
    two = labels[then] * many * many + last[then] * many + last[np.flatnonzero(then) - 1]
    both = _best(_code(two, seen[then]) - _code(labels[then], seen[then]))
    if both > one:
        return Gain(both, "what a state shows depends on the last two actions")
    return Gain(one, "what a state shows depends on the action before")


def gain_from_past(rows: Rows, labels: NDArray[np.int64], mixing_time: int) -> Gain:
    """Return the gain from an earlier value, the time modulo a period, or the part of the run."""
    return max(_gains_from_past(rows, labels, mixing_time), key=lambda gain: gain.nats)


def _gains_from_past(rows: Rows, labels: NDArray[np.int64], mixing_time: int) -> Iterator[Gain]:
    seen, times = _changing(rows), rows.run.times
    lag = _MIXING_TIMES * mixing_time
    if (late := _gain_from_earlier(rows, labels, lag)) > 0:
        # Noise with such a long memory also explains the dependence on the step before.
        told = f"what a state shows depends on what was seen {lag:,} steps before"
        yield Gain(max(late, _gain_from_earlier(rows, labels, 1)), told)
    plain = _code(labels, seen)
    for period in range(2, _LONGEST_PERIOD + 1):
        gain = _best(_code(labels * period + times % period, seen) - plain) - log(_LONGEST_PERIOD)
        yield Gain(gain, f"what a state shows repeats every {period} steps")
    part = np.arange(len(times)) * _TIMES // len(times)
    acted = labels * rows.actions + rows.run.actions
    gain = _best(_code(acted * _TIMES + part, seen) - _code(acted, seen))
    yield Gain(gain, "what a state shows is not the same in all parts of the run")


def _gain_from_earlier(rows: Rows, labels: NDArray[np.int64], lag: int) -> float:
    """Return the gain from the value of the same probe `lag` steps before."""
    seen, times = _changing(rows), rows.run.times
    now = np.flatnonzero(times[lag:] - times[:-lag] == lag) + lag
    if not len(now):
        return -inf
    here, before = labels[now], seen[now - lag]
    plain = _code(here, seen[now])
    past = [
        _code(2 * here + before[:, probe], seen[now, probe : probe + 1])[0] - plain[probe]
        for probe in range(seen.shape[1])
    ]
    return _best(np.array(past))


def _best(gains: NDArray[np.float64]) -> float:
    """Return the gain for the best probe, minus the price of choosing it."""
    return float(gains.max()) - log(len(gains)) if len(gains) else -inf


def _changing(rows: Rows) -> NDArray[np.bool_]:
    """Return the probes that show both values."""
    seen = rows.run.seen
    return seen[:, seen.any(axis=0) & ~seen.all(axis=0)]


def _code(contexts: NDArray[np.int64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the log-probability of each probe, for a forecaster that knows each row's context."""
    order = np.argsort(contexts, kind="stable")
    starts = np.append([0], np.flatnonzero(np.diff(contexts[order])) + 1)
    ones = np.add.reduceat(seen[order], starts, axis=0, dtype=np.int64)
    sizes = np.diff(np.append(starts, len(order)))
    half = np.concatenate([[0.0], np.cumsum(np.log(np.arange(len(seen) + 1) + 0.5))])
    whole = np.concatenate([[0.0], np.cumsum(np.log(np.arange(len(seen) + 1) + 1.0))])
    gain = (half[ones] + half[sizes[:, None] - ones]).sum(axis=0) - whole[sizes].sum()
    return np.asarray(gain, dtype=np.float64)
