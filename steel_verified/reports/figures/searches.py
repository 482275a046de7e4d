"""The search for K as it was run, ready to be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steel_verified.experiments.ac_state_jobs import MOST_LAGS, TRAJECTORIES
from steel_verified.experiments.ac_state_protocol import Protocol, curves, outcome
from steel_verified.experiments.published import PRIME_LOOPS
from steel_verified.reports.figures.k_search import Curve, Search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.baselines.policies import Policy
    from steel_verified.experiments import ac_state_protocol
    from steel_verified.experiments.study import Row


def searches(rows: Mapping[str, Row], policy: Policy) -> list[Search]:
    """The first run of the protocol on each pair, as far as its search has come."""
    found = []
    for pair in PRIME_LOOPS:
        protocol = Protocol(pair, policy)
        drawn = tuple(map(_curve, curves(protocol, rows)))
        end = outcome(protocol, rows)
        if drawn:
            found.append(Search(*pair, drawn, None if end is None else end.k_opt))
    return found


def _curve(curve: ac_state_protocol.Curve) -> Curve:
    firsts = [first for first, _ in curve.steps]
    ends = (*(first - 1 for first in firsts[1:]), MOST_LAGS)
    return Curve(curve.length, ends, tuple(right for _, right in curve.steps), TRAJECTORIES)
