"""The rows of Tables 3 and 4 about AC-State: runs of its protocol beside the printed numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

from steel_verified.baselines.ac_state.protocol import FIRST_LENGTH, Protocol, outcome, so_far
from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS, Printed, printed
from steel_verified.reports.comparison import (
    Agreement,
    Compared,
    Reproduction,
    agreement,
    compared,
)
from steel_verified.reports.steel_tables import prime_loop_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.baselines.ac_state.protocol import Outcome
    from steel_verified.baselines.ac_state.trajectories import Policy
    from steel_verified.experiments.published import Pair
    from steel_verified.sweeps.study import Row

_A_DRAW: Final = (
    "Each run of the protocol is random: 20 trajectories decide each of its steps, and a single "
    "wrong trajectory changes T_max by one step of the grid, or makes the grid ten times coarser. "
    "The table shows our first run; the other runs show how much runs vary. The protocol "
    "determines T to one digit."
)

_COSTS: Final[Mapping[tuple[Pair, Policy], str]] = {
    ((3, 5), "uniform"): "2 s, 66 MB",
    ((5, 7), "uniform"): "13 s, 190 MB",
    ((41, 43), "uniform"): "some 1.8 h, 1.4 GB",
    ((3, 5), "exploration"): "6 s, 66 MB",
    ((5, 7), "exploration"): "23 s, 190 MB",
    ((29, 31), "exploration"): "some 1 h, 1.1 GB",
}
"""CPU time and peak memory of one run, measured in one process on a busy machine with two cores."""


def table3_ac_state(rows: Mapping[str, Row]) -> Reproduction:
    """The rows of Table 3 about AC-State, which acts uniformly at random there."""
    found = {pair: _runs(rows, pair, "uniform") for pair in PRIME_LOOPS}
    numbers = [
        number
        for pair, column in PRIME_LOOPS.items()
        for number in _steps("AC-State", found[pair], column.ac_state, column.ac_state_median)
    ]
    return Reproduction(
        title="Table 3: prime loops, AC-State",
        place="l. 1947–1967",
        command="steel reproduce table3 --ac-state",
        numbers=tuple(numbers),
        remarks=(_A_DRAW, *_lags(found), *_singles(found), _costs("uniform")),
    )


def table4(rows: Mapping[str, Row]) -> Reproduction:
    """Table 4: AC-State with either policy."""
    uniform = {pair: _runs(rows, pair, "uniform") for pair in EXPLORATION}
    exploring = {pair: _runs(rows, pair, "exploration") for pair in EXPLORATION}
    most, middle = [], []
    for who, found in (("uniform", uniform), ("exploring", exploring)):
        for pair, column in EXPLORATION.items():
            printed = getattr(column, who), getattr(column, f"{who}_median")
            numbers = _steps(f"AC-State, {who}", found[pair], *printed)
            most.append(numbers[0])
            middle.append(numbers[1])
    return Reproduction(
        title="Table 4: prime loops, AC-State with an exploring policy",
        place="l. 2015–2033",
        command="steel reproduce table4",
        numbers=(*most, *middle),
        remarks=(*_lags(exploring), *_singles(exploring), _costs("exploration")),
    )


def ratios(of_ac_state: Mapping[str, Row], of_steel: Mapping[str, Row]) -> Reproduction:
    """The rows of Table 3 that divide the steps of AC-State by those of STEEL."""
    numbers: list[Compared] = []
    for pair, column in PRIME_LOOPS.items():
        steel = prime_loop_steps(of_steel, pair)
        runs = _runs(of_ac_state, pair, "uniform").found[:1]
        ours: tuple[float | None, float | None] = (None, None)
        if steel is not None and runs:
            ours = runs[0].t_max / steel[0], runs[0].t_median / steel[1]
        numbers.append(_ratio("max", pair, column.ratio, ours[0]))
        numbers.append(_ratio("median", pair, column.ratio_of_medians, ours[1]))
    return Reproduction(
        title="Table 3: AC-State beside STEEL",
        place="l. 1955, 1960",
        command="steel reproduce table3 --ac-state",
        numbers=tuple(numbers),
        remarks=(),
    )


def _ratio(of: str, pair: Pair, number: Printed, ours: float | None) -> Compared:
    what = f"AC-State / STEEL, {of} steps"
    if ours is None:
        return compared(what, pair, number, None)
    reason = "" if agreement(ours, number) is Agreement.SAME else "because its two parts differ"
    return compared(what, pair, number, ours, f"{float(f'{ours:.2g}'):g}", reason)


@dataclass(frozen=True, slots=True)
class _Runs:
    """The runs on a pair that have found T_max; how far the first one is, unless it is complete."""

    pair: Pair
    found: Sequence[Outcome]
    under_way: str


def _runs(rows: Mapping[str, Row], pair: Pair, policy: Policy) -> _Runs:
    if found := completed(rows, pair, policy):
        return _Runs(pair, found, "")
    first, asked = so_far(Protocol(pair, policy), rows)
    if first is not None:
        checked = f"{first.single[0]} of {first.single[1]}"
        return _Runs(pair, [first], f"SinglePrime so far: φ_SP on {checked}")
    assert asked is not None, "a run without an outcome waits for something"
    if asked.length == FIRST_LENGTH:
        return _Runs(pair, [], "")
    step = "search for K" if asked.stage == "search" else f"test with K = {asked.lags}"
    return _Runs(pair, [], f"the {step} has come to T = {quoted(asked.length)}")


def _steps(who: str, runs: _Runs, most: Printed, middle: Printed) -> tuple[Compared, Compared]:
    return (
        _compared(f"{who}, max steps", runs, most, [one.t_max for one in runs.found]),
        _compared(f"{who}, median steps", runs, middle, [one.t_median for one in runs.found]),
    )


def completed(rows: Mapping[str, Row], pair: Pair, policy: Policy) -> list[Outcome]:
    """The complete runs of the protocol: repeats 0, 1, … up to the first one without rows."""
    found: list[Outcome] = []
    for repeat in count():
        one = outcome(Protocol(pair, policy, repeat=repeat), rows)
        if one is None:
            return found
        found.append(one)
    raise AssertionError("count() does not end")


def quoted(steps: int) -> str:
    """T in the paper's notation: one digit and a power of ten, if one digit is exact."""
    digits = str(steps).rstrip("0")
    return str(printed(f"{digits}e{len(str(steps)) - len(digits)}")) if digits else "0"


def _compared(what: str, runs: _Runs, number: Printed, ours: Sequence[int]) -> Compared:
    if not ours and runs.under_way:
        pair = str(runs.pair)
        return Compared(what, pair, str(number), "", Agreement.UNFINISHED, runs.under_way)
    if not ours:
        reason = f"only run on request, with --pair {runs.pair[0]},{runs.pair[1]}"
        return compared(what, runs.pair, number, None, reason=reason)
    reasons = []
    if len(ours) > 1:
        counts = sorted(Counter(ours).items())
        spread = ", ".join(f"{quoted(steps)} ({times})" for steps, times in counts)
        reasons.append(f"in {len(ours)} runs {spread}")
    elif agreement(ours[0], number) is not Agreement.SAME:
        reasons.append("random variation")
    told = "; ".join([*reasons, *filter(None, [runs.under_way])])
    return compared(what, runs.pair, number, ours[0], quoted(ours[0]), told)


def _lags(found: Mapping[Pair, _Runs]) -> list[str]:
    """K_opt of the first runs, beside the lag from which i and i' differ at all."""
    lags = []
    for pair, runs in found.items():
        for one in runs.found[:1]:
            least, largest, _ = one.right_lags
            lags.append(
                f"{pair}: {one.k_opt} (K = {least} to {largest} at T = "
                f"{quoted(one.searched_length)}; no K below {pair[0] * (pair[1] - 1) + 1} can work)"
            )
    return [f"K_opt: {'; '.join(lags)}."] if lags else []


def _singles(found: Mapping[Pair, _Runs]) -> list[str]:
    all_runs = [one for runs in found.values() for one in runs.found]
    right = sum(one.single[0] for one in all_runs)
    judged = sum(one.single[1] for one in all_runs)
    if not judged:
        return []
    return [f"SinglePrime with K_opt and T_max: φ_SP on {right} of {judged} (printed: always)."]


def _costs(policy: Policy) -> str:
    told = "; ".join(f"{pair}: {cost}" for (pair, of), cost in _COSTS.items() if of == policy)
    return f"CPU time and peak memory of one run, where they were measured: {told}."
