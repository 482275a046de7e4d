"""The search for K as it was run, ready to be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steel_verified.baselines.ac_state.protocol import (
    MOST_LAGS,
    TRAJECTORIES,
    Protocol,
    curves,
    so_far,
)
from steel_verified.experiments.published import PRIME_LOOPS
from steel_verified.reports.figures.k_search import Curve, Search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.baselines.ac_state import protocol
    from steel_verified.baselines.ac_state.trajectories import Policy
    from steel_verified.sweeps.study import Row


def searches(rows: Mapping[str, Row], policy: Policy) -> list[Search]:
    """The first run of the protocol on each pair, as far as its search has come."""
    found = []
    for pair in PRIME_LOOPS:
        run = Protocol(pair, policy)
        drawn = tuple(map(_curve, curves(run, rows)))
        end, _ = so_far(run, rows)
        if drawn and end is None:
            found.append(Search(*pair, drawn, None))
        elif drawn and end is not None:
            found.append(Search(*pair, drawn, end.k_opt, end.searched_length))
    return found


def _curve(curve: protocol.Curve) -> Curve:
    firsts = [first for first, _ in curve.steps]
    ends = (*(first - 1 for first in firsts[1:]), MOST_LAGS)
    return Curve(curve.length, ends, tuple(right for _, right in curve.steps), TRAJECTORIES)
