"""How the appendix tests AC-State (l. 1914): a search for K, a test with it, and a check.

1. Decades: T = 100, 1,000, … until for some K ≤ 50,000 AC-State is right on all 20 trajectories.
2. Refinement: T = 2·10^(m−1), 3·10^(m−1), … until that is so; K_opt is the median of these K.
3. Test: T = 10^(m−1), 2·10^(m−1), … with K_opt and new trajectories, until all 20 are right; that T
   is T_max, and the first T with at least 10 right is the median number of steps.
4. Check: on SinglePrime, with K_opt and T_max, AC-State returns φ_SP.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median_high, median_low
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from steel_verified.baselines.ac_state.choices import Choices
from steel_verified.baselines.ac_state.jobs import TRAJECTORIES, Source, jobs
from steel_verified.baselines.ac_state.outcomes import Outcome, outcome_of
from steel_verified.baselines.ac_state.stages import (
    Asked,
    lags_right_on_all,
    right_counts,
    right_with,
    singles,
    singles_right,
    some_lag_is_right,
)
from steel_verified.errors import SteelError
from steel_verified.sweeps.study import Job, Row

if TYPE_CHECKING:
    from steel_verified.baselines.ac_state.policies import Policy
    from steel_verified.sweeps.study import Study

FIRST_LENGTH: Final = 100
_LAST_LENGTH: Final = 10**10
_MOST_MULTIPLES: Final = 100


@dataclass(frozen=True, slots=True)
class Protocol:
    """One run of the protocol. Another repeat is the same with other trajectories."""

    pair: tuple[int, int]
    policy: Policy = "uniform"
    choices: Choices = field(default_factory=Choices)
    repeat: int = 0

    @property
    def source(self) -> Source:
        unvisited, shared = self.choices.unvisited, self.choices.shared_state
        return Source(*self.pair, self.policy, unvisited, shared, self.repeat)

    @property
    def outcome_key(self) -> str:
        """Under which the outcome is kept where the rows it follows from are not."""
        of = self.choices
        chosen = f"ties={of.ties} decade={of.decade_right} median={of.median}"
        return f"{self.source} outcome {chosen} beyond={of.beyond_the_data}"


@dataclass(frozen=True, slots=True)
class Curve:
    """On how many of 20 trajectories of one length AC-State is right, for each K.

    As steps: (K, number) says that from this K on it is that number.
    """

    length: int
    steps: tuple[tuple[int, int], ...]


_Steps: TypeAlias = Generator[Asked, Sequence[Row], Outcome]


def study(protocol: Protocol) -> Study:
    """The jobs of a run of the protocol, stage by stage."""

    def still_to_do(done: Mapping[str, Row]) -> Sequence[Job]:
        _, asked = so_far(protocol, done)
        return [] if asked is None else [job for job in asked.jobs if job.key not in done]

    return still_to_do


def outcome(protocol: Protocol, rows: Mapping[str, Row]) -> Outcome | None:
    """What a run of the protocol found; None while it is under way."""
    found, asked = so_far(protocol, rows)
    return found if asked is None else None


def so_far(protocol: Protocol, rows: Mapping[str, Row]) -> tuple[Outcome | None, Asked | None]:
    """What a run has found, as soon as T_max is known, and the step it waits for, if any."""
    if (kept := rows.get(protocol.outcome_key)) is not None:
        return outcome_of(kept), None
    reached = _follow(steps_of(protocol), rows)
    if isinstance(reached, Asked):
        return None, reached
    asked = singles(protocol.source, reached.t_max, reached.k_opt)
    done = [rows[job.key] for job in asked.jobs if job.key in rows]
    right, judged = singles_right(protocol.choices, done)
    found = replace(reached, single_right=right, single_judged=judged)
    return found, None if judged == TRAJECTORIES else asked


def curves(protocol: Protocol, rows: Mapping[str, Row]) -> list[Curve]:
    """The searches that are complete, by T: how many of 20 are right for each K."""
    found, length = [], FIRST_LENGTH
    while length < _LAST_LENGTH:
        for multiple in range(1, 10):
            asked = jobs(protocol.source, "search", multiple * length)
            if all(job.key in rows for job in asked):
                counts = right_counts(protocol.choices, [rows[job.key] for job in asked])
                changes = np.flatnonzero(np.diff(counts, prepend=-1)).tolist()
                steps = tuple((lag + 1, int(counts[lag])) for lag in changes)
                found.append(Curve(multiple * length, steps))
        length *= 10
    return found


def _follow(steps: _Steps, rows: Mapping[str, Row]) -> Outcome | Asked:
    """Go through the protocol as far as there are rows: to its end, or to the jobs it waits for."""
    try:
        asked = next(steps)
        while all(job.key in rows for job in asked.jobs):
            asked = steps.send([rows[job.key] for job in asked.jobs])
    except StopIteration as end:
        found: Outcome = end.value
        return found
    return asked


def steps_of(protocol: Protocol) -> _Steps:
    """The protocol step by step, all but the check on SinglePrime: it is sent the rows of each."""
    source, choices = protocol.source, protocol.choices
    length = FIRST_LENGTH
    while not (yield from some_lag_is_right(source, choices, length)):
        length *= 10
        if length > _LAST_LENGTH:
            raise SteelError(f"{source}: no K is right on all trajectories up to T = 10^10")
    step = length // 10
    for multiple in range(2, _MOST_MULTIPLES + 1):
        right = yield from lags_right_on_all(source, choices, multiple * step)
        if right:
            break
    else:
        raise SteelError(f"{source}: no K is right on all trajectories up to T = {multiple * step}")
    k_opt = median_lag(right, choices)
    tested = yield from _tested(protocol, step, k_opt)
    return Outcome(
        decade=len(str(length)) - 1,
        searched_length=multiple * step,
        right_lags=(right[0], right[-1], len(right)),
        k_opt=k_opt,
        tested=tuple(tested),
    )


def _tested(
    protocol: Protocol, step: int, k_opt: int
) -> Generator[Asked, Sequence[Row], list[tuple[int, int, int]]]:
    """The test: T, how many were right, and how many were judged, until all 20 are right."""
    tested: list[tuple[int, int, int]] = []
    half_known = False
    for multiple in range(1, _MOST_MULTIPLES + 1):
        right, judged = yield from right_with(
            protocol.source, protocol.choices, multiple * step, k_opt, half_known=half_known
        )
        tested.append((multiple * step, right, judged))
        if right == TRAJECTORIES:
            return tested
        half_known = half_known or 2 * right >= TRAJECTORIES
    raise SteelError(
        f"{protocol.source}: not all right with K = {k_opt} up to T = {multiple * step}"
    )


def median_lag(lags: Sequence[int], choices: Choices) -> int:
    """K_opt: the median of the K that are right on all trajectories."""
    low, high = median_low(lags), median_high(lags)
    return {"low": low, "mean": (low + high) // 2, "high": high}[choices.median]
