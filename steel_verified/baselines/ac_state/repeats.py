"""How much one run of AC-State's protocol says: its spread over repeats, and over readings.

Twenty trajectories decide each step of the protocol, and a single wrong one moves T_max. So one run
is a draw, and a printed value is one too: it is to be held against a distribution.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from statistics import median_low
from typing import TYPE_CHECKING

from steel_verified.baselines.ac_state.choices import variations
from steel_verified.baselines.ac_state.jobs import jobs
from steel_verified.baselines.ac_state.outcomes import Outcome, as_row
from steel_verified.baselines.ac_state.protocol import Protocol, curves, outcome, study
from steel_verified.sweeps.study import side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from steel_verified.sweeps.study import Row, Study


@dataclass(frozen=True, slots=True)
class Spread:
    """What several runs found: each value with the number of runs that found it."""

    t_max: tuple[tuple[int, int], ...]
    t_median: tuple[tuple[int, int], ...]
    k_opt: tuple[int, int, int]
    """The least, the median and the largest."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What becomes of the same repeats if one choice is made otherwise."""

    name: str
    spread: Spread
    changed: int
    """How many repeats have another T_max or another median."""


def repeats(protocol: Protocol, number: int) -> list[Protocol]:
    """The same with other trajectories, so many times."""
    return [replace(protocol, repeat=repeat) for repeat in range(number)]


def together(protocols: Iterable[Protocol]) -> Study:
    """Several runs as one study; what they have in common is done once."""
    return side_by_side(study(protocol) for protocol in protocols)


def spread(outcomes: Sequence[Outcome]) -> Spread:
    """The distribution over runs."""
    lags = sorted(one.k_opt for one in outcomes)
    return Spread(
        t_max=tuple(sorted(Counter(one.t_max for one in outcomes).items())),
        t_median=tuple(sorted(Counter(one.t_median for one in outcomes).items())),
        k_opt=(lags[0], median_low(lags), lags[-1]),
    )


def readings(protocol: Protocol, number: int) -> list[tuple[str, list[Protocol]]]:
    """The repeats with every choice, and with each one choice made otherwise."""
    return [
        (name, repeats(replace(protocol, choices=choices), number))
        for name, choices in variations()
        if protocol.policy == "exploration" or choices.unvisited == "first"
    ]


def differences(protocol: Protocol, number: int, rows: Mapping[str, Row]) -> list[Difference]:
    """How the outcome changes with each choice, as far as all its repeats are complete."""
    found: list[Difference] = []
    usual: list[Outcome] = []
    for name, protocols in readings(protocol, number):
        outcomes = [one for run in protocols if (one := outcome(run, rows)) is not None]
        if len(outcomes) < number:
            continue
        usual = usual or outcomes
        changed = sum(
            (one.t_max, one.t_median) != (other.t_max, other.t_median)
            for one, other in zip(outcomes, usual, strict=True)
        )
        found.append(Difference(name, spread(outcomes), changed))
    return found


def condensed(rows: Mapping[str, Row], protocols: Sequence[Protocol]) -> dict[str, Row]:
    """The outcomes of these runs in place of their rows, as far as they are complete.

    Rows of trajectories that a run still needs are left, as are the searches of first repeats: they
    are drawn. Nothing that is told of these runs changes.
    """
    found = {protocol: outcome(protocol, rows) for protocol in protocols}
    done = {str(one.source) for one, end in found.items() if end is not None}
    done -= {str(one.source) for one, end in found.items() if end is None}
    drawn = {
        job.key
        for one in protocols
        if one.repeat == 0
        for curve in curves(one, rows)
        for job in jobs(one.source, "search", curve.length)
    }
    left = {key: row for key, row in rows.items() if key in drawn or _source_of(key) not in done}
    for protocol, end in found.items():
        if end is not None and protocol.outcome_key not in left:
            of_run = (row for key, row in rows.items() if _source_of(key) == str(protocol.source))
            left[protocol.outcome_key] = {**as_row(end), "versions": next(of_run)["versions"]}
    return left


def _source_of(key: str) -> str:
    return re.split(r" (?:search|test|single|outcome) ", key)[0]
