"""The rows of Tables 3 and 4 about AC-State: runs of its protocol beside the printed numbers."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Final

from steel_verified.baselines.ac_state.jobs import TRAJECTORIES
from steel_verified.baselines.ac_state.protocol import Protocol, outcome
from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS, Printed, printed
from steel_verified.reports.comparison import Agreement, Compared, Reproduction, agreement
from steel_verified.reports.steel_tables import prime_loop_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.baselines.ac_state.policies import Policy
    from steel_verified.baselines.ac_state.protocol import Outcome
    from steel_verified.experiments.published import Pair
    from steel_verified.sweeps.study import Row

_A_DRAW: Final = (
    "Each run of the protocol is random: 20 trajectories decide each of its steps, and a single "
    "wrong trajectory changes T_max by one step of the grid, or makes the grid ten times coarser. "
    "The table shows our first run; the other runs show how much runs vary. The protocol "
    "determines T to one digit."
)


def table3_ac_state(rows: Mapping[str, Row]) -> Reproduction:
    """The rows of Table 3 about AC-State, which uses the uniform policy there."""
    found = {pair: completed(rows, pair, "uniform") for pair in PRIME_LOOPS}
    numbers = [
        *(_t_max(pair, PRIME_LOOPS[pair].ac_state, found[pair]) for pair in found),
        *(_t_median(pair, PRIME_LOOPS[pair].ac_state_median, found[pair]) for pair in found),
    ]
    return Reproduction(
        title="Table 3: prime loops, AC-State",
        place="l. 1947–1967",
        command="steel reproduce table3 --ac-state",
        numbers=tuple(numbers),
        remarks=(_A_DRAW, *_lags(found), *_singles(found)),
    )


def table4(rows: Mapping[str, Row]) -> Reproduction:
    """Table 4: AC-State with each of the two policies."""
    uniform = {pair: completed(rows, pair, "uniform") for pair in EXPLORATION}
    exploring = {pair: completed(rows, pair, "exploration") for pair in EXPLORATION}
    columns = EXPLORATION.items()
    most = (
        *(_t_max(pair, column.uniform, uniform[pair], "uniform") for pair, column in columns),
        *(_t_max(pair, column.exploring, exploring[pair], "exploring") for pair, column in columns),
    )
    middle = (
        *(
            _t_median(pair, column.uniform_median, uniform[pair], "uniform")
            for pair, column in columns
        ),
        *(
            _t_median(pair, column.exploring_median, exploring[pair], "exploring")
            for pair, column in columns
        ),
    )
    return Reproduction(
        title="Table 4: prime loops, AC-State with an exploring policy",
        place="l. 2015–2033",
        command="steel reproduce table4",
        numbers=(*most, *middle),
        remarks=(*_lags(exploring), *_singles(exploring)),
    )


def ratios(of_ac_state: Mapping[str, Row], of_steel: Mapping[str, Row]) -> Reproduction:
    """The rows of Table 3 that divide the steps of AC-State by those of STEEL."""
    most: list[Compared] = []
    middle: list[Compared] = []
    for pair, column in PRIME_LOOPS.items():
        steel = prime_loop_steps(of_steel, pair)
        runs = completed(of_ac_state, pair, "uniform")[:1]
        what = ("AC-State / STEEL, max steps", "AC-State / STEEL, median steps")
        if steel is None or not runs:
            most.append(Compared(what[0], str(pair), str(column.ratio), "", Agreement.MISSING))
            middle.append(
                Compared(what[1], str(pair), str(column.ratio_of_medians), "", Agreement.MISSING)
            )
            continue
        most.append(_ratio(what[0], pair, column.ratio, runs[0].t_max / steel.most))
        middle.append(
            _ratio(what[1], pair, column.ratio_of_medians, runs[0].t_median / steel.median)
        )
    return Reproduction(
        title="Table 3: AC-State beside STEEL",
        place="l. 1955, 1960",
        command="steel reproduce table3 --ac-state",
        numbers=(*most, *middle),
        remarks=(),
    )


def _ratio(what: str, pair: Pair, number: Printed, ours: float) -> Compared:
    agreed = agreement(ours, number)
    reason = "" if agreed is Agreement.SAME else "because its two parts differ"
    return Compared(what, str(pair), str(number), f"{ours:.2g}", agreed, reason)


def _t_max(pair: Pair, number: Printed, runs: Sequence[Outcome], policy: str = "") -> Compared:
    what = f"AC-State, {policy + ', ' if policy else ''}max steps"
    return _compared(what, pair, number, [one.t_max for one in runs])


def _t_median(pair: Pair, number: Printed, runs: Sequence[Outcome], policy: str = "") -> Compared:
    what = f"AC-State, {policy + ', ' if policy else ''}median steps"
    return _compared(what, pair, number, [one.t_median for one in runs])


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


def _compared(what: str, pair: Pair, number: Printed, ours: Sequence[int]) -> Compared:
    if not ours:
        reason = f"only run on request, with --pair {pair[0]},{pair[1]}"
        return Compared(what, str(pair), str(number), "", Agreement.MISSING, reason)
    agreed = agreement(ours[0], number)
    spread = ", ".join(f"{quoted(steps)} ({runs})" for steps, runs in sorted(Counter(ours).items()))
    reason = f"in {len(ours)} runs {spread}" if len(ours) > 1 else ""
    if not reason and agreed is not Agreement.SAME:
        reason = "random variation"
    return Compared(what, str(pair), str(number), quoted(ours[0]), agreed, reason)


def _lags(found: Mapping[Pair, Sequence[Outcome]]) -> list[str]:
    """K_opt of the first runs, with the smallest lag at which i and i' can differ."""
    lags = []
    for pair, outcomes in found.items():
        for one in outcomes[:1]:
            least, largest, _ = one.right_lags
            lags.append(
                f"{pair}: {one.k_opt} (K = {least} to {largest} at T = "
                f"{quoted(one.searched_length)}; no K below {pair[0] * (pair[1] - 1) + 1} can work)"
            )
    return [f"K_opt: {'; '.join(lags)}."] if lags else []


def _singles(found: Mapping[Pair, Sequence[Outcome]]) -> list[str]:
    runs = [one for outcomes in found.values() for one in outcomes]
    right = sum(one.single_right for one in runs)
    if not runs:
        return []
    all_runs = TRAJECTORIES * len(runs)
    return [f"SinglePrime with K_opt and T_max: φ_SP on {right} of {all_runs} (printed: always)."]
