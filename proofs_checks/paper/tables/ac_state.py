"""AC-State's rows of the tables, beside recorded runs of its protocol (l. 1937-2029).

One run of the protocol is a draw, and so is a printed number: it can be held against the spread of
several runs, which shows nothing for certain. The runs are those shipped with the package; each can
be made again from its key.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import sampled
from proofs_checks.sections import LOOPS_TABLES
from steel_verified.baselines.ac_state.protocol import Protocol, curves
from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS
from steel_verified.reports.ac_state_tables import completed
from steel_verified.reports.reproducibility import recorded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.baselines.ac_state.policies import Policy
    from steel_verified.baselines.ac_state.protocol import Outcome
    from steel_verified.experiments.published import Pair

Case = tuple["Pair", "Policy"]

_SMALL: Final[tuple[Case, ...]] = (((3, 5), "uniform"), ((5, 7), "uniform"))
_LARGER: Final[tuple[Case, ...]] = (((11, 13), "uniform"),)
_EXPLORING: Final[tuple[Case, ...]] = (
    ((3, 5), "exploration"),
    ((5, 7), "exploration"),
    ((11, 13), "exploration"),
)


@cache
def _runs(pair: Pair, policy: Policy) -> Sequence[Outcome]:
    return completed(recorded("ac_state"), pair, policy)


def _printed(pair: Pair, policy: Policy) -> tuple[Fraction, Fraction]:
    """The most steps, and the median."""
    if policy == "uniform":
        return PRIME_LOOPS[pair].ac_state.value, PRIME_LOOPS[pair].ac_state_median.value
    return EXPLORATION[pair].exploring.value, EXPLORATION[pair].exploring_median.value


def _in_the_spread(case: Case, factor: int) -> bool:
    """Whether so many times the printed steps lie between the fewest and the most of our runs."""
    most, middle = _printed(*case)
    ours = [run.t_max for run in _runs(*case)], [run.t_median for run in _runs(*case)]
    return all(
        min(steps) <= factor * printed <= max(steps)
        for steps, printed in zip(ours, (most, middle), strict=True)
    )


def _beside_our_runs(cases: Sequence[Case], factor: int) -> Evidence:
    runs = ", ".join(f"{len(_runs(*case))} of {case[0]}" for case in cases)
    return sampled(cases, partial(_in_the_spread, factor=factor), f"recorded runs: {runs}")


def _only_large_lags(case: Case, times: int) -> bool:
    """Whether no K up to so many times (q − 1)p is right on all 20 trajectories of any length."""
    (p, q), policy = case
    searched = curves(Protocol((p, q), policy), recorded("ac_state"))
    return bool(searched) and all(
        number < 20 or first > times * (q - 1) * p
        for curve in searched
        for first, number in curve.steps
    )


def _searched(times: int) -> Evidence:
    cases = (*_SMALL, *_LARGER, *_EXPLORING)
    return sampled(cases, partial(_only_large_lags, times=times), "every T of the first searches")


def _slower(case: Case, times: int) -> bool:
    """Whether exploring takes more than so many times the steps, by the median over runs."""
    pair, _ = case
    exploring, uniform = (
        sorted(run.t_max for run in runs) for runs in (_runs(*case), _runs(pair, "uniform"))
    )
    return exploring[len(exploring) // 2] > times * uniform[len(uniform) // 2]


_DRAWS: Final = ("one run of the protocol is a draw, and so is each printed number",)

CLAIMS: Final = (
    LOOPS_TABLES.sampled(
        "K07",
        "1954, 1959",
        "for (3, 5) and (5, 7), the printed steps of AC-State lie between the fewest and the most "
        "of recorded runs of its protocol",
        partial(_beside_our_runs, _SMALL, 1),
        Mutant("three times the printed steps", partial(_beside_our_runs, _SMALL, 3)),
        assumptions=_DRAWS,
    ),
    LOOPS_TABLES.sampled(
        "K08",
        "1954, 1959",
        "so they do for (11, 13)",
        partial(_beside_our_runs, _LARGER, 1),
        Mutant("three times the printed steps", partial(_beside_our_runs, _LARGER, 3)),
        assumptions=(*_DRAWS, "of q ≥ 13, only the column (11, 13)"),
    ),
    LOOPS_TABLES.sampled(
        "K13",
        "2026, 2029",
        "so they do with the exploring policy, for (3, 5), (5, 7) and (11, 13)",
        partial(_beside_our_runs, _EXPLORING, 1),
        Mutant("three times the printed steps", partial(_beside_our_runs, _EXPLORING, 3)),
        assumptions=_DRAWS,
    ),
    LOOPS_TABLES.sampled(
        "K14",
        "1937, 2011",
        "in the recorded searches, no K ≤ (q − 1)p is right on all 20 trajectories of any length, "
        "as it must be in the limit (J06)",
        partial(_searched, 1),
        Mutant("no K up to twice that", partial(_searched, 2)),
        assumptions=_DRAWS,
    ),
    LOOPS_TABLES.sampled(
        "J20",
        "1990",
        "exploring takes more steps than acting uniformly, by the median of recorded runs, for "
        "(3, 5), (5, 7) and (11, 13)",
        lambda: sampled(_EXPLORING, partial(_slower, times=1), "medians of recorded runs"),
        Mutant(
            "three times as many",
            lambda: sampled(_EXPLORING, partial(_slower, times=3), "medians of recorded runs"),
        ),
        assumptions=_DRAWS,
    ),
)
