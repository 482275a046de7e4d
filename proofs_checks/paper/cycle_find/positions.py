"""Checks beside `positions.toml` and `identifying.toml`: times of samples, and their states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.loops import LOOPED_WORLDS, looped_worlds
from proofs_checks.small_cases.worlds import parameters, words_and_periods
from steel_verified.theory import counts
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.parameters import Parameters
from steel_verified.theory.schedules import position_times
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence
    from proofs_checks.small_cases.loops import LoopedWorld
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.schedules import PositionTimes
    from steel_verified.worlds.dynamics import Orbit

_GRID: Final = (
    "N ≤ 4, |â| ≤ 3, every n_cyc, t̂_mix in {1,2,3,5,8}, |F| in {1,7,100}, δ in {1/20,1/3}"
)
_Case = tuple["Parameters", int, int]
_SHORT: Final = parameters(2, 1, actions=1, class_size=2)
"""c_init = 65 and c = 62 for |â| = 1 and n_cyc = 2."""


@dataclass(frozen=True, slots=True)
class _Printed:
    """n_0, n_0', the stride L⌈t̂_mix/L⌉ and c, as they are printed."""

    early: int
    late: int
    stride: int
    full: int


def _printed(parameters: Parameters, a: int, cycles: int) -> _Printed:
    p, n = parameters, counts.position_samples(parameters)
    rounds = ceil_div(p.mixing_time, a * cycles)
    early = max((p.max_states - cycles) * a, p.mixing_time)
    return _Printed(
        early=early,
        late=early + (n - 1) * a * cycles * rounds + a * cycles + p.mixing_time,
        stride=a * cycles * rounds,
        full=2 * cycles * a * ((n - 1) * rounds + 1) + p.mixing_time + early,
    )


@cache
def _times(parameters: Parameters, a: int, cycles: int) -> tuple[PositionTimes, ...]:
    return position_times(parameters, a, cycles)


def rollouts_are_those_printed(longer: int = 0) -> Evidence:
    """Check n_0, n_0', c + longer and max(c, c_init) against the counts in use."""

    def holds(case: _Case) -> bool:
        parameters, a, _ = case
        printed = _printed(*case)
        full = printed.full + longer
        return (
            counts.settling_time_of_period(*case) == printed.early
            and counts.late_start(*case) == printed.late
            and counts.full_rollout(*case) == full
            and counts.cycle_find_steps(*case) == max(full, counts.initial_rollout(parameters, a))
        )

    return exhausted(words_and_periods(), holds, _GRID)


def times_are_those_printed(half: str, shift: int = 0) -> Evidence:
    """Check j = k·L⌈t̂_mix/L⌉ + n_0 + (i − n_0) % L against the times in use, with n_0 + shift."""

    def holds(case: _Case) -> bool:
        parameters, a, cycles = case
        length, printed = a * cycles, _printed(*case)
        offset = shift + (printed.late if half == "late" else printed.early)
        rounds = range(counts.position_samples(parameters))
        used = _times(parameters, a, cycles)
        return len(used) == length and all(
            tuple(times.late if half == "late" else times.early)
            == tuple(k * printed.stride + offset + (i - offset) % length for k in rounds)
            for i, times in enumerate(used)
        )

    return exhausted(words_and_periods(), holds, _GRID)


def loops_repeat(sooner: int = 0) -> Evidence:
    """Check that loops repeat with n_cyc|â| from (N − n_cyc − sooner)|â| on."""

    def holds(case: LoopedWorld) -> bool:
        loop, cycle = case.loop, case.loop.cycle
        first = max(0, (case.most - sooner) * case.length - cycle)
        return all(loop.at(time) == loop.at(time + cycle) for time in range(first, first + cycle))

    return exhausted(looped_worlds(), holds, LOOPED_WORLDS)


def positions_show_one_state(moved: int = 0) -> Evidence:
    """Check that D'_i holds one state, with its late half moved by some steps."""

    def holds(case: LoopedWorld) -> bool:
        loop = case.loop
        times = _times(case.parameters(3), case.length, case.period)
        return all(
            len(loop.within(each.early) | loop.within(each.late.shifted(moved))) == 1
            for each in times
        )

    return exhausted(looped_worlds(), holds, f"{LOOPED_WORLDS}, t̂_mix = 3")


def two_ends_are_not_all() -> bool:
    """L = 3: the braces as printed name positions 0 and 2, or 0 and 3, and no other."""
    times = _times(parameters(3, 1), 3, 1)
    positions = {each.position for each in times}
    return positions == {0, 1, 2} != {0, 2} and 3 not in positions


def calls_end_at(step: str) -> Evidence:
    """Check that a call ends at the position of max(c, c_init), or else of c."""

    def holds(case: LoopedWorld) -> bool:
        return all(
            _ends_at(case.parameters(mixing_time), case.loop, case.length, step)
            for mixing_time in (1, 4)
        )

    return exhausted(looped_worlds(), holds, f"{LOOPED_WORLDS}, t̂_mix in {{1, 4}}")


def _ends_at(parameters: Parameters, loop: Orbit, length: int, step: str) -> bool:
    """Whether the state after a call is that of the first sample at the step's position."""
    period = loop.cycle // length
    taken = counts.cycle_find_steps(parameters, length, period)
    said = counts.full_rollout(parameters, length, period) if step == "c" else taken
    times = _times(parameters, length, period)
    return loop.at(taken) == loop.at(times[said % loop.cycle].early.first)


def call_ends_elsewhere() -> bool:
    """Evaluate the counterexample to B20: the call ends in the other of two states."""
    lengths = (
        counts.initial_rollout(_SHORT, 1),
        counts.full_rollout(_SHORT, 1, 2),
    )
    loop = orbit(Dynamics(((1,), (0,))), 0, (0,))
    return lengths == (65, 62) and not _ends_at(_SHORT, loop, 1, "c")


def last_is_in_no_dataset() -> bool:
    """Evaluate the counterexample to B20.member: no dataset has x_c."""
    last = counts.full_rollout(_SHORT, 1, 2)
    times = _times(_SHORT, 1, 2)
    kept = {time for each in times for time in (*each.early, *each.late)}
    return last not in kept and max(kept) == last - 1
