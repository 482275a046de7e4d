"""The rows of Tables 3 and 4 about AC-State: runs of its protocol beside the printed numbers."""

from __future__ import annotations

from collections import Counter
from itertools import count, takewhile
from typing import TYPE_CHECKING, Final

from steel_verified.baselines.ac_state.protocol import Outcome, Protocol, outcome
from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS, Pair, Printed, printed
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

    from steel_verified.baselines.ac_state.trajectories import Policy
    from steel_verified.sweeps.study import Row

    Found = Mapping[Pair, Sequence[Outcome]]
    """The complete runs on each pair."""

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
    found = {pair: completed(rows, pair, "uniform") for pair in PRIME_LOOPS}
    numbers = [
        number
        for pair, column in PRIME_LOOPS.items()
        for number in _steps("AC-State", pair, found, column.ac_state, column.ac_state_median)
    ]
    return Reproduction(
        title="Table 3: prime loops, AC-State",
        place="l. 1947–1967",
        command="steel reproduce table3 --ac-state",
        numbers=tuple(numbers),
        remarks=(_A_DRAW, *_lags(found), *_singles(found), _costs("uniform")),
    )


def table4(rows: Mapping[str, Row]) -> Reproduction:
    uniform = {pair: completed(rows, pair, "uniform") for pair in EXPLORATION}
    exploring = {pair: completed(rows, pair, "exploration") for pair in EXPLORATION}
    most, middle = [], []
    for who, found in (("uniform", uniform), ("exploring", exploring)):
        for pair, column in EXPLORATION.items():
            printed = getattr(column, who), getattr(column, f"{who}_median")
            numbers = _steps(f"AC-State, {who}", pair, found, *printed)
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
        steel, runs = prime_loop_steps(of_steel, pair), completed(of_ac_state, pair, "uniform")
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


def completed(rows: Mapping[str, Row], pair: Pair, policy: Policy) -> list[Outcome]:
    """The complete runs of the protocol: repeats 0, 1, … up to the first one that is not."""
    runs = (outcome(Protocol(pair, policy, repeat=repeat), rows) for repeat in count())
    return [one for one in takewhile(lambda found: found is not None, runs) if one]


def quoted(steps: int) -> str:
    """T in the paper's notation: one digit and a power of ten, if one digit is exact."""
    digits = str(steps).rstrip("0")
    return str(printed(f"{digits}e{len(str(steps)) - len(digits)}")) if digits else "0"


def _steps(
    who: str, pair: Pair, found: Found, most: Printed, middle: Printed
) -> tuple[Compared, Compared]:
    runs = found[pair]
    return (
        _compared(f"{who}, max steps", pair, most, [one.t_max for one in runs]),
        _compared(f"{who}, median steps", pair, middle, [one.t_median for one in runs]),
    )


def _compared(what: str, pair: Pair, number: Printed, ours: Sequence[int]) -> Compared:
    if not ours:
        reason = "only run on request, with --pair {},{}".format(*pair)
        return compared(what, pair, number, None, reason=reason)
    reason = ""
    if len(ours) > 1:
        counts = sorted(Counter(ours).items())
        spread = ", ".join(f"{quoted(steps)} ({times})" for steps, times in counts)
        reason = f"in {len(ours)} runs {spread}"
    elif agreement(ours[0], number) is not Agreement.SAME:
        reason = "random variation"
    return compared(what, pair, number, ours[0], quoted(ours[0]), reason)


def _lags(found: Found) -> list[str]:
    """K_opt of the first runs, beside the lag from which i and i' differ at all."""
    lags = []
    for pair, runs in found.items():
        for one in runs[:1]:
            least, largest, _ = one.right_lags
            lags.append(
                f"{pair}: {one.k_opt} (K = {least} to {largest} at T = "
                f"{quoted(one.searched_length)}; no K below {pair[0] * (pair[1] - 1) + 1} can work)"
            )
    return [f"K_opt: {'; '.join(lags)}."] if lags else []


def _singles(found: Found) -> list[str]:
    singles = [one.single for runs in found.values() for one in runs]
    right, judged = (sum(each) for each in zip(*singles, strict=True)) if singles else (0, 0)
    if not judged:
        return []
    return [f"SinglePrime with K_opt and T_max: φ_SP on {right} of {judged} (printed: always)."]


def _costs(policy: Policy) -> str:
    text = "; ".join(f"{pair}: {cost}" for (pair, of), cost in _COSTS.items() if of == policy)
    return f"CPU time and peak memory of one run, where they were measured: {text}."
