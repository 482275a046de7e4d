"""Tables 3 and 4 as far as they are about AC-State: our runs of its protocol beside the printed."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.ac_state_jobs import TRAJECTORIES
from steel_verified.experiments.ac_state_protocol import Protocol, outcome
from steel_verified.experiments.published import EXPLORING, PRIME_LOOPS, Printed, printed
from steel_verified.reports.comparison import Agreement, Compared, Reproduction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.baselines.policies import Policy
    from steel_verified.experiments.ac_state_protocol import Outcome
    from steel_verified.experiments.published import Pair
    from steel_verified.experiments.study import Row

_A_DRAW: Final = (
    "One run of the protocol is a draw: 20 trajectories decide each of its steps, and a single "
    "wrong one moves T_max by a step, or makes all steps ten times as coarse. Our first run stands "
    "in the table; the others show how far apart runs are. T is known to one digit, as tested."
)


def ac_state_table(rows: Mapping[str, Row], policy: Policy) -> Reproduction:
    """The rows about AC-State: of Table 3 with the uniform policy, of Table 4 with the other."""
    of_pairs: dict[Pair, tuple[Printed, Printed]] = (
        {pair: (column.ac_state, column.ac_state_median) for pair, column in PRIME_LOOPS.items()}
        if policy == "uniform"
        else EXPLORING
    )
    most: list[Compared] = []
    middle: list[Compared] = []
    found: dict[Pair, Sequence[Outcome]] = {}
    for pair, (of_max, of_median) in of_pairs.items():
        found[pair] = outcomes = completed(rows, pair, policy)
        most.append(_compared("AC-State, max steps", pair, of_max, [one.t_max for one in outcomes]))
        middle.append(
            _compared("AC-State, median steps", pair, of_median, [one.t_median for one in outcomes])
        )
    uniform = policy == "uniform"
    return Reproduction(
        title=f"Table {3 if uniform else 4}: prime loops, AC-State, {policy} policy",
        place="l. 1947–1967" if uniform else "l. 2007–2026",
        command=f"steel reproduce {'table3' if uniform else 'table4'}",
        numbers=(*most, *middle),
        remarks=(_A_DRAW, *_lags(found), *_singles(found)),
    )


def completed(rows: Mapping[str, Row], pair: Pair, policy: Policy) -> list[Outcome]:
    """The complete runs of the protocol: repeats 0, 1, … as far as there are rows."""
    found: list[Outcome] = []
    for repeat in count():
        one = outcome(Protocol(pair, policy, repeat=repeat), rows)
        if one is None:
            return found
        found.append(one)
    raise AssertionError("count() does not end")


def quoted(steps: int) -> str:
    """As the paper quotes T: one digit and a power of ten, where one digit says it."""
    digits = str(steps).rstrip("0")
    return str(printed(f"{digits}e{len(str(steps)) - len(digits)}")) if digits else "0"


def _compared(what: str, pair: Pair, number: Printed, ours: Sequence[int]) -> Compared:
    if not ours:
        return Compared(what, str(pair), str(number), "", Agreement.MISSING)
    same = number.agrees_with(ours[0])
    spread = ", ".join(f"{quoted(steps)} ({runs})" for steps, runs in sorted(Counter(ours).items()))
    reason = f"in {len(ours)} runs {spread}" if len(ours) > 1 else "" if same else "another draw"
    return Compared(
        what,
        str(pair),
        str(number),
        quoted(ours[0]),
        Agreement.SAME if same else Agreement.NEAR,
        reason,
    )


def _lags(found: Mapping[Pair, Sequence[Outcome]]) -> list[str]:
    """K_opt of the first runs, beside the lag from which i and i' differ at all."""
    lags = []
    for pair, outcomes in found.items():
        for one in outcomes[:1]:
            least, largest, _ = one.right_lags
            lags.append(
                f"{pair}: {one.k_opt} (K = {least} to {largest} at T = "
                f"{quoted(one.searched_length)}; below {pair[0] * (pair[1] - 1) + 1} no K can tell)"
            )
    return [f"K_opt: {'; '.join(lags)}."] if lags else []


def _singles(found: Mapping[Pair, Sequence[Outcome]]) -> list[str]:
    runs = [one for outcomes in found.values() for one in outcomes]
    right = sum(one.single_right for one in runs)
    if not runs:
        return []
    all_runs = TRAJECTORIES * len(runs)
    return [f"SinglePrime with K_opt and T_max: φ_SP on {right} of {all_runs} (printed: always)."]
